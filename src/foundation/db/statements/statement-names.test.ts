import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { createPostgresDatabase } from '#test/servers/postgres.ts'
import { inTransaction } from '../in-transaction.ts'
import { type Database, openDatabase } from '../open-database.ts'

const skip = process.env['TEST_DATABASE_URL'] === undefined && 'needs TEST_DATABASE_URL'

describe('prepared statements while a newer version adds columns', { skip }, () => {
  let dataDir: string
  let postgres: Awaited<ReturnType<typeof createPostgresDatabase>>
  /** The server of the version before, with one connection, and the newer version. */
  let [earlier, newer]: Database[] = []
  before(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-statements-'))
    postgres = await createPostgresDatabase()
    const settings = { url: postgres.url, dataDir, maxConnections: 1, onError: () => {} }
    ;[earlier, newer] = [openDatabase(settings), openDatabase(settings)]
  })
  beforeEach(async () => {
    await sql`drop table if exists things`.execute(newer!.db)
    await sql`create table things (name text)`.execute(newer!.db)
    for (const name of ['a', 'b']) assert.equal((await find(earlier!.db, name)).length, 0)
  })
  after(async () => {
    await Promise.all([earlier!.close(), newer!.close()])
    await postgres.drop()
    rmSync(dataDir, { recursive: true })
  })

  const addColumn = () => sql`alter table things add column size integer`.execute(newer!.db)
  const find = async (db: Database['db'], name: string) =>
    (await sql`select * from things where name = ${name}`.execute(db)).rows
  const add = async (db: Database['db'], name: string) =>
    (await sql`insert into things (name) values (${name}) returning *`.execute(db)).rows

  test('statements whose columns changed still succeed, since they are prepared again', async () => {
    await add(earlier!.db, 'a')
    await addColumn()
    for (let n = 0; n < 3; n++) assert.deepEqual(await find(earlier!.db, 'a'), [{ name: 'a', size: null }])
    assert.deepEqual(await add(earlier!.db, 'b'), [{ name: 'b', size: null }])
    const { rows } = await sql`select count(*) as prepared from pg_prepared_statements
      where statement like 'select * from things%'`.execute(earlier!.db)
    assert.deepEqual(rows, [{ prepared: 2 }])
  })

  test('a transaction with several outdated statements is repeated and stores each change once', async () => {
    const both = () =>
      inTransaction(earlier!.db, async (tx) => {
        await find(tx, 'a')
        await add(tx, 'a')
        return (await sql`select name, t.* from things t`.execute(tx)).rows.length
      })
    assert.equal(await both(), 1)
    await addColumn()
    assert.equal(await both(), 2)
    assert.equal((await find(newer!.db, 'a')).length, 2)
  })
})
