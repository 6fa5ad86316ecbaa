import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sqliteFile } from '#foundation/db/data-dir.ts'
import { findPendingSteps } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'
import { makeEmptyDatabase } from './empty-database.ts'

test('database of a built package: has the whole schema and no rows', async (t) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  await makeEmptyDatabase(sqliteFile(dataDir))

  const file = new DatabaseSync(sqliteFile(dataDir), { readOnly: true })
  const tables = file.prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'").all()
  const filled = tables.map(({ name }) => String(name)).filter((name) => file.prepare(`select 1 from "${name}"`).get())
  file.close()
  // The second holds the one row that Kysely locks.
  assert.deepEqual(filled.toSorted(), ['kysely_migration', 'kysely_migration_lock'])

  const database = openDatabase({ dataDir, maxConnections: 1, onError: () => {} })
  t.after(() => database.close())
  assert.deepEqual(await findPendingSteps(database), [])
})
