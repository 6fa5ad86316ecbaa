import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Database, Engine } from './database.ts'
import type { ColumnTypes, Migration } from './migration.ts'
import { migrations } from './migrations/index.ts'

const columnTypes: Record<Engine, ColumnTypes> = {
  sqlite: { text: 'text', bytes: 'blob' },
  postgres: { text: 'text collate "C"', bytes: 'bytea' },
}

/** Brings the schema up to date, under a lock that several starting processes share; returns the steps that ran. */
export async function migrate({ db, engine }: Database): Promise<string[]> {
  const steps = Object.fromEntries(
    migrations.map((migration) => [
      migration.name,
      { up: (on: Kysely<unknown>) => run(on, migration, columnTypes[engine]) },
    ]),
  )
  const migrator = new Migrator({ db, provider: { getMigrations: async () => steps } })
  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).filter((result) => result.status === 'Success').map((result) => result.migrationName)
}

async function run(db: Kysely<unknown>, migration: Migration, types: ColumnTypes): Promise<void> {
  for (const statement of migration.statements(types)) await sql.raw(statement).execute(db)
}
