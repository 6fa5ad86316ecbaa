import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import type { Db } from './database.ts'
import { type Database, openDatabase } from './open-database.ts'
import { prepared, remembered, rememberedRow } from './prepared.ts'

onEveryEngine('prepared and remembered queries', (engine) => {
  let app: TestApp
  /** A second connection, as another process would open it. */
  let other: Database
  before(async () => {
    app = await startApp(engine)
    const { config } = app.parts.services
    other = openDatabase({ url: app.databaseUrl, dataDir: config.dataDir, maxConnections: 1, onError: () => {} })
  })
  after(async () => {
    await other.close()
    await app.close()
  })

  const byName = (db: Db, { name }: { name: string }) =>
    db.selectFrom('settings').select('value').where('name', '=', name)
  const set = (db: Db, name: string, value: string) =>
    db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()

  const row = rememberedRow(byName, 10)
  const kinds = {
    prepared: prepared(byName),
    remembered: remembered(byName),
    'remembered row': async (db: Db, values: { name: string }) => [(await row(db, values)) ?? []].flat(),
  }

  for (const [kind, read] of Object.entries(kinds)) {
    test(`${kind} query: each value gets its own rows`, async () => {
      const { db } = app.parts.services
      await set(db, `${kind} a`, '1')
      await set(db, `${kind} b`, '2')
      assert.deepEqual(await read(db, { name: `${kind} a` }), [{ value: '1' }])
      assert.deepEqual(await read(db, { name: `${kind} b` }), [{ value: '2' }])
      assert.deepEqual(await read(db, { name: `${kind} c` }), [])
    })

    test(`${kind} query: sees commits of any process immediately`, async () => {
      const { db } = app.parts.services
      for (let n = 0; n < 50; n++) {
        const writer = n % 2 === 0 ? db : other.db
        await set(writer, kind, String(n))
        assert.deepEqual(await read(db, { name: kind }), [{ value: String(n) }])
      }
    })

    test(`${kind} query: sees a commit made in the turn of an earlier read`, async () => {
      const { db } = app.parts.services
      // The number of writes that share a commit, so that some commit at once.
      await Promise.all(
        Array.from({ length: 100 }, async (_, n) => {
          const name = `${kind} turn ${n}`
          assert.deepEqual(await read(db, { name }), [])
          await set(db, name, '1')
          assert.deepEqual(await read(db, { name }), [{ value: '1' }])
        }),
      )
    })

    test(`${kind} query: only the transaction itself sees its uncommitted writes`, async () => {
      const { db } = app.parts.services
      await set(db, kind, 'before')
      await db.transaction().execute(async (tx) => {
        await set(tx, kind, 'inside')
        assert.deepEqual(await read(tx, { name: kind }), [{ value: 'inside' }])
        assert.deepEqual(await read(db, { name: kind }), [{ value: 'before' }])
      })
      assert.deepEqual(await read(db, { name: kind }), [{ value: 'inside' }])
    })
  }
})
