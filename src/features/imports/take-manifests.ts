import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPostgres } from '#foundation/db/transaction-lock.ts'
import type { Services } from '#foundation/services.ts'
import { listWaiting, type ManifestRow } from './manifests-store.ts'
import {
  addWorker,
  claimManifests,
  extendWorker,
  hasForeignManifests,
  type ImportWorker,
  removeWorker,
} from './workers-store.ts'

/** Identifies this process to the others that share its database. */
export const PROCESS_ID = randomUUID()

/** Interval of polling for manifests that other workers finish or release. */
const FOREIGN_POLL_MS = 200

/** The waiting manifests of one import for one of its workers. */
export interface Manifests {
  /** Returns up to `most` manifests in path order; none if this worker has nothing left to do. */
  take(most: number): Promise<readonly ManifestRow[]>
  /** Releases the manifests that were taken and not finished. */
  close(): Promise<void>
}

export interface Taking {
  readonly importId: string
  /** The lead waits until other workers have finished their manifests too; a helper stops when none are free. */
  readonly as: 'lead' | 'helper'
  readonly signal: AbortSignal
}

type Deps = Pick<Services, 'db' | 'config' | 'now' | 'log'>

/**
 * On PostgreSQL, workers of any process claim manifests with leases. SQLite has only one process, so claims are not
 * needed.
 */
export async function takeManifests(deps: Deps, taking: Taking): Promise<Manifests> {
  return isPostgres(deps.db) ? claimInTurns(deps, taking) : listInOrder(deps, taking)
}

function listInOrder({ db }: Deps, { importId }: Taking): Manifests {
  let after: ManifestRow | undefined
  return {
    async take(most) {
      const batch = await listWaiting(db, importId, { after, most })
      after = batch.at(-1)
      return batch
    },
    close: async () => {},
  }
}

async function claimInTurns({ db, config, now, log }: Deps, { importId, as, signal }: Taking): Promise<Manifests> {
  const leaseMs = config.jobLeaseSeconds * 1000
  const worker: ImportWorker = { id: randomUUID(), importId, processId: PROCESS_ID }
  await addWorker(db, worker, now() + leaseMs)
  const heartbeat = setInterval(() => {
    extendWorker(db, worker.id, now() + leaseMs).catch((err) =>
      log.warn({ err, import: importId }, 'the lease of an import worker could not be extended'),
    )
  }, leaseMs / 3)
  return {
    async take(most) {
      for (;;) {
        signal.throwIfAborted()
        const batch = await claimManifests(db, worker, { most, now: now() })
        if (batch.length > 0 || as === 'helper' || !(await hasForeignManifests(db, worker))) return batch
        await sleep(FOREIGN_POLL_MS, undefined, { signal })
      }
    },
    async close() {
      clearInterval(heartbeat)
      // Otherwise its lease expires.
      await removeWorker(db, worker.id).catch((err) =>
        log.warn({ err, import: importId }, 'the claims of an import worker could not be released'),
      )
    },
  }
}
