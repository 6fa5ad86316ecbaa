import { purgeEnded } from '#features/access-tokens/purge-ended.ts'
import { deleteEndedSecrets } from '#features/credentials/secrets-store.ts'
import { deleteExpiredResets } from '#features/passwords/store.ts'
import { purgePolicies, RESTORABLE_DAYS } from '#features/policies/store.ts'
import { deleteExpiredChallenges } from '#features/second-factors/challenges-store.ts'
import { deleteFailuresBefore } from '#features/sign-in/failures-store.ts'
import { deleteExpiredPending } from '#features/sign-in/pending-store.ts'
import { FORGET_SECONDS } from '#features/sign-in/throttle.ts'
import { deleteExpiredLogoutTokens } from '#features/single-sign-on/identities-store.ts'
import { deleteExpiredSignOns } from '#features/single-sign-on/sign-ons-store.ts'
import { expiryOf } from '#features/user-sessions/browser-session.ts'
import { deleteExpiredSessions } from '#features/user-sessions/store.ts'
import { IDEMPOTENCY_HOURS } from '#foundation/http/change.ts'
import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import * as store from './store.ts'

/** Days for which expired secrets are listed, to explain why a client is refused. */
const ENDED_SECRETS_DAYS = 7

/** Removes expired data: idempotency keys, client secrets, tokens, sessions, failed sign-ins, deleted policies. */
export function purgeExpired({ db, now, config }: Services): JobKind {
  return defineJob({
    name: 'purge-expired',
    maxAttempts: 1,
    everyMinutes: 60,
    async run() {
      await store.deleteIdempotencyKeys(db, now() - IDEMPOTENCY_HOURS * 3_600_000)
      await deleteExpiredSignOns(db, now())
      await deleteExpiredLogoutTokens(db, now())
      await deleteEndedSecrets(db, now() - ENDED_SECRETS_DAYS * 86_400_000)
      await purgeEnded({ db, now })
      await deleteExpiredSessions(db, expiryOf({ config, now }))
      await deleteExpiredResets(db, now())
      await deleteExpiredPending(db, now())
      await deleteExpiredChallenges(db, now())
      await purgePolicies(db, now() - RESTORABLE_DAYS * 86_400_000)
      await deleteFailuresBefore(db, now() - FORGET_SECONDS * 1000)
    },
  })
}
