import { BlockList, isIP } from 'node:net'
import type { CredentialLimits, CredentialRow } from '#features/credentials/store.ts'
import { Problem } from '#foundation/problem.ts'
import { addNetwork } from '#foundation/setting-readers.ts'

const ofExpiry = { pointer: '/data/attributes/expires_at' }

/**
 * Limits a new key by the calling one: otherwise a leaked key that expires soon could create a permanent one. Unset
 * limits are inherited; wider ones are refused.
 */
export function limitBy(
  caller: Pick<CredentialRow, 'expires_at' | 'allowed_networks'>,
  requested: CredentialLimits,
): CredentialLimits {
  const networks = caller.allowed_networks === null ? null : (JSON.parse(caller.allowed_networks) as string[])
  if (caller.expires_at !== null && (requested.expiresAt ?? 0) > caller.expires_at) {
    throw new Problem('forbidden', 'The calling key expires earlier; use a key without an expiry to create this one', {
      source: ofExpiry,
    })
  }
  const outside =
    networks && requested.allowedNetworks?.find((cidr) => !networks.some((outer) => isWithin(cidr, outer)))
  if (outside) {
    throw new Problem(
      'forbidden',
      `The calling key is not valid from ${outside}; remove this network or use a key without networks`,
      {
        source: { pointer: '/data/attributes/allowed_networks' },
      },
    )
  }
  return {
    expiresAt: requested.expiresAt ?? caller.expires_at,
    allowedNetworks: requested.allowedNetworks ?? networks,
  }
}

function isWithin(inner: string, outer: string): boolean {
  const [address, bits] = splitNetwork(inner)
  const [outerAddress, outerBits] = splitNetwork(outer)
  if (isIP(address) !== isIP(outerAddress) || bits < outerBits) return false
  const list = new BlockList()
  addNetwork(list, outer)
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

function splitNetwork(cidr: string): [address: string, bits: number] {
  const [address = '', bits] = cidr.split('/')
  return [address, bits === undefined ? (isIP(address) === 4 ? 32 : 128) : Number(bits)]
}
