import { DatabaseSync } from 'node:sqlite'
import type { Client } from 'pg'
import { sqliteFile } from '../data-dir.ts'
import { migrate } from '../migrate.ts'
import { openDatabase } from '../open-database.ts'
import { readRows } from './copy-format.ts'
import { withClient } from './postgres-client.ts'
import { listTables, quoted, type Table } from './tables.ts'

/**
 * Writes a PostgreSQL database of this schema as an embedded database into an empty folder: a consistent snapshot, read
 * in one transaction while servers continue. Returns the file and the number of rows.
 */
export function exportPostgres(url: string, folder: string): Promise<{ path: string; rows: number }> {
  return withClient(url, async (client) => {
    await client.query('begin isolation level repeatable read read only')
    await createFile(folder, await lastStep(client))
    const path = sqliteFile(folder)
    const file = new DatabaseSync(path, { enableForeignKeyConstraints: false })
    try {
      file.exec('pragma journal_mode = delete; pragma synchronous = off; begin')
      let rows = 0
      for (const table of await listTables(file, client)) rows += await copyTable(client, file, table)
      file.exec('commit')
      const broken = file.prepare('pragma foreign_key_check').get()
      if (broken !== undefined) throw new Error(`a row of ${broken['table']} refers to a missing one`)
      return { path, rows }
    } finally {
      file.close()
    }
  })
}

async function lastStep(client: Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select name from kysely_migration order by name desc limit 1')
  return rows[0]!.name
}

async function createFile(dataDir: string, step: string): Promise<void> {
  const database = openDatabase({ dataDir, maxConnections: 1, onError: () => {} })
  try {
    await migrate(database, step)
  } finally {
    await database.close()
  }
}

async function copyTable(client: Client, file: DatabaseSync, { name, columns, counter }: Table): Promise<number> {
  const { to } = await import('pg-copy-streams')
  const list = columns.map((column) => quoted(column.name)).join(', ')
  file.exec(`delete from ${quoted(name)}`)
  const insert = file.prepare(`insert into ${quoted(name)} (${list}) values (${columns.map(() => '?').join(', ')})`)
  const chunks = client.query(to(`copy (select ${list} from ${quoted(name)}) to stdout (format binary)`))
  let count = 0
  for await (const rows of readRows(
    chunks,
    columns.map(({ type }) => type),
  )) {
    for (const row of rows) insert.run(...row)
    count += rows.length
  }
  if (counter !== undefined) await copyCounter(client, file, { name, counter })
  return count
}

/** Copies the counter as well, since numbers are never reused. */
async function copyCounter(
  client: Client,
  file: DatabaseSync,
  { name, counter }: { name: string; counter: string },
): Promise<void> {
  const { rows } = await client.query<{ sequence: string }>('select pg_get_serial_sequence($1, $2) as sequence', [
    quoted(name),
    counter,
  ])
  const { rows: state } = await client.query<{ last_value: string; is_called: boolean }>(
    `select last_value, is_called from ${rows[0]!.sequence}`,
  )
  const last = state[0]!.is_called ? Number(state[0]!.last_value) : 0
  file.prepare('delete from sqlite_sequence where name = ?').run(name)
  file.prepare('insert into sqlite_sequence (name, seq) values (?, ?)').run(name, last)
}
