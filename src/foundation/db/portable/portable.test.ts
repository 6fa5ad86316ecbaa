import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import { migrate } from '#foundation/db/migrate.ts'
import { availableEngines, createPostgresDatabase } from '#test/servers/postgres.ts'
import { openDatabase } from '../open-database.ts'
import { type ColumnType, readRows, type Value, writeRows } from './copy-format.ts'
import { exportPostgres } from './export-postgres.ts'
import { importPostgres } from './import-postgres.ts'

const types: ColumnType[] = ['text', 'int8', 'int4', 'int2', 'bytea']
const rows: Value[][] = [
  ['', 0, 0, 0, Buffer.alloc(0)],
  ['ü€𝄞\n\\N\t"', Number.MAX_SAFE_INTEGER, -2_147_483_648, 32_767, Buffer.from([0, 255, 10])],
  [null, null, null, null, null],
  ['x'.repeat(100_000), -1, 1, -1, Buffer.alloc(70_000, 7)],
]

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

test('COPY in binary format: rows survive a round trip, however the stream is cut; a truncated one fails', async () => {
  const written = Buffer.concat([...writeRows(rows, types)])
  for (const size of [1000, 65_536, written.length]) {
    assert.deepEqual(await collect(readRows(inPieces(written, size), types)), rows)
  }
  const few = Buffer.concat([...writeRows(rows.slice(0, 3), types)])
  assert.deepEqual(await collect(readRows(inPieces(few, 1), types)), rows.slice(0, 3))
  assert.deepEqual(await collect(readRows(inPieces(Buffer.concat([...writeRows([], types)]), 5), types)), [])
  await assert.rejects(collect(readRows(inPieces(few.subarray(0, -1), 9), types)), /ended early/)
})

const needsPostgres = { skip: availableEngines.includes('postgres') ? false : 'needs TEST_DATABASE_URL' }

describe('a copy of a PostgreSQL database', needsPostgres, () => {
  test('a copy holds all rows and counters, and fills another PostgreSQL database', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-portable-'))
    const [source, target] = [await createPostgresDatabase(), await createPostgresDatabase()]
    const settings = { dataDir: folder, maxConnections: 2, onError: () => {} }
    const databases = [source, target].map(({ url }) => openDatabase({ ...settings, url }))
    try {
      for (const database of databases) await migrate(database)
      const [from, into] = databases.map(({ db }) => db)
      const packages = ['a', 'ü€𝄞', 'c'].map((name) => ({ registry: 'npm', name, version: '1', variant: '' }))
      await from!.insertInto('packages').values(packages).execute()
      await from!.deleteFrom('packages').where('name', '=', 'c').execute()
      const group = { id: 'g', name: 'G', slug: 'g', created_at: 1, updated_at: 2 ** 52 }
      await from!.insertInto('groups').values(group).execute()
      const cached = { key: 'k', url: 'u', status: 200, body: Buffer.from([0, 1]), size_bytes: 2 }
      const times = { fetched_at: 1, validated_at: 2, used_at: 3 }
      await from!
        .insertInto('registry_cache')
        .values({ ...cached, ...times })
        .execute()
      await from!
        .insertInto('registry_cache')
        .values({ ...cached, ...times, key: 'none', status: 404, body: null })
        .execute()

      const { path, rows: exported } = await exportPostgres(source.url, folder)
      const file = new DatabaseSync(path, { readOnly: true })
      assert.equal(file.prepare("select seq from sqlite_sequence where name = 'packages'").get()!['seq'], 3)
      file.close()
      assert.equal(await importPostgres(target.url, path), exported)
      for (const table of ['packages', 'groups', 'registry_cache'] as const) {
        const [before, after] = await Promise.all(
          [from!, into!].map((db) => db.selectFrom(table).selectAll().execute()),
        )
        assert.deepEqual(after, before)
      }
      const next = await into!.insertInto('packages').values(packages[2]!).returning('number').executeTakeFirst()
      assert.equal(next!.number, 4, 'numbers are never used again')
    } finally {
      for (const database of databases) await database.close()
      await Promise.all([source.drop(), target.drop()])
      rmSync(folder, { recursive: true })
    }
  })
})

async function collect(batches: AsyncIterable<Value[][]>): Promise<Value[][]> {
  const all: Value[][] = []
  for await (const batch of batches) all.push(...batch)
  return all
}
