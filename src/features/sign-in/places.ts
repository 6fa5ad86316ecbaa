import { isPermission, type Permission } from '#foundation/access/permissions.ts'
import { permissionsOfScopes } from '#foundation/access/scopes.ts'
import type { Db } from '#foundation/db/database.ts'
import { listGroupsOfUser, listOrgsOfUser } from './places-store.ts'

/** Somewhere the user could let an app in. */
export interface Place {
  /** As forms spell it. */
  readonly key: string
  readonly name: string
  readonly groupId: string
  /** Null for the whole group. */
  readonly orgId: string | null
  /** Permissions that the app's scopes need and the user does not hold there. */
  readonly missing: readonly Permission[]
}

export interface PlacesOfGroup {
  readonly id: string
  readonly name: string
  /** The group as a whole; undefined when the user is no member of it. */
  readonly whole: Place | undefined
  readonly orgs: readonly Place[]
}

interface PlacesQuery {
  readonly userId: string
  readonly scopes: readonly string[]
  /** The only group that the app may be used in; undefined for a public app. */
  readonly onlyGroupId: string | undefined
}

/**
 * Lists the user's places by group, with the permissions they lack there. An app can be authorized only where its user
 * currently holds all its scopes.
 */
export async function listPlaces(db: Db, { userId, scopes, onlyGroupId }: PlacesQuery): Promise<PlacesOfGroup[]> {
  const needed = permissionsOfScopes(scopes)
  const missing = createComparison(needed)
  const isUsable = ({ group_id }: { group_id: string }) => onlyGroupId === undefined || group_id === onlyGroupId
  const groups = new Map<string, { id: string; name: string; whole: Place | undefined; orgs: Place[] }>()
  for (const { group_id: id, group_name: name, permissions } of (await listGroupsOfUser(db, userId)).filter(isUsable)) {
    const whole = { key: `group:${id}`, name, groupId: id, orgId: null, missing: missing(permissions, null) }
    groups.set(id, { id, name, whole, orgs: [] })
  }
  for (const row of (await listOrgsOfUser(db, userId)).filter(isUsable)) {
    const { id, name, group_id: groupId, own, wide } = row
    const group = groups.get(groupId) ?? { id: groupId, name: row.group_name, whole: undefined, orgs: [] }
    groups.set(groupId, group)
    group.orgs.push({ key: `org:${id}`, name, groupId, orgId: id, missing: missing(own, wide) })
  }
  return [...groups.values()]
}

/** A thousand organizations have a handful of roles: each pair is compared once. */
function createComparison(needed: readonly Permission[]) {
  const known = new Map<string, readonly Permission[]>()
  return (own: string | null, wide: string | null): readonly Permission[] => {
    const key = `${own} ${wide}`
    const compared = known.get(key)
    if (compared) return compared
    const held = new Set([own, wide].flatMap((stored) => (stored === null ? [] : permissionsOf(stored))))
    const missing = needed.filter((permission) => !held.has(permission))
    known.set(key, missing)
    return missing
  }
}

function permissionsOf(stored: string): Permission[] {
  return (JSON.parse(stored) as string[]).filter(isPermission)
}

/** Every place the user may let the app into. */
export function possiblePlaces(groups: readonly PlacesOfGroup[]): Place[] {
  return groups
    .flatMap(({ whole, orgs }) => (whole ? [whole, ...orgs] : orgs))
    .filter(({ missing }) => missing.length === 0)
}
