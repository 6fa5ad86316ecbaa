import { BlockList } from 'node:net'
import { addNetwork, includesAddress } from '../setting-readers.ts'

export interface Limits {
  readonly expires_at: number | null
  readonly retires_at: number | null
  /** CIDRs, a JSON array. */
  readonly allowed_networks: string | null
}

/** Returns the earlier of a credential's expiry and retirement, in epoch milliseconds; `Infinity` for neither. */
export function endOf({ expires_at, retires_at }: Pick<Limits, 'expires_at' | 'retires_at'>): number {
  return Math.min(expires_at ?? Infinity, retires_at ?? Infinity)
}

/**
 * Returns true if a credential works at this time and from this address. Every use of every kind of credential calls
 * this.
 */
export function isUsable(credential: Limits, { address, at }: { address: string; at: number }): boolean {
  return endOf(credential) > at && isAllowedFrom(address, credential.allowed_networks)
}

const MAX_KEPT = 1000
/** Cached by the stored text, so entries never become stale. */
const networks = new Map<string, BlockList>()

function isAllowedFrom(address: string, stored: string | null): boolean {
  if (stored === null) return true
  let list = networks.get(stored)
  if (!list) {
    list = new BlockList()
    for (const cidr of JSON.parse(stored) as string[]) addNetwork(list, cidr)
    if (networks.size >= MAX_KEPT) networks.clear()
    networks.set(stored, list)
  }
  return includesAddress(list, address)
}
