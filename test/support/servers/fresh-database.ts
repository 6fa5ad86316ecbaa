import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import type { Engine } from '#foundation/db/database.ts'
import { migrate } from '#foundation/db/migrate.ts'
import { type Database, openDatabase } from '#foundation/db/open-database.ts'
import { createPostgresDatabase, type PostgresDatabase } from './postgres.ts'

export type OpenDatabase = Database & AsyncDisposable

export interface FreshDatabase extends OpenDatabase {
  /** Opens it once more, as another process would. */
  openAgain(): OpenDatabase
}

/** An empty database of the current schema, gone when it is disposed of. */
export async function freshDatabase(engine: Engine): Promise<FreshDatabase> {
  const { postgres, dataDir } = await copyEmpty(engine)
  const open = () => openDatabase({ url: postgres?.url, dataDir, maxConnections: 4, onError: () => {} })
  const database = open()
  return {
    ...database,
    openAgain() {
      const again = open()
      return { ...again, [Symbol.asyncDispose]: again.close }
    },
    async [Symbol.asyncDispose]() {
      await database.close()
      await drop({ postgres, dataDir })
    },
  }
}

interface DatabaseLocation {
  /** Undefined on SQLite. */
  readonly postgres: PostgresDatabase | undefined
  readonly dataDir: string
}

const empty = new Map<Engine, Promise<DatabaseLocation>>()

after(async () => {
  for (const place of await Promise.all(empty.values())) await drop(place)
})

/** Migrations run once in each process; a copy takes a tenth of their time. */
async function copyEmpty(engine: Engine): Promise<DatabaseLocation> {
  const making = empty.get(engine) ?? makeEmpty(engine)
  empty.set(engine, making)
  const made = await making
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-db-'))
  cpSync(made.dataDir, dataDir, { recursive: true })
  return { dataDir, postgres: made.postgres && (await createPostgresDatabase(made.postgres.name)) }
}

async function makeEmpty(engine: Engine): Promise<DatabaseLocation> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-db-'))
  const postgres = engine === 'postgres' ? await createPostgresDatabase() : undefined
  const database = openDatabase({ url: postgres?.url, dataDir, maxConnections: 1, onError: () => {} })
  await migrate(database)
  await database.close()
  return { dataDir, postgres }
}

async function drop({ postgres, dataDir }: DatabaseLocation): Promise<void> {
  await postgres?.drop()
  rmSync(dataDir, { recursive: true })
}
