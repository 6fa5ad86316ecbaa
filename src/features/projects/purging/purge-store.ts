import { sql } from 'kysely'
import { changeProjectCounts } from '#features/issue-index/packages/org-packages-store.ts'
import { forgetNameParts } from '#features/issue-index/storage/issue-search-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { shareLock } from '#foundation/db/transaction-lock.ts'

/**
 * Lists the next projects after a number with rows in `project_packages`, and whether they still exist. Skips along the
 * primary key: a project has up to tens of thousands of rows.
 */
export async function listContaining(db: Db, after: number, limit: number) {
  const { rows } = await sql<{ number: number; present: number }>`
    with recursive leaps (number, step) as (
      select (select min(project_number) from project_packages where project_number > ${after}), 1
      union all
      select (select min(project_number) from project_packages where project_number > leaps.number), leaps.step + 1
      from leaps where leaps.number is not null and leaps.step < ${sql.lit(limit)}
    )
    select leaps.number, case when p.number is null then 0 else 1 end as present
    from leaps left join projects p on p.number = leaps.number
    where leaps.number is not null order by leaps.number`.execute(db)
  return rows.map(({ number, present }) => ({ number: Number(number), exists: Number(present) === 1 }))
}

export async function deleteContained(db: Db, projectNumber: number, limit: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    await shareLock(tx, 'known-issues')
    const rows = await deleteSome(tx, projectNumber, limit)
    const byOrg = Map.groupBy(rows, ({ org_number }) => org_number)
    const changes = [...byOrg].map(([orgNumber, own]) => {
      return { orgNumber, packages: own.map(({ package_number }) => package_number), by: -1 as const }
    })
    await changeProjectCounts(tx, changes)
    return rows.length
  })
}

function deleteSome(tx: Db, projectNumber: number, limit: number) {
  return tx
    .deleteFrom('project_packages')
    .where('project_number', '=', projectNumber)
    .where('package_number', 'in', (some) =>
      some
        .selectFrom('project_packages')
        .select('package_number')
        .where('project_number', '=', projectNumber)
        .orderBy('package_number')
        .limit(sql.lit(limit)),
    )
    .returning(['org_number', 'package_number'])
    .execute()
}

/** Lists packages after a number, and whether a project contains them. */
export async function listUse(db: Db, after: number, limit: number): Promise<{ number: number; isUsed: boolean }[]> {
  const { rows } = await sql<{ number: number; used: number }>`
    select k.number, case when exists (
      select 1 from project_packages pp where pp.package_number = k.number
    ) then 1 else 0 end as used
    from packages k where k.number > ${after} order by k.number limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ number, used }) => ({ number: Number(number), isUsed: Number(used) === 1 }))
}

/** Deletes unused packages and their known issues. Requires the lock on known issues. */
export async function deleteUnused(tx: Db, numbers: readonly number[]): Promise<void> {
  const deleted = await tx
    .deleteFrom('packages')
    .where('number', 'in', numbers)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('project_packages as pp')
            .select('pp.package_number')
            .whereRef('pp.package_number', '=', 'packages.number'),
        ),
      ),
    )
    .returning(['registry', 'name'])
    .execute()
  await forgetNameParts(tx, deleted)
}

export interface OrgPackage {
  readonly orgNumber: number
  readonly packageNumber: number
}

/** Lists per organization that derive from the packages of its projects. */
export type OrgList = 'org_issues' | 'org_packages'

/** Lists packages in organizations' lists after one, and whether a project of the organization contains them. */
export async function listOrgUse(
  db: Db,
  list: OrgList,
  { after, limit }: { readonly after: OrgPackage; readonly limit: number },
): Promise<(OrgPackage & { readonly isUsed: boolean })[]> {
  const { rows } = await sql<{ org_number: number; package_number: number; used: number }>`
    select listed.org_number, listed.package_number, case when exists (
      select 1 from project_packages pp
      where pp.package_number = listed.package_number and pp.org_number = listed.org_number
    ) then 1 else 0 end as used
    from (
      select distinct op.org_number, op.package_number from ${sql.table(list)} op
      where (op.org_number, op.package_number) > (${after.orgNumber}, ${after.packageNumber})
      order by op.org_number, op.package_number limit ${sql.lit(limit)}
    ) listed
    order by listed.org_number, listed.package_number`.execute(db)
  return rows.map(({ org_number, package_number, used }) => ({
    orgNumber: Number(org_number),
    packageNumber: Number(package_number),
    isUsed: Number(used) === 1,
  }))
}

/** Removes a package without a project from an organization's list. Requires the lock on known issues. */
export async function deleteOrgUnused(tx: Db, list: OrgList, { orgNumber, packageNumber }: OrgPackage): Promise<void> {
  await sql`delete from ${sql.table(list)} where org_number = ${orgNumber} and package_number = ${packageNumber}
    and not exists (
      select 1 from project_packages pp where pp.package_number = ${packageNumber} and pp.org_number = ${orgNumber}
    )`.execute(tx)
}
