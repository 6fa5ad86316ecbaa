import type { Insertable } from 'kysely'
import { countRows } from '#foundation/db/count-rows.ts'
import { type Db, isReferenceViolation, isUniqueViolation } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, preparedPage, type Window } from '#foundation/db/keyset.ts'
import { lockOrg } from '#foundation/db/lock-org.ts'
import { rememberedRow } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import type { MaybePromise } from '#foundation/maybe-promise.ts'
import { notFound, Problem } from '#foundation/problem.ts'

/** An install with the displayed attributes of its app. */
export type InstallRow = Awaited<ReturnType<typeof getInstall>>

export const installsByAge: Keyset<InstallRow> = byAge('i')

function installs(db: Db) {
  return installsAlsoOfEnded(db).where('a.ended_at', 'is', null)
}

/** Includes installs of deleted apps whose rows are not removed yet. */
function installsAlsoOfEnded(db: Db) {
  return db
    .selectFrom('app_installs as i')
    .innerJoin('apps as a', 'a.id', 'i.app_id')
    .selectAll('i')
    .select(['a.name as app_name', 'a.context', 'a.scopes', 'a.client_id as app_client_id'])
}

/** Installs in exactly this place: a group's list does not contain those of its organizations, nor the reverse. */
function installsIn(db: Db, place: OrgOrGroup) {
  if (place.orgId !== null) return installs(db).where('i.org_id', '=', place.orgId)
  return installs(db).where('i.group_id', '=', place.groupId).where('i.org_id', 'is', null)
}

const pageOfOrg = preparedPage(
  (db: Db, place: { groupId: string; orgId: string }) => installsIn(db, place),
  installsByAge,
)

const pageOfGroup = preparedPage(
  (db: Db, { groupId }: { groupId: string }) => installsIn(db, { groupId, orgId: null }),
  installsByAge,
)

export function listInstalls(db: Db, { groupId, orgId }: OrgOrGroup, window: Window): MaybePromise<Page<InstallRow>> {
  return orgId === null ? pageOfGroup(db, { groupId }, window) : pageOfOrg(db, { groupId, orgId }, window)
}

/** Lists a user's authorized installs in all places. */
export const listInstallsOfUser = preparedPage(
  (db: Db, { userId }: { userId: string }) => installs(db).where('i.user_id', '=', userId),
  installsByAge,
)

const installOfOrg = rememberedRow((db: Db, { id, ...place }: { groupId: string; orgId: string; id: string }) =>
  installsIn(db, place).where('i.id', '=', id),
)

const installOfGroup = rememberedRow((db: Db, { id, groupId }: { groupId: string; id: string }) =>
  installsIn(db, { groupId, orgId: null }).where('i.id', '=', id),
)

export async function getInstall(db: Db, { groupId, orgId }: OrgOrGroup, id: string) {
  const row = await (orgId === null ? installOfGroup(db, { groupId, id }) : installOfOrg(db, { groupId, orgId, id }))
  if (!row) throw notFound(`Install ${id}`)
  return row
}

const installOfUser = rememberedRow((db: Db, { userId, id }: { userId: string; id: string }) =>
  installs(db).where('i.user_id', '=', userId).where('i.id', '=', id),
)

export async function getInstallOfUser(db: Db, userId: string, id: string): Promise<InstallRow> {
  const row = await installOfUser(db, { userId, id })
  if (!row) throw notFound(`Install ${id}`)
  return row
}

export async function getInstallOfBot(db: Db, orgId: string, botId: string): Promise<InstallRow> {
  const row = await installs(db).where('i.org_id', '=', orgId).where('i.bot_id', '=', botId).executeTakeFirst()
  if (!row) throw notFound(`App bot ${botId}`)
  return row
}

/** Lists a user's installs of one app, which may be a deleted one. */
export async function listInstallsOfAppAndUser(db: Db, appId: string, userId: string): Promise<InstallRow[]> {
  return installsAlsoOfEnded(db)
    .where('i.user_id', '=', userId)
    .where('i.app_id', '=', appId)
    .orderBy('i.created_at')
    .orderBy('i.id')
    .execute()
}

/** Locks the organization in which an app is about to be installed. Call it before locking the app. */
export async function requireOrg(tx: Db, id: string): Promise<void> {
  // The organization existed when the request began.
  if (!(await lockOrg(tx, id))) throw new Problem('conflict', 'The organization has just been deleted')
}

/**
 * `bot_id` is the install's own id for an unattended app; otherwise it is shared by all installs of the app for the
 * user. Only unattended installs have a client id, and only others a user.
 */
export async function insertInstall(tx: Db, install: Insertable<Tables['app_installs']>): Promise<void> {
  try {
    await tx.insertInto('app_installs').values(install).execute()
  } catch (error) {
    if (isUniqueViolation(error)) throw new Problem('conflict', 'The app is already installed here')
    if (isReferenceViolation(error))
      throw new Problem('conflict', 'The app, organization or group has just been deleted')
    throw error
  }
}

/**
 * Deletes an install. Tokens obtained with its secrets are deleted by reference, the secrets are not. The app must be
 * locked.
 */
export async function deleteInstall(tx: Db, id: string): Promise<boolean> {
  const gone = await tx.deleteFrom('app_installs').where('id', '=', id).returning('id').executeTakeFirst()
  return gone !== undefined
}

export async function countInstallsOfAppAndUser(tx: Db, appId: string, userId: string): Promise<number> {
  return countRows(tx.selectFrom('app_installs').where('app_id', '=', appId).where('user_id', '=', userId))
}
