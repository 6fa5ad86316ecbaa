import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import type { LastUses } from '../credentials/last-uses.ts'

export interface ClientAuthenticationNeeds extends Pick<Services, 'db' | 'keyring' | 'now' | 'baseUrl' | 'attempts'> {
  readonly lastUses: LastUses
  readonly outgoing: Outgoing
}

/** Creates a refusal. The error handler of the scope adds the challenge for clients that used HTTP Basic. */
export function refuse(detail: string): Problem {
  return new Problem('invalid-client', detail)
}
