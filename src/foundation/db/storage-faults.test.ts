import assert from 'node:assert/strict'
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import pg from 'pg'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { findStorageFault } from './storage-faults.ts'

/** Caps the database at its current size, as a full disk would. */
async function fill({ parts }: TestApp): Promise<void> {
  const pages = await sql<{ page_count: number }>`pragma page_count`.execute(parts.services.db)
  await sql.raw(`pragma max_page_count = ${pages.rows[0]!.page_count}`).execute(parts.services.db)
}

const empty = ({ parts }: TestApp) => sql.raw('pragma max_page_count = 4294967294').execute(parts.services.db)

describe('a full disk', () => {
  let app: TestApp
  before(async () => {
    app = await startApp('sqlite')
  })
  after(() => app.close())

  const name = 'n'.repeat(60_000)
  const insert = (at: number) =>
    app.parts.services.db
      .insertInto('settings')
      .values({ name: `big-${at}`, value: name })
      .execute()

  test('writes fail as "full" while reads work; with free space writes succeed again', async () => {
    await fill(app)
    const refused = await Promise.allSettled([1, 2, 3].map(insert))
    for (const outcome of refused) {
      assert.equal(outcome.status, 'rejected')
      assert.equal(findStorageFault(outcome.reason), 'full')
    }
    assert.equal((await app.call('GET', '/rest/self')).statusCode, 200)
    await empty(app)
    await insert(4)
  })

  test('requests that need disk space get 503, and only acknowledged writes are stored', async () => {
    await fill(app)
    const names = Array.from({ length: 40 }, (_, at) => `An organization with a long name ${at} ${'x'.repeat(20)}`)
    const answers: LightMyRequestResponse[] = []
    for (const name of names) answers.push(await app.call('POST', '/v1/org', { body: { name } }))
    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    assert.ok(refused.length > 0)
    for (const answer of refused) {
      assert.equal(answer.statusCode, 503)
      assert.equal(answer.json().errorCode, 'unavailable')
      assert.match(answer.json().message, /disk is full/)
      assert.equal(answer.headers['retry-after'], '10')
    }
    assert.match(app.log(), /database or disk is full/)
    await empty(app)
    const made = await app.call('POST', '/v1/org', { body: { name: 'Room again' } })
    assert.equal(made.statusCode, 201)
    const stored = (await app.call('GET', '/v1/orgs')).json().orgs.map((org: { name: string }) => org.name)
    const acknowledged = names.filter((_, at) => answers[at]!.statusCode === 201)
    assert.deepEqual(
      stored.filter((name: string) => name.startsWith('An organization')).sort(),
      acknowledged.sort(),
      'what was acknowledged is there, and nothing else',
    )
  })
})

describe('a disk that fails after a commit', () => {
  test('waiting requests get 503; nothing more is stored, and acknowledged writes stay readable', async (t) => {
    const app = await startApp('sqlite')
    const make = (name: string) => app.call('POST', '/v1/org', { body: { name } })
    try {
      assert.equal((await make('Acknowledged')).statusCode, 201)
      const failing = t.mock.method(fs, 'fdatasync', (_file: number, done: (error: Error) => void) =>
        setImmediate(done, Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })),
      )
      syncBuiltinESMExports()
      const answers = await Promise.all(['One', 'Two', 'Three'].map(make))
      failing.mock.restore()
      syncBuiltinESMExports()
      answers.push(await make('After it recovered'))
      for (const answer of answers) {
        assert.equal(answer.statusCode, 503, answer.body)
        assert.equal(answer.json().errorCode, 'unavailable')
      }
      const orgs = (await app.call('GET', '/v1/orgs')).json().orgs.map(({ name }: { name: string }) => name)
      assert.ok(orgs.includes('Acknowledged') && !orgs.includes('After it recovered'), String(orgs))
      const ready = await app.server.inject({ method: 'GET', url: '/readyz' })
      assert.equal(ready.statusCode, 503)
      assert.match(ready.json().checks.storage.detail, /could not be written to disk\. .*restarted.*EIO/)
    } finally {
      await app.close().catch(() => {})
    }
  })
})

onEveryEngine('a database that terminates its connections', (engine) => {
  test('a transaction in progress fails as unreachable, and the next request succeeds', {
    skip: engine === 'sqlite' && 'has none',
  }, async () => {
    const app = await startApp(engine)
    try {
      const { db } = app.parts.services
      const interrupted = db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
        await endConnection(app.databaseUrl!, rows[0]!.pid)
        // The connection breaks while idle between two statements.
        for (let turn = 0; turn < 20; turn++) await nextTurn()
        await sql`select 1`.execute(tx)
      })
      await assert.rejects(interrupted, (error) => findStorageFault(error) === 'unreachable')
      assert.equal((await app.call('GET', '/rest/self')).statusCode, 200)
    } finally {
      await app.close()
    }
  })
})

onEveryEngine('a process that stalls in a transaction', (engine) => {
  test('an idle transaction times out so that other statements can go on', {
    skip: engine === 'sqlite' && 'no other statement waits for it',
  }, async () => {
    const app = await startApp(engine)
    try {
      const { db } = app.parts.services
      const { rows } = await sql<{ ms: string }>`
        select setting as ms from pg_settings where name = 'idle_in_transaction_session_timeout'`.execute(db)
      assert.equal(Number(rows[0]!.ms), 30_000)
      const late = db.transaction().execute(async (tx) => {
        await sql`set local idle_in_transaction_session_timeout = '100ms'`.execute(tx)
        await tx.insertInto('settings').values({ name: 'late', value: 'mine' }).execute()
        // Waits until the row is free again.
        await db.insertInto('settings').values({ name: 'late', value: 'of another' }).execute()
        await sql`select 1`.execute(tx)
      })
      await assert.rejects(late, (error) => findStorageFault(error) === 'unreachable')
      const stored = await db.selectFrom('settings').select('value').where('name', '=', 'late').execute()
      assert.deepEqual(stored, [{ value: 'of another' }])
    } finally {
      await app.close()
    }
  })
})

async function endConnection(url: string, pid: number): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('select pg_terminate_backend($1)', [pid]).finally(() => client.end())
}
