import { PostgresDialect } from 'kysely'
import { DatabaseUnreachable } from './storage-faults.ts'

export interface PostgresSettings {
  readonly url: string
  readonly maxConnections: number
  /** Told about connections that break while nobody uses them. */
  onError(error: Error): void
}

/** Kysely on a pool of connections. The driver is loaded with the first query, so that a start without it is quicker. */
export function postgresDialect({ url, maxConnections, onError }: PostgresSettings): PostgresDialect {
  return new PostgresDialect({
    async pool() {
      const { postgresPool } = await import('./postgres-pool.ts')
      const pool = postgresPool(url, maxConnections).on('error', onError)
      return { connect: () => pool.connect().catch(unreachable), end: () => pool.end(), options: {} }
    },
  })
}

function unreachable(cause: Error & { code?: string }): never {
  // The error of a name with several addresses has no message of its own.
  throw new DatabaseUnreachable(`The database cannot be reached: ${cause.message || cause.code}`, { cause })
}
