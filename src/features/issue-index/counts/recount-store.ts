import { type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { lockRows } from '#foundation/db/transaction-lock.ts'

export type PackageToRecount = Selectable<Tables['packages_to_recount']>

export async function findPackageToRecount(db: Db): Promise<PackageToRecount | undefined> {
  return db.selectFrom('packages_to_recount').selectAll().orderBy('package_number').limit(sql.lit(1)).executeTakeFirst()
}

/**
 * Lists the projects that contain a package, after the last recounted one. A deleted project has no dependencies, and
 * one that was never counted no change.
 */
export async function listContainingPackage(
  db: Db,
  { package_number, after_org, after_project }: PackageToRecount,
  limit: number,
) {
  return db
    .selectFrom('project_packages as pp')
    .leftJoin('projects as p', 'p.number', 'pp.project_number')
    .leftJoin('project_issue_counts as c', 'c.project_number', 'pp.project_number')
    .select(['pp.org_number', 'pp.project_number', 'p.total_dependencies', 'c.change_number'])
    .where('pp.package_number', '=', package_number)
    .where(sql<boolean>`(pp.org_number, pp.project_number) > (${after_org}, ${after_project})`)
    .orderBy('pp.org_number')
    .orderBy('pp.project_number')
    .limit(sql.lit(limit))
    .execute()
}

/** Stores the progress of a package, unless it changed again meanwhile. */
export async function advancePackage(
  tx: Db,
  row: PackageToRecount,
  last: { org_number: number; project_number: number },
): Promise<void> {
  await tx
    .updateTable('packages_to_recount')
    .set({ after_org: last.org_number, after_project: last.project_number })
    .where('package_number', '=', row.package_number)
    .where('change_number', '=', row.change_number)
    .execute()
}

export async function endPackage(db: Db, row: PackageToRecount): Promise<void> {
  await db
    .deleteFrom('packages_to_recount')
    .where('package_number', '=', row.package_number)
    .where('change_number', '=', row.change_number)
    .execute()
}

/** Returns the newest change among the packages to recount, when there are at least `many` of them. */
export async function findChangeOfMany(db: Db, many: number): Promise<number | undefined> {
  const { rows } = await sql<{ packages: number; change_number: number | null }>`
    select count(*) as packages, max(change_number) as change_number from packages_to_recount`.execute(db)
  const { packages, change_number } = rows[0]!
  return Number(packages) >= many ? Number(change_number) : undefined
}

/** Lists counted projects after a number that contain a package whose issues changed since, up to a change. */
export async function listOvertaken(
  db: Db,
  { after, until, limit }: { after: number; until: number; limit: number },
): Promise<(SizedProject & { readonly is_overtaken: number })[]> {
  const { rows } = await sql<SizedProject & { readonly is_overtaken: number }>`
    select p.number, p.total_dependencies, case when exists (
      select 1 from project_packages pp cross join packages_to_recount r
      where pp.project_number = c.project_number and r.package_number = pp.package_number
      and r.change_number > c.change_number
    ) then 1 else 0 end as is_overtaken
    from project_issue_counts c join projects p on p.number = c.project_number
    where c.project_number > ${after} and c.change_number < ${until}
    order by c.project_number limit ${sql.lit(limit)}`.execute(db)
  return rows
}

export async function endPackagesUntil(db: Db, until: number): Promise<void> {
  await db.deleteFrom('packages_to_recount').where('change_number', '<=', until).execute()
}

export type SizedProject = Pick<Selectable<Tables['projects']>, 'number' | 'total_dependencies'>

/** Lists projects whose counts are no longer valid: an ignore of theirs expired, or they were never counted. */
export async function listExpired(db: Db, now: number, limit: number): Promise<SizedProject[]> {
  return db
    .selectFrom('project_issue_counts as c')
    .innerJoin('projects as p', 'p.number', 'c.project_number')
    .select(['p.number', 'p.total_dependencies'])
    .where('c.valid_until', '<=', now)
    .orderBy('c.valid_until')
    .limit(sql.lit(limit))
    .execute()
}

type ChangedPolicy = Pick<Selectable<Tables['license_policies']>, 'org_id' | 'revision'>

/** Finds an organization whose counts do not all follow its license policy. */
export async function findChangedPolicy(db: Db): Promise<ChangedPolicy | undefined> {
  return db
    .selectFrom('license_policies')
    .select(['org_id', 'revision'])
    .whereRef('counted_revision', '<', 'revision')
    .orderBy('org_id')
    .limit(sql.lit(1))
    .executeTakeFirst()
}

export async function listOfOrg(
  db: Db,
  orgId: string,
  { after, limit }: { after: { readonly created_at: number; readonly id: string }; limit: number },
) {
  return db
    .selectFrom('projects as p')
    .leftJoin('project_issue_counts as c', 'c.project_number', 'p.number')
    .select(['p.number', 'p.total_dependencies', 'p.created_at', 'p.id', 'c.policy_revision'])
    .where('p.org_id', '=', orgId)
    .where(sql<boolean>`(p.created_at, p.id) > (${after.created_at}, ${after.id})`)
    .orderBy('p.created_at')
    .orderBy('p.id')
    .limit(sql.lit(limit))
    .execute()
}

export async function endPolicy(db: Db, { org_id, revision }: ChangedPolicy): Promise<void> {
  await db
    .updateTable('license_policies')
    .set({ counted_revision: revision })
    .where('org_id', '=', org_id)
    .where('counted_revision', '<', revision)
    .execute()
}

/** Locks projects until the transaction ends, in a fixed order: see `lockRows`. */
export async function lockProjects(tx: Db, numbers: readonly number[]): Promise<void> {
  const rows = tx.selectFrom('projects').select('number').where('number', 'in', numbers).orderBy('number')
  await lockRows(tx, rows.forNoKeyUpdate())
}
