import { nextTestAt } from '#features/issue-index/recording/next-test.ts'
import { lockProjectByNumber, saveProject } from '#features/issue-index/recording/record-store.ts'
import { recordFailure, recordTest } from '#features/issue-index/recording/record-test.ts'
import type { ProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { unpackSource } from '#features/issue-index/storage/packed-state.ts'
import { findLastTest, findState } from '#features/issue-index/storage/states-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { findStorageFault } from '#foundation/db/storage-faults.ts'
import { shareLock } from '#foundation/db/transaction-lock.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { spreadTests } from './retest-policy-files.ts'
import * as store from './retest-store.ts'

export interface RetestedTarget {
  readonly orgId: string
  readonly targetId: string
  readonly integrationId: string
  readonly reference: string | null
}

/** Requests reading projects again from their source; implemented by imports. */
export interface RetestSources {
  /**
   * Requests an import of all projects of a target at a reference, unless one is running. If that is not possible,
   * returns the reason, and stored data is tested.
   */
  retest(tx: Db, target: RetestedTarget, at: number): Promise<'asked' | UnreadSource>
}

export interface UnreadSource {
  readonly message: string
  readonly since: number
}

export interface Retesting extends Pick<Services, 'db' | 'now' | 'log'> {
  readonly tester: ProjectTester
  /** If undefined, all projects are tested from stored data. */
  readonly sources: RetestSources | undefined
}

/** Concurrent retests per process. */
export const TESTED_AT_ONCE = 4
/** Time after which an interrupted test is repeated. */
const RETRY_MS = 30 * 60_000

/** Tests due projects, one of each organization in turn. */
export async function retestDue(retesting: Retesting, signal: AbortSignal): Promise<number> {
  await makeDueByPolicies(retesting)
  const due = listDue(retesting, signal)
  let count = 0
  const work = async () => {
    for (let next = await due.next(); !next.done; next = await due.next()) {
      await retest(retesting, next.value, signal)
      count++
    }
  }
  await Promise.all(Array.from({ length: TESTED_AT_ONCE }, work))
  return count
}

async function* listDue({ db, now }: Retesting, signal: AbortSignal): AsyncGenerator<store.DueProject> {
  for (let orgs = await store.listOrgs(db); orgs.length > 0; ) {
    const busy: string[] = []
    for (const orgId of orgs) {
      if (signal.aborted) return
      const project = await store.claimDue(db, orgId, { now: now(), retryAt: now() + RETRY_MS })
      if (!project) continue
      busy.push(orgId)
      yield project
    }
    orgs = busy
  }
}

/**
 * Schedules retests after changes of license policies: only a test looks up the licenses that a new policy may reject.
 */
async function makeDueByPolicies({ db, now }: Retesting): Promise<void> {
  const seen = await store.findPoliciesSeen(db)
  const changed = await store.listChangedPolicies(db, seen ?? 0)
  for (const { org_id: orgId, updated_at } of changed) {
    await spreadTests(db, (part) => store.listNumbers(db, { orgId, ...part }), now())
    await store.savePoliciesSeen(db, updated_at)
  }
}

async function retest(retesting: Retesting, project: store.DueProject, signal: AbortSignal): Promise<void> {
  const { db, log } = retesting
  try {
    const source = await askSource(retesting, project)
    if (source !== 'asked') await retestStored(retesting, { project, unread: source }, signal)
  } catch (err) {
    // The server is stopping, or has no advisories yet: the project is due again soon.
    if (signal.aborted || (err instanceof Problem && err.code === 'unavailable')) return
    log.error({ err, project: project.id }, 'a project could not be tested again')
    // A storage fault counts as an interruption.
    if (findStorageFault(err) !== undefined) return
    await postpone(db, project.number, retesting.now())
  }
}

/** Origins of projects that clients sent, which have no source to read again. */
const SENT_FROM: readonly string[] = ['cli', 'api']

/**
 * Requests a new import, in the transaction that postpones the test, so that it is requested once. Undefined if only
 * stored data exists.
 */
async function askSource(
  { db, now, sources }: Retesting,
  project: store.DueProject,
): Promise<'asked' | UnreadSource | undefined> {
  const { integration_id: integrationId, org_id: orgId, target_id: targetId, target_reference: reference } = project
  if (sources === undefined || SENT_FROM.includes(project.origin)) return undefined
  const at = now()
  if (integrationId === null) {
    const message =
      'The integration of the project no longer exists: it was deleted, or the project was moved to another organization'
    return { message, since: at }
  }
  return inTransaction(db, async (tx) => {
    const answer = await sources.retest(tx, { orgId, targetId, integrationId, reference }, at)
    if (answer === 'asked') await postpone(tx, project.number, at)
    return answer
  })
}

/** Moves a project to its next regular time, so that it is tested then even if the requested import never runs. */
async function postpone(db: Db, number: number, at: number): Promise<void> {
  const project = await lockProjectByNumber(db, number)
  if (project) await saveProject(db, number, { next_test_at: nextTestAt(project, at) })
}

async function retestStored(
  { db, now, tester }: Retesting,
  { project, unread }: { project: store.DueProject; unread: UnreadSource | undefined },
  signal: AbortSignal,
): Promise<void> {
  const state = await findState(db, project.number)
  if (!state?.source) return postpone(db, project.number, now())
  const subject = await unpackSource(state.source)
  const outcome = await tester.test(project.org_id, { ecosystem: project.type, subject }, signal)
  await inTransaction(db, async (tx) => {
    const at = now()
    await shareLock(tx, 'known-issues')
    const current = await lockProjectByNumber(tx, project.number)
    // A newer test was stored meanwhile, or the project was deleted.
    if (!current || (await findState(tx, current.number))?.test_id !== state.test_id) return
    if (unread !== undefined) {
      const since = current.source_failed_at ?? unread.since
      await saveProject(tx, current.number, { source_failure: unread.message, source_failed_at: since })
    }
    if ('problem' in outcome) {
      return recordFailure(tx, current.id, { sentence: outcome.problem.message, of: 'what is stored', at })
    }
    const place = {
      orgId: current.org_id,
      targetId: current.target_id,
      type: current.type,
      targetFile: current.target_file,
      targetReference: current.target_reference,
      name: current.name,
      origin: current.origin,
    }
    await recordTest(tx, place, {
      test: outcome.test,
      source: undefined,
      contentDigest: current.content_digest,
      revision: (await findLastTest(tx, current.number))?.revision ?? null,
      cause: 'retest',
      by: { id: current.importer_id, name: current.importer_name },
      at,
    })
  })
}
