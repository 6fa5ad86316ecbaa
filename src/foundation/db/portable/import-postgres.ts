import { once } from 'node:events'
import { DatabaseSync } from 'node:sqlite'
import type { Client } from 'pg'
import { type Value, writeRows } from './copy-format.ts'
import { withClient } from './postgres-client.ts'
import { listTables, quoted, type Table } from './tables.ts'

/**
 * Replaces the rows of a PostgreSQL database with those of an embedded one of the same schema, in one transaction.
 * Returns the number of rows.
 */
export async function importPostgres(url: string, path: string): Promise<number> {
  const file = new DatabaseSync(path, { readOnly: true })
  try {
    return await withClient(url, async (client) => {
      const tables = await listTables(file, client)
      await client.query('begin')
      await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
      let rows = 0
      for (const table of tables) rows += await copyTable(client, file, table)
      await client.query('commit')
      await client.query('analyze')
      return rows
    })
  } finally {
    file.close()
  }
}

async function copyTable(client: Client, file: DatabaseSync, { name, columns, counter }: Table): Promise<number> {
  const { from } = await import('pg-copy-streams')
  const list = columns.map((column) => quoted(column.name)).join(', ')
  const select = file.prepare(`select ${list} from ${quoted(name)}`)
  select.setReturnArrays(true)
  const rows = select.iterate() as unknown as Iterable<Value[]>
  const stream = client.query(from(`copy ${quoted(name)} (${list}) from stdin (format binary)`))
  const finished = once(stream, 'finish')
  finished.catch(() => {})
  const types = columns.map(({ type }) => type)
  for (const chunk of writeRows(rows, types)) {
    if (!stream.write(chunk)) await Promise.race([once(stream, 'drain'), finished])
  }
  stream.end()
  await finished
  if (counter !== undefined) await setCounter(client, file, { name, counter })
  return stream.rowCount
}

async function setCounter(
  client: Client,
  file: DatabaseSync,
  { name, counter }: { name: string; counter: string },
): Promise<void> {
  const last = file.prepare('select seq from sqlite_sequence where name = ?').get(name)?.['seq'] ?? 0
  // A sequence begins at 1; without the third argument its next value would be 2.
  await client.query('select setval(pg_get_serial_sequence($1, $2), greatest($3::bigint, 1), $3::bigint > 0)', [
    quoted(name),
    counter,
    last,
  ])
}
