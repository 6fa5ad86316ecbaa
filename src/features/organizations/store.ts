import { type Selectable, sql } from 'kysely'
import { isEntered } from '#features/credentials/effective-permissions-store.ts'
import type { Principal } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import { rememberedRow } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { beginsWith, contains } from '#foundation/db/text-match.ts'
import { notFound } from '#foundation/problem.ts'

export type OrgRow = Selectable<Tables['orgs']>
export type GroupRow = Selectable<Tables['groups']>

/** An organization with the reader's role there, or otherwise the role in the group. */
export type VisibleOrgRow = OrgRow & {
  readonly group_name: string
  /** Null for an unattended app. */
  readonly role_id: string | null
  readonly role_name: string | null
}

/** The reader of a list. An app sees only its install places, limited to its user's view. */
export type Reader = Pick<Principal, 'id' | 'scopes' | 'delegation'>

export interface OrgFilters {
  readonly groupId?: string | undefined
  readonly slug?: string | undefined
  /** Part of the name, case-insensitive. */
  readonly name?: string | undefined
}

export const orgsByAge: Keyset<OrgRow> = byAge('o')

export const visibleOrgsByAge: Keyset<VisibleOrgRow> = orgsByAge

export const groupsByAge: Keyset<GroupRow> = byAge('g')

/** Stored permissions are a JSON array, in which each name is quoted. */
function holds(role: string, permission: 'org.read' | 'group.read') {
  return sql<boolean>`${sql.ref(`${role}.permissions`)} like ${`%"${permission}"%`}`
}

function visibleOrgs(db: Db, { id, scopes, delegation }: Reader, { groupId, slug, name }: OrgFilters) {
  let query =
    delegation && delegation.userId === undefined
      ? installedOrgs(db, delegation.botId)
      : orgsOfMember(db, delegation?.userId ?? id)
  if (delegation) query = query.where(isEntered(delegation.botId))
  if (scopes && !scopes.has('org.read')) query = query.where(sql<boolean>`1 = 0`)
  if (groupId !== undefined) query = query.where('o.group_id', '=', groupId)
  if (slug !== undefined) query = query.where('o.slug', '=', slug)
  if (name !== undefined) query = query.where(contains(db, 'o.name', name))
  return query
}

/**
 * Selects the organizations of a member's groups as `o` and `g`, with the role in the organization as `own_role` and
 * that in the whole group as `wide_role`, either or both.
 */
export function orgsAndRoles(db: Db, memberId: string) {
  return (
    db
      .selectFrom('orgs as o')
      .innerJoin('groups as g', 'g.id', 'o.group_id')
      .leftJoin('memberships as own', (join) =>
        join.onRef('own.org_id', '=', 'o.id').on('own.principal_id', '=', memberId),
      )
      .leftJoin('roles as own_role', 'own_role.id', 'own.role_id')
      .leftJoin('memberships as wide', (join) =>
        join
          .onRef('wide.group_id', '=', 'o.group_id')
          .on('wide.principal_id', '=', memberId)
          .on('wide.org_id', 'is', null),
      )
      .leftJoin('roles as wide_role', 'wide_role.id', 'wide.role_id')
      // Restricts to the member's groups, which the roles imply, so that rows of other groups are not read.
      .where('o.group_id', 'in', (eb) =>
        eb.selectFrom('memberships').select('group_id').where('principal_id', '=', memberId),
      )
  )
}

function orgsOfMember(db: Db, memberId: string) {
  return orgsAndRoles(db, memberId)
    .selectAll('o')
    .select(({ fn }) => [
      'g.name as group_name',
      fn.coalesce('own_role.id', 'wide_role.id').as('role_id'),
      fn.coalesce('own_role.name', 'wide_role.name').as('role_name'),
    ])
    .where((eb) => eb.or([holds('own_role', 'org.read'), holds('wide_role', 'org.read')]))
}

/** Selects the organizations in which an unattended app is installed: it has no memberships. */
function installedOrgs(db: Db, botId: string) {
  return db
    .selectFrom('orgs as o')
    .innerJoin('groups as g', 'g.id', 'o.group_id')
    .selectAll('o')
    .select((eb) => ['g.name as group_name', eb.lit(null).as('role_id'), eb.lit(null).as('role_name')])
    .where('o.group_id', 'in', (eb) => eb.selectFrom('app_installs').select('group_id').where('bot_id', '=', botId))
}

export async function listVisibleOrgs(
  db: Db,
  { reader, filters }: { reader: Reader; filters: OrgFilters },
  window: Window,
): Promise<Page<VisibleOrgRow>> {
  return readPage(visibleOrgs(db, reader, filters), visibleOrgsByAge, window)
}

/** Lists all organizations at once: this operation of v1 has no pages. */
export async function listAllVisibleOrgs(db: Db, reader: Reader): Promise<VisibleOrgRow[]> {
  return visibleOrgs(db, reader, {}).orderBy('o.created_at').orderBy('o.id').execute()
}

export async function listOrgsOfGroup(
  db: Db,
  { groupId, slug, name }: OrgFilters & { groupId: string },
  window: Window,
): Promise<Page<OrgRow>> {
  let query = orgsOf(db, groupId)
  if (slug !== undefined) query = query.where('o.slug', '=', slug)
  if (name !== undefined) query = query.where(contains(db, 'o.name', name))
  return readPage(query, orgsByAge, window)
}

/** Lists organizations by page number and prefix of the name, as in v1. */
export async function listOrgsByPageNumber(
  db: Db,
  {
    groupId,
    nameStart,
    limit,
    offset,
  }: { groupId: string; nameStart?: string | undefined; limit: number; offset: number },
): Promise<OrgRow[]> {
  let query = orgsOf(db, groupId)
  if (nameStart !== undefined) query = query.where(beginsWith(db, 'o.name', nameStart))
  return query.orderBy('o.created_at').orderBy('o.id').limit(limit).offset(offset).execute()
}

function orgsOf(db: Db, groupId: string) {
  return db.selectFrom('orgs as o').selectAll('o').where('o.group_id', '=', groupId)
}

const orgById = rememberedRow((db: Db, { id }: { id: string }) =>
  db.selectFrom('orgs').selectAll().where('id', '=', id),
)

export async function getOrg(db: Db, id: string): Promise<OrgRow> {
  const org = await orgById(db, { id })
  if (!org) throw notFound(`Org ${id}`)
  return org
}

/** Finds an organization that an operator names; without a name, the only one. */
export async function findOrgCalled(db: Db, idOrSlug: string | undefined): Promise<OrgRow | undefined> {
  const query = db.selectFrom('orgs').selectAll()
  if (idOrSlug !== undefined) {
    const name = idOrSlug.toLowerCase()
    return query.where((eb) => eb.or([eb('id', '=', name), eb('slug', '=', name)])).executeTakeFirst()
  }
  const [only, ...others] = await query.limit(2).execute()
  return others.length === 0 ? only : undefined
}

interface NewOrg {
  readonly id: string
  readonly groupId: string
  readonly name: string
  readonly slug: string
  readonly at: number
}

/** Returns undefined if another organization has the slug. */
export async function insertOrg(tx: Db, { id, groupId, name, slug, at }: NewOrg): Promise<OrgRow | undefined> {
  return tx
    .insertInto('orgs')
    .values({ id, group_id: groupId, name, slug, created_at: at, updated_at: at })
    .onConflict((conflict) => conflict.column('slug').doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function renameOrg(tx: Db, id: string, { name, at }: { name: string; at: number }): Promise<OrgRow> {
  const org = await tx
    .updateTable('orgs')
    .set({ name, updated_at: at })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!org) throw notFound(`Org ${id}`)
  return org
}

/**
 * Locks an organization that is about to be deleted, so that nothing is added to it. On PostgreSQL, only a change of a
 * unique column blocks inserts of rows that refer to it, hence the slug.
 */
export async function lockOrgForDeletion(tx: Db, id: string): Promise<OrgRow> {
  const org = await getOrg(tx, id)
  await tx
    .updateTable('orgs')
    .set({ slug: `closed ${id}` })
    .where('id', '=', id)
    .execute()
  return org
}

/** Deletes an organization. Its memberships and service accounts are deleted by reference. */
export async function deleteOrg(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('orgs').where('id', '=', id).execute()
}

/** Lists a principal's groups. Apps see none: no scope contains permissions of groups. */
export async function listVisibleGroups(
  db: Db,
  { id, scopes, delegation }: Reader,
  window: Window,
): Promise<Page<GroupRow>> {
  if (delegation || (scopes && !scopes.has('group.read'))) return { rows: [], hasNext: false, hasPrevious: false }
  return readPage(memberGroups(db, id), groupsByAge, window)
}

function memberGroups(db: Db, principalId: string) {
  return db
    .selectFrom('groups as g')
    .innerJoin('memberships as m', 'm.group_id', 'g.id')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .selectAll('g')
    .where('m.principal_id', '=', principalId)
    .where('m.org_id', 'is', null)
    .where(holds('r', 'group.read'))
}

/** Lists the groups of which the principal is a member, with any role. */
export async function listGroupIds(db: Db, principalId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .select('group_id')
    .where('principal_id', '=', principalId)
    .where('org_id', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(({ group_id }) => group_id)
}

const groupById = rememberedRow((db: Db, { id }: { id: string }) =>
  db.selectFrom('groups').selectAll().where('id', '=', id),
)

export async function getGroup(db: Db, id: string): Promise<GroupRow> {
  const group = await groupById(db, { id })
  if (!group) throw notFound(`Group ${id}`)
  return group
}
