import { endSession, listOrgIdsOfBot } from '#features/access-tokens/refresh-store.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { addEvent } from '#foundation/events/add-event.ts'
import type { Services } from '#foundation/services.ts'
import type { GrantRequest } from './grant-request.ts'

/**
 * Revokes a session whose code or refresh token was used twice: one use is illegitimate, and it is unknown which (RFC
 * 6749 §4.1.2, RFC 9700 §4.14.2).
 */
export async function endReusedSession(
  { now }: Pick<Services, 'now'>,
  tx: Db,
  { sessionId, request }: { sessionId: string; request: Pick<GrantRequest, 'requestId' | 'address'> },
): Promise<void> {
  const ended = await endSession(tx, sessionId)
  if (!ended) return
  const { requestId, address } = request
  const actor = {
    kind: 'app',
    id: ended.app_id,
    name: ended.app_name,
    credentialId: sessionId,
    requestId,
    address,
  } as const
  await recordAudit({ tx, actor, at: now() }, ended, {
    action: 'app_session.end_reused',
    before: { app_id: ended.app_id, app_name: ended.app_name, user_id: ended.user_id },
  })
  await announce(tx, ended, now())
}

/** Notifies the organization that owns the app, and those in which it acts. */
async function announce(tx: Db, ended: NonNullable<Awaited<ReturnType<typeof endSession>>>, at: number): Promise<void> {
  const { id, app_id, app_name, app_org_id, bot_id, user_id } = ended
  const data = { app: { id: app_id, name: app_name }, session_id: id, user_id }
  for (const orgId of new Set([app_org_id, ...(await listOrgIdsOfBot(tx, bot_id))])) {
    await addEvent(tx, { orgId, type: 'credential.reused', data, at })
  }
}
