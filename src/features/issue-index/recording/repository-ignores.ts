import type { PolicyRule } from '#analysis/discovery/policy-files/policy-file.ts'
import { systemActor } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { createTimeOrderedIds } from '#foundation/time-ordered-id.ts'
import type { ProjectPolicy } from '#scanning/reading/project-policy.ts'
import { type IgnoreRow, listIgnores } from '../ignores/ignored-store.ts'
import { deleteIgnores, isSameIgnore, saveIgnores } from '../ignores/ignores-store.ts'
import type { StoredProject } from './record-store.ts'

const newId = createTimeOrderedIds()
const MAX_AUDITED = 20

/**
 * Replaces the ignores from the repository by those of the policy file of a test, or by none. Ignores of users stay.
 * Returns true if anything changed. The project must be locked.
 */
export async function replaceRepositoryIgnores(
  tx: Db,
  { project, orgId }: { project: StoredProject; orgId: string },
  { policy, at }: { policy: ProjectPolicy | undefined; at: number },
): Promise<boolean> {
  const before = await listIgnores(tx, project.number, { source: 'repository' })
  const rules = policy?.rules ?? []
  if (before.length + rules.length === 0) return false
  const existing = new Map(before.map((row) => [keyOf(row.issue_id, row.path), row]))
  const rows = rules.map((rule) =>
    toRow(rule, {
      projectNumber: project.number,
      orgId,
      existing: existing.get(keyOf(rule.issueId, rule.path)),
      at,
      policy,
    }),
  )
  const kept = new Set(rows.map(({ id }) => id))
  const removed = before.filter(({ id }) => !kept.has(id))
  const changed = rows.filter((row) => {
    const before = existing.get(keyOf(row.issue_id, row.path))
    return before === undefined || !isSameIgnore(row, before)
  })
  if (removed.length + changed.length === 0) return false
  await deleteIgnores(
    tx,
    removed.map(({ id }) => id),
  )
  await saveIgnores(tx, changed)
  await recordAudit(
    { tx, actor: systemActor, at },
    { id: project.id, group_id: null, org_id: orgId },
    {
      action: 'ignore.replace_from_repository',
      kind: 'project',
      before: toAudited(removed),
      after: { policy_file: policy?.path ?? null, ...toAudited(changed) },
    },
  )
  return true
}

function keyOf(issueId: string, path: string): string {
  return JSON.stringify([issueId, path])
}

interface RowContext {
  readonly projectNumber: number
  readonly orgId: string
  readonly existing: IgnoreRow | undefined
  readonly at: number
  readonly policy: ProjectPolicy | undefined
}

function toRow(rule: PolicyRule, { projectNumber, orgId, existing, at, policy }: RowContext): IgnoreRow {
  return {
    id: existing?.id ?? newId(at),
    project_number: projectNumber,
    org_id: orgId,
    issue_id: rule.issueId,
    path: rule.path,
    reason: rule.reason ?? 'None given',
    reason_type: rule.reasonType,
    disregard_if_fixable: rule.disregardIfFixable ? 1 : 0,
    expires_at: rule.expiresAt,
    known_as: existing?.known_as ?? rule.issueId,
    effect: existing?.effect ?? 'applies',
    source: 'repository',
    ignored_by_id: '',
    ignored_by_name: `${policy!.path} in the repository`,
    ignored_by_email: '',
    created_at: existing?.created_at ?? at,
    updated_at: at,
  }
}

function toAudited(rows: readonly IgnoreRow[]): object {
  const shown = rows.slice(0, MAX_AUDITED).map(({ issue_id, path, reason }) => ({ issue_id, path, reason }))
  return { count: rows.length, ignores: shown }
}
