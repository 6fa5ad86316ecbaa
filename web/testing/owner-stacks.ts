import React from 'react'

/** The name that React gives to the values which its packages share. */
const SHARED = '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE'

/**
 * Stops React from recording with an error where each element is made, for warnings: a tenth of the time of component
 * tests. React counts the records of a second and makes none above a limit; here the count is always above it. A React
 * without this count records as before.
 */
export function stopOwnerStacks(): void {
  const shared: unknown = Reflect.get(React, SHARED)
  if (typeof shared !== 'object' || shared === null || !('recentlyCreatedOwnerStacks' in shared)) return
  Object.defineProperty(shared, 'recentlyCreatedOwnerStacks', { get: () => Number.POSITIVE_INFINITY, set: () => {} })
}
