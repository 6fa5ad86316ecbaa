import type { FoundTarget } from '#features/integrations/open-repository.ts'
import { recordFailure, recordTest } from '#features/issue-index/recording/record-test.ts'
import type { ProjectOutcome, ProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { cutText } from '#foundation/cut-text.ts'
import { type Db, isReferenceViolation } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { findStorageFault } from '#foundation/db/storage-faults.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { ReadProject, SourceTree } from '#scanning/reading/source-tree.ts'
import { listTreeProjects } from './choose-manifests.ts'
import { endManifest, type ManifestRow, setProject } from './manifests-store.ts'
import { isOfTarget, returnVanished } from './projects-store.ts'
import type { ImportRow } from './store.ts'
import type { Manifests } from './take-manifests.ts'

/** Manifests of one import that are tested concurrently; the test pool decides how many threads they get. */
const AT_ONCE = 6
/** The first batch is small, so that results appear soon. */
const FIRST_BATCH = 8
const BATCH = 100

export interface Testing {
  /** The import after its manifests were listed. */
  readonly row: ImportRow & { readonly target_id: string }
  readonly resolved: FoundTarget
  readonly tree: SourceTree
  readonly manifests: Manifests
  readonly signal: AbortSignal
}

export interface TestingServices extends Pick<Services, 'db' | 'now' | 'log'> {
  readonly tester: ProjectTester
}

/** Tests every waiting manifest. One transaction stores the result and finishes the manifest. */
export async function testManifests(services: TestingServices, testing: Testing): Promise<void> {
  const failed = new AbortController()
  const signal = AbortSignal.any([testing.signal, failed.signal])
  const waiting = readWaiting({ ...testing, signal })
  const work = async (): Promise<void> => {
    for (;;) {
      const next = await waiting.next()
      if (next.done) return
      await testOne(services, { ...testing, signal }, next.value)
    }
  }
  const workers = Array.from({ length: AT_ONCE }, () =>
    work().catch((error: unknown) => {
      failed.abort(error)
      throw error
    }),
  )
  const outcomes = await Promise.allSettled(workers)
  testing.signal.throwIfAborted()
  // The first failure aborted the others.
  if (failed.signal.aborted) throw failed.signal.reason
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
}

interface WaitingManifest {
  readonly manifest: ManifestRow
  readonly read: ReadProject
}

async function* readWaiting({ tree, manifests, signal }: Testing): AsyncGenerator<WaitingManifest, void> {
  const toProject = await listTreeProjects(tree)
  for (let most = FIRST_BATCH; ; most = BATCH) {
    const batch = await manifests.take(most)
    if (batch.length === 0) return
    await tree.prepare(batch.map(toProject))
    for (const manifest of batch) {
      signal.throwIfAborted()
      yield { manifest, read: await tree.readProject(toProject(manifest)) }
    }
  }
}

async function testOne(
  services: TestingServices,
  testing: Testing,
  { manifest, read }: WaitingManifest,
): Promise<void> {
  const outcome = read.problem === undefined ? await test(services, testing, { manifest, read }) : read
  testing.signal.throwIfAborted()
  if ('problem' in outcome) return fail(services, testing, { manifest, message: sentenceOf(outcome.problem) })
  try {
    await record(services, testing, { manifest, read, outcome })
  } catch (err) {
    if (testing.signal.aborted || isOutage(err)) throw err
    if (isReferenceViolation(err)) throw targetIsGone(err)
    services.log.error({ err, manifest: manifest.path }, 'a test of an import could not be stored')
    // Retry once, since another process may have interfered. One result that cannot be stored must not block the
    // others.
    await record(services, testing, { manifest, read, outcome }).catch((error: unknown) => {
      if (isOutage(error)) throw error
      return fail(services, testing, {
        manifest,
        message: 'The result could not be stored because of a server error. Ask the operator to check the log.',
      })
    })
  }
}

/** Returns true if storage fails as a whole: then the manifest has not failed, and the import resumes later. */
function isOutage(error: unknown): boolean {
  return findStorageFault(error) !== undefined
}

export function targetIsGone(cause?: unknown): Problem {
  return new Problem('repository-unreadable', 'The target was deleted during the import', { cause })
}

type Tested = { readonly test: Extract<ProjectOutcome, { test: unknown }>['test'] }

async function test(
  { tester, log }: TestingServices,
  { row, signal }: Testing,
  { manifest, read }: WaitingManifest,
): Promise<Tested | { readonly problem: Problem | string }> {
  if (!('subject' in read)) return { problem: read.problem }
  try {
    return await tester.test(row.org_id, { ecosystem: manifest.type, subject: read.subject }, signal)
  } catch (err) {
    // The server is stopping or cannot run tests now: the import resumes later.
    if (signal.aborted || err instanceof Problem || isOutage(err)) throw err
    log.error({ err, manifest: manifest.path }, 'a test of an import failed')
    return { problem: 'The test failed because of a server error. Ask the operator to check the log' }
  }
}

async function record(
  { db, now }: TestingServices,
  { row, resolved }: Testing,
  { manifest, read, outcome: { test: tested } }: WaitingManifest & { readonly outcome: Tested },
): Promise<void> {
  if (!('subject' in read)) throw new Error('a manifest without content cannot have a result')
  await inTransaction(db, async (tx) => {
    const at = now()
    if (!(await endManifest(tx, manifest, { state: 'done', message: tellOfFiles(tested), at }))) return
    const existingId = await findKnown(tx, row, manifest)
    if (existingId !== undefined) await returnVanished(tx, existingId, at)
    const { projectId } = await recordTest(
      tx,
      {
        orgId: row.org_id,
        targetId: row.target_id,
        type: manifest.type,
        targetFile: manifest.path,
        targetReference: row.reference,
        name: `${resolved.displayName}:${manifest.path}`,
        origin: resolved.origin,
      },
      {
        test: tested,
        source: read.subject,
        contentDigest: read.digest,
        revision: row.revision,
        cause: row.cause === 'schedule' ? 'retest' : 'import',
        by: { id: row.requested_by_id, name: row.requested_by_name },
        at,
        ...(existingId !== undefined && { projectId: existingId }),
      },
    )
    await setProject(tx, manifest, projectId)
  })
}

/** Reports lockfiles that the result did not use, and parts of a policy file that were not applied. */
function tellOfFiles({ coverage: { unresolved, policyFile } }: Tested['test']): string | null {
  const locks = unresolved.filter(({ code }) => code === 'lockfile-not-read').map(({ reason }) => `${reason}.`)
  const notes = (policyFile?.notes ?? []).map((note) => `${policyFile!.path}: ${note}.`)
  const all = [...locks, ...notes].join(' ')
  return all === '' ? null : sentenceOf(all)
}

async function fail(
  { db, now }: TestingServices,
  { row }: Testing,
  { manifest, message }: { manifest: ManifestRow; message: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const at = now()
    if (!(await endManifest(tx, manifest, { state: 'failed', message, at }))) return
    const existingId = await findKnown(tx, row, manifest)
    if (existingId === undefined) return
    await returnVanished(tx, existingId, at)
    await recordFailure(tx, existingId, { sentence: message, of: 'what was read', at })
  })
}

/** Returns the project that the manifest had when it was listed, if it still belongs to the target. */
async function findKnown(tx: Db, { target_id }: Testing['row'], { project_id }: ManifestRow) {
  return project_id !== null && (await isOfTarget(tx, project_id, target_id)) ? project_id : undefined
}

const MAX_SENTENCE = 2_000

/** Returns a message that can be stored: PostgreSQL accepts no NUL, and messages may quote untrusted files. */
function sentenceOf(problem: Problem | string): string {
  const text = typeof problem === 'string' ? problem : problem.message
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return cutText(text.replace(/[\u0000-\u0008\u000b-\u001f]/g, '\ufffd'), MAX_SENTENCE)
}
