import type { VexDocument } from '#analysis/vex/vex-document.ts'
import { EVALUATE_POLICIES } from '#features/issue-index/policies/evaluate-policies.job.ts'
import type { PolicyRow } from '#features/issue-index/policies/policies-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import { makeJobsDue } from '#foundation/jobs/store.ts'
import { type PolicyChange, requireRoom } from '../change-policies.ts'
import * as store from '../store.ts'
import { type StatedPolicy, type StatementCounts, toPolicies } from './to-policies.ts'

export interface VexOutcome {
  readonly statements: StatementCounts
  readonly policies: {
    readonly created: number
    readonly updated: number
    readonly unchanged: number
    readonly withdrawn: number
  }
}

const MAX_AUDITED = 20

/**
 * Makes the policies of a document those that it states: creates and updates them, and deletes those of an earlier upload
 * that it no longer states.
 */
export async function uploadVex(change: PolicyChange, document: VexDocument): Promise<VexOutcome> {
  const { tx, owner, actor, at } = change
  const { policies, counts } = toPolicies(document)
  const revision = await store.nextRevision(tx, owner)
  const existing = new Map(
    (await store.listOfDocument(tx, owner, document.id)).map((row) => [row.statement!, row] as const),
  )
  const byStatement = new Map(policies.map((policy) => [policy.statement, policy]))
  const created = [...byStatement.values()].filter(({ statement }) => !existing.has(statement))
  const updated = [...byStatement.values()].filter(({ statement, ...policy }) => {
    const row = existing.get(statement)
    return row !== undefined && !isSame(row, policy)
  })
  const withdrawn = [...existing.values()].filter(
    ({ statement, deleted_at }) => deleted_at === null && !byStatement.has(statement!),
  )
  await requireRoom(change, created.length)
  await store.insertPolicies(
    tx,
    owner,
    created.map((policy) => ({
      ...toColumns(policy),
      reason_type: 'not-vulnerable',
      expires_at: null,
      severity: null,
      source: 'vex',
      document: document.id,
      statement: policy.statement,
      created_by_id: actor.id ?? '',
      created_by_name: actor.name,
      at,
      revision,
    })),
  )
  const changed = { updated_at: at, changed_revision: revision }
  for (const policy of updated) {
    const { id } = existing.get(policy.statement)!
    await store.updatePolicy(tx, id, { ...toColumns(policy), ...changed, deleted_at: null, is_canceled: 0 })
  }
  for (const { id } of withdrawn) await store.updatePolicy(tx, id, { ...changed, deleted_at: at })
  await makeJobsDue(tx, EVALUATE_POLICIES, at)
  const outcome = {
    created: created.length,
    updated: updated.length,
    unchanged: byStatement.size - created.length - updated.length,
    withdrawn: withdrawn.length,
  }
  await recordAudit(
    change,
    { id: owner.orgId ?? owner.groupId, group_id: owner.groupId, org_id: owner.orgId },
    {
      action: 'policy.upload_vex',
      kind: owner.orgId === null ? 'group' : 'org',
      after: { document: document.id, ...outcome, names: created.slice(0, MAX_AUDITED).map(({ name }) => name) },
    },
  )
  return { statements: counts, policies: outcome }
}

function isSame(row: PolicyRow, policy: Omit<StatedPolicy, 'statement'>): boolean {
  const { name, reason, conditions } = toColumns(policy)
  return row.deleted_at === null && row.name === name && row.reason === reason && row.conditions === conditions
}

function toColumns({ name, reason, conditions }: Omit<StatedPolicy, 'statement'>) {
  return { name, reason, conditions: JSON.stringify(conditions) }
}
