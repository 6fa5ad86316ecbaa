import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'

const ROWS_AT_ONCE = 500

/** Deletes in small transactions, so that other writers wait only briefly. */
async function inParts(deletePart: () => Promise<readonly unknown[]>): Promise<void> {
  while ((await deletePart()).length === ROWS_AT_ONCE);
}

export async function deleteExpiredTokens(db: Db, expiredBefore: number): Promise<void> {
  await inParts(() =>
    db
      .deleteFrom('access_tokens')
      .where('id', 'in', (eb) =>
        eb.selectFrom('access_tokens').select('id').where('expires_at', '<', expiredBefore).limit(ROWS_AT_ONCE),
      )
      .returning('id')
      .execute(),
  )
}

export async function deleteExpiredRecords(db: Db, expiredBefore: number): Promise<void> {
  await inParts(() =>
    db
      .deleteFrom('oauth_records')
      .where(sql<boolean>`(model, id) in (
        select model, id from oauth_records where expires_at < ${expiredBefore} limit ${sql.lit(ROWS_AT_ONCE)})`)
      .returning('id')
      .execute(),
  )
}

/** Deletes unusable sessions: no live token, code or refresh token descends from them. */
export async function deleteEndedSessions(db: Db, { now, begunBefore }: { now: number; begunBefore: number }) {
  await db
    .deleteFrom('app_sessions')
    .where('created_at', '<', begunBefore)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('access_tokens as t')
            .select('t.id')
            .whereRef('t.session_id', '=', 'app_sessions.id')
            .where('t.expires_at', '>=', now),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('oauth_records as r')
            .select('r.id')
            .whereRef('r.session_id', '=', 'app_sessions.id')
            .where('r.consumed_at', 'is', null)
            .where((at) => at.or([at('r.expires_at', 'is', null), at('r.expires_at', '>=', now)])),
        ),
      ),
    )
    .execute()
}
