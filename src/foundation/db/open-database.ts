import { Kysely } from 'kysely'
import type { Pool } from 'pg'
import { postgresCommits, sqliteCommits } from './commit-versions.ts'
import { type ConnectionEvents, watchCommits } from './commits.ts'
import { sqliteFile } from './data-dir.ts'
import type { Db, Engine } from './database.ts'
import { readDirectly } from './direct-reads.ts'
import { onlyHost } from './hosts/hosts.ts'
import { allowCopies } from './postgres-copy.ts'
import { openPostgres } from './postgres-dialect.ts'
import { createReplica, type Replica } from './replica.ts'
import { replicaDialect } from './replica-dialect.ts'
import { openSqlite } from './sqlite/dialect.ts'
import type { Tables } from './tables.generated.ts'

export interface Database {
  readonly db: Db
  /**
   * Storage for lists and searches: single statements that only read, which a replica may serve. Never for credentials
   * or permissions. Without a replica, `db` itself.
   */
  readonly reads: Db
  /** Undefined without GATEHOUSE_DATABASE_REPLICA_URL. */
  readonly replica: Replica | undefined
  readonly engine: Engine
  /** The failure that prevents storing until a restart; undefined without one. */
  fault(): Error | undefined
  close(): Promise<void>
}

/** Waits after which a read goes to the primary: for a connection, and for the result of a statement. */
const REPLICA_CONNECT_MS = 500

const REPLICA_STATEMENT_MS = 30_000

export interface DatabaseSettings {
  /** PostgreSQL's connection URL; absent means SQLite in the data directory. */
  readonly url?: string | undefined
  /** Connection URL of a streaming replica of `url`. */
  readonly replicaUrl?: string | undefined
  readonly dataDir: string
  readonly maxConnections: number
  /** Called when an idle connection breaks. */
  onError(error: Error): void
}

export function openDatabase(settings: DatabaseSettings): Database {
  const { url, replicaUrl, dataDir, maxConnections, onError } = settings
  if (url === undefined) {
    const { dialect, reads, fault, close } = openSqlite(sqliteFile(dataDir))
    const db = new Kysely<Tables>({ dialect })
    readDirectly(db, reads)
    watchCommits(db, sqliteCommits(db, reads.dataVersion))
    return { db, reads: db, replica: undefined, engine: 'sqlite', fault, close }
  }
  const events: ConnectionEvents = { onChange: () => commits.onChange(), onBroken: () => commits.onBroken() }
  const { dialect, pool } = openPostgres({ url, maxConnections, onError, events })
  const db = new Kysely<Tables>({ dialect })
  allowCopies(db, pool)
  const commits = postgresCommits(db)
  watchCommits(db, commits)
  const replica = replicaUrl === undefined ? undefined : openReplica(db, { ...settings, replicaUrl })
  const reads = replica ? new Kysely<Tables>({ dialect: replicaDialect(replica, db) }) : db
  // A read of the replica is never older than one of the primary, so both share what is cached until the next commit.
  watchCommits(reads, commits)
  return {
    db,
    reads,
    replica,
    engine: 'postgres',
    fault: () => undefined,
    async close() {
      await replica?.close()
      await db.destroy()
    },
  }
}

/** Loads the driver with the first read, like the pool of the primary. */
function openReplica(
  primary: Db,
  { replicaUrl, maxConnections }: Pick<DatabaseSettings, 'maxConnections'> & { readonly replicaUrl: string },
): Replica {
  const events: ConnectionEvents = { onChange() {}, onBroken() {} }
  const limits = { connectMs: REPLICA_CONNECT_MS, statementMs: REPLICA_STATEMENT_MS }
  let opened: Promise<Pool> | undefined
  const open = async () => {
    const { postgresPool } = await import('./postgres-pool.ts')
    const pool = postgresPool(onlyHost(replicaUrl), {
      maxConnections,
      events,
      applicationName: 'gatehouse-reads',
      ...limits,
    })
    // The next read reports it.
    return pool.on('error', () => {})
  }
  return createReplica({
    primary,
    async connect() {
      opened ??= open()
      return (await opened).connect()
    },
    end: async () => (await opened)?.end(),
  })
}
