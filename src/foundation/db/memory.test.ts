import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/app.ts'
import { onEveryEngine } from '#test/engines.ts'
import { type Database, type Db, openDatabase } from './database.ts'
import { createMemory } from './memory.ts'

onEveryEngine('the memory of reads', (engine) => {
  let app: TestApp
  /** Another process's view of the same database. */
  let other: Database
  let db: Db
  before(async () => {
    app = await startApp(engine)
    db = app.parts.services.db
    const { config } = app.parts.services
    other = openDatabase({ url: app.databaseUrl, dataDir: config.dataDir, maxConnections: 1, onError: () => {} })
  })
  after(async () => {
    await other.close()
    await app.close()
  })

  let changes = 0
  const commit = (by: Db) => {
    const value = String(changes++)
    return by
      .insertInto('settings')
      .values({ name: 'memory', value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  }

  /** A memory and the keys that it read for. */
  function watched(maxWeight = 100) {
    const memory = createMemory<string>({ maxWeight, weightOf: ({ length }) => length })
    const reads: string[] = []
    const recall = (on: Db, key: string) =>
      memory.recall(on, key, () => {
        reads.push(key)
        return key
      })
    return { recall, reads }
  }

  /** What PostgreSQL is asked each time, SQLite is asked once. */
  const once = (...reads: string[]) => (engine === 'sqlite' ? reads.slice(0, 1) : reads)

  test('one read serves until something is committed, by whichever process', async () => {
    for (const writer of [db, other.db]) {
      const { recall, reads } = watched()
      assert.equal(await recall(db, 'a'), 'a')
      assert.equal(await recall(db, 'a'), 'a')
      assert.deepEqual(reads.splice(0), once('a', 'a'))
      await commit(writer)
      assert.equal(await recall(db, 'a'), 'a')
      assert.deepEqual(reads, ['a'])
    }
  })

  test('a transaction reads for itself, and leaves what is kept alone', async () => {
    const { recall, reads } = watched()
    await recall(db, 'a')
    await db.transaction().execute(async (tx) => {
      await recall(tx, 'a')
      await recall(tx, 'a')
    })
    assert.deepEqual(reads, ['a', 'a', 'a'])
  })

  test('it begins anew when it is full', async () => {
    const { recall, reads } = watched(3)
    for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await recall(db, key)
    assert.deepEqual(reads, engine === 'sqlite' ? ['a', 'b', 'c', 'a', 'b'] : ['a', 'b', 'a', 'c', 'a', 'b'])
  })

  test('a long key is not kept', async () => {
    const { recall, reads } = watched(10_000)
    const long = 'x'.repeat(2000)
    await recall(db, long)
    await recall(db, long)
    assert.deepEqual(reads, [long, long])
  })

  test('what could not be read is read again', async () => {
    const memory = createMemory<string>({ maxWeight: 10, weightOf: () => 1 })
    const fail = () => Promise.reject(new Error('not now'))
    await assert.rejects(async () => memory.recall(db, 'a', fail), /not now/)
    assert.equal(await memory.recall(db, 'a', () => 'found'), 'found')
  })
})
