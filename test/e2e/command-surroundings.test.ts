// cspell:ignore norc pipefail
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { npmProject } from '#test/repositories/imports.ts'
import { commandProcess } from '#test/servers/command-process.ts'
import { program, programEnvironment } from '#test/servers/program.ts'

/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1'
const executable = resolve(program.executable)

describe('the command line under unusual conditions', () => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-surroundings-'))
  })
  after(() => rmSync(root, { recursive: true }))
  beforeEach(() => {
    rmSync(join(root, 'project'), { recursive: true, force: true })
    mkdirSync(join(root, 'project'))
  })

  const at = (...path: string[]) => join(root, 'project', ...path)
  function addProject(name: string): void {
    for (const { path, content } of npmProject(name)) {
      mkdirSync(dirname(at(String(path))), { recursive: true })
      writeFileSync(at(String(path)), content)
    }
  }

  const settings = () => ({
    HOME: join(root, 'home'),
    GATEHOUSE_NPM_REGISTRY: NOWHERE,
    GATEHOUSE_TEST_WORKERS: '1',
  })

  interface Outcome {
    readonly code: number | null
    readonly output: string
    readonly errors: string
  }

  /** Runs a line of bash, in which `gatehouse` is the program. */
  async function run(line: string, environment: Record<string, string> = {}): Promise<Outcome> {
    const script = `gatehouse() { ${JSON.stringify(process.execPath)} ${JSON.stringify(executable)} "$@"; }\n${line}`
    const child = spawn('bash', ['--norc', '-c', script], {
      cwd: join(root, 'project'),
      env: {
        ...programEnvironment,
        ...settings(),
        ...environment,
      },
    })
    let [output, errors] = ['', '']
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (errors += chunk))
    const code = await new Promise<number | null>((done) => child.on('close', done))
    return { code, output, errors }
  }

  test('a reader closes the pipe early: the exit code stays that of the test, without an error message', async () => {
    // More than the buffer of a pipe.
    for (let n = 0; n < 30; n++) addProject(`app-${n}`)
    const { code, output, errors } = await run('set -o pipefail; gatehouse test --local --json | head -c 2')
    assert.deepEqual([code, output, errors], [1, '{\n', ''])
  })

  test('a full disk: incomplete output exits with 2', async () => {
    addProject('app')
    const { code, errors } = await run('gatehouse test --local > /dev/full')
    assert.deepEqual([code, /cannot be written \(ENOSPC\)\. Free some space/.test(errors)], [2, true], errors)
    // Reporting that an error cannot be written must not loop.
    assert.equal((await run('ulimit -t 20; gatehouse unknown 2> /dev/full')).code, 2)
  })

  test('a read-only home: the error names the folder and a remedy', async () => {
    addProject('app')
    writeFileSync(join(root, 'file'), '')
    const environment = { HOME: join(root, 'file') }
    const tested = await run('gatehouse test --local', environment)
    assert.equal(tested.code, 2)
    assert.ok(tested.errors.includes(join(root, 'file/.cache/gatehouse')), tested.errors)
    assert.doesNotMatch(tested.errors, /\n\s+at /)
    const stored = await run(`gatehouse login --key --url ${NOWHERE} <<< some-key`, environment)
    assert.equal(stored.code, 2)
    assert.match(stored.errors, /profiles\.json cannot be written \(ENOTDIR\).*XDG_CONFIG_HOME/)
    assert.match((await run('gatehouse whoami', environment)).errors, /No server is known/)
  })

  test('link cycles and names that are not UTF-8 do not stop a test', async () => {
    addProject('app')
    symlinkSync('.', at('loop'))
    symlinkSync('../app', at('app', 'again'))
    mkdirSync(Buffer.concat([Buffer.from(`${at()}/odd-`), Buffer.from([0xff, 0xfe])]))
    const odd = Buffer.concat([Buffer.from(`${at()}/odd-`), Buffer.from([0xff, 0xfe]), Buffer.from('/package.json')])
    writeFileSync(odd, '{}')
    const { code, output } = await run('gatehouse test --local --json')
    const { projects, leftOut } = JSON.parse(output)
    assert.deepEqual([code, projects.map(({ path }: { path: string }) => path)], [1, ['app/package.json']])
    assert.deepEqual(
      leftOut.map(({ path }: { path: string }) => path),
      [String.raw`odd-\xff\xfe/`],
    )
    execFileSync('git', ['init', '--quiet'], { cwd: at() })
    const inGit = JSON.parse((await run('gatehouse test --local --json')).output)
    assert.deepEqual([inGit.projects.length, inGit.leftOut[0].path], [1, String.raw`odd-\xff\xfe/package.json`])
  })

  const isRoot = process.getuid?.() === 0
  test('an unreadable manifest is named', { skip: isRoot && 'root reads every file' }, async () => {
    addProject('app')
    chmodSync(at('app/package.json'), 0)
    const { code, errors } = await run('gatehouse test --local')
    assert.deepEqual([code, /app\/package\.json.*Make it readable, or --exclude/.test(errors)], [2, true], errors)
  })

  const mistakes: [line: string, message: RegExp][] = [
    ['gatehouse test --local missing', /The folder "missing" does not exist/],
    ['gatehouse test --local app/package.json', /"app\/package\.json" is not a folder\. .*--file/],
    ['gatehouse test --local --file app/missing.json', /No file "app\/missing\.json"/],
    ['gatehouse test --local --json-file missing/result.json', /"missing\/result\.json" cannot be written \(ENOENT\)/],
    ['gatehouse test --local --baseline app', /The baseline "app" cannot be read/],
    ['gatehouse test --local --package-manager nmp', /No package manager "nmp"\. Known: npm, yarn/],
    ['gatehouse fix --local missing', /The folder ".*missing" does not exist/],
    ['gatehouse ignore X --local --reason later --expires 1d --dir missing', /cannot be written \(ENOENT\)/],
    ['GATEHOUSE_URL=gatehouse.example GATEHOUSE_KEY=k gatehouse test', /not an http or https URL/],
    ['GATEHOUSE_URL=http://gate.example GATEHOUSE_KEY=k gatehouse test', /--insecure-http/],
  ]
  const commands = commandProcess()
  after(() => commands[Symbol.asyncDispose]())
  for (const [line, message] of mistakes) {
    test(`${line}: exits with 2 and a remedy`, async () => {
      addProject('app')
      const [before, after] = line.split('gatehouse ') as [string, string]
      const variables = Object.fromEntries(
        before
          .split(' ')
          .filter(Boolean)
          .map((assignment) => assignment.split('=')),
      )
      const environment = { ...settings(), ...variables }
      const { code, output, errors } = await commands.run(after.split(' '), { environment, folder: at() })
      assert.deepEqual([code, output], [2, ''], errors)
      assert.match(errors, message)
      assert.doesNotMatch(errors, /\n\s+at /, 'no stack')
    })
  }
})
