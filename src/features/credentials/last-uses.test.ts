import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, mock, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertSession } from '#features/user-sessions/store.ts'
import { rowsIn } from '#test/access/stored-rows.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { type FreshDatabase, freshDatabase } from '#test/servers/fresh-database.ts'
import { createLastUses } from './last-uses.ts'

const EVERY_MS = 15_000

onEveryEngine('last uses', (engine) => {
  let database: FreshDatabase
  before(async () => {
    database = await freshDatabase(engine)
    const add = rowsIn(database.db)
    await add.place()
    await add.user({ id: 'user' })
    await add.app({ id: 'app' })
    await add.credential({ id: 'key', owner_id: 'user' })
    await add.session({ id: 'session', app_id: 'app', user_id: 'user' })
    const times = { created_at: 1, signed_in_at: 1, last_used_at: 0 }
    const browser = { digest: 'a digest', mark: 'a mark', user_agent: '', address: '', identity_id: null }
    await insertSession(database.db, { id: 'browser', user_id: 'user', ...browser, ...times })
  })
  after(() => database[Symbol.asyncDispose]())
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
  afterEach(async () => {
    mock.timers.reset()
    await database.db.updateTable('credentials').set({ last_used_at: null }).execute()
    await database.db.updateTable('app_sessions').set({ last_used_at: null }).execute()
    await database.db.updateTable('user_sessions').set({ last_used_at: 0 }).execute()
  })

  const usesIn = async (table: 'credentials' | 'app_sessions' | 'user_sessions') =>
    (await database.db.selectFrom(table).select('last_used_at').executeTakeFirstOrThrow()).last_used_at
  /** Returns the stored last uses of the key, the session and the browser. */
  const stored = async () => [await usesIn('credentials'), await usesIn('app_sessions'), await usesIn('user_sessions')]
  /** Waits until a write that may have begun is over: SQLite has one writer. */
  const settle = () => database.db.updateTable('apps').set({ name: 'An app' }).execute()

  test('last uses: a flush writes the latest use of each credential, session and browser session', async () => {
    const lastUses = createLastUses(database.db, assert.ifError)
    lastUses.note('key', 5)
    lastUses.note('key', 6)
    assert.deepEqual(await stored(), [null, null, 0])
    await lastUses.flush()
    assert.deepEqual(await stored(), [6, null, 0])
    lastUses.noteSession('session', 7)
    await lastUses.flush()
    assert.deepEqual(await stored(), [6, 7, 0])
    lastUses.noteBrowserSession('browser', { at: 8, address: '192.0.2.1' })
    await lastUses.flush()
    assert.deepEqual(await stored(), [6, 7, 8])
    await lastUses.close()
  })

  test('last uses are written every 15 seconds and on close, but not after it', async () => {
    const lastUses = createLastUses(database.db, assert.ifError)
    lastUses.note('key', 5)
    mock.timers.tick(EVERY_MS - 1)
    await settle()
    assert.deepEqual(await stored(), [null, null, 0])
    mock.timers.tick(1)
    for (let tries = 0; tries < 6000 && (await usesIn('credentials')) === null; tries++) await sleep(10)
    assert.deepEqual(await stored(), [5, null, 0])
    lastUses.note('key', 6)
    await lastUses.close()
    assert.deepEqual(await stored(), [6, null, 0])
    lastUses.note('key', 7)
    mock.timers.tick(EVERY_MS)
    await settle()
    assert.deepEqual(await stored(), [6, null, 0])
  })

  test('last uses: an error of a regular write is reported, and close rejects with it', async () => {
    await using broken = await freshDatabase(engine)
    await broken.db.schema.alterTable('app_sessions').renameTo('away').execute()
    const { promise: reported, resolve } = Promise.withResolvers<unknown>()
    const lastUses = createLastUses(broken.db, resolve)
    lastUses.noteSession('session', 5)
    mock.timers.tick(EVERY_MS)
    assert.match(String(await reported), /app_sessions/)
    lastUses.noteSession('session', 5)
    await assert.rejects(lastUses.close(), /app_sessions/)
  })

  test('last uses: the timer does not keep the process running', async () => {
    mock.timers.reset()
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
    const before = timers()
    const lastUses = createLastUses(database.db, assert.ifError)
    const after = timers()
    await lastUses.close()
    assert.equal(after, before)
  })
})

test('last uses: without any use, nothing is written', async () => {
  await using database = await freshDatabase('sqlite')
  const closed = database.openAgain()
  await closed.close()
  const lastUses = createLastUses(closed.db, assert.ifError)
  await lastUses.flush()
  lastUses.note('key', 5)
  await assert.rejects(lastUses.close())
})
