import type { Services } from '#foundation/services.ts'
import { deleteEndedSessions, deleteExpiredRecords, deleteExpiredTokens } from './purge-store.ts'

/** Minimum age of a session without tokens before it is deleted: an authorization may still be in progress. */
const NEW_SESSION_MS = 86_400_000

/** Removes expired tokens, codes and sessions, which are already refused. */
export async function purgeEnded({ db, now }: Pick<Services, 'db' | 'now'>): Promise<void> {
  const at = now()
  await deleteExpiredTokens(db, at)
  await deleteExpiredRecords(db, at)
  await deleteEndedSessions(db, { now: at, begunBefore: at - NEW_SESSION_MS })
}
