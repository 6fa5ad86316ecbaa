import type { Condition } from '#analysis/findings/policy-conditions.ts'
import { findOrgNumber } from '#features/issue-index/storage/packages-store.ts'
import { readTriageFilters } from '#features/issue-index/triage/triage-filters.ts'
import { toFilters } from '#features/issues/groups/group-filters.ts'
import { listGroupKeys } from '#features/issues/groups/group-list-store.ts'
import type { Db } from '#foundation/db/database.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import { Problem } from '#foundation/problem.ts'
import { parseConditions } from './parse-policy.ts'
import { MAX_VALUES, type NewAttributes } from './resource.ts'

/** Returns the conditions of a new policy: those sent, or the ids of the vulnerabilities that a selection matches now. */
export async function resolveConditions(
  db: Db,
  { orgId }: OrgOrGroup,
  {
    conditions_group,
    selection,
    now,
  }: Pick<NewAttributes, 'conditions_group' | 'selection'> & { readonly now: number },
): Promise<Condition[]> {
  if (conditions_group && !selection) return parseConditions(conditions_group)
  const [conditions, own] = ['/data/attributes/conditions_group', '/data/attributes/selection']
  if (!selection || conditions_group) {
    throw refusal(
      `Send either ${conditions} or ${own}: a policy without conditions would ignore everything`,
      conditions,
    )
  }
  if (orgId === null) throw refusal(`${own} selects among the issues of an organization; send conditions instead`, own)
  const orgNumber = await findOrgNumber(db, orgId)
  const triage = await readTriageFilters(db, orgId, { ...selection.query, now })
  const input = { kind: 'vulnerability', filters: { ...toFilters(selection.query), ...triage }, now } as const
  const ids = orgNumber === undefined ? [] : await listGroupKeys(db, { ...input, orgNumber }, MAX_VALUES + 1)
  if (ids.length === 0) throw new Problem('unprocessable', 'No vulnerability matches the selection', at(own))
  if (ids.length > MAX_VALUES) {
    const detail = `More than ${MAX_VALUES} vulnerabilities match the selection; restrict it, or send conditions`
    throw new Problem('unprocessable', detail, at(own))
  }
  return [{ field: 'vulnerability-id', operator: 'includes', value: ids }]
}

function refusal(detail: string, pointer: string): Problem {
  return new Problem('invalid-request', detail, at(pointer))
}

function at(pointer: string) {
  return { source: { pointer } }
}
