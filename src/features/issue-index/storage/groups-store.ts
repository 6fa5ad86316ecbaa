import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { lockRows } from '#foundation/db/transaction-lock.ts'
import { describeGroups } from './group-details-store.ts'
import { EPSS_PENDING, EPSS_UNKNOWN } from './group-epss.ts'
import type { GroupKind, GroupsOfOrgs } from './group-keys.ts'
import { addListed, type Change, type Changes, parseListed, type Totals } from './listed-issues-store.ts'
import { toParts } from './packages-store.ts'

export type GroupRow = Selectable<Tables['issue_groups']>
/** Rows per statement: PostgreSQL accepts 65,535 parameters. */
const ROWS = 400

/** A new group before it is described. */
const NOT_DESCRIBED = {
  severity: 0,
  score: 0,
  is_exploited: 0,
  exploited_since: 0,
  is_fixable: 0,
  cves: '',
  epss: EPSS_PENDING,
  epss_percentile: EPSS_UNKNOWN,
  known_since: 0,
  registry: '',
  details: '{}',
  search_text: '',
}

/**
 * Adds changes to the totals of groups. Locks rows in a fixed order (see `lockRows`); call it late in a transaction.
 */
export async function saveChanges(tx: Db, changes: Changes, now: number): Promise<void> {
  for (const [orgNumber, kinds] of [...changes].sort(([a], [b]) => a - b)) {
    for (const kind of ['package', 'vulnerability'] as const) {
      const changed = [...(kinds.get(kind) ?? [])].filter(([, change]) => change.isRedescribed || !isZero(change))
      changed.sort(([a], [b]) => (a < b ? -1 : 1))
      for (let at = 0; at < changed.length; at += ROWS) {
        await addTotals(tx, { orgNumber, kind, now }, changed.slice(at, at + ROWS))
      }
    }
  }
}

function isZero({ projects, direct, issues, ignored }: Totals): boolean {
  return [projects, direct, issues, ignored].every((count) => count === 0)
}

async function addTotals(
  tx: Db,
  { now, ...of }: { orgNumber: number; kind: GroupKind; now: number },
  changed: readonly (readonly [string, Change])[],
): Promise<void> {
  const rows = changed.map(([key, { isRedescribed: _, ...totals }]) =>
    toRow({ ...of, key }, { ...totals, is_stale: 0 }),
  )
  const redescribed = new Set(changed.flatMap(([key, { isRedescribed }]) => (isRedescribed ? [key] : [])))
  const saved = await tx
    .insertInto('issue_groups')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['org_number', 'kind', 'group_key']).doUpdateSet({
        projects: sql`issue_groups.projects + excluded.projects`,
        direct: sql`issue_groups.direct + excluded.direct`,
        issues: sql`issue_groups.issues + excluded.issues`,
        ignored: sql`issue_groups.ignored + excluded.ignored`,
      }),
    )
    .returning(['group_key', 'severity', 'projects', 'ignored', 'is_stale'])
    .execute()
  const isEmpty = (row: (typeof saved)[number]) =>
    [row.projects, row.ignored, row.is_stale].every((n) => Number(n) === 0)
  const keysOf = (some: typeof saved) => some.map(({ group_key }) => group_key)
  const group = tx.deleteFrom('issue_groups').where('org_number', '=', of.orgNumber).where('kind', '=', of.kind)
  const empty = keysOf(saved.filter(isEmpty))
  if (empty.length > 0) await group.where('group_key', 'in', empty).execute()
  const toDescribe = saved.filter(
    (row) => !isEmpty(row) && (Number(row.severity) === 0 || redescribed.has(row.group_key)),
  )
  await describeGroups(tx, { orgNumbers: [of.orgNumber], kind: of.kind, keys: keysOf(toDescribe) }, now)
}

function toRow(
  { orgNumber, kind, key }: { orgNumber: number; kind: GroupKind; key: string },
  totals: Totals & { is_stale: number },
): Insertable<Tables['issue_groups']> {
  return { org_number: orgNumber, kind, group_key: key, ...NOT_DESCRIBED, ...totals }
}

/** Marks groups whose issues newer advisories changed, and adds new ones. Requires the lock on known issues. */
export async function markStale(tx: Db, { orgNumbers, kind, keys }: GroupsOfOrgs, now: number): Promise<void> {
  const totals = { projects: 0, direct: 0, issues: 0, ignored: 0, is_stale: 1 }
  const orgsAtOnce = Math.max(1, Math.floor(ROWS / keys.length))
  for (let org = 0; org < orgNumbers.length; org += orgsAtOnce) {
    const some = orgNumbers.slice(org, org + orgsAtOnce)
    for (let at = 0; at < keys.length; at += ROWS) {
      const part = keys.slice(at, at + ROWS)
      await tx
        .insertInto('issue_groups')
        .values(some.flatMap((orgNumber) => part.map((key) => toRow({ orgNumber, kind, key }, totals))))
        .onConflict((conflict) => conflict.columns(['org_number', 'kind', 'group_key']).doUpdateSet({ is_stale: 1 }))
        .execute()
      await describeGroups(tx, { orgNumbers: some, kind, keys: part }, now)
    }
  }
}

/** Removes the marks if no package awaits a recount. Requires the shared lock on known issues. */
export async function endStale(tx: Db): Promise<void> {
  const waiting = await tx
    .selectFrom('packages_to_recount')
    .select('package_number')
    .limit(sql.lit(1))
    .executeTakeFirst()
  if (waiting) return
  const stale = tx.selectFrom('issue_groups').select('group_key').where('is_stale', '=', sql.lit(1))
  await lockRows(tx, stale.orderBy('org_number').orderBy('kind').orderBy('group_key').forUpdate())
  await tx
    .deleteFrom('issue_groups')
    .where('is_stale', '=', sql.lit(1))
    .where('projects', '=', 0)
    .where('ignored', '=', 0)
    .execute()
  await tx.updateTable('issue_groups').set({ is_stale: 0 }).where('is_stale', '=', sql.lit(1)).execute()
}

/** Subtracts projects that are about to be deleted. They must be locked. */
export async function subtractProjects(
  tx: Db,
  projects: readonly { readonly number: number }[],
  now: number,
): Promise<void> {
  const changes: Changes = new Map()
  const numbers = projects.map(({ number }) => number)
  for (const part of toParts(numbers)) {
    const rows = await tx
      .selectFrom('project_issue_counts')
      .select(['org_number', 'listed'])
      .where('project_number', 'in', part)
      .execute()
    for (const { org_number, listed } of rows) {
      addListed(changes, Number(org_number), { listed: parseListed(listed), by: -1 })
    }
  }
  await saveChanges(tx, changes, now)
}
