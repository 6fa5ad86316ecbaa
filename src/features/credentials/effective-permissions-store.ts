import { type ExpressionBuilder, sql } from 'kysely'
import type { Delegation, Principal } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { remembered, rememberedRow } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'

type OrgById = { readonly id: string }
type OrgBySlug = { readonly slug: string }

/** The member whose memberships limit a principal: itself, or the user for whom an app acts. */
type Member = Pick<Principal, 'id' | 'delegation'>

/**
 * Returns the principal's permissions in an organization, from memberships there and in the whole group. An unattended
 * app has none.
 */
export function findEffectivePermissionsInOrg(
  db: Db,
  { id: principalId, delegation }: Member,
  org: OrgById | OrgBySlug,
) {
  if (!delegation) {
    return 'id' in org ? permissionsById(db, { principalId, ...org }) : permissionsBySlug(db, { principalId, ...org })
  }
  const { botId, userId } = delegation
  if (userId === undefined) return 'id' in org ? placeById(db, { botId, ...org }) : placeBySlug(db, { botId, ...org })
  const entered = { principalId: userId, botId }
  return 'id' in org ? enteredById(db, { ...entered, ...org }) : enteredBySlug(db, { ...entered, ...org })
}

const permissionsById = remembered((db: Db, { principalId, id }: { principalId: string; id: string }) =>
  memberPermissions(db, principalId).where('o.id', '=', id),
)

const permissionsBySlug = remembered((db: Db, { principalId, slug }: { principalId: string; slug: string }) =>
  memberPermissions(db, principalId).where('o.slug', '=', slug),
)

function memberPermissions(db: Db, principalId: string) {
  return orgs(db)
    .innerJoin('memberships as m', 'm.group_id', 'o.group_id')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .select('r.permissions')
    .where('m.principal_id', '=', principalId)
    .where((eb) => eb.or([eb('m.org_id', 'is', null), eb('m.org_id', '=', eb.ref('o.id'))]))
}

function orgs(db: Db) {
  return db
    .selectFrom('orgs as o')
    .innerJoin('groups as g', 'g.id', 'o.group_id')
    .select(['o.id', 'o.name', 'o.slug', 'o.group_id', 'g.name as group_name', 'g.slug as group_slug'])
}

type Entered = { readonly principalId: string; readonly botId: string }

const enteredById = remembered((db: Db, { principalId, botId, id }: Entered & { id: string }) =>
  entered(db, { principalId, botId }).where('o.id', '=', id),
)

const enteredBySlug = remembered((db: Db, { principalId, botId, slug }: Entered & { slug: string }) =>
  entered(db, { principalId, botId }).where('o.slug', '=', slug),
)

/** Filters memberships of a user to the places of an app's installs. */
function entered(db: Db, { principalId, botId }: Entered) {
  return memberPermissions(db, principalId).where(isEntered(botId))
}

/** Tests whether the app is installed in the organization `o` of the query, or in its whole group. */
export function isEntered(botId: string) {
  return (eb: ExpressionBuilder<Tables & { o: Tables['orgs'] }, 'o'>) =>
    eb.exists(
      eb
        .selectFrom('app_installs as i')
        .select('i.id')
        .where('i.bot_id', '=', botId)
        .whereRef('i.group_id', '=', 'o.group_id')
        .where((at) => at.or([at('i.org_id', 'is', null), at('i.org_id', '=', at.ref('o.id'))])),
    )
}

const placeById = remembered((db: Db, { botId, id }: { botId: string; id: string }) =>
  places(db, botId).where('o.id', '=', id),
)

const placeBySlug = remembered((db: Db, { botId, slug }: { botId: string; slug: string }) =>
  places(db, botId).where('o.slug', '=', slug),
)

/** Selects the places of an unattended app, whose permissions are its scopes. */
function places(db: Db, botId: string) {
  return orgs(db)
    .innerJoin('app_installs as i', 'i.group_id', 'o.group_id')
    .select((eb) => eb.lit(null).as('permissions'))
    .where('i.bot_id', '=', botId)
    .where((eb) => eb.or([eb('i.org_id', 'is', null), eb('i.org_id', '=', eb.ref('o.id'))]))
}

/**
 * Returns the default organization of a principal: one in which it is a member itself (or its app is installed) before
 * one of its group, the oldest first.
 */
export function findDefaultOrgId(db: Db, { id, delegation }: Member): MaybePromise<string | undefined> {
  return andThen(findDefault(db, id, delegation), (org) => org?.id)
}

function findDefault(db: Db, principalId: string, delegation: Delegation | undefined) {
  if (!delegation) return defaultOrg(db, { principalId })
  const { botId, userId } = delegation
  return userId === undefined ? defaultPlace(db, { botId }) : enteredDefaultOrg(db, { principalId: userId, botId })
}

const defaultOrg = rememberedRow((db: Db, { principalId }: { principalId: string }) => orgsOfMember(db, principalId))

const enteredDefaultOrg = rememberedRow((db: Db, { principalId, botId }: Entered) =>
  orgsOfMember(db, principalId).where(isEntered(botId)),
)

/** Orders the default organization first. */
function orgsOfMember(db: Db, principalId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('orgs as o', 'o.group_id', 'm.group_id')
    .select('o.id')
    .where('m.principal_id', '=', principalId)
    .where((eb) => eb.or([eb('m.org_id', 'is', null), eb('m.org_id', '=', eb.ref('o.id'))]))
    .orderBy((eb) => eb.case().when('m.org_id', 'is', null).then(eb.lit(1)).else(eb.lit(0)).end())
    .orderBy('o.created_at')
    .orderBy('o.id')
    .limit(sql.lit(1))
}

const defaultPlace = rememberedRow((db: Db, { botId }: { botId: string }) =>
  places(db, botId)
    .clearSelect()
    .select('o.id')
    .orderBy((eb) => eb.case().when('i.org_id', 'is', null).then(eb.lit(1)).else(eb.lit(0)).end())
    .orderBy('o.created_at')
    .orderBy('o.id')
    .limit(sql.lit(1)),
)

export function findEffectivePermissionsInGroup(
  db: Db,
  { id: principalId, delegation }: Member,
  groupId: string,
): MaybePromise<{ id: string; name: string; slug: string; permissions: string | null } | undefined> {
  if (!delegation) return andThen(permissionsInGroup(db, { principalId, groupId }), ([row]) => row)
  const { botId, userId } = delegation
  if (userId === undefined) return andThen(placeInGroup(db, { botId, groupId }), ([row]) => row)
  return andThen(enteredGroup(db, { principalId: userId, botId, groupId }), ([row]) => row)
}

const permissionsInGroup = remembered((db: Db, { principalId, groupId }: { principalId: string; groupId: string }) =>
  permissionsOfMemberInGroup(db, principalId, groupId),
)

const enteredGroup = remembered((db: Db, { principalId, botId, groupId }: Entered & { groupId: string }) =>
  permissionsOfMemberInGroup(db, principalId, groupId)
    .innerJoin('app_installs as i', 'i.group_id', 'g.id')
    .where('i.bot_id', '=', botId)
    .where('i.org_id', 'is', null),
)

const placeInGroup = remembered((db: Db, { botId, groupId }: { botId: string; groupId: string }) =>
  db
    .selectFrom('groups as g')
    .innerJoin('app_installs as i', 'i.group_id', 'g.id')
    .select((eb) => ['g.id', 'g.name', 'g.slug', eb.lit(null).as('permissions')])
    .where('i.bot_id', '=', botId)
    .where('i.org_id', 'is', null)
    .where('g.id', '=', groupId),
)

function permissionsOfMemberInGroup(db: Db, principalId: string, groupId: string) {
  return db
    .selectFrom('groups as g')
    .innerJoin('memberships as m', 'm.group_id', 'g.id')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .select(['g.id', 'g.name', 'g.slug', 'r.permissions'])
    .where('m.principal_id', '=', principalId)
    .where('m.org_id', 'is', null)
    .where('g.id', '=', groupId)
}
