import { endSession, listOrgIdsOfBot } from '#features/access-tokens/refresh-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { addEvent } from '#foundation/events/add-event.ts'
import type { Services } from '#foundation/services.ts'
import { currentWork } from './provider-call.ts'

/**
 * Ends a session of which a code or refresh token was used a second time: one of the two users is not who it should be,
 * and nobody can tell which (RFC 6749 §4.1.2, RFC 9700 §4.14.2).
 */
export async function endReusedSession({ db, now }: Pick<Services, 'db' | 'now'>, sessionId: string): Promise<void> {
  const work = currentWork()
  const tx = work?.tx ?? db
  const ended = await endSession(tx, sessionId)
  if (!ended) return
  await recordAudit(
    tx,
    {
      kind: 'app',
      id: ended.app_id,
      name: ended.app_name,
      credentialId: sessionId,
      ...(work && { requestId: work.requestId, address: work.address }),
    },
    {
      at: now(),
      action: 'app_session.end_reused',
      groupId: ended.group_id,
      target: { kind: 'app_session', id: sessionId },
      before: { app_id: ended.app_id, app_name: ended.app_name, user_id: ended.user_id },
    },
  )
  await announce(tx, ended, now())
}

/** To the organisation whose app it is, and to those that it acts in. */
async function announce(tx: Db, ended: NonNullable<Awaited<ReturnType<typeof endSession>>>, at: number): Promise<void> {
  const { id, app_id, app_name, app_org_id, bot_id, user_id } = ended
  const data = { app: { id: app_id, name: app_name }, session_id: id, user_id }
  for (const orgId of new Set([app_org_id, ...(await listOrgIdsOfBot(tx, bot_id))])) {
    await addEvent(tx, { orgId, type: 'credential.reused', data, at })
  }
}
