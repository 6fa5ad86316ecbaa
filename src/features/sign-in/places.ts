import { isPermission, type Permission } from '#foundation/access/permissions.ts'
import { permissionsOfScopes } from '#foundation/access/scopes.ts'
import type { Db } from '#foundation/db/database.ts'
import { listGroupsOfUser, listOrgsOfUser } from './places-store.ts'

/** A place in which a user could authorize an app. */
export interface ConsentTarget {
  /** The value in forms. */
  readonly key: string
  readonly name: string
  readonly groupId: string
  /** Null for the whole group. */
  readonly orgId: string | null
  /** Permissions of the app's scopes that the user lacks there. */
  readonly missing: readonly Permission[]
}

export interface PlacesOfGroup {
  readonly id: string
  readonly name: string
  /** The whole group; undefined if the user is not a member of it. */
  readonly whole: ConsentTarget | undefined
  readonly orgs: readonly ConsentTarget[]
}

interface PlacesQuery {
  readonly userId: string
  readonly scopes: readonly string[]
  /** The only group in which the app may be used; undefined for a public app. */
  readonly onlyGroupId: string | undefined
}

/**
 * Lists the user's places by group, with the permissions that are missing there. Users can authorize an app only where
 * they currently have the permissions of all its scopes.
 */
export async function listPlaces(db: Db, { userId, scopes, onlyGroupId }: PlacesQuery): Promise<PlacesOfGroup[]> {
  const needed = permissionsOfScopes(scopes)
  const missing = createComparison(needed)
  const isUsable = ({ group_id }: { group_id: string }) => onlyGroupId === undefined || group_id === onlyGroupId
  const groups = new Map<
    string,
    { id: string; name: string; whole: ConsentTarget | undefined; orgs: ConsentTarget[] }
  >()
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

/** Creates a comparison that caches each pair of roles: a thousand organizations have only a few. */
function createComparison(needed: readonly Permission[]) {
  const cache = new Map<string, readonly Permission[]>()
  return (own: string | null, wide: string | null): readonly Permission[] => {
    const key = `${own} ${wide}`
    const compared = cache.get(key)
    if (compared) return compared
    const permissions = new Set([own, wide].flatMap((stored) => (stored === null ? [] : permissionsOf(stored))))
    const missing = needed.filter((permission) => !permissions.has(permission))
    cache.set(key, missing)
    return missing
  }
}

function permissionsOf(stored: string): Permission[] {
  return (JSON.parse(stored) as string[]).filter(isPermission)
}

export function possiblePlaces(groups: readonly PlacesOfGroup[]): ConsentTarget[] {
  return groups
    .flatMap(({ whole, orgs }) => (whole ? [whole, ...orgs] : orgs))
    .filter(({ missing }) => missing.length === 0)
}
