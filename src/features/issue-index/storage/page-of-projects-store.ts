import { type CompiledQuery, type RawBuilder, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { remembered } from '#foundation/db/prepared.ts'

/** Supported sizes of pages. */
const SIZES = [1, 10, 20, 50, 100]

type Given = Readonly<Record<string, unknown>>

/** Prepares a query about all projects of a page, whose result is cached like the page. */
export function forProjects<Row, More extends Given = Record<never, never>>(
  query: (projects: RawBuilder<unknown>, more: More) => RawBuilder<unknown>,
) {
  const queries = new Map<number, ReturnType<typeof make>>()

  function make(size: number) {
    return remembered<Given, Row>((db, parameters) => {
      const places = sql.join(Array.from({ length: size }, (_, n) => parameters[`n${n}`]))
      return { compile: () => query(places, parameters as More).compile(db) as CompiledQuery<Row> }
    })
  }

  return async function ask(db: Db, projects: readonly number[], more: More): Promise<readonly Row[]> {
    if (projects.length === 0) return []
    const most = SIZES.at(-1)!
    const size = SIZES.find((size) => size >= projects.length) ?? most
    const read = queries.get(size) ?? make(size)
    queries.set(size, read)
    const part = projects.slice(0, most)
    const places = Object.fromEntries(Array.from({ length: size }, (_, n) => [`n${n}`, part[n] ?? part[0]!]))
    const rows = await read(db, { ...places, ...more })
    return projects.length > most ? [...rows, ...(await ask(db, projects.slice(most), more))] : rows
  }
}
