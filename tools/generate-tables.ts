import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate } from '#foundation/db/migrate.ts'
import { openDatabase } from '#foundation/db/open-database.ts'

const target = new URL('../src/foundation/db/tables.generated.ts', import.meta.url)

/** The row types of the migrated schema, as TypeScript. */
export async function tablesAsTypeScript(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gatehouse-tables-'))
  try {
    const database = openDatabase({ dataDir, maxConnections: 1, onError: () => {} })
    await migrate(database)
    await database.close()
    return describe(new DatabaseSync(join(dataDir, 'gatehouse.sqlite')))
  } finally {
    rmSync(dataDir, { recursive: true })
  }
}

function describe(file: DatabaseSync): string {
  const tables = file
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like '%kysely%' and name not like 'sqlite%' order by name",
    )
    .all() as { name: string }[]
  const bodies = tables.map(({ name }) => {
    const columns = file
      .prepare(`select name, type, "notnull" as required, pk from pragma_table_info('${name}')`)
      .all() as unknown as Column[]
    const lines = columns.map(
      (column) => `    ${column.name}: ${toType(column, isCounted(columns))}${column.required ? '' : ' | null'}`,
    )
    return `  ${name}: {\n${lines.join('\n')}\n  }`
  })
  file.close()
  return `// Generated from src/foundation/db/migrations by \`npm run generate\`.\nimport type { Generated } from 'kysely'\n\nexport interface Tables {\n${bodies.join('\n')}\n}\n`
}

interface Column {
  readonly name: string
  readonly type: string
  readonly required: number
  /** Its place in the primary key, from 1; 0 for none. */
  readonly pk: number
}

/** Returns true if the engine generates the primary key: SQLite's only plain integer key. */
function isCounted(columns: readonly Column[]): boolean {
  const key = columns.filter(({ pk }) => pk > 0)
  return key.length === 1 && key[0]!.type.toLowerCase() === 'integer'
}

function toType({ type: declared, pk }: Column, counted: boolean): string {
  const type = declared.toLowerCase()
  if (type === 'blob') return 'Uint8Array'
  if (type === 'text') return 'string'
  return counted && pk > 0 ? 'Generated<number>' : 'number'
}

if (import.meta.main) writeFileSync(target, await tablesAsTypeScript())
