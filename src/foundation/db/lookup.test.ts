import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import type { Db } from './database.ts'
import { lookup } from './lookup.ts'
import { type Database, openDatabase } from './open-database.ts'

const settingOf = lookup('s.name', (db) => db.selectFrom('settings as s').select('s.value'))

onEveryEngine('lookups by a unique key', (engine) => {
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

  const set = (db: Db, name: string, value: string) =>
    db
      .insertInto('settings')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute()
  const valueFor = async (db: Db, name: string) => (await settingOf(db, name))?.value

  test('many concurrent lookups each find their own row or nothing', async () => {
    const { db } = app.parts.services
    const names = Array.from({ length: 150 }, (_, n) => `many ${n}`)
    for (const name of names) await set(db, name, `value of ${name}`)
    const values = await Promise.all([...names, ...names, 'none', "o'brien {,}"].map((name) => valueFor(db, name)))
    assert.deepEqual(
      values,
      [...names, ...names, undefined, undefined].map((name) => name && `value of ${name}`),
    )
  })

  for (const count of [1, 2, 4, 5, 16, 17, 64, 65]) {
    test(`${count} concurrent lookups find their rows`, async () => {
      const { db } = app.parts.services
      const names = Array.from({ length: count }, (_, n) => `many ${n}`)
      assert.deepEqual(
        await Promise.all(names.map((name) => valueFor(db, name))),
        names.map((name) => `value of ${name}`),
      )
    })
  }

  test('a lookup sees changes that another process committed before it', async () => {
    const { db } = app.parts.services
    for (let n = 0; n < 50; n++) {
      // Lookups in progress must not be shared with those that begin after the change.
      const underWay = Promise.all([valueFor(db, 'shared'), valueFor(db, 'shared')])
      if (n % 5 === 4) await other.db.deleteFrom('settings').where('name', '=', 'shared').execute()
      else await set(other.db, 'shared', String(n))
      assert.equal(await valueFor(db, 'shared'), n % 5 === 4 ? undefined : String(n))
      await underWay
    }
  })

  test('a transaction sees its own writes; others see them after its commit', async () => {
    const { db } = app.parts.services
    await set(db, 'within', 'before')
    await db.transaction().execute(async (tx) => {
      await set(tx, 'within', 'after')
      assert.deepEqual([await valueFor(tx, 'within'), await valueFor(db, 'within')], ['after', 'before'])
    })
    assert.equal(await valueFor(db, 'within'), 'after')
  })

  test('a storage failure rejects all concurrent lookups', async () => {
    const broken = openDatabase({
      url: 'postgres://nobody@127.0.0.1:9/none',
      dataDir: '.',
      maxConnections: 1,
      onError: () => {},
    })
    const attempts = ['a', 'b', 'a'].map((name) => assert.rejects(valueFor(broken.db, name), /ECONNREFUSED/))
    await Promise.all(attempts)
    await broken.close()
  })
})
