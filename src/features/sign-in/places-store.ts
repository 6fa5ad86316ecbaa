import { orgsAndRoles } from '#features/organizations/store.ts'
import type { Db } from '#foundation/db/database.ts'

/** A group with a membership of the user. */
export interface WideRow {
  readonly group_id: string
  readonly group_name: string
  /** Stored permissions of the role: a JSON array. */
  readonly permissions: string
}

/** An organization in which the user has a role: its own, the group's, or both. */
export interface OrgOfUserRow {
  readonly id: string
  readonly name: string
  readonly group_id: string
  readonly group_name: string
  readonly own: string | null
  readonly wide: string | null
}

export async function listGroupsOfUser(db: Db, userId: string): Promise<WideRow[]> {
  return db
    .selectFrom('memberships as m')
    .innerJoin('groups as g', 'g.id', 'm.group_id')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .select(['g.id as group_id', 'g.name as group_name', 'r.permissions'])
    .where('m.principal_id', '=', userId)
    .where('m.org_id', 'is', null)
    .orderBy('g.name')
    .orderBy('g.id')
    .execute()
}

export async function listOrgsOfUser(db: Db, userId: string): Promise<OrgOfUserRow[]> {
  return orgsAndRoles(db, userId)
    .select([
      'o.id',
      'o.name',
      'o.group_id',
      'g.name as group_name',
      'own_role.permissions as own',
      'wide_role.permissions as wide',
    ])
    .where((eb) => eb.or([eb('own.id', 'is not', null), eb('wide.id', 'is not', null)]))
    .orderBy('g.name')
    .orderBy('o.group_id')
    .orderBy('o.name')
    .orderBy('o.id')
    .execute()
}
