import type { OsvRecord } from './osv.ts'

/** A record during compilation. */
export interface RatedSlot {
  readonly id: string
  readonly aliases: readonly string[]
  readonly isWithdrawn: boolean
  readonly isReplaced: boolean
  /** True if the record has a CVSS vector. */
  readonly isRated: boolean
}

/** Maximum number of records that one record borrows from. */
const MAX_LENDERS = 3

/**
 * Finds, for each record without a CVSS vector, records with one that share its id or an alias. Records of one package
 * are joined when matched; these may belong to other packages or registries.
 */
export function findRatedElsewhere(slots: readonly RatedSlot[]): Record<string, string[]> {
  const usable = slots.filter(({ isWithdrawn, isReplaced }) => !isWithdrawn && !isReplaced)
  const lenders = new Map<string, string[]>()
  for (const { id, aliases, isRated } of usable) {
    if (!isRated) continue
    for (const name of [id, ...aliases]) {
      const lenderIds = lenders.get(name)
      if (lenderIds === undefined) lenders.set(name, [id])
      else if (lenderIds.length < MAX_LENDERS) lenderIds.push(id)
    }
  }
  const entries = usable.flatMap(({ id, aliases, isRated }) => {
    const own = isRated ? [] : new Set([id, ...aliases].flatMap((name) => lenders.get(name) ?? []))
    return [...own].length === 0 ? [] : [[id, [...own].sort().slice(0, MAX_LENDERS)] as const]
  })
  return Object.fromEntries(entries)
}

export function hasVector({ severity, affected }: OsvRecord): boolean {
  const all = [...(severity ?? []), ...affected.flatMap((entry) => entry.severity ?? [])]
  return all.some(({ type }) => type.startsWith('CVSS_'))
}
