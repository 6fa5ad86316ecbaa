import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import type { Services } from '#foundation/services.ts'
import { reseal } from './reseal.ts'
import { RESEAL_JOB } from './rotate.ts'

/** Encrypts stored secrets with the new data key of a rotation. */
export function resealSecrets(
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  loadPlaces: () => Promise<readonly SealedPlace[]>,
): JobKind {
  return defineJob({
    name: RESEAL_JOB,
    maxAttempts: 10,
    async run(_payload, { log, signal }) {
      const { resealed, unreadable } = await reseal({ db, keyring }, await loadPlaces(), signal)
      log.info({ resealed, unreadable }, 'stored secrets were encrypted with the new key')
    },
  })
}
