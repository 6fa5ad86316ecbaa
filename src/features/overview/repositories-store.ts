import { type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export interface RepositoryRow {
  readonly target_id: string
  readonly name: string
  readonly projects: number
  /** Projects with an incomplete test, or whose files can no longer be read. */
  readonly incomplete: number
  readonly untested: number
  readonly critical: number
  readonly high: number
  readonly medium: number
  readonly low: number
  /** Types of its projects, by name. */
  readonly types: string[]
  /** Epoch milliseconds of the oldest last test; null without one. */
  readonly testedAt: number | null
}

/** A position in the list, from counts that are updated within a minute. */
type PlaceRow = Pick<Selectable<Tables['target_issue_counts']>, (typeof columns)[number]>

const columns = ['critical', 'high', 'medium', 'low', 'target_id'] as const

/** The most critical issues first, then high ones, and so on. */
export const worstFirst: Keyset<PlaceRow> = {
  columns: columns.map((column) => `c.${column}`),
  position: (row) => columns.map((column) => (column === 'target_id' ? row.target_id : Number(row[column]))),
  order: 'desc',
}

/** Lists repositories that have projects, with the worst issues first. `places` are their positions in the list. */
export async function listRepositories(
  db: Db,
  orgId: string,
  window: Window,
): Promise<{ readonly places: Page<PlaceRow>; readonly rows: ReadonlyMap<string, RepositoryRow> }> {
  const query = db.selectFrom('target_issue_counts as c').select(columns.map((column) => `c.${column}` as const))
  const own = db.selectFrom('projects as p').select('p.id').where(sql<boolean>`p.target_id = c.target_id`)
  const places = await readPage(
    query.where('c.org_id', '=', orgId).where(({ exists }) => exists(own)),
    worstFirst,
    window,
  )
  const rows = await describe(
    db,
    places.rows.map(({ target_id }) => target_id),
  )
  return { places, rows: new Map(rows.map((row) => [row.target_id, row])) }
}

type Sums = Omit<RepositoryRow, 'types' | 'testedAt'> & { readonly type: string; readonly tested_at: number | null }

async function describe(db: Db, ids: readonly string[]): Promise<RepositoryRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Sums>`
    select t.id as target_id, t.display_name as name, coalesce(p.type, '') as type, count(p.id) as projects,
      coalesce(sum(case when p.is_complete = 0 or p.source_failed_at is not null and p.is_complete is not null
        then 1 else 0 end), 0) as incomplete,
      coalesce(sum(case when p.id is not null and p.is_complete is null then 1 else 0 end), 0) as untested,
      coalesce(sum(c.critical), 0) as critical, coalesce(sum(c.high), 0) as high,
      coalesce(sum(c.medium), 0) as medium, coalesce(sum(c.low), 0) as low, min(p.tested_at) as tested_at
    from targets t
    left join projects p on p.target_id = t.id
    left join project_issue_counts c on c.project_number = p.number
    where t.id in (${sql.join([...ids])})
    group by t.id, t.display_name, p.type order by p.type`.execute(db)
  return [...Map.groupBy(rows, ({ target_id }) => target_id).values()].map(toRow)
}

const sums = ['projects', 'incomplete', 'untested', 'critical', 'high', 'medium', 'low'] as const

function toRow(parts: readonly Sums[]): RepositoryRow {
  const [{ target_id, name }] = parts as readonly [Sums]
  const sumOf = (column: (typeof sums)[number]) => parts.reduce((sum, part) => sum + Number(part[column]), 0)
  const tested = parts.flatMap(({ tested_at }) => (tested_at === null ? [] : [Number(tested_at)]))
  return {
    target_id,
    name,
    ...(Object.fromEntries(sums.map((column) => [column, sumOf(column)])) as Pick<
      RepositoryRow,
      (typeof sums)[number]
    >),
    types: parts.map(({ type }) => type).filter((type) => type !== ''),
    testedAt: tested.length === 0 ? null : Math.min(...tested),
  }
}
