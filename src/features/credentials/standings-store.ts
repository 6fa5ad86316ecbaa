import type { ExpressionBuilder } from 'kysely'
import type { Principal } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import { remembered } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { andThen, type Soon } from '#foundation/soon.ts'

type OrgById = { readonly id: string }
type OrgBySlug = { readonly slug: string }

/** Whose memberships bound what a principal may do: its own, or those of the user for whom an app acts. */
type Member = Pick<Principal, 'id' | 'delegation'>

/** What a principal holds in an organisation: its membership there and that of the whole group. An unattended app has none. */
export function findStandingInOrg(db: Db, { id: principalId, delegation }: Member, org: OrgById | OrgBySlug) {
  if (!delegation) {
    return 'id' in org ? standingById(db, { principalId, ...org }) : standingBySlug(db, { principalId, ...org })
  }
  const { botId, userId } = delegation
  if (userId === undefined) return 'id' in org ? placeById(db, { botId, ...org }) : placeBySlug(db, { botId, ...org })
  const entered = { principalId: userId, botId }
  return 'id' in org ? enteredById(db, { ...entered, ...org }) : enteredBySlug(db, { ...entered, ...org })
}

const standingById = remembered((db: Db, { principalId, id }: { principalId: string; id: string }) =>
  standings(db, principalId).where('o.id', '=', id),
)

const standingBySlug = remembered((db: Db, { principalId, slug }: { principalId: string; slug: string }) =>
  standings(db, principalId).where('o.slug', '=', slug),
)

function standings(db: Db, principalId: string) {
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

/** Those of a user in places where an app is installed. */
function entered(db: Db, { principalId, botId }: Entered) {
  return standings(db, principalId).where(isEntered(botId))
}

/** Whether the app is installed in the organisation that the query calls `o`, or in all of its group. */
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

/** Where an unattended app is installed. It has no role: its scopes are all that it holds. */
function places(db: Db, botId: string) {
  return orgs(db)
    .innerJoin('app_installs as i', 'i.group_id', 'o.group_id')
    .select((eb) => eb.lit(null).as('permissions'))
    .where('i.bot_id', '=', botId)
    .where((eb) => eb.or([eb('i.org_id', 'is', null), eb('i.org_id', '=', eb.ref('o.id'))]))
}

/**
 * The organisation a principal means when it names none: one it is a member of itself (or an app is installed in itself)
 * before one of its group, the oldest first.
 */
export async function findDefaultOrgId(db: Db, { id, delegation }: Member): Promise<string | undefined> {
  if (delegation && delegation.userId === undefined) return findDefaultPlaceId(db, delegation.botId)
  const query = db
    .selectFrom('memberships as m')
    .innerJoin('orgs as o', 'o.group_id', 'm.group_id')
    .select('o.id')
    .where('m.principal_id', '=', delegation?.userId ?? id)
    .where((eb) => eb.or([eb('m.org_id', 'is', null), eb('m.org_id', '=', eb.ref('o.id'))]))
    .orderBy((eb) => eb.case().when('m.org_id', 'is', null).then(1).else(0).end())
    .orderBy('o.created_at')
    .orderBy('o.id')
    .limit(1)
  const row = await (delegation ? query.where(isEntered(delegation.botId)) : query).executeTakeFirst()
  return row?.id
}

async function findDefaultPlaceId(db: Db, botId: string): Promise<string | undefined> {
  const row = await places(db, botId)
    .clearSelect()
    .select('o.id')
    .orderBy((eb) => eb.case().when('i.org_id', 'is', null).then(1).else(0).end())
    .orderBy('o.created_at')
    .orderBy('o.id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

export function findStandingInGroup(
  db: Db,
  { id: principalId, delegation }: Member,
  groupId: string,
): Soon<{ id: string; name: string; slug: string; permissions: string | null } | undefined> {
  if (!delegation) return andThen(standingInGroup(db, { principalId, groupId }), ([row]) => row)
  const { botId, userId } = delegation
  if (userId === undefined) return andThen(placeInGroup(db, { botId, groupId }), ([row]) => row)
  return andThen(enteredGroup(db, { principalId: userId, botId, groupId }), ([row]) => row)
}

const standingInGroup = remembered((db: Db, { principalId, groupId }: { principalId: string; groupId: string }) =>
  standingsInGroup(db, principalId, groupId),
)

const enteredGroup = remembered((db: Db, { principalId, botId, groupId }: Entered & { groupId: string }) =>
  standingsInGroup(db, principalId, groupId)
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

function standingsInGroup(db: Db, principalId: string, groupId: string) {
  return db
    .selectFrom('groups as g')
    .innerJoin('memberships as m', 'm.group_id', 'g.id')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .select(['g.id', 'g.name', 'g.slug', 'r.permissions'])
    .where('m.principal_id', '=', principalId)
    .where('m.org_id', 'is', null)
    .where('g.id', '=', groupId)
}
