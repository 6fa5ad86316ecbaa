import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertRefusal } from '#test/access/refusals.ts'
import { filesBody } from '#test/manifests/test-bodies.ts'
import { startPyPiIndex } from '#test/registries/pypi-index.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

/** Packages of which flask and jinja2 are vulnerable in the starter set; jinja2 is fixed in 2.10.1, 2.11.3, 3.1.5. */
const universal = ['-py2.py3-none-any.whl']
const content = {
  flask: {
    '0.12.2': { requires: ['jinja2>=2.4,<3'] },
    '0.12.3': { requires: ['jinja2>=2.4'] },
    '2.0.0': { requires: ['jinja2'], python: '>=3.6' },
  },
  jinja2: { '2.8': {}, '2.10': { files: universal }, '2.10.1': {}, '2.11.3': {}, '3.1.5': { python: '>=3.7' } },
  strict: { '1.0': { requires: ['jinja2==2.10'] } },
  old: { '1.0': { files: universal, python: '<3', requires: ['jinja2==2.10; python_version < "3"'] } },
  windows: { '1.0': { requires: ['jinja2==2.10; sys_platform == "win32"'] } },
  half: { '1.0': { requires: ['gone>=1'] } },
  fine: { '1.0': {} },
  opaque: { '1.0': { requires: null, files: ['.tar.bz2'] } },
}
const IN_JINJA = 'GHSA-462w-v97r-4m45'
const IN_FLASK = 'GHSA-562c-5r94-xh97'

interface Issue {
  readonly id: string
  readonly from: string[]
  readonly isPinnable: boolean
  readonly pin?: { readonly version: string; readonly forbiddenBy: string[]; readonly notKnownOf: string[] }
  readonly [member: string]: unknown
}

interface Result {
  readonly ok: boolean
  readonly issues: { readonly vulnerabilities: Issue[] }
  readonly dependencyCount: number
  readonly packageManager: string
  readonly coverage: {
    readonly complete: boolean
    readonly locked: boolean
    readonly filesRead: string[]
    readonly excluded: object[]
    readonly dependencies: object
    readonly unresolved: {
      readonly name: string
      readonly code: string
      readonly line?: number
      readonly file?: string
    }[]
  }
}

onAnyEngine('package tests of Python', (engine) => {
  let app: TestApp
  let index: Awaited<ReturnType<typeof startPyPiIndex>>
  let other: typeof index
  before(async () => {
    index = await startPyPiIndex(content)
    other = await startPyPiIndex({ inside: { '1.0': { requires: ['jinja2==2.10'] } } })
    app = await startApp(engine, {
      GATEHOUSE_PYPI_URL: index.url,
      GATEHOUSE_PYPI_INDEXES: `${other.url}/simple`,
      GATEHOUSE_TEST_WORKERS: '1',
      registryMaxAgeMinutes: 0,
    })
  })
  after(async () => {
    await app.close()
    await index.close()
    await other.close()
  })

  async function post(contents: string, query: Record<string, string> = {}, ...additional: string[]): Promise<Result> {
    const answer = await app.call('POST', '/v1/test/pip', { body: filesBody(contents, ...additional), query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const find = (result: Result, id: string) => result.issues.vulnerabilities.find((issue) => issue.id === id)

  describe('POST /v1/test/pip', () => {
    test('pip project: tests what pip would install and reports issues as documented', async () => {
      const result = await post('Flask == 0.12.2\njinja2<2.10.1\n')
      assert.equal(result.ok, false)
      assert.equal(result.packageManager, 'pip')
      assert.equal(result.dependencyCount, 2)
      assert.deepEqual(
        [result.coverage.complete, result.coverage.locked, result.coverage.filesRead],
        [true, false, ['requirements.txt (for Python 3.13 on Linux)']],
      )
      const issue = find(result, IN_FLASK)!
      assert.deepEqual(issue.from, ['flask@0.12.2'])
      assert.deepEqual(issue['semver'], { vulnerable: ['<0.12.3'] })
      assert.deepEqual(
        [issue['language'], issue['packageManager'], issue['upgradePath'], issue['isUpgradable'], issue['isPatchable']],
        ['python', 'pip', [], false, false],
      )
      const paths = result.issues.vulnerabilities.filter(({ id }) => id === IN_JINJA).map(({ from }) => from)
      assert.deepEqual(paths, [['jinja2@2.10'], ['flask@0.12.2', 'jinja2@2.10']])
    })

    test('pip pin that all requirements allow: reported as proved', async () => {
      const issue = find(await post('flask==0.12.2\njinja2<2.10.1\n'), IN_JINJA)!
      assert.equal(issue.isPinnable, true)
      assert.deepEqual(issue.pin, { version: '2.10.1', forbiddenBy: [], notKnownOf: [] })
    })

    test('pip pin that a dependent excludes: not pinnable, the dependent is named', async () => {
      const issue = find(await post('strict\n'), IN_JINJA)!
      assert.equal(issue.isPinnable, false)
      assert.deepEqual(issue.pin, { version: '2.10.1', forbiddenBy: ['strict@1.0 (==2.10)'], notKnownOf: [] })
    })

    test('pip-compile output: tested as locked, without requests to the registry', async () => {
      const requestCount = index.paths.length
      const lock =
        '# This file is autogenerated by pip-compile\nflask==0.12.2\n    # via -r a.in\njinja2==2.10\n    # via flask\n'
      const result = await post(lock)
      assert.equal(index.paths.length, requestCount)
      assert.equal(result.coverage.locked, true)
      const issue = find(result, IN_JINJA)!
      assert.deepEqual(issue.from, ['flask@0.12.2', 'jinja2@2.10'])
      assert.deepEqual([issue.isPinnable, issue.pin?.notKnownOf], [true, ['flask@0.12.2']])
    })

    test('pip -r and -c: additional files are read where they are referenced; a missing one is named', async () => {
      const files = ['-r base.txt\n', '-c limits.txt\nflask\n', 'flask<1\njinja2==2.10\n'] as const
      const result = await post(files[0], {}, files[1], files[2])
      assert.deepEqual(result.coverage.filesRead.slice(1), ['base.txt', 'limits.txt'])
      assert.deepEqual(find(result, IN_JINJA)?.from, ['flask@0.12.3', 'jinja2@2.10'])
      const without = await post(files[0])
      assert.equal(without.ok, false)
      assert.deepEqual(
        without.coverage.unresolved.map(({ name, line }) => [name, line]),
        [['base.txt', 1]],
      )
    })

    test('pythonVersion and pythonPlatform: select the environment, else the server’s defaults', async () => {
      assert.equal(find(await post('windows\n'), IN_JINJA), undefined)
      assert.ok(find(await post('windows\n', { pythonPlatform: 'windows' }), IN_JINJA))
      const old = await post('old==1.0\n', { pythonVersion: '2.7' })
      assert.ok(find(old, IN_JINJA))
      assert.equal(old.coverage.complete, true)
      const now = await post('old==1.0\n')
      assert.equal(now.ok, false)
      assert.equal(now.coverage.unresolved[0]?.code, 'no-matching-version')
      assert.deepEqual((await post('fine\nold; python_version < "3"\n')).coverage.excluded, [
        { reason: 'other-environment', packages: 1 },
      ])
    })

    test('requirements exported for another Python: tested for it, never ok for an environment they exclude', async () => {
      const marker = 'python_version >= "3.8" and python_version < "3.10"'
      const exported = `flask==0.12.2 ; ${marker}\njinja2==2.10 ; ${marker}\n`
      const result = await post(exported)
      assert.ok(find(result, IN_FLASK))
      assert.deepEqual(result.coverage.filesRead, ['requirements.txt (for Python 3.9 on Linux)'])
      const other = await post(exported, { pythonVersion: '3.13' })
      assert.deepEqual([other.ok, other.dependencyCount], [false, 0])
      assert.deepEqual(
        other.coverage.unresolved.map(({ code }) => code),
        ['other-environment'],
      )
      const windows = await post('flask==0.12.2; sys_platform == "win32"\n')
      assert.deepEqual([windows.ok, windows.coverage.unresolved[0]?.code], [false, 'other-environment'])
    })

    test('pip requirements in UTF-16 or Latin-1: read in their declared encoding', async () => {
      const contents = Buffer.from('\uFEFFflask==0.12.2\r\n', 'utf16le').toString('base64')
      const request = { encoding: 'base64', files: { target: { contents } } }
      const answer = await app.call('POST', '/v1/test/pip', { body: request })
      assert.ok(find(answer.json(), IN_FLASK))
      const latin = Buffer.from('# -*- coding: latin-1 -*-\nflask==0.12.2 # für alle\n', 'latin1').toString('base64')
      const second = await app.call('POST', '/v1/test/pip', {
        body: { encoding: 'base64', files: { target: { contents: latin } } },
      })
      assert.ok(find(second.json(), IN_FLASK))
    })

    test('pip --extra-index-url: used if the operator allows it, otherwise named without credentials', async () => {
      const url = `${other.url}/simple`
      const result = await post(`--extra-index-url ${url}/\ninside\n`)
      assert.deepEqual(find(result, IN_JINJA)?.from, ['inside@1.0', 'jinja2@2.10'])
      const refused = await post('--extra-index-url https://user:hunter2@registry.example/simple\nfine\n')
      assert.equal(refused.ok, false)
      assert.deepEqual(
        refused.coverage.unresolved.map(({ name }) => name),
        ['--extra-index-url https://registry.example/simple'],
      )
    })

    test('pip requirement that is not published: named with its line, result not ok', async () => {
      const result = await post('fine\nhalf\n\nnothing==1\n')
      assert.equal(result.ok, false)
      assert.deepEqual(
        result.coverage.unresolved.map(({ name, code, line }) => [name, code, line]),
        [
          ['nothing', 'not-in-registry', 4],
          ['gone', 'not-in-registry', undefined],
        ],
      )
    })

    test('300 unknown pip requirements: other pins are tested; not ok, unless partial results are accepted', async () => {
      const unknown = Array.from({ length: 300 }, (_, n) => `nothing-${n}>=1`).join('\n')
      const result = await post(`${unknown}\nflask==0.12.2\n`)
      assert.ok(find(result, IN_FLASK))
      assert.equal(result.ok, false)
      assert.deepEqual(result.coverage.dependencies, { found: 302, resolved: 2, unresolved: 300 })
      const clean = await post(`${unknown}\nfine\n`)
      assert.deepEqual([clean.ok, clean.dependencyCount], [false, 1])
      assert.equal((await post(`${unknown}\nfine\n`, { acceptPartial: 'true' })).ok, true)
    })

    test('pip pin that is not published or has unknown dependencies: counted once', async () => {
      assert.deepEqual((await post('fine\nnothing==1\n')).coverage.dependencies, {
        found: 2,
        resolved: 2,
        unresolved: 1,
      })
      const unknown = await post('opaque\nfine\n')
      assert.deepEqual(unknown.coverage.dependencies, { found: 2, resolved: 2, unresolved: 1 })
    })

    test('pip project without issues: ok, and the same input gives the same bytes', async () => {
      assert.equal((await post('fine\n')).ok, true)
      const bodies = await Promise.all(
        [1, 2, 3].map(
          async () => (await app.call('POST', '/v1/test/pip', { body: filesBody('flask\nstrict\n') })).body,
        ),
      )
      assert.equal(new Set(bodies).size, 1)
    })

    test('pip target that is not a list of requirements: refused with the line (400 manifest-unreadable)', async () => {
      const answer = await app.call('POST', '/v1/test/pip', { body: filesBody('# a page\n<html>\n<body>\n') })
      assertRefusal(answer, { status: 400, code: 'manifest-unreadable' })
      assert.match(answer.body, /line 2/)
    })

    for (const query of [
      { pythonVersion: 'three' },
      { pythonVersion: '4.0' },
      { pythonPlatform: 'amiga' },
      { repository: 'x' },
    ]) {
      test(`POST /v1/test/pip: refuses ${JSON.stringify(query)} (400)`, async () => {
        const answer = await app.call('POST', '/v1/test/pip', {
          body: filesBody('fine\n'),
          query: query as Record<string, string>,
        })
        assert.equal(answer.statusCode, 400, answer.body)
      })
    }
  })

  describe('GET /v1/test/pip/{packageName}/{version}', () => {
    test('GET /v1/test/pip: tests a package with its dependencies', async () => {
      const result: Result = (await app.call('GET', '/v1/test/pip/Flask/0.12.2')).json()
      assert.equal(result.packageManager, 'pip')
      assert.equal(result.dependencyCount, 2)
      assert.deepEqual(find(result, IN_FLASK)?.from, ['flask@0.12.2'])
    })

    test('GET /v1/test/pip: accepts pythonPlatform', async () => {
      const call = async (query: Record<string, string>) =>
        (await app.call('GET', '/v1/test/pip/windows/1.0', { query })).json()
      assert.equal((await call({})).dependencyCount, 1)
      assert.equal((await call({ pythonPlatform: 'windows' })).dependencyCount, 2)
    })

    for (const path of [
      'nothing/1.0',
      'flask/9.9',
      'flask/latest',
      'flask/%3E%3D1',
      'flask/1.*',
      '..%2F..%2Fetc/1',
      'fl%20ask/1',
    ]) {
      test(`GET /v1/test/pip/${path}: returns 404 package-not-found`, async () => {
        assertRefusal(await app.call('GET', `/v1/test/pip/${path}`), { status: 404, code: 'package-not-found' })
      })
    }
  })

  test('pip test with a failing index: 502, or a partial result in which pins are tested', async () => {
    index.answerWith(503)
    const options = { body: filesBody('rsa==4.0\nunseen>=1\n') }
    assertRefusal(await app.call('POST', '/v1/test/pip', options), { status: 502, code: 'registry-unreachable' })
    const partial = await app.call('POST', '/v1/test/pip', { ...options, query: { acceptPartial: 'true' } })
    assert.ok(find(partial.json(), 'GHSA-537h-rv9q-vvph'))
    assert.equal(partial.headers['gatehouse-coverage'], 'partial')
    index.answerWith(200)
  })
})
