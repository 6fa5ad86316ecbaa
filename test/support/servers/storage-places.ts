import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Engine } from '#foundation/db/database.ts'
import { createPostgresDatabase, type PostgresDatabase } from './postgres.ts'

/** A data folder, and for PostgreSQL an empty database, as the environment of programs. */
export interface StoragePlace {
  readonly dataDir: string
  readonly environment: Readonly<Record<string, string>>
}

/** Makes places for storage; all are removed when it is disposed of. */
export function storagePlaces(): AsyncDisposable & {
  readonly root: string
  make(engine: Engine): Promise<StoragePlace>
} {
  const root = mkdtempSync(join(tmpdir(), 'gatehouse-places-'))
  const databases: PostgresDatabase[] = []
  let count = 0
  return {
    root,
    async make(engine) {
      const dataDir = join(root, `data-${++count}`)
      if (engine === 'sqlite') return { dataDir, environment: { GATEHOUSE_DATA_DIR: dataDir } }
      const database = await createPostgresDatabase()
      databases.push(database)
      return { dataDir, environment: { GATEHOUSE_DATA_DIR: dataDir, DATABASE_URL: database.url } }
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(databases.map((database) => database.drop()))
      rmSync(root, { recursive: true })
    },
  }
}
