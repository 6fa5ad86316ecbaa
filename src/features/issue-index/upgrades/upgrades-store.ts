import { type Expression, type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { toParts } from '../storage/packages-store.ts'
import { sums } from '../trends/changes-store.ts'
import type { Upgrade } from './list-upgrades.ts'

type ChangeRow = Selectable<Tables['upgrade_changes']>
type Key = Pick<ChangeRow, 'registry' | 'package' | 'from_version' | 'to_version'>

interface Owner {
  readonly projectNumber: number
  readonly orgId: string
  readonly registry: string
}

export async function replaceUpgrades(tx: Db, owner: Owner, upgrades: readonly Upgrade[]): Promise<void> {
  const { projectNumber, orgId, registry } = owner
  const before = await tx
    .selectFrom('project_upgrades')
    .selectAll()
    .where('project_number', '=', projectNumber)
    .execute()
  const after = upgrades.map(({ package: name, from, to, fixes, critical }) => {
    const key = { registry, package: name, from_version: from, to_version: to }
    return { project_number: projectNumber, ...key, fixes, critical }
  })
  const same = new Set(after.map(textOf))
  if (before.length === after.length && before.every((row) => same.has(textOf(row)))) return
  await tx.deleteFrom('project_upgrades').where('project_number', '=', projectNumber).execute()
  for (const part of toParts(after)) {
    await tx
      .insertInto('project_upgrades')
      .values([...new Set(part)])
      .execute()
  }
  await addChanges(tx, orgId, [
    ...before.map((row) => ({ row, times: -1 as const })),
    ...after.map((row) => ({ row, times: 1 as const })),
  ])
}

type ProjectRow = Omit<Selectable<Tables['project_upgrades']>, 'project_number'>

function textOf({ registry, package: name, from_version, to_version, fixes, critical }: ProjectRow): string {
  return JSON.stringify([registry, name, from_version, to_version, Number(fixes), Number(critical)])
}

async function addChanges(
  tx: Db,
  orgId: string,
  changes: readonly { readonly row: ProjectRow; readonly times: 1 | -1 }[],
): Promise<void> {
  const values = changes.map(({ row, times }) => ({
    org_id: orgId,
    ...keyOf(row),
    fixes: times * Number(row.fixes),
    critical: times * Number(row.critical),
    projects: times,
  }))
  for (const part of toParts(values)) {
    await tx
      .insertInto('upgrade_changes')
      .values([...new Set(part)])
      .execute()
  }
}

function keyOf({ registry, package: name, from_version, to_version }: Key): Key {
  return { registry, package: name, from_version, to_version }
}

export async function moveUpgrades(
  tx: Db,
  projectNumber: number,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const rows = await tx.selectFrom('project_upgrades').selectAll().where('project_number', '=', projectNumber).execute()
  await addChanges(
    tx,
    from,
    rows.map((row) => ({ row, times: -1 })),
  )
  await addChanges(
    tx,
    to,
    rows.map((row) => ({ row, times: 1 })),
  )
}

/** Subtracts the upgrades of projects before they are deleted. The projects must be locked. */
export async function removeUpgrades(tx: Db, projects: Expression<{ number: number }>): Promise<void> {
  await sql`insert into upgrade_changes
      (org_id, registry, package, from_version, to_version, fixes, critical, projects)
    select p.org_id, u.registry, u.package, u.from_version, u.to_version, -sum(u.fixes), -sum(u.critical), -count(*)
    from project_upgrades u join projects p on p.number = u.project_number
    where p.number in ${projects}
    group by p.org_id, u.registry, u.package, u.from_version, u.to_version`.execute(tx)
}

const summed = ['fixes', 'critical', 'projects'] as const

/** Adds up to `limit` stored changes to the upgrades of organizations. Returns their number. */
export async function foldUpgrades(db: Db, limit: number): Promise<number> {
  return inTransaction(db, async (tx) => {
    const some = tx.selectFrom('upgrade_changes').select('id').orderBy('id').limit(sql.lit(limit))
    const rows = await tx.deleteFrom('upgrade_changes').where('id', 'in', some).returningAll().execute()
    const grouped = Map.groupBy(rows, (row) => JSON.stringify([row.org_id, Object.values(keyOf(row))]))
    const values = [...grouped.values()].map((own) => {
      const totals = summed.map((name) => [name, own.reduce((sum, row) => sum + Number(row[name]), 0)])
      return {
        org_id: own[0]!.org_id,
        ...keyOf(own[0]!),
        ...(Object.fromEntries(totals) as Record<(typeof summed)[number], number>),
      }
    })
    for (const part of toParts(values)) {
      await tx
        .insertInto('org_upgrades')
        .values([...new Set(part)])
        .onConflict((conflict) =>
          conflict
            .columns(['org_id', 'registry', 'package', 'from_version', 'to_version'])
            .doUpdateSet(sums('org_upgrades', summed)),
        )
        .execute()
    }
    const orgIds = [...new Set(rows.map(({ org_id }) => org_id))]
    if (orgIds.length > 0) {
      // A batch may end between the two changes of a project, so a sum can be temporarily negative.
      const ended = tx.deleteFrom('org_upgrades').where('org_id', 'in', orgIds).where('fixes', '=', 0)
      await ended.where('projects', '=', 0).execute()
    }
    return rows.length
  })
}

export interface OrgUpgrade extends Key {
  readonly fixes: number
  readonly critical: number
  readonly projects: number
}

export async function listBestUpgrades(db: Db, orgId: string, limit: number): Promise<OrgUpgrade[]> {
  return db
    .selectFrom('org_upgrades')
    .select(['registry', 'package', 'from_version', 'to_version', 'fixes', 'critical', 'projects'])
    .where('org_id', '=', orgId)
    .where('fixes', '>', 0)
    .orderBy('fixes', 'desc')
    .orderBy('critical', 'desc')
    .orderBy('package')
    .limit(sql.lit(limit))
    .execute()
}
