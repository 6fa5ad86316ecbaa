import { endOf } from '#foundation/access/is-usable.ts'
import { isReferenceViolation } from '#foundation/db/database.ts'
import { wantsEvent } from '#foundation/events/add-event.ts'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import { announceEnd } from './announce.ts'
import { type EndingCredential, type ExpiryType, listEndingCredentials, takeAnnouncement } from './expiries-store.ts'

type Needs = Pick<Services, 'db' | 'now' | 'config'>

const DAY_MS = 86_400_000
const PAGE = 500

/** What ended longer ago is no news any more; ended client secrets are kept as long. */
const EXPIRED_DAYS = 7

/**
 * Tells of credentials that are about to end and of those that have ended: each end once. Where nobody wants to know, an
 * end is not ticked off, so that who begins to listen hears of what is still ahead.
 */
export function announceExpiries(needs: Needs): JobKind {
  return defineJob({
    name: 'announce-expiries',
    maxAttempts: 1,
    everyMinutes: 10,
    run: (_payload, { signal }) => announceAll(needs, signal),
  })
}

export async function announceAll(needs: Needs, signal?: AbortSignal): Promise<void> {
  const now = needs.now()
  const noticeMs = needs.config.expiryNoticeDays * DAY_MS
  await announceBetween(needs, { type: 'credential.expired', after: now - EXPIRED_DAYS * DAY_MS, until: now }, signal)
  await announceBetween(needs, { type: 'credential.expiring', after: now, until: now + noticeMs }, signal)
}

interface Wanted {
  readonly type: ExpiryType
  readonly after: number
  readonly until: number
}

async function announceBetween(needs: Needs, wanted: Wanted, signal: AbortSignal | undefined): Promise<void> {
  let afterId: string | undefined = ''
  while (afterId !== undefined && !signal?.aborted) {
    const page: Awaited<ReturnType<typeof listEndingCredentials>> = await listEndingCredentials(needs.db, wanted, {
      afterId,
      limit: PAGE,
    })
    for (const ending of page.found) await announce(needs, wanted, ending)
    afterId = page.lastId
  }
}

async function announce({ db, now }: Needs, { type, after, until }: Wanted, { row, program }: EndingCredential) {
  const endsAt = endOf(row)
  if (endsAt <= after || endsAt > until) return
  if (!(await wantsEvent(db, program.orgId, type))) return
  try {
    await db.transaction().execute(async (tx) => {
      const at = now()
      if (!(await takeAnnouncement(tx, { credentialId: row.id, endsAt, type, at }))) return
      await announceEnd({ tx, at }, program, { row, type })
    })
  } catch (error) {
    // It was deleted just now.
    if (!isReferenceViolation(error)) throw error
  }
}
