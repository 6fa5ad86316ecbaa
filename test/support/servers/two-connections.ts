import type { Db, Engine } from '#foundation/db/database.ts'
import { type Database, openDatabase } from '#foundation/db/open-database.ts'
import { startApp } from './app.ts'

export interface TwoConnections {
  readonly db: Db
  /** A second connection, as another process would open it. */
  readonly other: Database
  /** Commits a change that nothing else makes. */
  commit(by: Db): Promise<unknown>
  close(): Promise<void>
}

/** Starts a server and opens a second connection to its database. */
export async function openTwoConnections(engine: Engine): Promise<TwoConnections> {
  const app = await startApp(engine)
  const { config, db } = app.parts.services
  const other = openDatabase({ url: app.databaseUrl, dataDir: config.dataDir, maxConnections: 1, onError: () => {} })
  let changes = 0
  return {
    db,
    other,
    commit(by) {
      const value = String(changes++)
      return by
        .insertInto('settings')
        .values({ name: 'commits', value })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
        .execute()
    },
    async close() {
      await other.close()
      await app.close()
    },
  }
}
