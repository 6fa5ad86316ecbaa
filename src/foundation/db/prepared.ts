import type { CompiledQuery } from 'kysely'
import type { Soon } from '../soon.ts'
import type { Db } from './database.ts'
import { findDirectReads } from './direct-reads.ts'
import { createMemory } from './memory.ts'
import { createTurnReadings } from './turn-readings.ts'

/** Something of Kysely's that becomes SQL. */
interface Compilable<Row> {
  compile(): CompiledQuery<Row>
}

/** Stands for a parameter while the text is made. */
interface Placeholder {
  readonly parameter: string
}

/**
 * A reading query whose text is made once for each engine and then only run: on the hot path making it costs more than
 * reading the rows. `build` is given placeholders and must make the same query whatever their values are.
 */
export function prepared<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Soon<Row[]> {
  const compiled = compiledOnce(build)
  return (db, values) => {
    const query = compiled(db, values)
    const reads = findDirectReads(db)
    return reads ? reads.run<Row>(query).rows : db.executeQuery<Row>(query).then(({ rows }) => rows)
  }
}

/** The same for a change that is made thousands of times a second, by itself or in a transaction. */
export function preparedChange<Values extends Readonly<Record<string, unknown>>>(
  build: (db: Db, values: Values) => Compilable<unknown>,
): (db: Db, values: Values) => Promise<void> {
  const compiled = compiledOnce(build)
  return async (db, values) => {
    await db.executeQuery(compiled(db, values))
  }
}

function compiledOnce<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => CompiledQuery<Row> {
  const known = new WeakMap<object, CompiledQuery<Row>>()
  return (db, values) => {
    const { adapter } = db.getExecutor()
    let compiled = known.get(adapter)
    if (!compiled) {
      const placeholders = Object.fromEntries(Object.keys(values).map((parameter) => [parameter, { parameter }]))
      compiled = build(db, placeholders as unknown as Values).compile()
      known.set(adapter, compiled)
    }
    const parameters = compiled.parameters.map((value) => (isPlaceholder(value) ? values[value.parameter] : value))
    return { ...compiled, parameters }
  }
}

const MAX_REMEMBERED = 10_000

/**
 * The same for a query that nearly every request makes. On SQLite its rows are remembered (see memory.ts); PostgreSQL is
 * asked once in a turn (see turn-readings.ts). Callers must not change the rows.
 */
export function remembered<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => Soon<readonly Row[]> {
  const read = prepared(build)
  const memory = createMemory<readonly Row[]>({ maxWeight: MAX_REMEMBERED, weightOf: () => 1 })
  const askWithOthers = createTurnReadings<readonly Row[]>()

  return (db, values) => {
    if (findDirectReads(db)) return memory.recall(db, keyOf(values), () => read(db, values))
    return db.isTransaction ? read(db, values) : askWithOthers(db, keyOf(values), () => read(db, values))
  }
}

function keyOf(values: Readonly<Record<string, unknown>>): string {
  return Object.values(values).join('\n')
}

function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === 'object' && value !== null && 'parameter' in value
}
