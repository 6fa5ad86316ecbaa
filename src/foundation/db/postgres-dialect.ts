import { PostgresDialect } from 'kysely'
import type { ConnectionEvents } from './commits.ts'
import { DatabaseUnreachable } from './storage-faults.ts'

export interface PostgresSettings {
  readonly url: string
  readonly maxConnections: number
  /** Called when an idle connection breaks. */
  onError(error: Error): void
  readonly events: ConnectionEvents
}

/** Kysely on a connection pool. Loads the driver with the first query, for a faster start. */
export function postgresDialect({ url, maxConnections, onError, events }: PostgresSettings): PostgresDialect {
  return new PostgresDialect({
    async pool() {
      const { postgresPool } = await import('./postgres-pool.ts')
      const pool = postgresPool(url, { maxConnections, events }).on('error', onError)
      return { connect: () => pool.connect().catch(unreachable), end: () => pool.end(), options: {} }
    },
  })
}

function unreachable(cause: Error & { code?: string }): never {
  // The error for a name with several addresses has no message of its own.
  throw new DatabaseUnreachable(`The database cannot be reached: ${cause.message || cause.code}`, { cause })
}
