import type { Permission } from '#foundation/access/permissions.ts'
import { ALL } from '#foundation/events/add-event.ts'
import { eventTypeNames, eventTypes } from '#foundation/events/event-types.ts'
import { Problem } from '#foundation/problem.ts'

/**
 * Refuses to send or show events to a caller who may not read the same data from the API: a webhook must not reveal
 * more than its creator may see. `types` may contain `*`; types without such data, like the ping, need no permissions.
 */
export function requireMayRead(permissions: ReadonlySet<Permission>, types: readonly string[]): void {
  const needed = new Set(typesOf(types).flatMap((type) => eventTypes[type].needs))
  const missing = [...needed].filter((permission) => !permissions.has(permission))
  if (missing.length === 0) return
  throw new Problem(
    'forbidden',
    `Events of these types need permissions that the calling credential lacks: ${missing.join(', ')}`,
  )
}

/** Returns the types of a subscription that another one does not have. */
export function addedTypes(before: readonly string[], after: readonly string[]): string[] {
  const previous = typesOf(before)
  return typesOf(after).filter((type) => !previous.includes(type))
}

function typesOf(types: readonly string[]) {
  return types.includes(ALL) ? eventTypeNames : eventTypeNames.filter((name) => types.includes(name))
}
