import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { byAge, type Keyset, preparedPage } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type SessionRow = Selectable<Tables['app_sessions']>

export const sessionsByAge: Keyset<SessionRow> = byAge('app_sessions')

/** Lists the sessions that the user granted to the app and that are still valid. */
export const listSessions = preparedPage(
  (db: Db, { appId, userId }: { appId: string; userId: string }) =>
    db.selectFrom('app_sessions').selectAll().where('user_id', '=', userId).where('app_id', '=', appId),
  sessionsByAge,
)

export async function hasSession(db: Db, { appId, userId }: { appId: string; userId: string }): Promise<boolean> {
  const row = await db
    .selectFrom('app_sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function listSessionsOfAppAndUser(
  db: Db,
  { appId, userId }: { appId: string; userId: string },
): Promise<SessionRow[]> {
  return db.selectFrom('app_sessions').selectAll().where('user_id', '=', userId).where('app_id', '=', appId).execute()
}

/** Returns false if the session exists already. */
export async function insertSession(tx: Db, session: Insertable<Tables['app_sessions']>): Promise<boolean> {
  const row = await tx
    .insertInto('app_sessions')
    .values(session)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Deletes a session. Its codes, refresh tokens and access tokens are deleted by reference. */
export async function deleteSession(
  tx: Db,
  { id, appId, userId }: { id: string; appId: string; userId: string },
): Promise<SessionRow | undefined> {
  return tx
    .deleteFrom('app_sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteSessions(
  tx: Db,
  { appId, userId }: { appId: string; userId: string },
): Promise<SessionRow[]> {
  return tx
    .deleteFrom('app_sessions')
    .where('user_id', '=', userId)
    .where('app_id', '=', appId)
    .returningAll()
    .execute()
}

/** Deletes the sessions whose only installs are in an organization that is being deleted. */
export async function deleteSessionsOnlyOfOrg(tx: Db, orgId: string): Promise<void> {
  await tx
    .deleteFrom('app_sessions as s')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('app_installs as there')
          .select('there.id')
          .where('there.org_id', '=', orgId)
          .whereRef('there.app_id', '=', 's.app_id')
          .whereRef('there.user_id', '=', 's.user_id'),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('app_installs as elsewhere')
            .select('elsewhere.id')
            .whereRef('elsewhere.app_id', '=', 's.app_id')
            .whereRef('elsewhere.user_id', '=', 's.user_id')
            .where((where) =>
              where.or([where('elsewhere.org_id', 'is', null), where('elsewhere.org_id', '<>', orgId)]),
            ),
        ),
      ),
    )
    .execute()
}
