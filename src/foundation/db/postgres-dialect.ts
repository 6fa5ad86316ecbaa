import { PostgresAdapter, PostgresDialect } from 'kysely'
import type { Pool } from 'pg'
import type { ConnectionEvents } from './commits.ts'
import { connectToPrimary, createHosts } from './hosts/hosts.ts'
import { DatabaseUnreachable } from './storage-faults.ts'

export interface PostgresSettings {
  readonly url: string
  readonly maxConnections: number
  /** Called when an idle connection breaks. */
  onError(error: Error): void
  readonly events: ConnectionEvents
}

type Connections = Pick<Pool, 'connect' | 'end'>

/** Kysely on a connection pool, which `pool` shares. Loads the driver with the first query, for a faster start. */
export function openPostgres({ url, maxConnections, onError, events }: PostgresSettings): {
  readonly dialect: PostgresDialect
  readonly pool: () => Promise<Connections>
} {
  let opened: Promise<Connections> | undefined

  async function open(): Promise<Connections> {
    const { postgresPool } = await import('./postgres-pool.ts')
    const hosts = createHosts(url)
    const pool = postgresPool(hosts, { maxConnections, events }).on('error', onError)
    return {
      async connect() {
        try {
          return await connectToPrimary(hosts, () => pool.connect())
        } catch (error) {
          throw new DatabaseUnreachable(error as Error)
        }
      },
      end: () => pool.end(),
    }
  }

  const pool = () => {
    opened ??= open()
    return opened
  }
  return { dialect: new Dialect({ pool: async () => ({ ...(await pool()), options: {} }) }), pool }
}

class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new Adapter()
  }
}

/**
 * Takes no lock for migrations: `migrate` has one until its transaction ends. Kysely's own lock belongs to the session,
 * which a pooler in transaction mode passes to other clients without releasing it.
 */
class Adapter extends PostgresAdapter {
  override async acquireMigrationLock(): Promise<void> {}

  override async releaseMigrationLock(): Promise<void> {}
}
