import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '#foundation/db/count-rows.ts'
import { type Db, isReferenceViolation, isUniqueViolation } from '#foundation/db/database.ts'
import { byAge, type Keyset, preparedPage } from '#foundation/db/keyset.ts'
import { rememberedRow } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import { commandLineClientId } from '#foundation/product.ts'

export type AppRow = Selectable<Tables['apps']>

export type InstallOfApp = Pick<
  Selectable<Tables['app_installs']>,
  'id' | 'app_id' | 'group_id' | 'org_id' | 'user_id' | 'client_id'
>

export const appsByAge: Keyset<AppRow> = byAge('apps')

/** Omits deleted apps whose rows are not removed yet. */
function livingApps(db: Db) {
  return db.selectFrom('apps').selectAll().where('ended_at', 'is', null)
}

/** Lists the apps of an organization, without the command line's own app, which the server registers (features/setup). */
export const listApps = preparedPage(
  (db: Db, { orgId }: { orgId: string }) =>
    livingApps(db)
      .where('org_id', '=', orgId)
      .where((eb) => eb.or([eb('client_id', 'is', null), eb('client_id', '!=', commandLineClientId)])),
  appsByAge,
)

/** Lists the apps that a user authorized in some place. */
export const listAppsOfUser = preparedPage(
  (db: Db, { userId }: { userId: string }) =>
    livingApps(db).where('id', 'in', (eb) =>
      eb.selectFrom('app_installs').select('app_id').where('user_id', '=', userId),
    ),
  appsByAge,
)

const appById = rememberedRow((db: Db, { id }: { id: string }) => livingApps(db).where('id', '=', id))

export async function findApp(db: Db, id: string): Promise<AppRow | undefined> {
  return appById(db, { id })
}

const appByClientId = rememberedRow((db: Db, { clientId }: { clientId: string }) =>
  livingApps(db).where('client_id', '=', clientId),
)

/** Finds an app by its client id. Unattended apps have none: each of their installs has one. */
export async function findAppByClientId(db: Db, clientId: string): Promise<AppRow | undefined> {
  return appByClientId(db, { clientId })
}

export async function getApp(db: Db, orgId: string, id: string): Promise<AppRow> {
  return ownedBy(orgId, await findApp(db, id), id)
}

export async function getAppByClientId(db: Db, orgId: string, clientId: string): Promise<AppRow> {
  return ownedBy(orgId, await findAppByClientId(db, clientId), clientId)
}

function ownedBy(orgId: string, app: AppRow | undefined, id: string): AppRow {
  if (app?.org_id !== orgId) throw notFound(`App ${id}`)
  return app
}

/**
 * Locks an app that is about to change, or whose installs are, until the transaction ends. This row serializes all
 * changes of its installs. Lock the organization of an install before the app, and several apps in the order of their
 * ids. The lock is an update, which both engines support.
 */
export async function lockApp(tx: Db, id: string): Promise<AppRow | undefined> {
  return lockedApp(tx, id).where('ended_at', 'is', null).executeTakeFirst()
}

function lockedApp(tx: Db, id: string) {
  return tx
    .updateTable('apps')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .returningAll()
}

/** Lists the apps that the organization owns or that are installed in it, in the order in which they must be locked. */
export async function listAppIdsAround(db: Db, orgId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('apps')
    .select('id')
    .where('org_id', '=', orgId)
    .union(db.selectFrom('app_installs').select('app_id as id').where('org_id', '=', orgId))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Lists the apps that a user authorized, including those with only sessions left, in the order in which they must be
 * locked.
 */
export async function listAppIdsOfUser(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('app_installs')
    .select('app_id as id')
    .where('user_id', '=', userId)
    .union(db.selectFrom('app_sessions').select('app_id as id').where('user_id', '=', userId))
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

export async function insertApp(tx: Db, app: Insertable<Tables['apps']>): Promise<AppRow> {
  try {
    return await tx.insertInto('apps').values(app).returningAll().executeTakeFirstOrThrow()
  } catch (error) {
    // Only an operator chooses ids.
    if (isUniqueViolation(error))
      throw new Problem(
        'conflict',
        'An app with this id or client id already exists. Choose other ids, or leave them out.',
      )
    // The organization existed when the request began.
    if (isReferenceViolation(error)) throw new Problem('conflict', 'The organization has just been deleted')
    throw error
  }
}

export async function updateApp(tx: Db, id: string, changes: Updateable<Tables['apps']>): Promise<AppRow> {
  return tx.updateTable('apps').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Lists some installs of the app, unordered: sorting all of them would take most of the time. */
export async function listSomeInstalls(tx: Db, appId: string, most: number): Promise<InstallOfApp[]> {
  return tx
    .selectFrom('app_installs')
    .select(['id', 'app_id', 'group_id', 'org_id', 'user_id', 'client_id'])
    .where('app_id', '=', appId)
    .limit(most)
    .execute()
}

/**
 * Deletes an app. Its installs, sessions and tokens are deleted by reference; its secrets and those of its installs are
 * not.
 */
export async function deleteApp(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('apps').where('id', '=', id).execute()
}

export async function countInstalls(tx: Db, appId: string): Promise<number> {
  return countRows(tx.selectFrom('app_installs').where('app_id', '=', appId))
}

/** Disables an app and hides it. Its client id can be reused now, its id after the deletion. */
export async function markEnded(tx: Db, id: string, at: number): Promise<void> {
  await tx.updateTable('apps').set({ ended_at: at, client_id: null }).where('id', '=', id).execute()
}

/** Locks a deleted app whose rows are not removed yet. */
export async function lockEndedApp(tx: Db, id: string): Promise<AppRow | undefined> {
  return lockedApp(tx, id).where('ended_at', 'is not', null).executeTakeFirst()
}

export async function deleteInstallsOf(tx: Db, ids: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('app_installs')
    .where('id', 'in', [...ids])
    .execute()
}

/** Deletes some sessions and returns their number. Their codes and tokens are deleted by reference. */
export async function deleteSomeSessions(tx: Db, appId: string, most: number): Promise<number> {
  const gone = await tx
    .deleteFrom('app_sessions')
    .where('id', 'in', (eb) => eb.selectFrom('app_sessions').select('id').where('app_id', '=', appId).limit(most))
    .returning('id')
    .execute()
  return gone.length
}

export function scopesOf({ scopes }: Pick<AppRow, 'scopes'>): string[] {
  return JSON.parse(scopes) as string[]
}

export function redirectUrisOf({ redirect_uris }: Pick<AppRow, 'redirect_uris'>): string[] {
  return JSON.parse(redirect_uris) as string[]
}
