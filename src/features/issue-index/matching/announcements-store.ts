import { type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { lockRows } from '#foundation/db/transaction-lock.ts'
import type { StoredProject } from '../recording/record-store.ts'
import { listProjectsOfPackage } from '../storage/packages-store.ts'

export type UnannouncedRow = Selectable<Tables['unannounced_issues']>
export type UnjudgedRow = Selectable<Tables['unjudged_issues']>

export async function listUnannounced(db: Db, limit: number): Promise<UnannouncedRow[]> {
  return db
    .selectFrom('unannounced_issues')
    .selectAll()
    .orderBy('org_number')
    .orderBy('issue_id')
    .orderBy('known_since')
    .limit(sql.lit(limit))
    .execute()
}

/** Lists the first projects after a number that contain one of the packages, in the order of their numbers. */
export async function listProjectsWith(
  db: Db,
  packages: readonly number[],
  of: { orgNumber: number; after: number; limit: number },
): Promise<number[]> {
  const numbers = new Set<number>()
  for (const packageNumber of packages) {
    for (const number of await listProjectsOfPackage(db, { packageNumber, ...of })) numbers.add(number)
  }
  return [...numbers].sort((a, b) => a - b).slice(0, of.limit)
}

export async function findOrgIdOf(db: Db, orgNumber: number): Promise<string | undefined> {
  const row = await db.selectFrom('org_numbers').select('org_id').where('number', '=', orgNumber).executeTakeFirst()
  return row?.org_id
}

export async function listIssueInPackages(
  db: Db,
  { org_number, issue_id }: Pick<UnannouncedRow, 'org_number' | 'issue_id'>,
  packages: readonly number[],
) {
  return db
    .selectFrom('package_issues as i')
    .innerJoin('org_issues as oi', (join) =>
      join.onRef('oi.package_number', '=', 'i.package_number').onRef('oi.issue_id', '=', 'i.issue_id'),
    )
    .innerJoin('packages as p', 'p.number', 'i.package_number')
    .select(['oi.severity', 'i.title', 'p.name', 'p.version'])
    .where('oi.org_number', '=', org_number)
    .where('i.issue_id', '=', issue_id)
    .where('i.package_number', 'in', packages)
    .orderBy('i.package_number')
    .execute()
}

export async function listNotIgnoring(
  db: Db,
  { numbers, issueId, now }: { numbers: readonly number[]; issueId: string; now: number },
): Promise<Pick<StoredProject, 'number' | 'id' | 'name' | 'type' | 'target_id'>[]> {
  return db
    .selectFrom('projects as p')
    .leftJoin('ignored_issues as i', (join) =>
      join.onRef('i.project_number', '=', 'p.number').on('i.issue_id', '=', issueId).on('i.ignored_until', '>', now),
    )
    .select(['p.number', 'p.id', 'p.name', 'p.type', 'p.target_id'])
    .where('p.number', 'in', numbers)
    .where('i.issue_id', 'is', null)
    .orderBy('p.number')
    .execute()
}

/** Brings forward the next tests of projects, one after the other. Tests that are due earlier, or never, stay. */
export async function bringTestsForward(
  tx: Db,
  numbers: readonly number[],
  { from, everyMs }: { from: number; everyMs: number },
): Promise<void> {
  const [first] = numbers
  if (first === undefined) return
  const last = numbers.at(-1)!
  const at = from + everyMs * numbers.length
  // Spread by project numbers, which are close enough to consecutive.
  const share = sql<number>`${from} + (number - ${first}) * ${at - from} / ${last - first + 1}`
  await lockRows(
    tx,
    tx.selectFrom('projects').select('number').where('number', 'in', numbers).orderBy('number').forNoKeyUpdate(),
  )
  await tx
    .updateTable('projects')
    .set({ next_test_at: share })
    .where('number', 'in', numbers)
    .where('next_test_at', '>', at)
    .execute()
}

export async function findUnjudged(db: Db): Promise<UnjudgedRow | undefined> {
  return db.selectFrom('unjudged_issues').selectAll().orderBy('issue_id').limit(sql.lit(1)).executeTakeFirst()
}
