import { createRegistryCache } from '#features/registry-cache/cache.ts'
import type { Db } from '#foundation/db/database.ts'
import type { RegistryCache } from '#scanning/registries/registry-cache.ts'

/** Returns a cache large enough for one test. */
export function cacheIn(db: Db, now: () => number): RegistryCache {
  return createRegistryCache({ db, now, maxBytes: 1e7 })
}
