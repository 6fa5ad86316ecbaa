import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { npmProject } from '#test/repositories/imports.ts'
import { toTar, toTarGz } from '#test/repositories/tar.ts'
import { toZip } from '#test/repositories/zip.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const path = '/v1/test/files'
const vulnerable = 'GHSA-35jh-r3h4-6jhm'

/** Two npm projects, a Python one, a project of Homebrew, and one below `tests`. */
const files: Readonly<Record<string, string>> = Object.fromEntries([
  ...['app', 'lib', 'app/tests/sample'].flatMap((folder) =>
    npmProject(folder, 'lodash', folder === 'lib' ? '4.17.21' : '4.17.20').map(
      (file) => [file.path, String(file.content)] as const,
    ),
  ),
  ['tool/requirements.txt', '# nothing yet\n'],
  ['native/Brewfile', 'brew "native"\n'],
  ['README.md', 'no manifest'],
])
const json = Object.entries(files).map(([path, contents]) => ({ path, contents }))

interface TreeAnswer {
  readonly ok: boolean
  readonly projects: readonly {
    readonly path: string
    readonly packageManager: string
    readonly ok: boolean
    readonly result?: {
      issues: { vulnerabilities: { id: string; declaration?: object }[] }
      filesystemPolicy?: unknown
    }
    readonly error?: { code: string; message: string }
  }[]
  readonly advisories: Readonly<Record<string, object>>
  readonly leftOut: readonly { path: string; packageManager?: string; reason: string }[]
  readonly excluded: number
}

onAnyEngine('tests of file sets', (engine) => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    registry = await startNpmRegistry({ lodash: { '4.17.20': {}, '4.17.21': {} } })
    app = await startApp(engine, { GATEHOUSE_NPM_REGISTRY: registry.url, GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  const send = (body: unknown, headers: Record<string, string> = {}, query = {}) =>
    app.call('POST', path, { body, headers, query })

  function formOf(parts: readonly (readonly [name: string, content: string])[], filename = 'upload') {
    const boundary = 'a-boundary-of-ours'
    const written = parts.map(
      ([name, content]) =>
        `--${boundary}\r\ncontent-disposition: form-data; name="${name}"; filename="${filename}"\r\n\r\n${content}\r\n`,
    )
    const body = Buffer.from(`${written.join('')}--${boundary}--\r\n`)
    return [body, { 'content-type': `multipart/form-data; boundary=${boundary}` }] as const
  }

  const forms: [title: string, body: unknown, headers?: Record<string, string>][] = [
    ['JSON', { files: json }],
    [
      'JSON in Base64',
      {
        encoding: 'base64',
        files: json.map((file) => ({
          ...file,
          contents: Buffer.from(file.contents).toString('base64'),
        })),
      },
    ],
    ['a form', ...formOf(Object.entries(files))],
    ['a gzipped tar', toTarGz(files), { 'content-type': 'application/gzip' }],
    [
      'a tar with a folder around it',
      toTar(Object.entries(files).map(([name, content]) => ({ name: `project/${name}`, content }))),
      { 'content-type': 'application/x-tar' },
    ],
    [
      'a zip',
      toZip(Object.entries(files).map(([name, content]) => ({ name, content }))),
      { 'content-type': 'application/octet-stream' },
    ],
  ]
  test('the files of a tree are parsed by test threads only', async (context) => {
    const readTree = context.mock.method(app.parts.tests, 'readTree')
    assert.equal((await send({ files: json })).statusCode, 200)
    const kinds = readTree.mock.calls.map(({ arguments: [task] }) => task.question.kind)
    assert.deepEqual(kinds, ['survey', 'files-beside'])
  })

  for (const [title, body, headers] of forms) {
    test(`file set as ${title}: every project is tested; unsupported manifests are left out`, async () => {
      const answer = await send(body, headers)
      assert.equal(answer.statusCode, 200, answer.body)
      const { ok, projects, leftOut, excluded }: TreeAnswer = answer.json()
      assert.equal(ok, false)
      assert.deepEqual(
        projects.map((project) => [project.path, project.packageManager, project.ok]),
        [
          ['app/package.json', 'npm', false],
          ['lib/package.json', 'npm', true],
          ['tool/requirements.txt', 'pip', true],
        ],
      )
      assert.ok(projects[0]!.result!.issues.vulnerabilities.some(({ id }) => id === vulnerable))
      assert.deepEqual(leftOut, [
        { path: 'native/Brewfile', packageManager: 'Homebrew', reason: 'Homebrew is not read here' },
      ])
      assert.equal(excluded, 1)
    })
  }

  test('file set: ok only if every project is ok and nothing is left out', async () => {
    const fine = json.filter((file) => /^(lib|tool)\//.test(file.path))
    assert.deepEqual((await send({ files: fine })).json().ok, true)
    const homebrew = json.filter((file) => file.path.startsWith('native/'))
    assert.deepEqual((await send({ files: [...fine, ...homebrew] })).json().ok, false)
    const only: TreeAnswer = (await send({ files: homebrew })).json()
    assert.deepEqual([only.ok, only.projects.length, only.leftOut.length], [false, 0, 1])
  })

  test('file set: each result equals that of the project’s own route, with the details of advisories once', async () => {
    const [target, lock] = ['package.json', 'package-lock.json'].map((name) => ({ contents: files[`app/${name}`]! }))
    const own = (await app.call('POST', '/v1/test/npm', { body: { files: { target, additional: [lock] } } })).json()
    const tree: TreeAnswer = (await send({ files: json })).json()
    const [issue] = tree.projects[0]!.result!.issues.vulnerabilities
    assert.deepEqual(issue!.declaration, { file: 'app/package.json', line: 1 })
    assert.deepEqual(own.issues.vulnerabilities[0].declaration, { file: 'package.json', line: 1 })
    const referring = tree.projects[0]!.result!.issues
    assert.ok(!('description' in issue!))
    const vulnerabilities = referring.vulnerabilities.map((vulnerability) => ({
      ...vulnerability,
      ...tree.advisories[vulnerability.id],
    }))
    assert.deepEqual(
      { ...referring, vulnerabilities },
      JSON.parse(JSON.stringify(own.issues).replaceAll('"file":"package.json"', '"file":"app/package.json"')),
    )
  })

  test('file set: parameters apply to every project; exclude replaces the excluded folders', async () => {
    const all: TreeAnswer = (await send({ files: json }, {}, { exclude: '' })).json()
    assert.deepEqual([all.projects.length, all.excluded], [4, 0])
    const some: TreeAnswer = (
      await send({ files: json }, {}, { exclude: 'app,tests', severityThreshold: 'critical' })
    ).json()
    assert.deepEqual([some.projects.length, some.excluded], [2, 2])
    assert.equal((await send({ files: json }, {}, { exclude: 'x'.repeat(101) })).statusCode, 400)
  })

  test('file set: `after` continues behind a path; nothing is left behind the last one', async () => {
    const paths = async (after: string) =>
      (await send({ files: json }, {}, { after })).json().projects.map(({ path }: { path: string }) => path)
    assert.deepEqual(await paths('app/package.json'), ['lib/package.json', 'tool/requirements.txt'])
    assert.deepEqual(await paths('tool/requirements.txt'), [])
  })

  test('file set with an unreadable manifest: has its error beside the results of others', async () => {
    const broken = { path: 'broken/package.json', contents: '{"dependencies": ' }
    const answer: TreeAnswer = (await send({ files: [...json, broken] })).json()
    const project = answer.projects.find((project) => project.path === broken.path)!
    assert.deepEqual([project.ok, project.error!.code], [false, 'manifest-unreadable'])
    assert.ok(answer.projects.some((project) => project.result !== undefined))
  })

  describe('refusals of file sets', () => {
    const refusals: [why: string, body: unknown, status: number, message: RegExp, headers?: Record<string, string>][] =
      [
        ['without a manifest', { files: [{ path: 'a.txt', contents: '' }] }, 400, /None of the files is the manifest/],
        [
          'with excluded folders only',
          { files: [{ path: 'tests/package.json', contents: '{"name":"a"}' }] },
          400,
          /1 are in excluded folders.*exclude=/,
        ],
        [
          'with a path above its root',
          { files: [{ path: '../package.json', contents: '{}' }] },
          400,
          /relative, with \//,
        ],
        ['with an absolute path', { files: [{ path: '/etc/package.json', contents: '{}' }] }, 400, /relative, with \//],
        ['with a backslash', { files: [{ path: 'a\\package.json', contents: '{}' }] }, 400, /relative, with \//],
        [
          'with a path twice',
          { files: ['package.json', './package.json'].map((path) => ({ path, contents: '{}' })) },
          400,
          /Two files have this path/,
        ],
        ['without contents', { files: [{ path: 'package.json' }] }, 400, /contents/],
        ['with an empty list', { files: [] }, 400, /fewer than 1|at least 1/i],
        ['without a list', {}, 400, /files/],
        ['as text', Buffer.from('hello'), 415, /application\/gzip/, { 'content-type': 'text/plain' }],
        [
          'as an archive that is not one',
          Buffer.from('hello'),
          400,
          /not a tar/,
          { 'content-type': 'application/gzip' },
        ],
        [
          'as a broken archive',
          toTarGz({ 'package.json': '{}' }).subarray(0, 60),
          422,
          /archive/i,
          { 'content-type': 'application/gzip' },
        ],
        [
          'as a form without its boundary',
          Buffer.from('hello'),
          400,
          /boundary/,
          { 'content-type': 'multipart/form-data; boundary=x' },
        ],
        ['as a form without parts', formOf([])[0], 400, /no part|boundary/, formOf([])[1]],
        [
          'as a form whose part is not named by the path',
          formOf([['file', '{"name":"a"}']], 'package.json')[0],
          400,
          /The part "file" holds package\.json\. Name each part by the path.*-F package\.json=@package\.json/,
          formOf([], 'package.json')[1],
        ],
        [
          'as a form with another file under such a name',
          formOf([['file', 'text']], 'notes.txt.bak')[0],
          400,
          /None of the files is the manifest.*in a form, name the parts like this/,
          formOf([])[1],
        ],
        ['as JSON that is too large', { files: [{ path: 'a', contents: 'x'.repeat(5_000_000) }] }, 413, /tar archive/],
      ]
    for (const [why, body, status, message, headers] of refusals) {
      test(`file set ${why}: refused (${status})`, async () => {
        const answer = await send(body, headers)
        assert.equal(answer.statusCode, status, answer.body)
        assert.match(answer.json().message, message)
      })
    }

    test('file set from callers without permission (403) or credential (401): refused', async () => {
      const key = await app.keyWith(['org.read'])
      assert.equal((await app.call('POST', path, { key, body: { files: json } })).statusCode, 403)
      assert.equal((await app.call('POST', path, { key: null, body: { files: json } })).statusCode, 401)
    })
  })
})
