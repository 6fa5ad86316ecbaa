import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { assertCycloneDx } from '#test/documents/document-schemas.ts'
import { runnerCommandsIn } from '#test/documents/runner-commands.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { npmProject } from '#test/repositories/imports.ts'
import type { TestApp } from '#test/servers/app.ts'
import { startListening } from '#test/servers/listening.ts'
import { program, programEnvironment } from '#test/servers/program.ts'
import { withoutBaseline } from '../client/baseline.ts'
import { openServer } from '../client/open-server.ts'
import { writeForm } from '../client/reports.ts'
import { runTest, type TestFiles, testOnServer } from '../client/run-test.ts'
import type { TestDocument } from '../client/test-document.ts'
import { openLocalTests } from './local-tests.ts'

/** An affected npm project, a clean one without a lockfile, a project of Homebrew, and a project in `tests`. */
const files: Readonly<Record<string, string>> = Object.fromEntries([
  ...npmProject('app').map(({ path, content }) => [path, String(content)]),
  ['lib/package.json', '{"name":"lib","dependencies":{"lodash":"^4.17.21"}}'],
  ['tests/package.json', '{"name":"sample"}'],
  ['native/Brewfile', 'brew "native"\n'],
])

describe('gatehouse test', () => {
  let root: string
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-test-command-'))
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, 'project', path)), { recursive: true })
      writeFileSync(join(root, 'project', path), content)
    }
    registry = await startNpmRegistry({ lodash: { '4.17.20': {}, '4.17.21': {} } })
    app = await startListening('sqlite', { GATEHOUSE_NPM_REGISTRY: registry.url, GATEHOUSE_TEST_WORKERS: '1' })
  })
  after(async () => {
    await app.close()
    await registry.close()
    rmSync(root, { recursive: true })
  })

  const project = () => join(root, 'project')
  const localEnvironment = () => ({
    HOME: root,
    XDG_CACHE_HOME: join(root, 'cache'),
    GATEHOUSE_NPM_REGISTRY: registry.url,
    GATEHOUSE_TEST_WORKERS: '1',
  })
  const serverEnvironment = () => ({ GATEHOUSE_URL: app.parts.services.baseUrl, GATEHOUSE_KEY: app.adminKey })

  async function asJson(testFiles: TestFiles, input = {}): Promise<string> {
    const document = await runTest(
      { paths: [project()], files: [], includeDev: false, ...input },
      {
        testFiles,
        environment: process.env,
        signal: new AbortController().signal,
        cwd: project(),
        onProgress() {},
      },
    )
    return JSON.stringify(document)
  }

  async function run(args: readonly string[], environment: Record<string, string> = {}, input = '') {
    const child = spawn(process.execPath, [program.executable, ...args], {
      env: { ...programEnvironment, HOME: root, ...environment },
    })
    let [output, errors] = ['', '']
    child.stdin.end(input)
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (errors += chunk))
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
    return { code, output, errors }
  }

  test('test: a server and --local give the same JSON for every option', async () => {
    const tested: string[] = []
    const local = await openLocalTests(localEnvironment(), (path) => tested.push(path))
    try {
      const onServer = testOnServer(openServer({ url: app.parts.services.baseUrl, key: app.adminKey }, {}), () => {})
      const inputs = [
        {},
        { exclude: '', severityThreshold: 'high' },
        { files: ['app/package.json'] },
        { packageManager: 'npm', bill: true },
      ]
      for (const input of inputs) {
        assert.equal(await asJson(local.testFiles, input), await asJson(onServer, input), JSON.stringify(input))
      }
      const all = JSON.parse(await asJson(onServer))
      assert.deepEqual(
        all.projects.map((project: { path: string; ok: boolean }) => [project.path, project.ok]),
        [
          ['app/package.json', false],
          ['lib/package.json', true],
        ],
      )
      assert.deepEqual(all.leftOut, [
        { path: 'native/Brewfile', packageManager: 'Homebrew', reason: 'Homebrew is not read here' },
      ])
      assert.equal(all.excluded, 1)
      assert.ok(tested.includes('lib/package.json'))
    } finally {
      await local.close()
    }
    assert.ok(!existsSync(join(root, 'cache', 'gatehouse', 'reading')), 'nothing is written')
  })

  test('test: names of the repository are no commands of a CI runner, whatever the form or failure', async () => {
    const folder = join(root, 'commands')
    const names = ['::error title=t::dir', '##vso[task.prependpath]x', `${'a'.repeat(74)}::error::x`]
    for (const name of names) {
      mkdirSync(join(folder, name), { recursive: true })
      for (const { path, content } of npmProject('.')) writeFileSync(join(folder, name, String(path)), content)
    }
    writeFileSync(join(folder, names[0]!, 'pom.xml'), '<project>')
    for (const args of [[folder], ['--json', folder], [join(folder, '::warning::none')], ['--json', '##[group]none']]) {
      const { output, errors } = await run(['test', '--local', ...args], localEnvironment())
      assert.notEqual(output + errors, '')
      assert.deepEqual(runnerCommandsIn(output + errors), [], args.join(' '))
    }
  })

  test('test --offline: no registry is asked, no server is needed, and the result says what is missing', async () => {
    const previousCount = registry.paths.length
    const { code, output } = await run(['test', '--offline', '--strict', '--file', 'lib/package.json', project()], {
      ...localEnvironment(),
      XDG_CACHE_HOME: join(root, 'offline'),
    })
    assert.deepEqual([code, registry.paths.length], [2, previousCount], output)
    assert.match(output.replace(/\s+/g, ' '), /lodash .*: The registry gave no answer/)
  })

  test('test --against: only new projects and issues count, the same on a server and locally', async () => {
    const folder = join(root, 'against')
    const write = (name: string) => {
      for (const { path, content } of npmProject(name)) {
        mkdirSync(join(folder, name), { recursive: true })
        writeFileSync(join(folder, String(path)), content)
      }
    }
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.org', ...args])
    write('old')
    write('removed')
    git('init', '--quiet', '--initial-branch=main')
    git('add', '.')
    git('commit', '--quiet', '--message=first')
    rmSync(join(folder, 'removed'), { recursive: true })
    const local = await openLocalTests(localEnvironment(), () => {})
    const onServer = testOnServer(openServer({ url: app.parts.services.baseUrl, key: app.adminKey }, {}), () => {})
    const newProjects = async (input = {}) => {
      const options = { paths: [folder], against: 'main', ...input }
      const text = await asJson(local.testFiles, options)
      assert.equal(text, await asJson(onServer, options))
      const { projects } = JSON.parse(text) as TestDocument
      return projects.map(({ path, ok, result }) => [path, ok, result!.issues.vulnerabilities.length > 0])
    }
    try {
      assert.deepEqual(await newProjects(), [['old/package.json', true, false]])
      write('new')
      assert.deepEqual(await newProjects(), [
        ['new/package.json', false, true],
        ['old/package.json', true, false],
      ])
      assert.deepEqual(await newProjects({ files: ['new/package.json'] }), [['new/package.json', false, true]])
      await assert.rejects(newProjects({ against: 'missing' }), /no commit "missing"/)
    } finally {
      await local.close()
    }
  })

  const components = [{ type: 'library', name: 'lodash', version: '4.17.20', purl: 'pkg:npm/lodash@4.17.20' }]
  const bills: Record<string, string> = {
    'bom.json': JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.7', components }),
    'ignored/package.json.out': `SPDXVersion: SPDX-2.3
PackageName: lodash
SPDXID: SPDXRef-a
ExternalRef: PACKAGE-MANAGER purl pkg:npm/lodash@4.17.20
`,
    'utf-16.json': `\ufeff${JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.7', components })}`,
  }
  const bytesOf = (name: string) => Buffer.from(bills[name]!, name.startsWith('utf-16') ? 'utf16le' : 'utf8')
  test('test of a bill of materials: any file name and git-ignored files work, on a server and locally', async () => {
    const folder = join(root, 'bills')
    mkdirSync(join(folder, 'ignored'), { recursive: true })
    execFileSync('git', ['-C', folder, 'init', '--quiet', '--initial-branch=main'])
    writeFileSync(join(folder, '.gitignore'), 'ignored\n')
    for (const name of Object.keys(bills)) writeFileSync(join(folder, name), bytesOf(name))
    symlinkSync('ignored/package.json.out', join(folder, 'link'))
    const local = await openLocalTests(localEnvironment(), () => {})
    const onServer = testOnServer(openServer({ url: app.parts.services.baseUrl, key: app.adminKey }, {}), () => {})
    const both = async (paths: readonly string[], input = {}) => {
      const options = { paths: paths.map((path) => join(folder, path)), ...input }
      const text = await asJson(local.testFiles, options)
      assert.equal(text, await asJson(onServer, options))
      return JSON.parse(text) as TestDocument
    }
    try {
      for (const path of [...Object.keys(bills), 'link']) {
        const { projects, leftOut } = await both([path])
        assert.deepEqual(leftOut, [])
        const [{ packageManager, ok, result }, ...others] = projects as [TestDocument['projects'][0]]
        assert.deepEqual([packageManager, ok, result!.dependencyCount, others], ['sbom', false, 1, []])
        assert.ok(result!.issues.vulnerabilities.length > 0)
      }
      const { projects } = await both(Object.keys(bills))
      assert.deepEqual(
        projects.map(({ path }) => path.replace(folder, '')),
        ['/bom.json', '/ignored/package.json.out', '/utf-16.json'],
      )
      await assert.rejects(both(['bom.json'], { files: ['bom.json'] }), /one project.*--file/)
      await assert.rejects(both(['bom.json'], { packageManager: 'npm' }), /bom\.json: It is a file of sbom, not of npm/)
      await assert.rejects(both(['.gitignore']), /is not a folder.*--file/)
      writeFileSync(join(folder, '.snyk'), 'version: v1.25.0\nignore: {}\npatch: {a: []}\n')
      assert.match(JSON.stringify(await both(['bom.json'])), /patch/)
    } finally {
      await local.close()
    }
  })

  test('test with CycloneDX: one bill of all projects matches the schema; the JSON is unchanged', async () => {
    const onServer = testOnServer(openServer({ url: app.parts.services.baseUrl, key: app.adminKey }, {}), () => {})
    const document = JSON.parse(await asJson(onServer, { bill: true })) as TestDocument
    assert.equal(
      await writeForm('json', document),
      await writeForm('json', JSON.parse(await asJson(onServer)) as TestDocument),
    )
    const bill = JSON.parse(await writeForm('cyclonedx', document))
    assertCycloneDx(bill)
    const refs = bill.components.map((component: { 'bom-ref': string }) => component['bom-ref'])
    assert.deepEqual(refs, [
      'app/package.json#project',
      'app/package.json#lodash@4.17.20',
      'lib/package.json#project',
      'lib/package.json#lodash@4.17.21',
    ])
    const affected = bill.vulnerabilities.flatMap(
      (vulnerability: { affects: { ref: string }[] }) => vulnerability.affects,
    )
    assert.deepEqual([...new Set(affected.map(({ ref }: { ref: string }) => ref))], ['app/package.json#lodash@4.17.20'])
    assert.match(JSON.stringify(bill.metadata.properties), /native\/Brewfile/)
    assert.equal(bill.compositions[0].aggregate, 'incomplete')
    const bom = JSON.parse(await writeForm('cyclonedx', withoutBaseline(document, document)))
    assert.deepEqual([bom.components.length, bom.vulnerabilities], [4, []])
  })

  test('test: a pinned dependency is tested without a response of its registry; the result is not ok', async () => {
    const folder = join(root, 'pinned')
    mkdirSync(folder)
    writeFileSync(join(folder, 'requirements.txt'), 'django==2.0\n')
    const environment = { ...localEnvironment(), GATEHOUSE_PYPI_URL: 'http://127.0.0.1:1/simple' }
    const local = await openLocalTests(environment, () => {})
    try {
      const { projects } = JSON.parse(await asJson(local.testFiles, { paths: [folder] }))
      assert.deepEqual([projects[0].ok, projects[0].result.coverage.complete], [false, false])
      assert.ok(projects[0].result.issues.vulnerabilities.length > 0)
    } finally {
      await local.close()
    }
  })

  test('test on a server: refusals and a missing response give an error with advice', async () => {
    const { url } = { url: app.parts.services.baseUrl }
    const attempt = (connection: { url: string; key: string; org?: string }) =>
      asJson(testOnServer(openServer(connection, {}), () => {}))
    await assert.rejects(attempt({ url, key: 'unknown-key' }), /does not accept the key/)
    await assert.rejects(attempt({ url, key: await app.keyWith(['org.read']) }), /permission.*org\.package\.test/)
    await assert.rejects(attempt({ url, key: app.adminKey, org: 'missing' }), /GATEHOUSE_ORG/)
    await assert.rejects(attempt({ url: 'http://127.0.0.1:1', key: app.adminKey }), /No answer.*ECONNREFUSED/)
  })

  test('test command: issues exit with 1, as plain text and a JSON file, both without the key', async () => {
    const file = join(root, 'result.json')
    const { code, output, errors } = await run(['test', project(), '--json-file', file], serverEnvironment())
    assert.equal(code, 1, errors)
    assert.match(
      output,
      /app\/package\.json \(npm\)\n[\s\S]*GHSA-35jh-r3h4-6jhm[\s\S]*fix: upgrade lodash 4\.17\.20 → 4\.17\.21/,
    )
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    assert.doesNotMatch(output + errors, /\u001b/)
    assert.equal(errors, '', 'no progress without a terminal')
    assert.equal(JSON.parse(readFileSync(file, 'utf8')).ok, false)
    assert.ok(!(output + errors + readFileSync(file, 'utf8')).includes(app.adminKey))
  })

  test('test command: a folder without manifests exits with 3 without a request', async () => {
    const empty = join(root, 'empty')
    mkdirSync(empty)
    const { code, errors } = await run(['test', empty], { GATEHOUSE_URL: 'http://127.0.0.1:1', GATEHOUSE_KEY: 'k' })
    assert.deepEqual([code, /No manifest/.test(errors)], [3, true], errors)
  })

  test('login command: stores a key that the server accepts; later commands use it', async () => {
    const url = app.parts.services.baseUrl
    const refused = await run(['login', '--key', '--url', url], {}, 'unknown-key\n')
    assert.deepEqual([refused.code, refused.output], [2, ''])
    const login = await run(['login', '--key', '--url', url], {}, `${app.adminKey}\n`)
    assert.equal(login.code, 0, login.errors)
    const whoami = await run(['whoami'])
    assert.equal(whoami.code, 0, whoami.errors)
    assert.ok(whoami.output.includes(url))
    assert.ok(!(login.output + login.errors + whoami.output + whoami.errors).includes(app.adminKey))
    assert.equal((await run(['logout'])).code, 0)
    assert.equal((await run(['whoami'])).code, 2)
  })

  const mistakes: [args: string[], message: RegExp][] = [
    [['tests', '--help'], /Unknown command "gatehouse tests"\. Did you mean "gatehouse test"\?/],
    [
      ['advisories', 'syncs', '--help'],
      /Unknown command "gatehouse advisories syncs"\. Did you mean "gatehouse advisories sync"\?/,
    ],
    [['test', '--fail-on', 'some'], /all, upgradable, exploited/],
    [['test', '--local', '--org', 'a'], /--local.*cannot be used with.*--org/],
    [['test', '--against', 'a', '--baseline', 'b'], /--against <ref>.*cannot be used with.*--baseline/],
    [['test'], /GATEHOUSE_URL.*--local/],
  ]
  for (const [args, message] of mistakes) {
    test(`gatehouse ${args.join(' ')}: exits with 2 and advice`, async () => {
      const { code, output, errors } = await run(args)
      assert.deepEqual([code, output], [2, ''])
      assert.match(errors, message)
    })
  }
})
