import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { shareLock, takeLock } from '#foundation/db/transaction-lock.ts'
import type { Services } from '#foundation/services.ts'
import { inParts } from '../counts/recount-projects.ts'
import { lockProjects } from '../counts/recount-store.ts'
import { listMatchingIssues, listMatchingProjects, listProjectsWith } from './affected-store.ts'
import { changeSeverities } from './change-severities.ts'
import { reevaluateProjects } from './evaluate-policies.ts'
import { type PolicyRow, toPolicy } from './policies-store.ts'
import * as store from './rounds-store.ts'

const SCANNED = 500

/**
 * Evaluates changed policies for all projects that they may concern. Each step is one transaction that stores its
 * progress, so a round resumes after an interruption; it starts again if a policy changes meanwhile.
 */
export async function evaluatePolicies(
  { db, now }: Pick<Services, 'db' | 'now'>,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let owner = await store.findOwnerToEvaluate(db); owner; owner = await store.findOwnerToEvaluate(db)) {
    const { owner_id } = owner
    // The lock waits for tests that began before the change, and read the earlier policies.
    const round = await inTransaction(db, async (tx) => {
      await takeLock(tx, 'known-issues')
      return store.beginRound(tx, owner_id)
    })
    await runRound(db, round, { now, signal })
    signal?.throwIfAborted()
  }
}

async function runRound(
  db: Db,
  round: store.OwnerRow,
  { now, signal }: { now: () => number; signal: AbortSignal | undefined },
): Promise<void> {
  if (Number(round.after_project) === 0) await changeSeverities(db, round, { now, signal })
  const numbers = await listConcerned(db, round)
  let done = Number(round.done)
  const total = done + numbers.length
  if (!(await store.advanceRound(db, round, { done, total }))) return
  for (let at = 0; at < numbers.length; at += SCANNED) {
    const scanned = await store.listSizes(db, numbers.slice(at, at + SCANNED))
    for (const part of inParts(scanned)) {
      signal?.throwIfAborted()
      const isCurrent = await inTransaction(db, async (tx) => {
        await shareLock(tx, 'known-issues')
        await lockProjects(tx, part)
        await reevaluateProjects(tx, part, now())
        return store.advanceRound(tx, round, { after_project: part.at(-1)!, done: done + part.length, total })
      })
      if (!isCurrent) return
      done += part.length
      await nextTurn()
    }
  }
  await inTransaction(db, (tx) => store.endRound(tx, round, total))
}

/** Lists the projects after the last evaluated one that a changed policy may concern, or concerned before. */
async function listConcerned(db: Db, round: store.OwnerRow): Promise<number[]> {
  const numbers = new Set<number>()
  const after = Number(round.after_project)
  const note = (some: Iterable<number>) => {
    for (const number of some) if (number > after) numbers.add(number)
  }
  const orgs = await store.listGovernedOrgs(db, round)
  const packages = new Map(orgs.map(({ orgNumber }) => [orgNumber, new Set<number>()]))
  for (const row of await store.listToEvaluate(db, round)) {
    for await (const some of listProjectsOfPolicy(db, row)) note(some)
    if (row.deleted_at !== null || row.severity !== null) continue
    const policy = toPolicy(row)
    for (const { orgId, orgNumber } of orgs) {
      if (policy.testsProject) note(await listMatchingProjects(db, orgId, policy))
      else {
        const issues = await listMatchingIssues(db, orgNumber, policy)
        for (const { packageNumber } of issues) packages.get(orgNumber)!.add(packageNumber)
      }
    }
  }
  for (const [orgNumber, own] of packages) {
    for (const packageNumber of own) {
      for await (const some of listProjectsWith(db, orgNumber, packageNumber)) note(some)
    }
  }
  return [...numbers].sort((a, b) => a - b)
}

async function* listProjectsOfPolicy(db: Db, { number }: PolicyRow): AsyncGenerator<number[]> {
  for (let after = 0; ; ) {
    const numbers = await store.listProjectsOfEffects(db, Number(number), { after, limit: SCANNED })
    yield numbers
    if (numbers.length < SCANNED) return
    after = numbers.at(-1)!
  }
}
