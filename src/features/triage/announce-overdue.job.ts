import { toSeverity } from '#analysis/findings/known-issue.ts'
import { toDay, writeDay } from '#features/issue-index/triage/due-days.ts'
import { findSla } from '#features/issue-index/triage/sla-store.ts'
import { readTriage, triageKey } from '#features/issue-index/triage/triage-store.ts'
import { isReferenceViolation } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { addEvent, wantsEvent } from '#foundation/events/add-event.ts'
import { MAX_LISTED } from '#foundation/events/project-events.ts'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import {
  forgetPassed,
  listOrgsWithWebhooks,
  listOverdueProjects,
  listPassed,
  type PassedDueDate,
  recordPassed,
} from './overdue-store.ts'

type Deps = Pick<Services, 'db' | 'now'>

/** Due dates that passed more days ago are not announced: a new policy or subscriber starts without a flood. */
const ANNOUNCED_DAYS = 7

/**
 * Announces due dates that passed, each once. Every announcement is one transaction, so a killed run neither repeats
 * nor omits any.
 */
export function announceOverdue(deps: Deps): JobKind {
  return defineJob({
    name: 'announce-overdue',
    maxAttempts: 1,
    everyMinutes: 60,
    run: (_payload, { signal }) => announcePassed(deps, signal),
  })
}

export async function announcePassed({ db, now }: Deps, signal?: AbortSignal): Promise<void> {
  const today = toDay(now())
  const range = { from: today - ANNOUNCED_DAYS, until: today - 1 }
  for (const orgId of await listOrgsWithWebhooks(db)) {
    if (!(await wantsEvent(db, orgId, 'issue.overdue'))) continue
    for (const due of await listPassed(db, { orgId, sla: await findSla(db, orgId), range })) {
      if (signal?.aborted) return
      await announce({ db, now }, orgId, due)
    }
  }
  await forgetPassed(db, range.from)
}

async function announce({ db, now }: Deps, orgId: string, due: PassedDueDate): Promise<void> {
  const at = now()
  const projects = await listOverdueProjects(db, orgId, { due, now: at })
  if (projects.length === 0) return
  const issues = projects.slice(0, MAX_LISTED).map(({ number }) => ({ project_number: number, issue_id: due.issueId }))
  const triage = await readTriage(db, orgId, issues)
  const data = {
    issue: { id: due.issueId, title: due.title, severity: toSeverity(due.severity) },
    due_on: writeDay(due.dueDay),
    due_by: due.placeId === '' ? ('policy' as const) : ('user' as const),
    project_count: projects.length,
    projects: projects.slice(0, MAX_LISTED).map(({ number, id, name, type, target_id }) => {
      const { assignee } = triage.get(triageKey({ project_number: number, issue_id: due.issueId })) ?? {}
      return { id, name, type, target_id, assignee: assignee ? { id: assignee.id, name: assignee.name } : null }
    }),
  }
  try {
    await inTransaction(db, async (tx) => {
      if (await recordPassed(tx, orgId, due)) await addEvent(tx, { orgId, type: 'issue.overdue', data, at })
    })
  } catch (error) {
    // The organization has just been deleted.
    if (!isReferenceViolation(error)) throw error
  }
}
