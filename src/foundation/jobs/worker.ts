import { randomUUID } from 'node:crypto'
import type { Services } from '../services.ts'
import { inSpan } from '../tracing/tracing.ts'
import type { FairShare, JobKind } from './job.ts'
import { addJob, claimFairJob, claimJob, extendLease, finishJob, type JobRow, returnJob } from './store.ts'

const MAX_BACKOFF_MS = 3_600_000

export interface WorkerSettings {
  /** Slots shared by all kinds without slots of their own. */
  readonly concurrency: number
  readonly pollMs: number
  /** Milliseconds after which another process resumes the job of a dead process. */
  readonly leaseMs: number
}

export interface JobWorker {
  readonly running: number
  /** Polls for work now. */
  wake(): void
  /** Stops claiming, aborts running jobs and waits for them; unfinished ones run again elsewhere. */
  close(): Promise<void>
}

/** Runs jobs of the given kinds from storage until closed. */
export function startWorker(
  services: Pick<Services, 'database' | 'db' | 'log' | 'now'>,
  kinds: readonly JobKind[],
  { concurrency, pollMs, leaseMs }: WorkerSettings,
): JobWorker {
  const { database, db, log, now } = services
  const byName = new Map(kinds.map((kind) => [kind.name, kind]))
  const stopping = new AbortController()
  const sharing = kinds.filter(({ fair }) => fair === undefined).map(({ name }) => name)
  const fairKinds = kinds.flatMap(({ name, fair }) => (fair === undefined ? [] : [{ name, ...fair }]))
  const active = new Map<Promise<void>, string>()
  const context: RunContext = { db, log, now, leaseMs, stopping: stopping.signal }
  let timer: NodeJS.Timeout | undefined
  let claiming = false
  let askedAgain = false
  let filled = Promise.resolve()

  function fill(): void {
    if (claiming) askedAgain = true
    else filled = claimAll()
  }

  async function claimAll(): Promise<void> {
    claiming = true
    askedAgain = false
    clearTimeout(timer)
    try {
      while (!stopping.signal.aborted) {
        const job = await claimNext()
        if (!job) break
        // Claimed during shutdown: leave it to another process.
        if (stopping.signal.aborted) {
          await returnJob(db, job, { dueAt: now(), error: null, now: now() })
          break
        }
        const run = perform(context, byName.get(job.kind)!, job).finally(() => {
          active.delete(run)
          fill()
        })
        active.set(run, job.kind)
      }
    } catch (err) {
      log.error({ err }, 'polling for jobs failed')
    } finally {
      claiming = false
      if (askedAgain) setImmediate(fill)
      if (!stopping.signal.aborted) timer = setTimeout(fill, pollMs)
    }
  }

  async function claimNext(): Promise<JobRow | undefined> {
    const lease = { owner: randomUUID(), endsAt: now() + leaseMs }
    for (const { name, perOrg } of fairKinds.filter(hasRoom)) {
      const job = await claimFairJob(database, { kind: name, perOrg, lease, now: now() })
      if (job) return job
    }
    const shared = [...active.values()].filter((kind) => sharing.includes(kind)).length
    if (sharing.length === 0 || shared >= concurrency) return undefined
    return claimJob(database, { kinds: sharing, lease, now: now() })
  }

  function hasRoom({ name, perProcess }: FairShare & { readonly name: string }): boolean {
    return [...active.values()].filter((kind) => kind === name).length < perProcess
  }

  fill()
  return {
    get running() {
      return active.size
    },
    wake: fill,
    async close() {
      stopping.abort()
      clearTimeout(timer)
      await filled
      await Promise.all(active.keys())
    },
  }
}

/** Ensures exactly one waiting run of every repeating kind. */
export async function scheduleRepeating(
  { db, now }: Pick<Services, 'db' | 'now'>,
  kinds: readonly JobKind[],
): Promise<void> {
  for (const kind of kinds) {
    if (kind.everyMinutes === undefined) continue
    await addJob(db, { kind: kind.name, payload: {}, dueAt: now(), uniqueKey: kind.name }, now())
  }
}

interface RunContext extends Pick<Services, 'db' | 'log' | 'now'> {
  readonly leaseMs: number
  /** Aborts when this process shuts down. */
  readonly stopping: AbortSignal
}

/** Runs one claimed job to its end and extends its lease meanwhile. */
async function perform(context: RunContext, kind: JobKind, job: JobRow): Promise<void> {
  const { db, log, now, leaseMs, stopping } = context
  const lost = new AbortController()
  const heartbeat = setInterval(() => {
    extendLease(db, job, now() + leaseMs)
      .then((isExtended) => isExtended || lost.abort())
      .catch((err) => log.warn({ err, job: job.id }, 'a job lease could not be extended'))
  }, leaseMs / 3)
  const jobLog = log.child({ job: job.id, kind: job.kind, attempt: job.attempts })
  try {
    const signal = AbortSignal.any([stopping, lost.signal])
    await inSpan(`job ${kind.name}`, { 'gatehouse.job_id': job.id }, () =>
      kind.run(JSON.parse(job.payload), { log: jobLog, signal, attempt: job.attempts }),
    )
    const nextDueAt = kind.everyMinutes === undefined ? undefined : now() + kind.everyMinutes * 60_000
    await finishJob(db, job, { nextDueAt, now: now() })
  } catch (err) {
    if (lost.signal.aborted) jobLog.warn('the lease of a job was lost: another process claimed it, or it was deleted')
    else
      await giveBack(context, kind, { job, err }).catch((error) =>
        jobLog.error({ err: error }, 'a job could not be returned to the queue'),
      )
  } finally {
    clearInterval(heartbeat)
  }
}

async function giveBack(
  { db, log, now, stopping }: RunContext,
  kind: JobKind,
  { job, err }: { readonly job: JobRow; readonly err: unknown },
): Promise<void> {
  // Interrupted by our shutdown: due again at once.
  if (stopping.aborted) return returnJob(db, job, { dueAt: now(), error: null, now: now() })
  log.error({ err, job: job.id, kind: job.kind, attempt: job.attempts }, 'a job failed')
  const isLast = job.attempts >= kind.maxAttempts && kind.everyMinutes === undefined
  const wait = Math.min(MAX_BACKOFF_MS, 1000 * 2 ** job.attempts)
  const error = err instanceof Error ? err.message : String(err)
  await returnJob(db, job, { dueAt: isLast ? undefined : now() + wait, error, now: now() })
}
