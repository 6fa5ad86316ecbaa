import type { Repositories } from '#features/integrations/open-repository.ts'
import { findIntegration } from '#features/integrations/store.ts'
import type { ProjectTester } from '#features/issue-index/recording/run-project-test.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { findStorageFault } from '#foundation/db/storage-faults.ts'
import type { JobContext } from '#foundation/jobs/job.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { finishImport } from './finish-import.ts'
import { listManifests, type TreeReaders } from './list-manifests.ts'
import { countManifests } from './manifests-store.ts'
import { beginImport, findImport, type ImportRow, isPending } from './store.ts'
import { takeManifests } from './take-manifests.ts'
import { testManifests } from './test-manifests.ts'

export interface ImportServices extends Pick<Services, 'db' | 'config' | 'now' | 'log'>, TreeReaders {
  readonly repositories: Repositories
  readonly tester: ProjectTester
  /** Announces that tests follow, so that threads start. */
  readonly expectTests?: () => void
}

/** Maximum retries after temporary failures, in addition to one per manifest finished meanwhile. */
const MAX_FRUITLESS_ATTEMPTS = 6
/** The same limit for attempts that ended with their process: the machine may have been restarted. */
const MAX_DEATHS = 100
const LOOKS_FOR_CANCEL_EVERY_MS = 500

class OutOfTime extends Error {}

/**
 * Runs an import until it is finished. May be interrupted at any point and resumed: listed and tested manifests stay.
 */
export async function runImport(services: ImportServices, importId: string, context: JobContext): Promise<void> {
  const { db, now, config } = services
  const row = await beginImport(db, importId, now())
  if (row === undefined) return
  if (context.attempt > MAX_DEATHS && (await isFruitless(db, row, { attempt: context.attempt, most: MAX_DEATHS }))) {
    const message = 'The server stopped repeatedly during this import. Ask the operator to check its log.'
    return end(services, row, message)
  }
  const ended = new AbortController()
  const looking = lookForEnd(services, importId, ended)
  const left = row.started_at! + config.importMinutes * 60_000 - now()
  const timer = setTimeout(() => ended.abort(new OutOfTime()), Math.max(0, left))
  const signal = AbortSignal.any([context.signal, ended.signal])
  try {
    await lead(services, row, signal)
  } catch (error) {
    if (context.signal.aborted) throw error
    if (ended.signal.aborted && !(ended.signal.reason instanceof OutOfTime)) return
    await giveUpOrThrow(services, row, { error: ended.signal.aborted ? ended.signal.reason : error, context })
  } finally {
    clearInterval(looking)
    clearTimeout(timer)
  }
}

export interface Help {
  readonly signal: AbortSignal
  /** Called once other polls can see that this process helps. */
  onBegin(): void
}

/**
 * Tests manifests of an import that another process leads, until none are free. Only the lead lists, retries and
 * finishes the import. A helper that fails releases its manifests.
 */
export async function helpImport(services: ImportServices, row: ImportRow, { signal, onBegin }: Help): Promise<void> {
  const ended = new AbortController()
  const looking = lookForEnd(services, row.id, ended)
  try {
    await work(services, row, { as: 'helper', signal: AbortSignal.any([signal, ended.signal]), onBegin })
  } catch (error) {
    if (!ended.signal.aborted) throw error
  } finally {
    clearInterval(looking)
  }
}

/** Aborts once the import is canceled or finished. */
function lookForEnd({ db, log }: ImportServices, importId: string, ended: AbortController): NodeJS.Timeout {
  return setInterval(() => {
    isPending(db, importId).then(
      (pending) => pending || ended.abort(new Error('the import has ended')),
      (err) => log.warn({ err, import: importId }, 'could not check whether the import has ended'),
    )
  }, LOOKS_FOR_CANCEL_EVERY_MS)
}

async function lead(services: ImportServices, row: ImportRow, signal: AbortSignal): Promise<void> {
  const { db, now } = services
  if (!(await work(services, row, { as: 'lead', signal }))) return
  const { waiting } = await countManifests(db, row.id)
  if (waiting > 0 && (await isPending(db, row.id))) throw new Error(`${waiting} manifests were not tested`)
  await inTransaction(db, (tx) => finishImport(tx, row.id, { state: 'complete', message: null, at: now() }))
}

interface Part {
  readonly as: 'lead' | 'helper'
  readonly signal: AbortSignal
  onBegin?(): void
}

/**
 * Tests manifests until none are left for this worker. Returns false if the integration was deleted, and the import
 * with it.
 */
async function work(services: ImportServices, row: ImportRow, { as, signal, onBegin }: Part): Promise<boolean> {
  const { db, repositories } = services
  signal.throwIfAborted()
  // Starting threads takes as long as opening the repository.
  services.expectTests?.()
  const integration = await findIntegration(db, row.org_id, row.integration_id)
  if (integration === undefined) return false
  const manifests = await takeManifests(services, { importId: row.id, as, signal })
  try {
    onBegin?.()
    const target: unknown = JSON.parse(row.target)
    const repository = await repositories.open(integration, target, { revision: row.revision ?? undefined, signal })
    try {
      const tree = await listManifests(services, { row, repository, signal })
      const listed = await findImport(db, row.id)
      if (listed?.target_id) {
        const { resolved } = repository
        await testManifests(services, {
          row: { ...listed, target_id: listed.target_id },
          resolved,
          tree,
          manifests,
          signal,
        })
      }
    } finally {
      await repository.source.close()
    }
  } finally {
    await manifests.close()
  }
  return true
}

/**
 * Rethrows temporary failures a limited number of times, so that the job is retried; otherwise finishes the import with
 * the reason.
 */
async function giveUpOrThrow(
  services: ImportServices,
  row: ImportRow,
  { error, context }: { error: unknown; context: JobContext },
): Promise<void> {
  const { db, config, log } = services
  // While storage fails, giving up could not be stored either.
  if (findStorageFault(error) !== undefined) throw error
  const mayPass = !(error instanceof OutOfTime) && (!(error instanceof Problem) || isPassing(error))
  const most = MAX_FRUITLESS_ATTEMPTS
  if (mayPass && !(await isFruitless(db, row, { attempt: context.attempt, most }))) throw error
  if (!(error instanceof Problem) && !(error instanceof OutOfTime)) log.error({ err: error }, 'an import was given up')
  const message =
    error instanceof OutOfTime
      ? `The import took longer than ${config.importMinutes} minutes. Raise the limit or import fewer manifests`
      : error instanceof Problem
        ? error.message
        : 'The import failed because of a server error. Ask the operator to check the log'
  await end(services, row, message)
}

/** Returns true if there were more attempts than finished manifests explain. */
async function isFruitless(
  db: ImportServices['db'],
  { id }: ImportRow,
  { attempt, most }: { attempt: number; most: number },
): Promise<boolean> {
  const { done, failed } = await countManifests(db, id)
  return attempt > most + done + failed
}

/** Finishes the import. Tested manifests are kept; an import fails as a whole only if its manifests were not listed. */
async function end({ db, now }: ImportServices, { id }: ImportRow, message: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    const state = (await findImport(tx, id))?.listed_at === null ? 'failed' : 'complete'
    await finishImport(tx, id, { state, message, at: now() })
  })
}

function isPassing({ code }: Problem): boolean {
  return code === 'repository-unreachable' || code === 'unavailable'
}
