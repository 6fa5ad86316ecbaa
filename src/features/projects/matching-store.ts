import { sql } from 'kysely'
import { toSeverityNumber } from '#analysis/findings/known-issue.ts'
import type { Db } from '#foundation/db/database.ts'
import { isIgnoredSomewhere } from './ignored-store.ts'
import { deleteKnownIssues, saveKnownIssues } from './known-issues-store.ts'
import type { IssueChanges } from './match-package.ts'

/** Writes what changed of a package's issues, and what has to be told and judged for it. */
export async function applyChanges(tx: Db, { packageNumber, ...changes }: IssueChanges, at: number): Promise<void> {
  const { added, renamed, changed, removed } = changes
  const fresh = [...added, ...renamed]
  await deleteKnownIssues(tx, packageNumber, removed)
  await saveKnownIssues(
    tx,
    [...fresh, ...changed].map((issue) => ({ packageNumber, issue })),
  )
  for (const { issueId, severity } of changed) {
    await tx
      .updateTable('org_issues')
      .set({ severity: toSeverityNumber(severity) })
      .where('package_number', '=', packageNumber)
      .where('issue_id', '=', issueId)
      .execute()
  }
  const orgs = fresh.length === 0 ? [] : await listOrgsWith(tx, packageNumber)
  for (const { issueId, severity } of fresh) {
    for (const org of orgs) {
      await tx
        .insertInto('org_issues')
        .values({
          org_number: org,
          package_number: packageNumber,
          issue_id: issueId,
          severity: toSeverityNumber(severity),
          known_since: at,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    }
  }
  for (const { issueId } of added)
    for (const org of orgs) await noteUnannounced(tx, { org, issueId, packageNumber, at })
  await judgeAgain(tx, [...removed, ...fresh.map(({ issueId }) => issueId)])
}

/** By leaps in the inverted index: there are few organisations and many projects. */
async function listOrgsWith(db: Db, packageNumber: number): Promise<number[]> {
  const orgs: number[] = []
  for (let after = 0; ; ) {
    const row = await db
      .selectFrom('project_packages')
      .select('org_number')
      .where('package_number', '=', packageNumber)
      .where('org_number', '>', after)
      .orderBy('org_number')
      .limit(sql.lit(1))
      .executeTakeFirst()
    if (!row) return orgs
    after = Number(row.org_number)
    orgs.push(after)
  }
}

interface Unannounced {
  readonly org: number
  readonly issueId: string
  readonly packageNumber: number
  readonly at: number
}

async function noteUnannounced(tx: Db, { org, issueId, packageNumber, at }: Unannounced): Promise<void> {
  const known = await tx
    .selectFrom('unannounced_issues')
    .select('packages')
    .where('org_number', '=', org)
    .where('issue_id', '=', issueId)
    .where('known_since', '=', at)
    .executeTakeFirst()
  const packages = JSON.stringify([...(known ? (JSON.parse(known.packages) as number[]) : []), packageNumber])
  await tx
    .insertInto('unannounced_issues')
    .values({ org_number: org, issue_id: issueId, packages, after_project: 0, known_since: at })
    .onConflict((conflict) => conflict.columns(['org_number', 'issue_id', 'known_since']).doUpdateSet({ packages }))
    .execute()
}

/** Until that is done the issues are shown as not ignored: what is new in a project may be on a path that nobody ignored. */
async function judgeAgain(tx: Db, issueIds: readonly string[]): Promise<void> {
  for (const issueId of new Set(issueIds)) {
    if (!(await isIgnoredSomewhere(tx, issueId))) continue
    await tx.deleteFrom('ignored_issues').where('issue_id', '=', issueId).execute()
    await tx
      .insertInto('unjudged_issues')
      .values({ issue_id: issueId, after_project: 0 })
      .onConflict((conflict) => conflict.column('issue_id').doUpdateSet({ after_project: 0 }))
      .execute()
  }
}

/** Takes packages that still have to be matched off their list. */
export async function takeUnmatched(tx: Db, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom('unmatched_packages')
    .select('package_number')
    .orderBy('package_number')
    .limit(sql.lit(limit))
    .execute()
  const numbers = rows.map(({ package_number }) => Number(package_number))
  if (numbers.length > 0) await tx.deleteFrom('unmatched_packages').where('package_number', 'in', numbers).execute()
  return numbers
}

export async function hasUnmatched(db: Db): Promise<boolean> {
  const row = await db.selectFrom('unmatched_packages').select('package_number').limit(sql.lit(1)).executeTakeFirst()
  return row !== undefined
}

/** Packages after a number against which something is known, in their order. */
export async function listAffectedPackages(db: Db, after: number, limit: number): Promise<number[]> {
  const rows = await db
    .selectFrom('package_issues')
    .select('package_number')
    .distinct()
    .where('package_number', '>', after)
    .orderBy('package_number')
    .limit(sql.lit(limit))
    .execute()
  return rows.map(({ package_number }) => Number(package_number))
}
