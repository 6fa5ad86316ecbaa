import type { CompiledQuery } from 'kysely'
import type { Db } from './database.ts'
import type { Read } from './sqlite-dialect.ts'

/** Something of Kysely's that becomes SQL. */
interface Compilable<Row> {
  compile(): CompiledQuery<Row>
}

/** Stands for a parameter while the text is made. */
interface Placeholder {
  readonly parameter: string
}

const direct = new WeakMap<object, Read>()

/** Lets prepared queries on this database, outside transactions, go past Kysely's executor. */
export function readDirectly(db: Db, read: Read): void {
  direct.set(db, read)
}

/**
 * A reading query whose text is made once for each engine and then only run: on the hot path making it costs more than
 * reading the rows. `build` is given placeholders and must make the same query whatever their values are.
 */
export function prepared<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Promise<Row[]> {
  const known = new WeakMap<object, CompiledQuery<Row>>()
  return async (db, values) => {
    const { adapter } = db.getExecutor()
    let compiled = known.get(adapter)
    if (!compiled) {
      const placeholders = Object.fromEntries(Object.keys(values).map((parameter) => [parameter, { parameter }]))
      compiled = build(db, placeholders as unknown as Values).compile()
      known.set(adapter, compiled)
    }
    const parameters = compiled.parameters.map((value) => (isPlaceholder(value) ? values[value.parameter] : value))
    const query = { ...compiled, parameters }
    const read = direct.get(db)
    return read ? read<Row>(query).rows : (await db.executeQuery<Row>(query)).rows
  }
}

function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === 'object' && value !== null && 'parameter' in value
}
