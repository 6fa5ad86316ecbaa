import { type OrgChange, recordAudit } from '#foundation/audit/record.ts'
import { shareLock } from '#foundation/db/transaction-lock.ts'
import { Problem } from '#foundation/problem.ts'
import { reevaluateProjects } from '../issue-index/policies/evaluate-policies.ts'
import { nextTestAt } from '../issue-index/recording/next-test.ts'
import { placeKeyOf } from '../issue-index/recording/place-key.ts'
import { type Labels, labelsOf } from './resource.ts'
import * as store from './store.ts'
import { countProjectsOf, deleteTarget, getTarget } from './targets-store.ts'

/** Changeable members of a project; missing ones stay. */
export interface Changed extends Partial<Readonly<Labels>> {
  readonly test_frequency?: 'daily' | 'weekly' | 'never'
  readonly status?: 'active' | 'inactive'
  /** Null for no owner. */
  readonly owner_id?: string | null
  readonly target_reference?: string
}

/**
 * Changes a project. `toChanged` computes the change from the locked project. If nothing changes, no audit event is
 * recorded.
 */
export async function editProject(
  change: OrgChange,
  id: string,
  toChanged: (project: store.ProjectRow) => Changed,
): Promise<store.ProjectRow> {
  const { tx, org, at } = change
  await shareLock(tx, 'known-issues')
  const before = await store.lockProject(tx, org.id, { id, at })
  const changed = toChanged(before)
  await requireMember(change, changed.owner_id)
  await store.updateProject(tx, id, toColumns(before, changed, at))
  const after = await store.getProject(tx, org.id, id)
  if (after.tags !== before.tags) await reevaluateProjects(tx, [after.number], at)
  const [was, is] = [toAudited(before), toAudited(after)]
  if (JSON.stringify(was) !== JSON.stringify(is)) {
    await recordAudit(change, { id: after.id, org: change.org }, { action: 'project.update', before: was, after: is })
  }
  return after
}

async function requireMember({ tx, org }: OrgChange, userId: string | null | undefined): Promise<void> {
  if (userId === undefined || userId === null) return
  if (await store.isMember(tx, { userId, orgId: org.id })) return
  throw new Problem('unprocessable', 'The owner must be a member of the organization')
}

function toColumns(row: store.ProjectRow, changed: Changed, at: number): store.ProjectChange {
  const { tags, business_criticality, environment, lifecycle, ...plain } = changed
  const lists = { tags, business_criticality, environment, lifecycle }
  const written = Object.entries(lists).flatMap(([name, list]) => (list ? [[name, JSON.stringify(list)] as const] : []))
  const columns = { ...plain, ...Object.fromEntries(written) }
  const after = { ...row, ...columns }
  return {
    ...columns,
    ...(changed.target_reference !== undefined && {
      place_key: placeKeyOf({ ...after, targetFile: after.target_file, targetReference: after.target_reference }),
    }),
    ...(scheduled.some((name) => row[name] !== after[name]) && { next_test_at: soonTested(after, at) }),
  }
}

const scheduled = ['status', 'test_frequency', 'target_reference'] as const

/** Returns the time of the next test: soon for an activated project or a new reference, else as scheduled. */
function soonTested(project: store.ProjectRow, at: number): number | null {
  return nextTestAt(project, at) === null ? null : at
}

/** Deletes the projects that exist and returns their ids, so repeating it has no effect. */
export async function removeProjects(change: OrgChange, ids: readonly string[]): Promise<readonly string[]> {
  const { tx, org, at } = change
  const gone = await store.deleteProjects(tx, org.id, { ids, at })
  for (const project of gone)
    await recordAudit(
      change,
      { id: project.id, org: change.org },
      { action: 'project.delete', before: toAudited(project) },
    )
  return gone.map(({ id }) => id)
}

export async function removeTarget(change: OrgChange, id: string): Promise<void> {
  const { tx, org, at } = change
  const target = await getTarget(tx, org.id, id)
  const projects = await countProjectsOf(tx, id)
  await deleteTarget(tx, org.id, { id, at })
  await recordAudit(
    change,
    { id, org },
    {
      action: 'target.delete',
      before: { display_name: target.display_name, origin: target.origin, url: target.url, projects },
    },
  )
}

type Audited = Pick<
  store.ProjectRow,
  keyof Labels | 'name' | 'type' | 'target_file' | 'target_reference' | 'status' | 'test_frequency' | 'owner_id'
>

export function toAudited(row: Audited): object {
  return {
    name: row.name,
    type: row.type,
    target_file: row.target_file,
    target_reference: row.target_reference,
    status: row.status,
    test_frequency: row.test_frequency,
    owner_id: row.owner_id,
    ...labelsOf(row),
  }
}
