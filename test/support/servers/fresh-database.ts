import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, type Engine, openDatabase } from '#foundation/db/database.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { createPostgresDatabase } from './postgres.ts'

/** An empty database of the current schema, gone when it is disposed of. */
export async function freshDatabase(engine: Engine): Promise<Database & AsyncDisposable> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-db-'))
  const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
  const database = openDatabase({ url: postgres?.url, dataDir, maxConnections: 4, onError: () => {} })
  await migrate(database)
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await postgres?.drop()
      rmSync(dataDir, { recursive: true })
    },
  }
}
