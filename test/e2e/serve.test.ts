import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runCommand } from '#test/servers/command-line.ts'
import { commandProcess } from '#test/servers/command-process.ts'
import { program, programEnvironment } from '#test/servers/program.ts'
import { type ServerProcess, startServer } from '#test/servers/server-process.ts'

const commands = commandProcess()
after(() => commands[Symbol.asyncDispose]())

/** Returns a way to run a command in a data directory. */
function runIn(dataDir: () => string) {
  return (args: string[], environment: Record<string, string> = {}) =>
    commands.run(args, { environment: { GATEHOUSE_DATA_DIR: dataDir(), GATEHOUSE_PORT: '0', ...environment } })
}

/** Runs a start that fails after it opened its storage, in a process of its own, which it ends. */
function failToStart(dataDir: string, environment: Record<string, string>) {
  return runCommand(['serve'], {
    environment: { GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_PORT: '0', ...environment },
  })
}

describe('the gatehouse executable', () => {
  let dataDir: string
  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-serve-'))
  })
  afterEach(() => rmSync(dataDir, { recursive: true }))

  const run = runIn(() => dataDir)

  test('a first start prints a working password and key once, before any log line, and never logs them', async () => {
    const path = join(dataDir, 'output')
    const file = openSync(path, 'w')
    const child = spawn(process.execPath, [program.main, 'serve'], {
      env: { ...programEnvironment, GATEHOUSE_DATA_DIR: dataDir, GATEHOUSE_PORT: '0', GATEHOUSE_LOG_LEVEL: 'trace' },
      stdio: ['ignore', file, file],
    })
    const ended = once(child, 'exit')
    while (!readFileSync(path, 'utf8').includes('Gatehouse is ready') && child.exitCode === null) await sleep(20)
    const printed = readFileSync(path, 'utf8')
    const baseUrl = /health check\s+(\S+)\/healthz/.exec(printed)![1]!
    const key = /API key\s+(\S+)/.exec(printed)?.[1]
    const password = /password\s+(\S+)/.exec(printed)?.[1]
    assert.ok(key && password)
    const answer = await fetch(`${baseUrl}/rest/self?version=2024-10-15`, {
      headers: { authorization: `token ${key}` },
    })
    assert.equal(answer.status, 200)
    const email = /e-mail\s+(\S+@\S+)/.exec(printed)?.[1]
    const signedIn = await fetch(`${baseUrl}/console/session`, {
      method: 'POST',
      headers: { origin: baseUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    assert.equal(signedIn.status, 200)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    closeSync(file)
    const output = readFileSync(path, 'utf8')
    assert.match(output, /^This is the first start\./)
    assert.match(output, /password +\S+\n +Sign in to the console with e-mail and password\.\n/)
    assert.ok(output.indexOf('{"level"') > output.indexOf('they are not shown again'))
    for (const secret of [key, password]) assert.equal(output.split(secret).length, 2, 'it stands there once')

    const second = await startServer({ GATEHOUSE_DATA_DIR: dataDir })
    assert.doesNotMatch(second.printed(), /API key|password/)
    const made = await run(['admin', 'reset-password', email!.toUpperCase()], { GATEHOUSE_BASE_URL: second.baseUrl })
    const [, token] = /\/console\/new-password#([\w-]{43})$/.exec(made.output.trim()) ?? []
    const changed = await fetch(`${second.baseUrl}/console/password-reset`, {
      method: 'POST',
      headers: { origin: second.baseUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ token, password: 'a password that is new' }),
    })
    assert.equal(changed.status, 204, made.errors)
    assert.equal((await run(['admin', 'reset-password', 'nobody@example.test'])).code, 1)
    const reset = await run(['admin', 'reset-factors', email!.toUpperCase()])
    assert.equal(reset.output.trim(), 'The user had no second factor and was signed out.', reset.errors)
    assert.equal((await run(['admin', 'reset-factors', 'nobody@example.test'])).code, 1)
    const disconnected = await run(['admin', 'disconnect', email!])
    assert.deepEqual([disconnected.code, /not connected to an identity/.test(disconnected.errors)], [1, true])
    assert.equal(await second.end('SIGTERM'), 0)
  })

  test('all configuration faults are reported and nothing starts (exit code 78)', async () => {
    const { code, errors } = await run(['serve'], { GATEHOUSE_PORT: 'http', GATEHOUSE_LOG_LEVEL: 'loud' })
    assert.equal(code, 78)
    assert.match(errors, /GATEHOUSE_PORT/)
    assert.match(errors, /GATEHOUSE_LOG_LEVEL/)
  })

  test('migrate runs alone and reports what it did', async () => {
    assert.match((await run(['migrate'])).output, /Migrated: 0001-accounts/)
    assert.match((await run(['migrate'])).output, /up to date/)
  })

  test('an unreachable database is reported without its password (exit code 69)', async () => {
    const { code, errors } = await failToStart(dataDir, {
      GATEHOUSE_PORT: '1',
      DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:9/none',
    })
    assert.equal(code, 69)
    assert.match(errors, /database cannot be reached/)
    assert.doesNotMatch(errors, /secret@/)
  })

  test('serve --help lists the settings', async () => {
    assert.match(
      (await run(['serve', '--help'])).output,
      /GATEHOUSE_DATA_DIR[\s\S]*DATABASE_URL[\s\S]*GATEHOUSE_ADVISORIES_URL/,
    )
  })
})

/** Tests of one server, in this order: the last two are about its end. */
describe('a running server', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-serve-'))
  const key = '2d0c41e2-91f4-4d57-8a8b-0f6b8a6c2f10'
  const email = { GATEHOUSE_ADMIN_EMAIL: 'root@example.test' }
  const run = runIn(() => dataDir)
  let server: ServerProcess
  before(async () => {
    server = await startServer({
      GATEHOUSE_DATA_DIR: dataDir,
      GATEHOUSE_PORT: '0',
      GATEHOUSE_ADMIN_API_KEY: key,
      GATEHOUSE_ADMIN_PASSWORD: 'correct horse battery',
      ...email,
    })
  })
  after(async () => {
    await server.end('SIGTERM')
    rmSync(dataDir, { recursive: true })
  })

  test('configured secrets are used and not printed', async () => {
    const answer = await fetch(`${server.baseUrl}/v1/user/me`, { headers: { authorization: `token ${key}` } })
    assert.equal(((await answer.json()) as { email: string }).email, 'root@example.test')
    assert.ok(!server.printed().includes(key) && !server.printed().includes('correct horse'))
  })

  test('on port 0, the issuer has the port that was taken', async () => {
    assert.doesNotMatch(server.baseUrl, /:0$/)
    const answer = await fetch(`${server.baseUrl}/.well-known/oauth-authorization-server`)
    assert.equal(JSON.parse(await answer.text()).issuer, server.baseUrl)
  })

  test('admin create-key creates a new key, also beside a running server', async () => {
    const made = await run(['admin', 'create-key'], email)
    assert.equal(made.code, 0, made.errors)
    const headers = { authorization: `token ${made.output.trim()}` }
    assert.equal((await fetch(`${server.baseUrl}/rest/self?version=2024-10-15`, { headers })).status, 200)
    const unknown = await run(['admin', 'create-key', '--email', 'nobody@example.test'])
    assert.equal(unknown.code, 1)
    assert.match(unknown.errors, /No user has the email address nobody@example\.test/)
  })

  test('admin rotate-signing-key rotates the key beside a running server and withdraws compromised ones', async () => {
    const published = async () => {
      const answer = await fetch(`${server.baseUrl}/oauth2/jwks`)
      return ((await answer.json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid)
    }
    const [first] = await published()
    const planned = await run(['admin', 'rotate-signing-key'])
    assert.equal(planned.code, 0, planned.errors)
    const next = /Signing key (\S+) is published/.exec(planned.output)?.[1]
    assert.deepEqual(await published(), [first, next])
    const replaced = await run(['admin', 'rotate-signing-key', '--compromised'])
    assert.match(replaced.output, new RegExp(`No longer published: ${first}, ${next}`))
    const [only, ...others] = await published()
    assert.ok(replaced.output.includes(only!) && only !== first && only !== next)
    assert.deepEqual(others, [])
  })

  test('a data directory in use is refused with the process id (exit code 69)', async () => {
    const second = await run(['serve'])
    assert.equal(second.code, 69)
    assert.match(second.errors, new RegExp(`in use by another Gatehouse server \\(process ${server.child.pid}\\)`))
  })

  test('SIGTERM lets a running request finish', async () => {
    const packages = Object.fromEntries(
      Array.from({ length: 20_000 }, (_, n) => [`node_modules/p${n}`, { version: '1.0.0' }]),
    )
    const dependencies = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`p${n}`, '^1.0.0']))
    const lock = { name: 'x', version: '1.0.0', lockfileVersion: 3, packages: { '': { dependencies }, ...packages } }
    const files = {
      target: { contents: JSON.stringify({ name: 'x', dependencies }) },
      additional: [{ contents: JSON.stringify(lock) }],
    }
    const answering = fetch(`${server.baseUrl}/v1/test/npm`, {
      method: 'POST',
      headers: { authorization: `token ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ files }),
    })
    let isAnswered = false
    const answered = answering.finally(() => {
      isAnswered = true
    })
    // The server has begun the test once it counts it as open.
    while (!isAnswered) {
      const metrics = await (await fetch(`${server.baseUrl}/metrics`)).text()
      if (/gatehouse_package_tests_open [1-9]/.test(metrics)) break
      await sleep(5)
    }
    const exit = server.end('SIGTERM')
    const answer = await answered
    assert.equal(answer.status, 200)
    assert.equal(((await answer.json()) as { dependencyCount: number }).dependencyCount, 20_000)
    assert.equal(await exit, 0)
  })

  test('a database of another secret key is refused (exit code 78)', async () => {
    const { code, errors } = await failToStart(dataDir, { GATEHOUSE_SECRET_KEY: 'ab'.repeat(32) })
    assert.equal(code, 78)
    assert.match(errors, /another secret key/)
  })
})
