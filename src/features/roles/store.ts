import type { Selectable } from 'kysely'
import { builtInRoles } from '#foundation/access/built-in-roles.ts'
import { isPermission, type Permission } from '#foundation/access/permissions.ts'
import { type Db, isReferenceViolation, isUniqueViolation } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import { rememberedRow } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { notFound, Problem } from '#foundation/problem.ts'

export type RoleRow = Selectable<Tables['roles']>

export interface RoleContent {
  readonly name: string
  readonly description: string
  readonly permissions: readonly Permission[]
}

export const rolesByAge: Keyset<RoleRow> = byAge('roles')

function rolesOf(db: Db, groupId: string) {
  return db
    .selectFrom('roles')
    .selectAll()
    .where((eb) => eb.or([eb('group_id', 'is', null), eb('group_id', '=', groupId)]))
}

export async function listRoles(db: Db, groupId: string, window: Window): Promise<Page<RoleRow>> {
  return readPage(rolesOf(db, groupId), rolesByAge, window)
}

export async function listAllRoles(db: Db, groupId: string): Promise<RoleRow[]> {
  return rolesOf(db, groupId).orderBy('created_at').orderBy('id').execute()
}

const roleById = rememberedRow((db: Db, { groupId, id }: { groupId: string; id: string }) =>
  rolesOf(db, groupId).where('id', '=', id),
)

export async function findRole(db: Db, groupId: string, id: string): Promise<RoleRow | undefined> {
  return roleById(db, { groupId, id })
}

export async function getRole(db: Db, groupId: string, id: string): Promise<RoleRow> {
  const role = await findRole(db, groupId, id)
  if (!role) throw notFound(`Role ${id}`)
  return role
}

/** Returns the role's permissions. Omits those that this version no longer has. */
export function permissionsOf({ permissions }: Pick<RoleRow, 'permissions'>): Permission[] {
  return (JSON.parse(permissions) as string[]).filter(isPermission)
}

/**
 * Counts the users and service accounts with the role, in the group and all its organizations, and only in
 * organizations.
 */
export async function countHolders(db: Db, roleId: string): Promise<{ all: number; inOrgs: number }> {
  const counted = await db
    .selectFrom('memberships')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('org_id').as('inOrgs')])
    .where('role_id', '=', roleId)
    .executeTakeFirstOrThrow()
  return { all: Number(counted.all), inOrgs: Number(counted.inOrgs) }
}

interface NewRole {
  readonly id: string
  readonly groupId: string
  readonly at: number
}

export async function insertRole(tx: Db, { id, groupId, at }: NewRole, content: RoleContent): Promise<RoleRow> {
  requireFreeName(content.name)
  try {
    return await tx
      .insertInto('roles')
      .values({ id, group_id: groupId, ...toColumns(content), created_at: at, updated_at: at })
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    throw toConflict(error, content.name)
  }
}

export async function updateRole(tx: Db, { id, groupId, at }: NewRole, content: RoleContent): Promise<RoleRow> {
  requireFreeName(content.name)
  try {
    return await tx
      .updateTable('roles')
      .set({ ...toColumns(content), updated_at: at })
      .where('id', '=', id)
      .where('group_id', '=', groupId)
      .returningAll()
      .executeTakeFirstOrThrow()
  } catch (error) {
    throw toConflict(error, content.name)
  }
}

export async function deleteRole(tx: Db, { id, groupId }: Pick<NewRole, 'id' | 'groupId'>): Promise<void> {
  try {
    await tx.deleteFrom('roles').where('id', '=', id).where('group_id', '=', groupId).execute()
  } catch (error) {
    // The role was assigned after the count.
    if (isReferenceViolation(error)) throw new Problem('in-use', 'The role has just been assigned to a member')
    throw error
  }
}

function toColumns({ name, description, permissions }: RoleContent) {
  return { name, description, permissions: JSON.stringify([...permissions].sort()) }
}

function requireFreeName(name: string): void {
  if (builtInRoles.some((role) => role.name.toLowerCase() === name.toLowerCase())) throw nameTaken(name)
}

function toConflict(error: unknown, name: string): unknown {
  return isUniqueViolation(error) ? nameTaken(name) : error
}

function nameTaken(name: string): Problem {
  return new Problem('name-taken', `There is already a role named "${name}" in the group`, {
    source: { pointer: '/data/attributes/name' },
  })
}
