import type { Condition } from '#analysis/findings/policy-conditions.ts'
import { EVALUATE_POLICIES } from '#features/issue-index/policies/evaluate-policies.job.ts'
import type { PolicyRow } from '#features/issue-index/policies/policies-store.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import { makeJobsDue } from '#foundation/jobs/store.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import { checkConditions, type PolicyAction } from './parse-policy.ts'
import { type ActionType, toAction, toConditions } from './resource.ts'
import * as store from './store.ts'

export interface PolicyChange extends Change {
  readonly owner: OrgOrGroup
}

export interface PolicyContent extends PolicyAction {
  readonly name: string
  readonly conditions: readonly Condition[]
}

const MAX_POLICIES = 5_000
const MAX_AUDITED = 20

export async function createPolicy(change: PolicyChange, content: PolicyContent): Promise<store.StoredPolicy> {
  const { tx, owner, actor, at } = change
  const revision = await store.nextRevision(tx, owner)
  await requireRoom(change, 1)
  const [id] = await store.insertPolicies(tx, owner, [
    {
      ...toColumns(content),
      source: 'user',
      document: null,
      statement: null,
      created_by_id: actor.id ?? '',
      created_by_name: actor.name,
      at,
      revision,
    },
  ])
  return finish(change, id!, { action: 'create', before: undefined })
}

/** Changes a policy; missing members stay. */
export async function editPolicy(
  change: PolicyChange,
  id: string,
  changed: Partial<PolicyContent> & { readonly type?: ActionType | undefined },
): Promise<store.StoredPolicy> {
  const { tx, at } = change
  const { before, revision } = await lockPolicy(change, id)
  if (before.deleted_at !== null) throw notFound(`Policy ${id}`)
  if (before.source !== 'user') {
    const detail = `The policy is a statement of ${before.document}. Upload a newer version of that document, or delete the policy`
    throw new Problem('conflict', detail)
  }
  const { conditions, type, ...columns } = changed
  const own = before.severity === null ? 'ignore' : 'severity'
  const sent = columns.severity === undefined ? type : columns.severity === null ? 'ignore' : 'severity'
  if (sent !== undefined && sent !== own) {
    throw new Problem('conflict', 'The action type of a policy cannot be changed. Delete the policy and create another')
  }
  if (conditions) checkConditions(conditions, before)
  await store.updatePolicy(tx, id, {
    ...columns,
    ...(conditions && { conditions: JSON.stringify(conditions) }),
    changed_revision: revision,
    updated_at: at,
  })
  return finish(change, id, { action: 'update', before })
}

/** Deletes a policy; it can be restored for a while. A running evaluation is canceled. */
export async function removePolicy(change: PolicyChange, id: string): Promise<void> {
  const { tx, at } = change
  const { before, revision } = await lockPolicy(change, id)
  if (before.deleted_at !== null) throw notFound(`Policy ${id}`)
  await store.updatePolicy(tx, id, {
    deleted_at: at,
    updated_at: at,
    changed_revision: revision,
    is_canceled: before.evaluation.state === 'running' ? 1 : 0,
  })
  await finish(change, id, { action: 'delete', before })
}

export async function restorePolicy(change: PolicyChange, id: string): Promise<store.StoredPolicy> {
  const { tx, at } = change
  const { before, revision } = await lockPolicy(change, id)
  if (before.deleted_at === null) throw new Problem('conflict', 'The policy is not deleted')
  if (Number(before.deleted_at) < at - store.RESTORABLE_DAYS * 86_400_000) throw notFound(`Policy ${id}`)
  await requireRoom(change, 1)
  await store.updatePolicy(tx, id, { deleted_at: null, updated_at: at, changed_revision: revision, is_canceled: 0 })
  return finish(change, id, { action: 'restore', before: undefined })
}

async function lockPolicy({ tx, owner, at }: PolicyChange, id: string) {
  const revision = await store.nextRevision(tx, owner)
  return { revision, before: await store.getPolicy(tx, owner, { id, now: at }) }
}

export async function requireRoom({ tx, owner }: PolicyChange, added: number): Promise<void> {
  if ((await store.countPolicies(tx, owner)) + added <= MAX_POLICIES) return
  throw new Problem('unprocessable', `At most ${MAX_POLICIES} policies can exist here; delete some first`)
}

function toColumns({ conditions, ...columns }: PolicyContent) {
  return { ...columns, conditions: JSON.stringify(conditions) }
}

async function finish(
  change: PolicyChange,
  id: string,
  { action, before }: { action: 'create' | 'update' | 'delete' | 'restore'; before: PolicyRow | undefined },
): Promise<store.StoredPolicy> {
  const { tx, owner, at } = change
  await makeJobsDue(tx, EVALUATE_POLICIES, at)
  const policy = await store.getPolicy(tx, owner, { id, now: at })
  await recordAudit(
    change,
    { id, group_id: owner.groupId, org_id: owner.orgId },
    {
      action: `policy.${action}`,
      before: before && toAudited(before),
      after: action === 'delete' ? undefined : toAudited(policy),
    },
  )
  return policy
}

/** Long lists of values are cut in the audit log. */
function toAudited(row: PolicyRow): object {
  const conditions = toConditions(row).map(({ field, value }) => ({
    field,
    count: value.length,
    value: value.slice(0, MAX_AUDITED),
  }))
  return { name: row.name, source: row.source, action: toAction(row), conditions }
}
