import { toSeverity } from '#analysis/findings/known-issue.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { shareLock } from '#foundation/db/transaction-lock.ts'
import { addEvent, wantsEvent } from '#foundation/events/add-event.ts'
import { MAX_LISTED } from '#foundation/events/project-events.ts'
import type { Services } from '#foundation/services.ts'
import { createSlices } from '#foundation/slices.ts'
import { listProjectsIgnoring } from '../ignores/ignored-store.ts'
import { rejudgeStored } from '../ignores/rejudge-ignores.ts'
import { evaluateChanged } from '../policies/evaluate-changed.ts'
import { toEventIssue, toEventProject } from '../recording/announce-tested.ts'
import { lockProjectByNumber } from '../recording/record-store.ts'
import { advance, complete } from '../storage/progress-store.ts'
import * as store from './announcements-store.ts'
import { createForwarding, type Forwarding } from './forward-tests.ts'

/** Limits per step: projects read, and issues and duration of one transaction, since others write too. */
const PROJECTS_AT_ONCE = 300
const ISSUES_AT_ONCE = 200
const TRANSACTION_MS = 40
const JUDGED_AT_ONCE = 20
type Tools = Pick<Services, 'db' | 'now'>

/**
 * Announces new issues to projects: evaluates their ignores and policies, notifies organizations of the issues that are not ignored,
 * and schedules retests one after the other. Each step is one transaction that stores its progress, so an interruption
 * neither repeats nor omits anything.
 */
export async function announceKnown({ db, now }: Tools, signal: AbortSignal | undefined): Promise<void> {
  for (let row = await store.findUnjudged(db); row; row = await store.findUnjudged(db)) {
    await judgeNext(db, row, now())
    signal?.throwIfAborted()
  }
  await evaluateChanged(db, now, signal)
  const forwarding = createForwarding(now)
  for (let rows = await next(db); rows.length > 0; rows = await next(db)) {
    await announceSome(db, rows, { now: now(), forwarding })
    signal?.throwIfAborted()
  }
}

function next(db: Db): Promise<store.UnannouncedRow[]> {
  return store.listUnannounced(db, ISSUES_AT_ONCE)
}

async function judgeNext(db: Db, row: store.UnjudgedRow, now: number): Promise<void> {
  const { issue_id: issueId, after_project: after } = row
  const numbers = await listProjectsIgnoring(db, issueId, { after, limit: JUDGED_AT_ONCE })
  await inTransaction(db, async (tx) => {
    await shareLock(tx, 'known-issues')
    const last = numbers.at(-1)
    const isOurs = await (last === undefined
      ? complete(tx, 'unjudged_issues', row)
      : advance(tx, 'unjudged_issues', { from: row, to: { after_project: last } }))
    if (!isOurs) return
    for (const number of numbers) {
      if (await lockProjectByNumber(tx, number)) await rejudgeStored(tx, number, { issueIds: [issueId], now })
    }
  })
}

interface Announcing {
  readonly now: number
  /** Lives as long as the run: projects that a failed transaction recorded there are not scheduled again. */
  readonly forwarding: Forwarding
}

async function announceSome(db: Db, rows: readonly store.UnannouncedRow[], announcing: Announcing): Promise<void> {
  const pause = createSlices()
  await inTransaction(db, async (tx) => {
    // Measure from the end of the first step, which runs however slow storage is; otherwise no run would make progress.
    let end: number | undefined
    const isOver = () => {
      end ??= performance.now() + TRANSACTION_MS
      return performance.now() > end
    }
    const wanting = new Map<number, string | undefined>()
    for (const row of rows) {
      const orgNumber = Number(row.org_number)
      if (!wanting.has(orgNumber)) wanting.set(orgNumber, await findWanting(tx, orgNumber))
      const orgId = wanting.get(orgNumber)
      if (orgId === undefined) await endSilently(tx, row, { ...announcing, isOver })
      else await announceTo(tx, row, { ...announcing, orgId, isOver })
      if (isOver()) return
      await pause()
    }
  })
}

/** Finishes announcements without events if no webhook subscribes, which saves reading the issues of most projects. */
async function endSilently(
  tx: Db,
  row: store.UnannouncedRow,
  { forwarding, isOver }: Announcing & { isOver(): boolean },
): Promise<void> {
  if (await forwarding.bringForwardWith(tx, row, isOver)) await complete(tx, 'unannounced_issues', progressOf(row))
}

async function announceTo(
  tx: Db,
  row: store.UnannouncedRow,
  { isOver, ...announcing }: Announcing & { readonly orgId: string; isOver(): boolean },
): Promise<void> {
  for (let after: number | undefined = Number(row.after_project); after !== undefined && !isOver(); ) {
    after = await announceOne(tx, { ...row, after_project: after }, announcing)
  }
}

/** Returns the organization's id if it has a subscriber. */
async function findWanting(tx: Db, orgNumber: number): Promise<string | undefined> {
  const orgId = await store.findOrgIdOf(tx, orgNumber)
  return orgId !== undefined && (await wantsEvent(tx, orgId, 'issues.new')) ? orgId : undefined
}

/** Announces an issue to its next projects; returns the last of them, or undefined if there are no more. */
async function announceOne(
  tx: Db,
  row: store.UnannouncedRow,
  { now, forwarding, orgId }: Announcing & { readonly orgId: string },
): Promise<number | undefined> {
  const packages = JSON.parse(row.packages) as number[]
  const from = { orgNumber: row.org_number, after: row.after_project, limit: PROJECTS_AT_ONCE }
  const numbers = await store.listProjectsWith(tx, packages, from)
  const after = numbers.length < PROJECTS_AT_ONCE ? undefined : numbers.at(-1)
  const isOurs = await (after === undefined
    ? complete(tx, 'unannounced_issues', progressOf(row))
    : advance(tx, 'unannounced_issues', { from: progressOf(row), to: { after_project: after } }))
  if (!isOurs) return undefined
  await forwarding.bringForward(tx, row, numbers)
  if (numbers.length > 0) await tell(tx, row, { orgId, packages, numbers, now })
  return after
}

function progressOf({ packages: _, ...progress }: store.UnannouncedRow) {
  return progress
}

interface Told {
  readonly orgId: string
  readonly packages: readonly number[]
  readonly numbers: readonly number[]
  readonly now: number
}

async function tell(tx: Db, row: store.UnannouncedRow, { orgId, packages, numbers, now }: Told): Promise<void> {
  const { issue_id: issueId } = row
  const rows = await store.listIssueInPackages(tx, row, packages)
  const [first] = rows
  // The issue was withdrawn meanwhile.
  if (!first) return
  const severity = toSeverity(Number(first.severity))
  const issue = toEventIssue({ issueId, type: 'vulnerability', severity, title: first.title, packages: rows })
  const projects = await store.listNotIgnoring(tx, { numbers, issueId, now })
  for (let at = 0; at < projects.length; at += MAX_LISTED) {
    const listed = projects.slice(at, at + MAX_LISTED).map(toEventProject)
    const data = { cause: 'advisories' as const, projects: listed, issue_count: 1, issues: [issue] }
    await addEvent(tx, { orgId, type: 'issues.new', data, at: now })
  }
}
