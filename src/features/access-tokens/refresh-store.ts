import type { Db } from '#foundation/db/database.ts'
import { remembered } from '#foundation/db/prepared.ts'

/** The model under which the authorization server keeps refresh tokens. */
const MODEL = 'RefreshToken'

/** A refresh token with its session. Used tokens are included while they are kept. */
export type RefreshTokenRow = NonNullable<Awaited<ReturnType<typeof findRefreshToken>>>

export async function findRefreshToken(db: Db, digest: string) {
  return (await refreshTokenOf(db, { digest }))[0]
}

const refreshTokenOf = remembered((db: Db, { digest }: { digest: string }) =>
  db
    .selectFrom('oauth_records as r')
    .innerJoin('app_sessions as s', 's.id', 'r.session_id')
    .innerJoin('apps as p', 'p.id', 's.app_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select([
      'r.expires_at',
      'r.consumed_at',
      's.id as session_id',
      's.bot_id',
      's.user_id',
      's.scopes',
      'p.client_id',
      'p.context',
      'p.group_id',
      'p.org_id',
    ])
    .where('p.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null)
    .where('r.model', '=', MODEL)
    .where('r.id', '=', digest),
)

/** Deletes a session and returns it with the facts for the audit log; undefined if it was deleted before. */
export async function endSession(tx: Db, id: string) {
  const about = await tx
    .selectFrom('app_sessions as s')
    .innerJoin('apps as p', 'p.id', 's.app_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.app_id', 's.user_id', 's.bot_id', 'p.name as app_name', 'p.org_id as app_org_id', 'u.group_id'])
    .where('s.id', '=', id)
    .executeTakeFirst()
  // Its codes, refresh tokens and access tokens are deleted by reference.
  const ended = await tx.deleteFrom('app_sessions').where('id', '=', id).returning('id').executeTakeFirst()
  return ended && about
}

/** Lists the organizations in which the app with this bot is installed. */
export async function listOrgIdsOfBot(db: Db, botId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('app_installs')
    .select('org_id')
    .where('bot_id', '=', botId)
    .where('org_id', 'is not', null)
    .orderBy('org_id')
    .execute()
  return rows.flatMap(({ org_id }) => org_id ?? [])
}
