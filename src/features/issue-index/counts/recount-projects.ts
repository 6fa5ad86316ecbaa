import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { shareLock } from '#foundation/db/transaction-lock.ts'
import type { Services } from '#foundation/services.ts'
import { endStale } from '../storage/groups-store.ts'
import { saveIssueCounts } from './issue-counts-store.ts'
import * as store from './recount-store.ts'

/** The job that runs `recountProjects`. */
export const COUNT_ISSUES = 'count-issues'

/** Rows read per step. */
const SCANNED = 500
/** From this number of packages on, all projects are scanned once instead of those of each package. */
const MANY_PACKAGES = 300
/**
 * Dependencies of all projects counted per transaction, which blocks everything else on SQLite for some milliseconds.
 */
const DEPENDENCIES_AT_ONCE = 1_500

type Tools = Pick<Services, 'db' | 'now'>

/**
 * Stores new counts for projects with outdated ones: after newer advisories, an expired ignore or another license
 * policy. Until then, readers count such projects themselves. May be interrupted at any point.
 */
export async function recountProjects(tools: Tools, signal: AbortSignal | undefined): Promise<void> {
  for (const step of [recountExpired, recountOfMany, recountPackages, recountPolicies]) await step(tools, signal)
  await inTransaction(tools.db, async (tx) => {
    await shareLock(tx, 'known-issues')
    await endStale(tx)
  })
}

async function recountExpired({ db, now }: Tools, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    const expired = await store.listExpired(db, now(), SCANNED)
    if (expired.length === 0) return
    for (const part of inParts(expired)) await recount(db, part, { now: now(), signal })
  }
}

async function recountOfMany({ db, now }: Tools, signal: AbortSignal | undefined): Promise<void> {
  const until = await store.findChangeOfMany(db, MANY_PACKAGES)
  if (until === undefined) return
  for (let after = 0; ; ) {
    const rows = await store.listOvertaken(db, { after, until, limit: SCANNED })
    const last = rows.at(-1)
    if (!last) return store.endPackagesUntil(db, until)
    const overtaken = rows.filter(({ is_overtaken }) => Number(is_overtaken) === 1)
    for (const part of inParts(overtaken)) await recount(db, part, { now: now(), signal })
    after = last.number
    await nextTurn()
  }
}

async function recountPackages({ db, now }: Tools, signal: AbortSignal | undefined): Promise<void> {
  for (let row = await store.findPackageToRecount(db); row; row = await store.findPackageToRecount(db)) {
    const rows = await store.listContainingPackage(db, row, SCANNED)
    const overtaken = rows.flatMap(({ project_number, total_dependencies, change_number }) =>
      total_dependencies !== null && Number(change_number ?? -1) < Number(row.change_number)
        ? [{ number: project_number, total_dependencies }]
        : [],
    )
    for (const part of inParts(overtaken)) await recount(db, part, { now: now(), signal })
    const last = rows.at(-1)
    await (rows.length < SCANNED || !last ? store.endPackage(db, row) : store.advancePackage(db, row, last))
    signal?.throwIfAborted()
  }
}

async function recountPolicies({ db, now }: Tools, signal: AbortSignal | undefined): Promise<void> {
  for (let policy = await store.findChangedPolicy(db); policy; policy = await store.findChangedPolicy(db)) {
    const { org_id, revision } = policy
    for (let after = { created_at: 0, id: '' }; ; ) {
      const projects = await store.listOfOrg(db, org_id, { after, limit: SCANNED })
      const last = projects.at(-1)
      if (!last) break
      const others = projects.filter(({ policy_revision }) => policy_revision !== revision)
      for (const part of inParts(others)) await recount(db, part, { now: now(), signal })
      after = last
      await nextTurn()
    }
    await store.endPolicy(db, policy)
  }
}

/** Splits projects into those of one transaction. */
export function* inParts(projects: readonly store.SizedProject[]): Generator<number[]> {
  let part: number[] = []
  let size = 0
  for (const { number, total_dependencies } of projects) {
    part.push(number)
    size += total_dependencies + 1
    if (size < DEPENDENCIES_AT_ONCE) continue
    yield part
    part = []
    size = 0
  }
  if (part.length > 0) yield part
}

async function recount(
  db: Db,
  numbers: readonly number[],
  { now, signal }: { now: number; signal: AbortSignal | undefined },
): Promise<void> {
  signal?.throwIfAborted()
  await inTransaction(db, async (tx) => {
    await shareLock(tx, 'known-issues')
    await store.lockProjects(tx, numbers)
    await saveIssueCounts(tx, { numbers }, now)
  })
  await nextTurn()
}
