import { type Insertable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { excludedOf } from '#foundation/db/insert-missing.ts'
import { prepared } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { lockRows } from '#foundation/db/transaction-lock.ts'
import { type IssueCounts, noCounts } from '../severity-counts.ts'
import type { Vulnerabilities } from '../storage/listed-issues-store.ts'
import { toParts } from '../storage/packages-store.ts'
import { forProjects } from '../storage/page-of-projects-store.ts'
import { saveGroups } from '../storage/save-groups-store.ts'
import { addProjectChanges, type ProjectChange } from '../trends/changes-store.ts'
import { type CountedProject, type Recount, recountIssues } from './issue-counts.ts'

type CountsRow = Tables['project_issue_counts']
type StoredRow = Insertable<CountsRow>

interface ReadRow extends StoredRow {
  /** 1 if the issues of a package of the project or the organization's license policy changed since. */
  readonly is_stale: number
}

/** With more packages to recount, the packages of each project are looked up instead. */
const FEW_PACKAGES = 64

// SQLite keeps the order of cross joins: the shorter list comes first.
const changedSince = sql`pp.project_number = c.project_number and pp.package_number = r.package_number
  and r.change_number > c.change_number`

const readStored = forProjects<ReadRow, { readonly orgId: string }>(
  (projects, { orgId }) => sql`
    select c.*, case
      when c.policy_revision <> coalesce((select revision from license_policies where org_id = ${orgId}), 0) then 1
      when (select count(*) from (select 1 from packages_to_recount limit ${sql.lit(FEW_PACKAGES)}) as listed) < ${sql.lit(FEW_PACKAGES)}
      then case when exists (select 1 from packages_to_recount r cross join project_packages pp where ${changedSince})
        then 1 else 0 end
      when exists (select 1 from project_packages pp cross join packages_to_recount r where ${changedSince}) then 1
      else 0 end as is_stale
    from project_issue_counts c where c.project_number in (${projects})`,
)

/**
 * Returns the issue counts of the projects of a page, by severity and project number. Outdated counts (an ignore
 * expired, newer advisories, another license policy) are recounted from all rows, so the result is always current.
 */
export async function findIssueCounts(
  db: Db,
  projects: readonly CountedProject[],
  now: number,
): Promise<ReadonlyMap<number, IssueCounts>> {
  const counts = new Map<number, IssueCounts>()
  for (const [orgId, own] of Map.groupBy(projects, ({ org_id }) => org_id)) {
    const numbers = own.map(({ number }) => number)
    for (const row of await readStored(db, numbers, { orgId })) {
      if (isCurrent(row, now)) counts.set(Number(row.project_number), toCounts(row))
    }
  }
  const others = projects.filter(({ number }) => !counts.has(number))
  for (const [number, { open, ignored }] of await recountIssues(db, { projects: others }, now))
    counts.set(number, { open, ignored })
  return counts
}

function isCurrent(row: ReadRow, now: number): boolean {
  return Number(row.is_stale) === 0 && Number(row.valid_until) > now
}

function toCounts(row: StoredRow): IssueCounts {
  const { critical, high, medium, low } = row
  return {
    open: { critical, high, medium, low },
    ignored: {
      critical: row.ignored_critical,
      high: row.ignored_high,
      medium: row.ignored_medium,
      low: row.ignored_low,
    },
  }
}

interface Recounted extends Pick<ProjectChange, 'flow' | 'movedFrom'> {
  readonly numbers: readonly number[]
  /** Packages of the projects with issues that are new to the organization's list. */
  readonly newlyListed?: readonly number[]
  /** Current vulnerabilities of projects that the transaction has read already. */
  readonly read?: Vulnerabilities
}

/**
 * Recounts projects and stores the counts, the totals of groups and the changes of trends, in the transaction of the
 * change. The projects must be locked, and the lock on known issues held or shared. Transactions that count the same
 * groups wait for its end.
 */
export async function saveIssueCounts(tx: Db, recounted: Recounted, now: number): Promise<void> {
  const { numbers, newlyListed = [], read, flow, movedFrom } = recounted
  if (numbers.length === 0) return
  const projects = await tx
    .selectFrom('projects as p')
    .leftJoin('org_numbers as o', 'o.org_id', 'p.org_id')
    .leftJoin('project_issue_counts as c', 'c.project_number', 'p.number')
    .select(['p.number', 'p.org_id', 'p.target_id', 'p.type', 'p.licenses', 'o.number as org_number'])
    .select(['c.org_number as listed_org', 'c.listed'])
    .where('p.number', 'in', numbers)
    .execute()
  const stored = await tx
    .selectFrom('project_issue_counts')
    .selectAll()
    .where('project_number', 'in', numbers)
    .execute()
  const before = new Map(stored.map((row) => [Number(row.project_number), toCounts(row)]))
  const change = await findChangeNumber(tx)
  const recounts = await recountIssues(tx, { projects, read }, now)
  const groups = await saveGroups(tx, { projects, newlyListed, recounts }, now)
  const rows = [...recounts].map(([number, recount]) => ({ ...toRow(number, recount, change), ...groups.get(number)! }))
  for (const part of toParts(rows)) await upsert(tx, [...new Set(part)])
  const changes = projects.map(({ number, org_id, target_id }) => ({
    projectNumber: number,
    place: { orgId: org_id, targetId: target_id },
    before: before.get(number) ?? noCounts,
    after: recounts.get(number)!,
    flow,
    movedFrom,
  }))
  await addProjectChanges(tx, changes, now)
}

async function upsert(tx: Db, rows: readonly StoredRow[]): Promise<void> {
  await tx
    .insertInto('project_issue_counts')
    .values(rows)
    .onConflict((conflict) => conflict.column('project_number').doUpdateSet(excludedOf(rows[0]!, ['project_number'])))
    .execute()
}

function toRow(number: number, { open, ignored, validUntil, policyRevision }: Recount, change: number) {
  return {
    project_number: number,
    change_number: change,
    policy_revision: policyRevision,
    valid_until: validUntil,
    ...open,
    ignored_critical: ignored.critical,
    ignored_high: ignored.high,
    ignored_medium: ignored.medium,
    ignored_low: ignored.low,
  }
}

const changeNumber = prepared((db: Db, _: Record<never, never>) =>
  db.selectFrom('matched_advisories').select('change_number'),
)

async function findChangeNumber(tx: Db): Promise<number> {
  const [row] = await changeNumber(tx, {})
  return Number(row?.change_number ?? 0)
}

/**
 * Records that the issues of these packages changed. Projects with these packages are counted on reading until
 * background work has stored new counts: a package may be in too many projects for the transaction of the change.
 * Requires the lock on known issues.
 */
export async function notePackagesToRecount(tx: Db, packages: readonly number[]): Promise<void> {
  const { change_number: change } = await tx
    .updateTable('matched_advisories')
    .set(({ eb }) => ({ change_number: eb('change_number', '+', 1) }))
    .returning('change_number')
    .executeTakeFirstOrThrow()
  const rows = [...new Set(packages)]
    .sort((a, b) => a - b)
    .map((number) => ({ package_number: number, change_number: change, after_org: 0, after_project: 0 }))
  for (const part of toParts(rows)) {
    await tx
      .insertInto('packages_to_recount')
      .values([...new Set(part)])
      .onConflict((conflict) =>
        conflict.column('package_number').doUpdateSet({ change_number: change, after_org: 0, after_project: 0 }),
      )
      .execute()
  }
}

/** Records that ignores of these issues expire now, in any project. Requires the lock on known issues. */
export async function noteIgnoresEnding(tx: Db, issueIds: readonly string[]): Promise<void> {
  const ignoring = tx.selectFrom('ignored_issues').select('project_number').where('issue_id', 'in', issueIds)
  const rows = tx.selectFrom('project_issue_counts').where('project_number', 'in', ignoring)
  await lockRows(tx, rows.select('project_number').orderBy('project_number').forUpdate())
  await tx.updateTable('project_issue_counts').set({ valid_until: 0 }).where('project_number', 'in', ignoring).execute()
}
