import type { CompiledQuery } from 'kysely'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import type { Db } from './database.ts'
import { findDirectReads } from './direct-reads.ts'
import { createMemory } from './memory.ts'
import { createTurnReadings } from './turn-readings.ts'

/** A Kysely query that can be compiled to SQL. */
interface Compilable<Row> {
  compile(): CompiledQuery<Row>
}

/** A placeholder for a parameter while the text is compiled. */
interface Placeholder {
  readonly parameter: string
}

/**
 * A query whose text is compiled once per engine: on the hot path compiling costs more than reading the rows. `build`
 * receives placeholders and must return the same query for all values.
 */
export function prepared<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
): (db: Db, values: Values) => MaybePromise<Row[]> {
  const compiled = compiledOnce(build)
  return (db, values) => {
    const query = compiled(db, values)
    const reads = findDirectReads(db)
    return reads ? reads.run<Row>(query).rows : db.executeQuery<Row>(query).then(({ rows }) => rows)
  }
}

/** The same for a change that runs thousands of times a second, inside or outside a transaction. */
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
  const cache = new WeakMap<object, CompiledQuery<Row>>()
  return (db, values) => {
    const { adapter } = db.getExecutor()
    let compiled = cache.get(adapter)
    if (!compiled) {
      const placeholders = Object.fromEntries(Object.keys(values).map((parameter) => [parameter, { parameter }]))
      compiled = build(db, placeholders as unknown as Values).compile()
      cache.set(adapter, compiled)
    }
    const parameters = compiled.parameters.map((value) => (isPlaceholder(value) ? values[value.parameter] : value))
    return { ...compiled, parameters }
  }
}

export const MAX_REMEMBERED = 10_000

/**
 * The same for a query that nearly every request runs: rows are cached until the next commit (memory.ts), and
 * PostgreSQL is asked once per turn (turn-readings.ts). Callers must not change the rows.
 */
export function remembered<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
  maxRemembered = MAX_REMEMBERED,
): (db: Db, values: Values) => MaybePromise<readonly Row[]> {
  const read = prepared(build)
  const memory = createMemory<readonly Row[]>({ maxWeight: maxRemembered, weightOf: () => 1 })
  const askWithOthers = createTurnReadings<readonly Row[]>()

  return (db, values) => {
    if (db.isTransaction) return read(db, values)
    const key = keyOf(values)
    const readOnce = () => (findDirectReads(db) ? read(db, values) : askWithOthers(db, key, () => read(db, values)))
    return memory.recall(db, key, readOnce)
  }
}

/** The same for a query that finds at most one row. Set a lower limit for large rows. */
export function rememberedRow<Values extends Readonly<Record<string, unknown>>, Row>(
  build: (db: Db, values: Values) => Compilable<Row>,
  maxRemembered = MAX_REMEMBERED,
): (db: Db, values: Values) => MaybePromise<Row | undefined> {
  const read = remembered(build, maxRemembered)
  return (db, values) => andThen(read(db, values), ([row]) => row)
}

function keyOf(values: Readonly<Record<string, unknown>>): string {
  return Object.values(values).join('\n')
}

function isPlaceholder(value: unknown): value is Placeholder {
  return typeof value === 'object' && value !== null && 'parameter' in value
}
