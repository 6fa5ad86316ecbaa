import type { DatabaseSync } from 'node:sqlite'
import type { Client } from 'pg'
import type { ColumnType } from './copy-format.ts'

export interface Column {
  readonly name: string
  readonly type: ColumnType
}

export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  /** The auto-incremented column, with a sequence on PostgreSQL. */
  readonly counter: string | undefined
}

const supportedTypes = new Set<string>(['text', 'int8', 'int4', 'int2', 'bytea'])

/** Returns the tables of an embedded database, referenced tables first, with the column types of PostgreSQL. */
export async function listTables(file: DatabaseSync, client: Client): Promise<Table[]> {
  const { rows } = await client.query<{ table_name: string; column_name: string; udt_name: string; counts: boolean }>(
    `select table_name, column_name, udt_name, is_identity = 'YES' as counts
     from information_schema.columns where table_schema = current_schema()`,
  )
  const columnRows = new Map(rows.map((row) => [`${row.table_name}.${row.column_name}`, row]))
  return orderByReferences(file).map((name) => {
    const columns = columnsOf(file, name).map((column) => {
      const type = columnRows.get(`${name}.${column}`)?.udt_name
      if (type === undefined || !supportedTypes.has(type))
        throw new Error(`${name}.${column} has the unknown type ${type}`)
      return { name: column, type: type as ColumnType }
    })
    const counter = columns.find((column) => columnRows.get(`${name}.${column.name}`)?.counts)?.name
    return { name, columns, counter }
  })
}

/** Quotes a name for either engine. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function orderByReferences(file: DatabaseSync): string[] {
  const names = file
    .prepare(
      "select name from sqlite_schema where type = 'table' and name not like 'sqlite%' and name not like 'kysely%'",
    )
    .all()
    .map(({ name }) => String(name))
  const ordered = new Set<string>()
  const visit = (name: string, path: readonly string[]): void => {
    if (path.includes(name)) throw new Error(`tables refer to each other: ${[...path, name].join(', ')}`)
    if (ordered.has(name)) return
    const references = file.prepare('select distinct "table" as name from pragma_foreign_key_list(?)').all(name)
    for (const reference of references) {
      if (reference['name'] !== name) visit(String(reference['name']), [...path, name])
    }
    ordered.add(name)
  }
  for (const name of names.sort()) visit(name, [])
  return [...ordered]
}

function columnsOf(file: DatabaseSync, table: string): string[] {
  return file
    .prepare('select name from pragma_table_info(?)')
    .all(table)
    .map(({ name }) => String(name))
}
