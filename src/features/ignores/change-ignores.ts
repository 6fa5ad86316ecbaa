import { type IgnoreRow, listIgnores } from '#features/issue-index/ignores/ignored-store.ts'
import { deleteIgnores, isSameIgnore, saveIgnores } from '#features/issue-index/ignores/ignores-store.ts'
import { rejudgeStored } from '#features/issue-index/ignores/rejudge-ignores.ts'
import { type OrgChange, recordAudit } from '#foundation/audit/record.ts'
import { shareLock } from '#foundation/db/transaction-lock.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import { createTimeOrderedIds } from '#foundation/time-ordered-id.ts'
import { type IgnoreInput, toEntry } from './resource.ts'
import { countIgnores, getIgnorePlace, lockIgnoringProject } from './store.ts'

export interface IgnoresChange extends Omit<OrgChange, 'at'> {
  /** Users only. */
  readonly email: string | undefined
  readonly projectId: string
  readonly issueId: string
  now(): number
}

/** A locked project and the ignores that users created there for the issue. */
interface LockedIgnores {
  readonly projectNumber: number
  readonly before: readonly IgnoreRow[]
  /** The time after the lock was acquired: later than all earlier changes. */
  readonly at: number
}

/** Ordered by creation time: entries created together keep their order. */
const newId = createTimeOrderedIds()

export const MAX_PATHS_OF_ISSUE = 100
const MAX_IGNORES_OF_PROJECT = 10_000

/** Ignores an issue on one more path, or replaces the ignore of that path. */
export async function addIgnore(change: IgnoresChange, input: IgnoreInput): Promise<IgnoreRow> {
  const locked = await lock(change)
  const existing = locked.before.find(({ path }) => path === input.path)
  const row = toRow(change, locked, input)
  if (existing && isSameIgnore(existing, row)) return existing
  if (!existing) await requireRoom(change, locked, { ofIssue: locked.before.length + 1, added: 1 })
  await saveIgnores(change.tx, [row])
  await finish(change, locked, {
    action: existing ? 'update' : 'create',
    before: existing ? [existing] : [],
    after: [row],
  })
  return row
}

/** Replaces all ignores of an issue. An empty list removes them. */
export async function replaceIgnores(change: IgnoresChange, input: readonly IgnoreInput[]): Promise<IgnoreRow[]> {
  const locked = await lock(change)
  const { before } = locked
  if (before.length + input.length === 0) await refuseOfRepository(change, locked)
  const rows = input.map((input) => toRow(change, locked, input))
  await requireRoom(change, locked, { ofIssue: rows.length, added: rows.length - before.length })
  const kept = new Set(rows.map(({ id }) => id))
  await deleteIgnores(
    change.tx,
    before.filter(({ id }) => !kept.has(id)).map(({ id }) => id),
  )
  await saveIgnores(change.tx, rows)
  if (before.length + rows.length > 0) await finish(change, locked, { action: 'replace', before, after: rows })
  return rows
}

export async function removeIgnores(change: IgnoresChange): Promise<void> {
  const locked = await lock(change)
  const { before } = locked
  if (before.length === 0) await refuseOfRepository(change, locked)
  if (before.length === 0) throw notFound(`An ignore of ${change.issueId} in this project was`)
  await deleteIgnores(
    change.tx,
    before.map(({ id }) => id),
  )
  await finish(change, locked, { action: 'delete', before, after: [] })
}

/** Removes one ignore; others of the same issue stay unchanged. */
export async function removeIgnore(inOrg: Omit<IgnoresChange, 'projectId' | 'issueId'>, id: string): Promise<void> {
  const change = { ...inOrg, ...(await getIgnorePlace(inOrg.tx, inOrg.org.id, id)) }
  const locked = await lock(change)
  const row = locked.before.find((row) => row.id === id)
  if (!row) await refuseOfRepository(change, locked)
  if (!row) throw notFound(`Ignore ${id}`)
  await deleteIgnores(change.tx, [id])
  await finish(change, locked, { action: 'delete', before: [row], after: [] })
}

/** Locks the known issues until the commit, since they determine the effect of the ignores, and then the project. */
async function lock({ tx, org, projectId, issueId, now }: IgnoresChange): Promise<LockedIgnores> {
  await shareLock(tx, 'known-issues')
  const projectNumber = await lockIgnoringProject(tx, org.id, projectId)
  return { projectNumber, before: await listIgnores(tx, projectNumber, { issueId, source: 'user' }), at: now() }
}

/** Refuses to remove an ignore of the repository's own file: the next test would add it again. */
async function refuseOfRepository({ tx, issueId }: IgnoresChange, { projectNumber }: LockedIgnores): Promise<void> {
  const [row] = await listIgnores(tx, projectNumber, { issueId, source: 'repository' })
  if (!row) return
  const detail = `${issueId} is ignored by ${row.ignored_by_name}. Remove it from that file; the next test applies the change`
  throw new Problem('conflict', detail)
}

function toRow(
  { actor, email, issueId, org }: IgnoresChange,
  { projectNumber, before, at }: LockedIgnores,
  input: IgnoreInput,
): IgnoreRow {
  const existing = before.find(({ path }) => path === input.path)
  return {
    id: existing?.id ?? newId(at),
    project_number: projectNumber,
    org_id: org.id,
    issue_id: issueId,
    path: input.path,
    reason: input.reason,
    reason_type: input.reasonType,
    disregard_if_fixable: input.disregardIfFixable ? 1 : 0,
    expires_at: input.expiresAt,
    known_as: existing?.known_as ?? issueId,
    effect: existing?.effect ?? 'applies',
    source: 'user',
    ignored_by_id: actor.id ?? '',
    ignored_by_name: actor.name,
    ignored_by_email: email ?? '',
    created_at: existing?.created_at ?? at,
    updated_at: at,
  }
}

async function requireRoom(
  { tx }: IgnoresChange,
  { projectNumber }: LockedIgnores,
  { ofIssue, added }: { ofIssue: number; added: number },
): Promise<void> {
  if (ofIssue > MAX_PATHS_OF_ISSUE) {
    throw new Problem(
      'unprocessable',
      `An issue can have at most ${MAX_PATHS_OF_ISSUE} ignored paths; cover several with *`,
    )
  }
  if (added > 0 && (await countIgnores(tx, projectNumber)) + added > MAX_IGNORES_OF_PROJECT) {
    throw new Problem('unprocessable', `A project has at most ${MAX_IGNORES_OF_PROJECT} ignores; remove some first`)
  }
}

interface Done {
  readonly action: 'create' | 'update' | 'replace' | 'delete'
  readonly before: readonly IgnoreRow[]
  readonly after: readonly IgnoreRow[]
}

async function finish(
  { tx, actor, org, projectId, issueId }: IgnoresChange,
  { projectNumber, at }: LockedIgnores,
  { action, before, after }: Done,
): Promise<void> {
  const issueIds = [issueId, ...before.map(({ known_as }) => known_as)]
  await rejudgeStored(tx, projectNumber, { issueIds, now: at })
  const toState = (rows: readonly IgnoreRow[]) =>
    rows.length === 0 ? undefined : { issue_id: issueId, ignores: rows.map(toEntry) }
  await recordAudit(
    { tx, actor, at },
    { id: projectId, org },
    { action: `ignore.${action}`, kind: 'project', before: toState(before), after: toState(after) },
  )
}
