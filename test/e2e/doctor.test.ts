import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, describe, test } from 'node:test'
import pg from 'pg'
import { runCommand } from '#test/servers/command-line.ts'

const server = process.env['TEST_DATABASE_URL']
const needsPostgres = server === undefined && 'needs TEST_DATABASE_URL'

describe('gatehouse doctor', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-doctor-'))
  let dataDir: string
  let count = 0
  beforeEach(() => {
    dataDir = join(folder, String(++count))
    mkdirSync(dataDir, { mode: 0o700 })
  })
  after(() => rmSync(folder, { recursive: true }))

  const run = async (environment: Record<string, string> = {}, ...options: string[]) => {
    const whole = { GATEHOUSE_DATA_DIR: dataDir, ...environment }
    const { code, output, errors } = await runCommand(['doctor', '--offline', ...options], { environment: whole })
    assert.equal(errors, '')
    return { code, output }
  }
  const runAdmin = async (environment: Record<string, string> = {}) => {
    const whole = { GATEHOUSE_DATA_DIR: dataDir, ...environment }
    for (const args of [['migrate'], ['admin', 'rotate-signing-key']]) {
      const { code, errors } = await runCommand(args, { environment: whole })
      assert.equal(code, 0, errors)
    }
  }

  test('doctor on a new installation: no error, and the missing database is not created', async () => {
    const { code, output } = await run()
    assert.equal(code, 0, output)
    assert.match(output, /^OK +configuration: .+\nWARNING +storage: .+does not exist/)
    assert.match((await run()).output, /does not exist/)
  })

  test('doctor with invalid settings: lists all faults without secrets', async () => {
    const { code, output } = await run({ GATEHOUSE_PORT: 'high', GATEHOUSE_SECRET_KEY: 'hunter2' })
    assert.equal(code, 1)
    assert.match(output, /ERROR +configuration: GATEHOUSE_PORT/)
    assert.match(output, /ERROR +configuration: GATEHOUSE_SECRET_KEY/)
    assert.doesNotMatch(output, /hunter2/)
  })

  test('doctor with a healthy storage passes, also as JSON', async () => {
    await runAdmin()
    const { code, output } = await run({}, '--json')
    assert.equal(code, 0, output)
    const { ok, findings } = JSON.parse(output) as { ok: boolean; findings: { check: string; status: string }[] }
    assert.equal(ok, true)
    const statuses = Object.fromEntries(findings.map(({ check, status }) => [check, status]))
    assert.equal(statuses['storage'], 'ok')
    assert.equal(statuses['secret key'], 'ok')
    assert.equal(statuses['advisories'], 'warning')
    assert.equal(statuses['access'], 'skipped')
  })

  test('doctor reports a secret key that is readable for others, missing, malformed or of another storage', async () => {
    await runAdmin()
    const key = join(dataDir, 'secret.key')
    chmodSync(key, 0o644)
    assert.match((await run()).output, /WARNING +secret key: Other users may read/)
    const other = 'ab'.repeat(32)
    const wrong = await run({ GATEHOUSE_SECRET_KEY: other })
    assert.equal(wrong.code, 1)
    assert.match(wrong.output, /ERROR +secret key: .*another secret key/)
    assert.ok(!wrong.output.includes(other))
    writeFileSync(key, 'half')
    assert.match((await run()).output, /ERROR +secret key: .*64 hexadecimal digits/)
    rmSync(key)
    assert.match((await run()).output, /ERROR +secret key: .*does not exist/)
  })

  test('doctor reports a database file with other content', async () => {
    writeFileSync(join(dataDir, 'gatehouse.sqlite'), 'Dear diary, '.repeat(1000))
    const { code, output } = await run()
    assert.equal(code, 1)
    assert.match(output, /ERROR +storage: .*restore the last backup/)
  })

  test('doctor reports an unreachable PostgreSQL without its password', async () => {
    const { code, output } = await run({ DATABASE_URL: 'postgres://gatehouse:hunter2@127.0.0.1:9/none' })
    assert.equal(code, 1)
    assert.match(output, /ERROR +storage: /)
    assert.doesNotMatch(output, /hunter2/)
  })

  test('doctor on PostgreSQL: does not run due migrations; compares the clock', { skip: needsPostgres }, async () => {
    const name = `gatehouse_${crypto.randomUUID().replaceAll('-', '')}`
    const url = new URL(server!)
    const client = new pg.Client({ connectionString: server! })
    await client.connect()
    await client.query(`create database ${name}`)
    url.pathname = `/${name}`
    try {
      const environment = { DATABASE_URL: url.href }
      for (const _time of ['first', 'again'])
        assert.match((await run(environment)).output, /WARNING +storage: \d+ migrations/)
      await runAdmin(environment)
      assert.match((await run(environment)).output, /OK +storage: .*postgres.*OK +secret key.*OK +clock/s)
    } finally {
      await client.query(`drop database ${name} with (force)`)
      await client.end()
    }
  })

  test('doctor reports missing folders', async () => {
    const { code, output } = await run({ GATEHOUSE_LOCAL_REPOSITORIES: '/nowhere' })
    assert.equal(code, 1)
    assert.match(output, /ERROR +configuration: GATEHOUSE_LOCAL_REPOSITORIES names \/nowhere,/)
  })
})
