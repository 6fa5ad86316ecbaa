import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before as beforeAll, beforeEach, describe, test } from 'node:test'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { commandProcess } from '#test/servers/command-process.ts'
import { startListening } from '#test/servers/listening.ts'
import { writeFiles } from '../client/fix/write-files.ts'

const packageJson = '{\n\t"name": "app",\n\t"dependencies": {"lodash":   "~4.17.20", "left": "1.0.0"}\n}\n'
const files: Readonly<Record<string, string>> = {
  'app/package.json': packageJson.replace('~4.17.20', '4.17.20'),
  'tool/requirements.txt': '-r base.txt\r\n',
  'tool/base.txt': '# django==2.2.24\r\nDjango == 2.2.24  # web\r\n',
  'legacy/package.json': '{"dependencies": {"old": "1.0.0"}}',
}

describe('gatehouse fix', () => {
  let root: string
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-fix-'))
    registry = await startNpmRegistry({
      lodash: { '4.17.20': {}, '4.17.21': {} },
      left: { '1.0.0': {} },
      ejs: { '2.7.4': {} },
      old: { '1.0.0': { dependencies: { ejs: '2.7.4' } } },
    })
  })
  after(async () => {
    await registry.close()
    rmSync(root, { recursive: true })
  })

  const folder = () => join(root, 'project')
  const read = (path: string) => readFileSync(join(folder(), path), 'utf8')
  beforeEach(() => {
    rmSync(folder(), { recursive: true, force: true })
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder(), path)), { recursive: true })
      writeFileSync(join(folder(), path), content)
    }
  })

  const settings = () => ({
    GATEHOUSE_NPM_REGISTRY: registry.url,
    GATEHOUSE_PYPI_URL: 'http://127.0.0.1:1/simple',
    GATEHOUSE_TEST_WORKERS: '1',
  })
  const run = (...args: string[]) => runWith([...args, '--local'], settings())

  const commands = commandProcess()
  after(() => commands[Symbol.asyncDispose]())
  const runWith = (args: readonly string[], environment: Record<string, string>) =>
    commands.run(args, {
      environment: { HOME: root, XDG_CACHE_HOME: join(root, 'cache'), ...environment },
      folder: folder(),
    })

  test('fix --dry-run: prints a diff that git applies, and changes no file', async () => {
    const { code, output, errors } = await run('fix', '--dry-run')
    assert.equal(code, 1, errors)
    for (const [path, content] of Object.entries(files)) assert.equal(read(path), content)
    assert.match(output, /^--- a\/app\/package\.json\n\+\+\+ b\/app\/package\.json\n@@ -1,4 \+1,4 @@\n/)
    assert.match(errors, /Would change 2 files[\s\S]*! The test is incomplete/)
    assert.match(errors, /tool\/requirements\.txt\n[\s\S]*! The result was tested only in part: /)
    const patched = spawnSync('git', ['apply', '-'], { cwd: folder(), input: output, encoding: 'utf8' })
    assert.equal(patched.status, 0, patched.stderr)
    assert.equal(read('app/package.json'), packageJson.replace('~4.17.20', '4.17.21'))
  })

  test('fix: changes manifests in place, names remaining issues with reasons; a new test finds only those', async () => {
    chmodSync(join(folder(), 'app/package.json'), 0o640)
    const before = await listIssues()
    const { code, output, errors } = await run('fix')
    assert.equal(code, 1, errors)
    assert.equal(read('app/package.json'), packageJson.replace('~4.17.20', '4.17.21'))
    assert.equal(statSync(join(folder(), 'app/package.json')).mode & 0o777, 0o640)
    assert.match(read('tool/base.txt'), /^# django==2\.2\.24\r\nDjango == [\d.]+ {2}# web\r\n$/)
    assert.notEqual(read('tool/base.txt'), files['tool/base.txt'])
    assert.equal(read('tool/requirements.txt'), files['tool/requirements.txt'])
    assert.match(output, /app\/package\.json\n {2}lodash 4\.17\.20 → 4\.17\.21\n/)
    assert.match(output, /legacy\/package\.json\n {2}\d issues? left:\n {4}- GHSA-[^\n]* in ejs@2\.7\.4/)
    assert.ok(
      output.split('\n').every((line) => line.length <= 80),
      output,
    )
    assert.deepEqual(readdirSync(join(folder(), 'app')), ['package.json'], 'nothing is left behind')
    const current = await listIssues()
    assert.ok(before.some((issue) => issue.startsWith('app/')) && before.some((issue) => issue.startsWith('tool/')))
    assert.deepEqual(
      before.filter((issue) => current.includes(issue) && !issue.startsWith('legacy/')),
      [],
    )
  })

  test('test and fix: exit with 3 if no project was tested, whatever is named', async () => {
    rmSync(folder(), { recursive: true })
    mkdirSync(join(folder(), 'node_modules/a'), { recursive: true })
    writeFileSync(join(folder(), 'node_modules/a/package.json'), '{"dependencies":{"lodash":"4.17.20"}}')
    for (const name of ['Dockerfile', 'Brewfile']) {
      writeFileSync(join(folder(), name), '')
      for (const args of [['test'], ['test', '--strict', '--exclude', ''], ['fix', '--dry-run']]) {
        const { code, output, errors } = await run(...args)
        assert.equal(code, 3, errors)
        if (args[0] !== 'test') continue
        for (const path of [name, 'node_modules']) assert.ok(output.includes(`  - ${path}: `), output)
      }
    }
  })

  /** Lists issues as `manifest id`. */
  async function listIssues(): Promise<string[]> {
    const { output } = await run('test', '--json')
    return JSON.parse(output).projects.flatMap(
      (project: { path: string; result: { issues: { vulnerabilities: { id: string }[] } } }) =>
        project.result.issues.vulnerabilities.map(({ id }) => `${project.path} ${id}`),
    )
  }

  test('fix: a server and the local machine give the same changes', async () => {
    const here = await run('fix', '--dry-run')
    const app = await startListening('sqlite', settings())
    try {
      const environment = { GATEHOUSE_URL: app.parts.services.baseUrl, GATEHOUSE_KEY: app.adminKey }
      const there = await runWith(['fix', '--dry-run'], environment)
      assert.deepEqual([there.code, there.output], [here.code, here.output], there.errors)
      const { code, output } = await runWith(['fix', 'app'], environment)
      assert.deepEqual(
        [code, /1 issue|\d issues fixed, 0 left\.\nThe result was tested\./.test(output)],
        [0, true],
        output,
      )
      assert.equal(read('app/package.json'), packageJson.replace('~4.17.20', '4.17.21'))
    } finally {
      await app.close()
    }
  })

  test('fix: without issues, exits with 0 and writes no file', async () => {
    const { code, output } = await run('fix', '--package-manager', 'npm', '--file', 'app/package.json')
    assert.equal(code, 0, output)
    const again = await run('fix', '--file', 'app/package.json')
    assert.deepEqual([again.code, again.output], [0, 'No issues.\n'])
  })

  describe('written fixes', () => {
    const change = { path: 'app/package.json', before: files['app/package.json']!, after: 'new\n' }
    const signal = () => new AbortController().signal

    test('written fix: refuses a link and changes nothing else', async () => {
      symlinkSync(join(folder(), 'legacy/package.json'), join(folder(), 'link.json'))
      const link = { path: 'link.json', before: files['legacy/package.json']!, after: 'x' }
      await assert.rejects(writeFiles(folder(), [change, link], signal()), /is a link/)
      assert.equal(read('app/package.json'), change.before)
      assert.deepEqual(readdirSync(join(folder(), 'app')), ['package.json'])
    })

    test('written fix: refuses a folder that links outside', async () => {
      const outside = join(root, 'outside')
      mkdirSync(outside, { recursive: true })
      writeFileSync(join(outside, 'package.json'), 'old')
      symlinkSync(outside, join(folder(), 'elsewhere'))
      const away = { path: 'elsewhere/package.json', before: 'old', after: 'new' }
      await assert.rejects(writeFiles(folder(), [away], signal()), /outside of the folder/)
      assert.equal(readFileSync(join(outside, 'package.json'), 'utf8'), 'old')
    })

    test('written fix: refuses a file that was changed meanwhile', async () => {
      await assert.rejects(writeFiles(folder(), [{ ...change, before: 'other' }], signal()), /changed meanwhile/)
    })

    test('written fix: an interruption changes nothing', async () => {
      const stopping = new AbortController()
      stopping.abort()
      await assert.rejects(writeFiles(folder(), [change], stopping.signal))
      assert.equal(read('app/package.json'), change.before)
      assert.deepEqual(readdirSync(join(folder(), 'app')), ['package.json'])
    })
  })
})
