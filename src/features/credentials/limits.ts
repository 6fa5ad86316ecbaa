import { BlockList } from 'node:net'
import { Type } from 'typebox'
import { Problem } from '#foundation/problem.ts'
import { addNetwork } from '#foundation/setting-readers.ts'
import type { CredentialLimits } from './store.ts'

export const Networks = Type.Array(Type.String({ maxLength: 43 }), {
  minItems: 1,
  maxItems: 50,
  description: 'Networks (CIDR) from which the credential is accepted; default: all',
})

/** Attributes of a request that limit the credential it creates. */
export const limitAttributes = {
  expires_at: Type.Optional(
    Type.String({ format: 'date-time', description: 'Expiry of the credential; default: none' }),
  ),
  allowed_networks: Type.Optional(Networks),
}

/**
 * The same attributes in requests that create an owner with its first credential. There they are extensions of the
 * interface documents.
 */
export const limitsOfFirst = {
  expires_at: Type.Optional({
    ...limitAttributes.expires_at,
    description: 'An extension: expiry of the first key or secret, or of an account with its own keys; default: none',
  }),
  allowed_networks: Type.Optional({
    ...Networks,
    description:
      'An extension: networks (CIDR) from which the first key or secret, or an account with its own keys, is accepted; default: all',
  }),
}

/** Location of a request's attributes; flat bodies of deprecated operations have them at the top. */
export type AttributesAt = '/data/attributes' | ''

interface LimitsInput {
  readonly expires_at?: string | undefined
  readonly allowed_networks?: readonly string[] | undefined
}

/**
 * Parses the expiry and the networks of a requested credential. Throws 400 for an expiry that is not in the future and
 * for an invalid network.
 */
export function parseLimits(
  { expires_at, allowed_networks }: LimitsInput,
  now: number,
  attributesAt: AttributesAt = '/data/attributes',
): CredentialLimits {
  const expiresAt = expires_at === undefined ? null : Date.parse(expires_at)
  if (Number.isNaN(expiresAt) || (expiresAt !== null && expiresAt <= now)) {
    const pointer = `${attributesAt}/expires_at`
    throw new Problem('invalid-request', `${pointer} must be in the future`, { source: { pointer } })
  }
  for (const [index, cidr] of (allowed_networks ?? []).entries()) {
    if (isNetwork(cidr)) continue
    const pointer = `${attributesAt}/allowed_networks/${index}`
    throw new Problem('invalid-request', `${pointer} must be a network such as 10.0.0.0/8 or 2001:db8::/32`, {
      source: { pointer },
    })
  }
  return { expiresAt, allowedNetworks: allowed_networks ?? null }
}

function isNetwork(cidr: string): boolean {
  try {
    addNetwork(new BlockList(), cidr)
    return true
  } catch {
    return false
  }
}
