import { sql } from 'kysely'
import { findOrgNumber } from '#features/issue-index/storage/packages-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { nameAfter, scanInSlices } from '#foundation/db/scan-in-slices.ts'
import { contains } from '#foundation/db/text-match.ts'
import { createSlices } from '#foundation/slices.ts'
import { prefixesOf } from './name-parts.ts'
import { isUnindexed } from './name-parts-store.ts'

/** Names compared before other work runs: two milliseconds. */
const SLICE_ROWS = 1_000
/** Maximum number of rows of a short range. */
const MAX_COUNTED = 2_000
const MAX_PREFIXES = 16
/** Slices of a range beyond which reading all names is faster: names use fewer pages than projects. */
const MAX_SLICES = 4
/** Names of the index compared before other work runs. */
const SCANNED_ROWS = 5_000

export interface NamedProject {
  readonly id: string
  readonly number: number
  readonly name: string
}

interface NamesWanted {
  readonly orgId: string
  readonly words: readonly string[]
}

/**
 * Finds at most `limit` projects whose name contains all words, by name. If there are more, returns those that come
 * first by name or by the text after a word.
 */
export async function findProjectsByWords(db: Db, query: NamesWanted, limit: number): Promise<NamedProject[]> {
  // Read unindexed names first: a name that is indexed meanwhile is then found twice, not missed.
  const matches = new Map((await findUnindexed(db, query, limit)).map((project) => [project.number, project]))
  const orgNumber = await findOrgNumber(db, query.orgId)
  if (orgNumber !== undefined) await findIndexed(db, { ...query, orgNumber, matches, limit })
  return [...matches.values()].slice(0, limit).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** Compares the names without stored parts: those of the last minute, or all after an upgrade. */
async function findUnindexed(db: Db, { orgId, words }: NamesWanted, limit: number): Promise<NamedProject[]> {
  const from = (number: number) =>
    db
      .selectFrom('projects')
      .where('org_id', '=', orgId)
      .where(isUnindexed)
      .where('number', '>=', number)
      .orderBy('number')
  const scan = {
    first: 0,
    async findNext(number: number) {
      const row = await from(number).select('number').limit(sql.lit(1)).offset(sql.lit(SLICE_ROWS)).executeTakeFirst()
      return row && Number(row.number)
    },
    async read(number: number, until: number | undefined): Promise<NamedProject[]> {
      let query = from(number).select(['id', 'number', 'name'])
      if (until !== undefined) query = query.where('number', '<', until)
      for (const word of words) query = query.where(contains(db, 'name', word))
      const rows = await query.limit(sql.lit(limit)).execute()
      return rows.map((row) => ({ ...row, number: Number(row.number) }))
    },
  }
  return scanInSlices(scan, limit)
}

interface Search extends NamesWanted {
  readonly orgNumber: number
  readonly matches: Map<number, NamedProject>
  readonly limit: number
}

interface PartRow {
  readonly part: string
  readonly project_number: number
  readonly id: string | null
  readonly name: string | null
}

/** Reads the shortest range of parts that covers all matches, and compares the names. */
async function findIndexed(db: Db, search: Search): Promise<void> {
  const { orgId, orgNumber, words, matches, limit } = search
  const prefix = await choosePrefix(db, search)
  if (prefix === undefined) return findAnywhere(db, search)
  const fits = sql.join(
    words.map((word) => contains(db, 'p.name', word)),
    sql` and `,
  )
  const pause = createSlices()
  let after: readonly [part: string, number: number] = [prefix, 0]
  for (let slice = 0; slice < MAX_SLICES; slice++) {
    await pause()
    const { rows } = await sql<PartRow>`
      select n.part, n.project_number, p.id, p.name
      from (
        select part, project_number from project_name_parts
        where org_number = ${orgNumber} and (part, project_number) > (${after[0]}, ${after[1]})
          and part < ${endOf(prefix)}
        order by part, project_number limit ${sql.lit(SLICE_ROWS)}
      ) n
      left join projects p on p.number = n.project_number and p.org_id = ${orgId} and ${fits}
      order by n.part, n.project_number`.execute(db)
    for (const { project_number, id, name } of rows) {
      const number = Number(project_number)
      if (id !== null && name !== null && matches.size < limit) matches.set(number, { id, number, name })
    }
    const last = rows.at(-1)
    if (last === undefined || rows.length < SLICE_ROWS || matches.size >= limit) return
    after = [last.part, Number(last.project_number)]
  }
  await findAnywhere(db, search)
}

/** Compares all names, for words that are common each but may be rare together. */
async function findAnywhere(db: Db, { orgId, words, matches, limit }: Search): Promise<void> {
  const from = (name: string) =>
    db.selectFrom('projects').where('org_id', '=', orgId).where('name', '>=', name).orderBy('name')
  const scan = {
    first: '',
    async findNext(name: string) {
      const ahead = from(name).select('name').limit(sql.lit(1)).offset(sql.lit(SCANNED_ROWS))
      return nameAfter(name, await ahead.executeTakeFirst())
    },
    async read(name: string, until: string | undefined): Promise<{ readonly id: string }[]> {
      let query = from(name).select('id')
      if (until !== undefined) query = query.where('name', '<', until)
      for (const word of words) query = query.where(contains(db, 'name', word))
      return query.limit(sql.lit(limit)).execute()
    },
  }
  const ids = (await scanInSlices(scan, limit)).map(({ id }) => id)
  if (ids.length === 0) return
  const rows = await db.selectFrom('projects').select(['id', 'number', 'name']).where('id', 'in', ids).execute()
  for (const row of rows) matches.set(Number(row.number), { ...row, number: Number(row.number) })
}

function endOf(prefix: string): string {
  return `${prefix}\u{10ffff}`
}

/** Chooses the prefix with the fewest parts; returns undefined if each of several has many. */
async function choosePrefix(db: Db, { orgNumber, words }: Search): Promise<string | undefined> {
  const prefixes = [...new Set(words.flatMap(prefixesOf))].slice(0, MAX_PREFIXES)
  if (prefixes.length === 1) return prefixes[0]!
  const counts = prefixes.map(
    (prefix, at) => sql`select ${sql.lit(at)} as place, (
      select count(*) from (
        select 1 as one from project_name_parts
        where org_number = ${orgNumber} and part >= ${prefix} and part < ${endOf(prefix)} limit ${sql.lit(MAX_COUNTED)}
      ) counted) as parts`,
  )
  const { rows } = await sql<{ place: number; parts: number }>`${sql.join(counts, sql` union all `)}`.execute(db)
  const [shortest] = rows.toSorted((a, b) => Number(a.parts) - Number(b.parts))
  return Number(shortest!.parts) < MAX_COUNTED ? prefixes[Number(shortest!.place)] : undefined
}
