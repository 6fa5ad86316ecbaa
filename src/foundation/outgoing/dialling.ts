import { type Forbidden, findForbidden } from './address-rules.ts'
import type { Endpoint, HostPattern } from './host-patterns.ts'
import type { OutgoingLimits, Resolve } from './settings.ts'

export interface Dialling {
  readonly allow: readonly HostPattern[]
  readonly extraCertificates: string | undefined
  readonly limits: OutgoingLimits
  readonly resolve: Resolve
}

/** Thrown if every address of a name is forbidden. */
export class ForbiddenEndpoint extends Error {
  readonly forbidden: Forbidden

  constructor(forbidden: Forbidden) {
    super(forbidden.why)
    this.forbidden = forbidden
  }
}

/** Returns the permitted addresses of the endpoint. Throws `ForbiddenEndpoint` if there are none. */
export async function resolvePermitted(endpoint: Endpoint, { allow, resolve }: Dialling) {
  const addresses = await resolve(endpoint.host)
  const judged = addresses.map((candidate) => ({
    found: candidate,
    forbidden: findForbidden(endpoint, candidate.address, allow),
  }))
  const permitted = judged.filter(({ forbidden }) => forbidden === undefined).map(({ found: candidate }) => candidate)
  const forbidden = judged[0]?.forbidden
  if (permitted.length === 0 && forbidden) throw new ForbiddenEndpoint(forbidden)
  return permitted
}
