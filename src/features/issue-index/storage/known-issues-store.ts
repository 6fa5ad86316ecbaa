import { type Selectable, sql } from 'kysely'
import { toSeverityNumber } from '#analysis/findings/known-issue.ts'
import type { Db } from '#foundation/db/database.ts'
import { excludedOf, insertMissing } from '#foundation/db/insert-missing.ts'
import { remembered } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { noteAliases } from './issue-search-store.ts'
import type { NewIssue } from './new-issue.ts'
import { toParts } from './packages-store.ts'

export type PackageIssueRow = Selectable<Tables['package_issues']>

const CURRENT = 'current'

/** Returns the advisories of the stored issues, and those of a rewrite in progress. */
export async function findMatched(db: Db) {
  return db.selectFrom('matched_advisories').selectAll().where('id', '=', CURRENT).executeTakeFirst()
}

const lastMatched = remembered((db: Db, { id }: { id: string }) =>
  db.selectFrom('matched_advisories').select('matched_at').where('id', '=', id),
)

/** Returns the time at which newer advisories last changed issues of packages; 0 if they never did. */
export async function findMatchedAt(db: Db): Promise<number> {
  const [row] = await lastMatched(db, { id: CURRENT })
  return Number(row?.matched_at ?? 0)
}

/** Initializes a database in which nothing was matched before. */
export async function beginMatched(tx: Db, digest: string, at: number): Promise<void> {
  await tx
    .insertInto('matched_advisories')
    .values({ id: CURRENT, digest, next_digest: null, matched_at: at, change_number: 0, epss_digest: '' })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function saveMatched(
  tx: Db,
  { digest, nextDigest, at }: { digest: string; nextDigest: string | null; at: number },
): Promise<void> {
  const state = { digest, next_digest: nextDigest, matched_at: at }
  await tx
    .insertInto('matched_advisories')
    .values({ id: CURRENT, ...state, change_number: 0, epss_digest: '' })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(state))
    .execute()
}

/** Stores issues; of several equal ones the last wins. Locks rows in a fixed order (`lockRows`). */
export async function saveKnownIssues(tx: Db, issues: readonly NewIssue[]): Promise<void> {
  const rows = [
    ...new Map(issues.map((issue) => [`${issue.packageNumber} ${issue.issue.issueId}`, toRow(issue)])).values(),
  ]
  rows.sort((a, b) => a.package_number - b.package_number || (a.issue_id < b.issue_id ? -1 : 1))
  for (let at = 0; at < rows.length; at += 200) {
    await tx
      .insertInto('package_issues')
      .values(rows.slice(at, at + 200))
      .onConflict((conflict) =>
        conflict
          .columns(['package_number', 'issue_id'])
          .doUpdateSet(excludedOf(rows[0]!, ['package_number', 'issue_id'])),
      )
      .execute()
  }
  await noteAliases(tx, issues)
}

export function toRow({ packageNumber, issue }: NewIssue): PackageIssueRow {
  const { issueId, severity, title, facts } = issue
  return {
    package_number: packageNumber,
    issue_id: issueId,
    severity: toSeverityNumber(severity),
    title,
    facts: JSON.stringify(facts),
  }
}

export async function deleteKnownIssues(tx: Db, packageNumber: number, issueIds: readonly string[]): Promise<void> {
  for (const part of toParts(issueIds)) {
    for (const table of ['package_issues', 'org_issues'] as const) {
      await tx.deleteFrom(table).where('package_number', '=', packageNumber).where('issue_id', 'in', part).execute()
    }
  }
}

export async function listKnownIssues(db: Db, packages: readonly number[]): Promise<PackageIssueRow[]> {
  const query = db.selectFrom('package_issues').selectAll()
  const parts = toParts(packages)
  return (await Array.fromAsync(parts, (part) => query.where('package_number', 'in', part).execute())).flat()
}

/** Adds known issues of packages to an organization's list of issues. Returns the packages with added issues. */
export async function noteOrgIssues(
  tx: Db,
  { orgNumber, packages, at }: { orgNumber: number; packages: readonly number[]; at: number },
): Promise<number[]> {
  const added = new Set<number>()
  for (const part of toParts([...packages].sort((a, b) => a - b))) {
    const rows = await tx
      .insertInto('org_issues')
      .columns(['org_number', 'package_number', 'issue_id', 'severity', 'known_since'])
      .expression((eb) =>
        eb
          .selectFrom('package_issues')
          .select([
            sql<number>`${orgNumber}`.as('org_number'),
            'package_number',
            'issue_id',
            'severity',
            knownSince(orgNumber, at).as('known_since'),
          ])
          .where('package_number', 'in', part)
          .orderBy('package_number')
          .orderBy('issue_id'),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning('package_number')
      .execute()
    for (const { package_number } of rows) added.add(Number(package_number))
  }
  return [...added]
}

/**
 * Returns the age of an issue. Variants of a package are one package for users: an issue keeps its age when a project
 * gets another variant. The inner query keeps PostgreSQL from reading all issues of the organization for each row, as
 * it would without statistics.
 */
function knownSince(orgNumber: number, at: number) {
  return sql<number>`coalesce((
    select min((
      select oi.known_since from org_issues oi
      where oi.org_number = ${orgNumber} and oi.package_number = other.number and oi.issue_id = package_issues.issue_id))
    from packages k
    join packages other on other.registry = k.registry and other.name = k.name and other.version = k.version
    where k.number = package_issues.package_number), ${at})`
}

export async function noteUnmatched(tx: Db, packages: readonly number[]): Promise<void> {
  const rows = packages.toSorted((a, b) => a - b).map((number) => ({ package_number: number }))
  await insertMissing(tx, 'unmatched_packages', rows)
}
