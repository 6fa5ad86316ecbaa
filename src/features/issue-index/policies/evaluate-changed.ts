import type { IssueFacts } from '#analysis/findings/known-issue.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { shareLock } from '#foundation/db/transaction-lock.ts'
import { lockProjects } from '../counts/recount-store.ts'
import { listProjectsOfPackage } from '../storage/packages-store.ts'
import { advance, complete } from '../storage/progress-store.ts'
import { reevaluateProjects } from './evaluate-policies.ts'
import { findPolicySet } from './policies-store.ts'
import * as store from './unevaluated-store.ts'

const PROJECTS_AT_ONCE = 20

/** Evaluates policies for issues that newer advisories changed. Stores its progress with each step. */
export async function evaluateChanged(db: Db, now: () => number, signal: AbortSignal | undefined): Promise<void> {
  for (let row = await store.findUnevaluated(db); row; row = await store.findUnevaluated(db)) {
    await evaluateNext(db, row, now())
    signal?.throwIfAborted()
  }
}

async function evaluateNext(db: Db, row: store.UnevaluatedRow, now: number): Promise<void> {
  const { package_number: packageNumber, issue_id: issueId, after_project: after } = row
  const org = await store.findNextOrg(db, row)
  if (!org) {
    await inTransaction(db, (tx) => complete(tx, 'unevaluated_issues', row))
    return
  }
  const { orgNumber } = org
  const isBegun = Number(row.after_org) === orgNumber && Number(after) > 0
  const isConcerned = isBegun || (await concerns(db, org, row))
  const limit = PROJECTS_AT_ONCE
  const position = { after: Number(row.after_org) === orgNumber ? Number(after) : 0, limit }
  const numbers = isConcerned ? await listProjectsOfPackage(db, { packageNumber, orgNumber, ...position }) : []
  const last = numbers.at(-1)
  const next =
    last === undefined || numbers.length < limit
      ? { after_org: orgNumber + 1, after_project: 0 }
      : { after_org: orgNumber, after_project: last }
  await inTransaction(db, async (tx) => {
    await shareLock(tx, 'known-issues')
    if (!(await advance(tx, 'unevaluated_issues', { from: row, to: next })) || numbers.length === 0) return
    await lockProjects(tx, numbers)
    await reevaluateProjects(tx, numbers, now)
  })

  async function concerns(
    db: Db,
    org: { orgNumber: number; orgId: string; groupId: string },
    row: store.UnevaluatedRow,
  ) {
    const set = await findPolicySet(db, org)
    const issue = set.policies.length === 0 ? undefined : await store.findPackageIssue(db, row)
    if (issue) {
      const facts = JSON.parse(issue.facts) as IssueFacts
      if (set.matching({ ...issue, severity: Number(issue.severity), issueId, facts }).length > 0) return true
    }
    return store.isHiddenInOrg(db, org.orgNumber, issueId)
  }
}
