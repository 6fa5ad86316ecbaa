import { existsSync } from 'node:fs'
import type { Config } from '#foundation/config.ts'
import { sqliteFile } from '#foundation/db/data-dir.ts'
import { withClient } from '#foundation/db/portable/postgres-client.ts'
import { ClientFailure } from '../../client/failure.ts'

/** Throws `ClientFailure` if a restore would overwrite data without `--replace`, or while servers are running. */
export async function examineTarget(
  { databaseUrl, dataDir }: Config,
  { mayReplace }: { mayReplace: boolean },
): Promise<void> {
  if (databaseUrl !== undefined) return examinePostgres(databaseUrl, mayReplace)
  const file = sqliteFile(dataDir)
  if (existsSync(file) && !mayReplace) {
    throw new ClientFailure(`${file} already exists. Choose another GATEHOUSE_DATA_DIR, or pass --replace.`)
  }
}

function examinePostgres(url: string, mayReplace: boolean): Promise<void> {
  return withClient(url, async (client) => {
    const { rows: servers } = await client.query(
      "select 1 from pg_stat_activity where datname = current_database() and application_name in ('gatehouse', 'gatehouse-listen')",
    )
    if (servers.length > 0) {
      throw new ClientFailure('Servers are connected to this database. Stop all of them, then run this command again.')
    }
    const { rows } = await client.query<{ tables: number; migrations: boolean }>(
      `select count(*)::integer as tables, coalesce(bool_or(table_name = 'kysely_migration'), false) as migrations
       from information_schema.tables where table_schema = current_schema()`,
    )
    const { tables, migrations } = rows[0]!
    if (tables > 0 && !migrations) {
      throw new ClientFailure(
        'The database contains tables of another program. Create an empty database for Gatehouse.',
      )
    }
    if (tables > 0 && !mayReplace) {
      throw new ClientFailure(
        'The database already contains data of Gatehouse. Create an empty database, or pass --replace, which deletes that data.',
      )
    }
  })
}
