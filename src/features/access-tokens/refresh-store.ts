import type { Db } from '#foundation/db/database.ts'
import { remembered } from '#foundation/db/prepared.ts'

/** The model under which the authorization server keeps refresh tokens. */
const MODEL = 'RefreshToken'

/** A refresh token with the session that it descends from; used ones too, while they are kept. */
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

/** A session that was ended here, with what the audit log says of it. */
export async function endSession(tx: Db, id: string) {
  const about = await tx
    .selectFrom('app_sessions as s')
    .innerJoin('apps as p', 'p.id', 's.app_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .select(['s.id', 's.app_id', 's.user_id', 's.bot_id', 'p.name as app_name', 'p.org_id as app_org_id', 'u.group_id'])
    .where('s.id', '=', id)
    .executeTakeFirst()
  // With it go, by reference, its codes, its refresh tokens and its access tokens.
  const ended = await tx.deleteFrom('app_sessions').where('id', '=', id).returning('id').executeTakeFirst()
  return ended && about
}

/** Organizations that a user let the app into which acts as this bot. */
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
