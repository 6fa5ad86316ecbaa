import { PostgresDialect } from 'kysely'

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
      return postgresPool(url, maxConnections).on('error', onError)
    },
  })
}
