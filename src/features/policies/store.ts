import { type Insertable, sql, type Updateable } from 'kysely'
import type { PolicyRow } from '#features/issue-index/policies/policies-store.ts'
import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'
import { insertMissing } from '#foundation/db/insert-missing.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import { notFound } from '#foundation/problem.ts'
import { createTimeOrderedIds } from '#foundation/time-ordered-id.ts'

/** Days for which a deleted policy can be restored. */
export const RESTORABLE_DAYS = 30

/** A policy with what it hides or changes now and the state of its evaluation. */
export interface StoredPolicy extends PolicyRow {
  readonly affects: { readonly issues: number; readonly projects: number }
  readonly evaluation: {
    readonly state: 'running' | 'done' | 'canceled'
    readonly done: number
    readonly total: number
  }
}

/** Ordered by creation time: policies created together keep their order. */
const newId = createTimeOrderedIds()

export const policiesByAge: Keyset<PolicyRow> = byAge('p')

function policiesOf(db: Db, owner: OrgOrGroup) {
  return db
    .selectFrom('policies as p')
    .selectAll('p')
    .where('p.owner_id', '=', owner.orgId ?? owner.groupId)
}

interface Filters {
  readonly isDeleted: boolean
  /** True to include the policies of an organization's group. */
  readonly isInherited: boolean
  readonly source?: string | undefined
}

export async function listPolicies(
  db: Db,
  { owner, filters }: { owner: OrgOrGroup; filters: Filters },
  { window, now }: { window: Window; now: number },
): Promise<Page<StoredPolicy>> {
  const { isDeleted, isInherited, source } = filters
  const owners = isInherited ? [owner.orgId ?? owner.groupId, owner.groupId] : [owner.orgId ?? owner.groupId]
  let query = db
    .selectFrom('policies as p')
    .selectAll('p')
    .where('p.owner_id', 'in', owners)
    .where('p.deleted_at', isDeleted ? 'is not' : 'is', null)
  if (source !== undefined) query = query.where('p.source', '=', source)
  const page = await readPage(query, policiesByAge, window)
  return { ...page, rows: await Promise.all(page.rows.map((row) => toStored(db, row, { owner, now }))) }
}

export async function getPolicy(db: Db, owner: OrgOrGroup, { id, now }: { id: string; now: number }) {
  const row = await policiesOf(db, owner).where('p.id', '=', id).executeTakeFirst()
  if (!row) throw notFound(`Policy ${id}`)
  return toStored(db, row, { owner, now })
}

async function toStored(
  db: Db,
  row: PolicyRow,
  { owner, now }: { owner: OrgOrGroup; now: number },
): Promise<StoredPolicy> {
  const isActive = row.deleted_at === null && (row.expires_at === null || Number(row.expires_at) > now)
  return {
    ...row,
    affects: isActive ? await countAffected(db, row, owner) : { issues: 0, projects: 0 },
    evaluation: await findEvaluation(db, row),
  }
}

/** Counts what a policy hides or changes in an organization, or in all organizations of a group. */
async function countAffected(
  db: Db,
  { number, org_id, severity }: PolicyRow,
  { orgId }: OrgOrGroup,
): Promise<StoredPolicy['affects']> {
  // An organization must not learn what a policy of its group does elsewhere.
  const here = org_id === orgId ? sql`` : sql`and p.org_id = ${orgId}`
  const affected =
    severity === null
      ? sql`select project_number from policy_effects where policy_number = ${number}`
      : sql`select distinct pp.project_number, oi.issue_id from org_issues oi
          join project_packages pp on pp.org_number = oi.org_number and pp.package_number = oi.package_number
          where oi.policy_number = ${number}`
  const { rows } = await sql<{ issues: number; projects: number }>`
    select count(*) as issues, count(distinct e.project_number) as projects
    from (${affected}) as e join projects p on p.number = e.project_number ${here}`.execute(db)
  return { issues: Number(rows[0]!.issues), projects: Number(rows[0]!.projects) }
}

async function findEvaluation(db: Db, row: PolicyRow): Promise<StoredPolicy['evaluation']> {
  const evaluated = Number(row.evaluated)
  const state = row.is_canceled === 1 ? 'canceled' : 'done'
  const owner = await db.selectFrom('policy_owners').selectAll().where('owner_id', '=', row.owner_id).executeTakeFirst()
  if (!owner || Number(owner.evaluated_revision) >= Number(row.changed_revision)) {
    return { state, done: evaluated, total: evaluated }
  }
  const hasBegun = Number(owner.running_revision) >= Number(row.changed_revision)
  const progress = hasBegun ? { done: Number(owner.done), total: Number(owner.total) } : { done: 0, total: 0 }
  return { state: state === 'canceled' ? state : 'running', ...progress }
}

/** Locks an owner's policies until the transaction ends and returns the revision of the change. */
export async function nextRevision(tx: Db, { groupId, orgId }: OrgOrGroup): Promise<number> {
  const { revision } = await tx
    .insertInto('policy_owners')
    .values({
      owner_id: orgId ?? groupId,
      group_id: groupId,
      org_id: orgId,
      revision: 1,
      evaluated_revision: 0,
      running_revision: 0,
      after_project: 0,
      done: 0,
      total: 0,
    })
    .onConflict((conflict) =>
      conflict.column('owner_id').doUpdateSet({ revision: sql<number>`policy_owners.revision + 1` }),
    )
    .returning('revision')
    .executeTakeFirstOrThrow()
  return Number(revision)
}

export async function countPolicies(tx: Db, owner: OrgOrGroup): Promise<number> {
  return countRows(
    tx
      .selectFrom('policies')
      .where('owner_id', '=', owner.orgId ?? owner.groupId)
      .where('deleted_at', 'is', null),
  )
}

export type PolicyInput = Pick<
  Insertable<Tables['policies']>,
  'name' | 'reason' | 'reason_type' | 'severity' | 'expires_at' | 'conditions' | 'source' | 'document' | 'statement'
>

export interface NewPolicy extends PolicyInput {
  readonly created_by_id: string
  readonly created_by_name: string
  readonly at: number
  readonly revision: number
}

/** Inserts policies and returns their ids. */
export async function insertPolicies(
  tx: Db,
  { groupId, orgId }: OrgOrGroup,
  inputs: readonly NewPolicy[],
): Promise<string[]> {
  const rows = inputs.map(({ at, revision, ...columns }) => ({
    id: newId(at),
    owner_id: orgId ?? groupId,
    group_id: groupId,
    org_id: orgId,
    ...columns,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    changed_revision: revision,
    evaluated: 0,
    is_canceled: 0,
  }))
  await insertMissing(tx, 'policies', rows)
  return rows.map(({ id }) => id)
}

/** Lists the policies of a VEX document, including deleted ones. */
export async function listOfDocument(tx: Db, { groupId, orgId }: OrgOrGroup, document: string): Promise<PolicyRow[]> {
  return tx
    .selectFrom('policies')
    .selectAll()
    .where('owner_id', '=', orgId ?? groupId)
    .where('document', '=', document)
    .execute()
}

export async function updatePolicy(tx: Db, id: string, change: Updateable<Tables['policies']>): Promise<void> {
  await tx.updateTable('policies').set(change).where('id', '=', id).execute()
}

/** Deletes policies that can no longer be restored. */
export async function purgePolicies(db: Db, deletedBefore: number): Promise<void> {
  await db.deleteFrom('policies').where('deleted_at', '<', deletedBefore).execute()
}
