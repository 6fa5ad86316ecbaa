import type { Package } from '#analysis/dependency-graph.ts'
import type { Reading, WhatIfResolver } from '#analysis/ecosystems/ecosystem.ts'

/**
 * Caches verifications of upgrades: a pipeline tests nearly the same lockfile repeatedly, and a published version
 * resolves the same way in every lockfile.
 */
export interface WhatIfCache {
  /** Returns the resolver with cached answers. If it depends on the project, only lists of versions are cached. */
  remember(ecosystem: string, resolver: WhatIfResolver): WhatIfResolver
}

interface Kept<T> {
  readonly value: Promise<T>
  readonly until: number
  weight: number
}

const KEPT_MS = 10 * 60_000
/** Limit on the packages in all cached readings, and on the versions in all cached lists. */
const MAX_PACKAGES = 50_000
const MAX_VERSIONS = 200_000

export function createWhatIfCache(now: () => number): WhatIfCache {
  const lists = createShelf<Awaited<ReturnType<WhatIfResolver['candidates']>>>(MAX_VERSIONS, now)
  const readings = createShelf<Reading>(MAX_PACKAGES, now)
  return {
    remember(ecosystem, resolver) {
      const toKey = (packages: readonly Package[]) =>
        JSON.stringify([ecosystem, packages.map(({ name, version }) => [name, version])])
      return {
        get isSameForAll() {
          return resolver.isSameForAll
        },
        candidates: (direct) =>
          lists.get(
            toKey([direct]),
            () => resolver.candidates(direct),
            (versions) => versions?.length ?? 1,
          ),
        ...(resolver.read && {
          read(requested) {
            if (!resolver.isSameForAll) return resolver.read!(requested)
            return readings.get(toKey(requested), () => resolver.read!(requested), weightOf)
          },
        }),
      }
    },
  }
}

/** Returns infinity for a reading that may differ next time, so that it is not cached. */
function weightOf({ graph, unresolved }: Reading): number {
  return unresolved.some(({ code }) => code === 'registry-unreachable') ? Number.POSITIVE_INFINITY : graph.nodes.length
}

function createShelf<T>(maxWeight: number, now: () => number) {
  const kept = new Map<string, Kept<T>>()
  let weight = 0

  function drop(key: string): void {
    const entry = kept.get(key)
    if (entry === undefined) return
    kept.delete(key)
    weight -= entry.weight
  }

  function weigh(key: string, entry: Kept<T>, by: number): void {
    if (kept.get(key) !== entry) return
    if (by > maxWeight) {
      drop(key)
      return
    }
    entry.weight = by
    weight += by
    for (const [oldest] of kept) {
      if (weight <= maxWeight) return
      drop(oldest)
    }
  }

  return {
    get(key: string, make: () => Promise<T>, weightOf: (value: T) => number): Promise<T> {
      const cached = kept.get(key)
      if (cached !== undefined && cached.until > now()) return cached.value
      drop(key)
      const entry: Kept<T> = { value: make(), until: now() + KEPT_MS, weight: 0 }
      kept.set(key, entry)
      entry.value.then(
        (value) => weigh(key, entry, weightOf(value)),
        () => kept.get(key) === entry && drop(key),
      )
      return entry.value
    },
  }
}
