import { existsSync } from 'node:fs'
import { type Config, ConfigFaults, readConfig } from '#foundation/config.ts'
import { lockDataDir, prepareDataDir, sqliteFile, whyNoDatabase } from '#foundation/db/data-dir.ts'
import { type Database, openDatabase } from '#foundation/db/open-database.ts'
import { createFromEmpty } from '#foundation/db/sqlite/empty-database.ts'
import { ClientFailure } from '../client/failure.ts'

export interface Storage {
  readonly config: Config
  readonly database: Database
  /** True if there was no embedded database yet; false on PostgreSQL, where it is unknown. */
  readonly isNew: boolean
  close(): Promise<void>
}

/**
 * Opens the configured storage, exclusively if it is embedded. Commands that only add data while a server runs pass
 * `beside`. A server passes `serving`, and then starts with the empty database of its package, if there is one.
 */
export function openStorage(environment: NodeJS.ProcessEnv, use: 'serving' | 'alone' | 'beside' = 'alone'): Storage {
  const read = readConfig(environment)
  refuseOnSqlite(read)
  // Files created from now on, the database first, are only for this user.
  process.umask(0o077)
  const config = { ...read, dataDir: prepareDataDir(read.dataDir) }
  const lock = config.databaseUrl === undefined && use !== 'beside' ? lockDataDir(config.dataDir) : undefined
  const path = sqliteFile(config.dataDir)
  const isNew = config.databaseUrl === undefined && !existsSync(path)
  if (isNew && use === 'serving') createFromEmpty(path)
  const database = openDatabase({
    url: config.databaseUrl,
    replicaUrl: config.databaseReplicaUrl,
    dataDir: config.dataDir,
    maxConnections: config.databaseConnections,
    onError: (error) => console.error(`A database connection broke: ${error.message}`),
  })
  return {
    config,
    database,
    isNew,
    async close() {
      await database.close()
      lock?.release()
    },
  }
}

/** Opens the storage of a server. Throws `ClientFailure` where none was started: an empty database would only look like its own. */
export function openServerStorage(environment: NodeJS.ProcessEnv): Storage {
  const { databaseUrl, dataDir } = readConfig(environment)
  const missing = databaseUrl === undefined ? whyNoDatabase(sqliteFile(dataDir)) : undefined
  if (missing !== undefined) throw new ClientFailure(missing.text)
  return openStorage(environment, 'beside')
}

function refuseOnSqlite({ role, databaseUrl, databaseReplicaUrl }: Config): void {
  if (databaseUrl !== undefined) return
  const faults = [
    ...(role === 'both'
      ? []
      : [
          `GATEHOUSE_ROLE is "${role}", but only one process can use SQLite. Remove the setting, or set DATABASE_URL to share PostgreSQL`,
        ]),
    ...(databaseReplicaUrl === undefined
      ? []
      : [
          'GATEHOUSE_DATABASE_REPLICA_URL needs DATABASE_URL, the primary of the replica. Set it, or remove the replica',
        ]),
  ]
  if (faults.length > 0) throw new ConfigFaults(faults)
}
