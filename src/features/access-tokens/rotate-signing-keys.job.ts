import { defineJob, type JobKind } from '#foundation/jobs/job.ts'
import type { Services } from '#foundation/services.ts'
import { rotateSigningKeys as rotate } from './signing-keys.ts'

export function rotateSigningKeys(services: Services): JobKind {
  return defineJob({
    name: 'rotate-signing-keys',
    maxAttempts: 1,
    everyMinutes: 60,
    run: () => rotate(services),
  })
}
