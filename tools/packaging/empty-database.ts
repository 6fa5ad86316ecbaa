import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sqliteFile } from '#foundation/db/data-dir.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'

/** Writes the embedded database that a first start copies: all migrations run once, with the build. */
export async function makeEmptyDatabase(path: string): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-build-'))
  try {
    const database = openDatabase({ dataDir, maxConnections: 1, onError: () => {} })
    await migrate(database)
    // Closing moves the write-ahead log into the database file.
    await database.close()
    mkdirSync(dirname(path), { recursive: true })
    cpSync(sqliteFile(dataDir), path)
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}
