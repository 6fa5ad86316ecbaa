import { endOf } from '#foundation/access/is-usable.ts'
import { isReferenceViolation } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { wantsEvent } from '#foundation/events/add-event.ts'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import { announceEnd } from './announce.ts'
import { type EndingCredential, type ExpiryType, listEndingCredentials, recordAnnouncement } from './expiries-store.ts'

type Deps = Pick<Services, 'db' | 'now' | 'config'>

const DAY_MS = 86_400_000
const PAGE = 500

/** Expiries older than this many days are not announced. Expired client secrets are kept for the same time. */
const EXPIRED_DAYS = 7

/**
 * Announces credentials before and after their expiry, once each. Without a subscriber nothing is recorded as
 * announced, so that a later subscriber still receives the events.
 */
export function announceExpiries(deps: Deps): JobKind {
  return defineJob({
    name: 'announce-expiries',
    maxAttempts: 1,
    everyMinutes: 10,
    run: (_payload, { signal }) => announceAll(deps, signal),
  })
}

export async function announceAll(deps: Deps, signal?: AbortSignal): Promise<void> {
  const now = deps.now()
  const noticeMs = deps.config.expiryNoticeDays * DAY_MS
  await announceBetween(deps, { type: 'credential.expired', after: now - EXPIRED_DAYS * DAY_MS, until: now }, signal)
  await announceBetween(deps, { type: 'credential.expiring', after: now, until: now + noticeMs }, signal)
}

interface ExpiryPeriod {
  readonly type: ExpiryType
  readonly after: number
  readonly until: number
}

async function announceBetween(deps: Deps, period: ExpiryPeriod, signal: AbortSignal | undefined): Promise<void> {
  let afterId: string | undefined = ''
  while (afterId !== undefined && !signal?.aborted) {
    const page: Awaited<ReturnType<typeof listEndingCredentials>> = await listEndingCredentials(deps.db, period, {
      afterId,
      limit: PAGE,
    })
    for (const ending of page.credentials) await announce(deps, period, ending)
    afterId = page.lastId
  }
}

async function announce({ db, now }: Deps, { type, after, until }: ExpiryPeriod, { row, program }: EndingCredential) {
  const endsAt = endOf(row)
  if (endsAt <= after || endsAt > until) return
  if (!(await wantsEvent(db, program.orgId, type))) return
  try {
    await inTransaction(db, async (tx) => {
      const at = now()
      if (!(await recordAnnouncement(tx, { credentialId: row.id, endsAt, type, at }))) return
      await announceEnd({ tx, at }, program, { row, type })
    })
  } catch (error) {
    // The credential has just been deleted.
    if (!isReferenceViolation(error)) throw error
  }
}
