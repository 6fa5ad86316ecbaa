import { type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import type { PolicyRow } from './policies-store.ts'

export type OwnerRow = Selectable<Tables['policy_owners']>

export async function findOwnerToEvaluate(db: Db): Promise<OwnerRow | undefined> {
  return db
    .selectFrom('policy_owners')
    .selectAll()
    .whereRef('evaluated_revision', '<', 'revision')
    .orderBy('owner_id')
    .limit(sql.lit(1))
    .executeTakeFirst()
}

/** Starts the evaluation of an owner's latest policies, or resumes it if it was interrupted. */
export async function beginRound(tx: Db, ownerId: string): Promise<OwnerRow> {
  await tx
    .updateTable('policy_owners')
    .set(({ ref }) => ({ running_revision: ref('revision'), after_project: 0, done: 0, total: 0 }))
    .where('owner_id', '=', ownerId)
    .whereRef('running_revision', '<', 'revision')
    .execute()
  return tx.selectFrom('policy_owners').selectAll().where('owner_id', '=', ownerId).executeTakeFirstOrThrow()
}

/** Lists the policies whose last change is not reflected in all projects yet. */
export async function listToEvaluate(db: Db, { owner_id, evaluated_revision }: OwnerRow): Promise<PolicyRow[]> {
  return db
    .selectFrom('policies')
    .selectAll()
    .where('owner_id', '=', owner_id)
    .where('changed_revision', '>', evaluated_revision)
    .orderBy('number')
    .execute()
}

/** Lists the organizations of an owner that have packages. */
export async function listGovernedOrgs(db: Db, { owner_id }: Pick<OwnerRow, 'owner_id'>) {
  const rows = await db
    .selectFrom('orgs as o')
    .innerJoin('org_numbers as n', 'n.org_id', 'o.id')
    .select(['o.id as orgId', 'o.group_id as groupId', 'n.number as orgNumber'])
    .where((eb) => eb.or([eb('o.id', '=', owner_id), eb('o.group_id', '=', owner_id)]))
    .orderBy('n.number')
    .execute()
  return rows.map((row) => ({ ...row, orgNumber: Number(row.orgNumber) }))
}

export async function listProjectsOfEffects(
  db: Db,
  policyNumber: number,
  { after, limit }: { after: number; limit: number },
): Promise<number[]> {
  const rows = await db
    .selectFrom('policy_effects')
    .select('project_number')
    .distinct()
    .where('policy_number', '=', policyNumber)
    .where('project_number', '>', after)
    .orderBy('project_number')
    .limit(sql.lit(limit))
    .execute()
  return rows.map(({ project_number }) => Number(project_number))
}

/** Lists the projects among some, with the number of their dependencies. */
export async function listSizes(db: Db, numbers: readonly number[]) {
  return db
    .selectFrom('projects')
    .select(['number', 'total_dependencies'])
    .where('number', 'in', numbers)
    .orderBy('number')
    .execute()
}

/** Stores progress; returns false if a policy changed since the round began, which then starts again. */
export async function advanceRound(
  tx: Db,
  { owner_id, running_revision }: OwnerRow,
  progress: { after_project?: number; done: number; total: number },
): Promise<boolean> {
  const row = await tx
    .updateTable('policy_owners')
    .set(progress)
    .where('owner_id', '=', owner_id)
    .where('revision', '=', running_revision)
    .returning('owner_id')
    .executeTakeFirst()
  return row !== undefined
}

export async function endRound(tx: Db, owner: OwnerRow, total: number): Promise<void> {
  const { owner_id, evaluated_revision, running_revision } = owner
  await tx
    .updateTable('policies')
    .set({ evaluated: total })
    .where('owner_id', '=', owner_id)
    .where('changed_revision', '>', evaluated_revision)
    .where('changed_revision', '<=', running_revision)
    .execute()
  await tx
    .updateTable('policy_owners')
    .set({ evaluated_revision: running_revision })
    .where('owner_id', '=', owner_id)
    .execute()
}
