import { Type } from 'typebox'
import { recordAudit } from '#foundation/audit/record.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Timestamp } from '#foundation/http/documents.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { notFound } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { expiryOf } from './browser-session.ts'
import { deleteSession, deleteSessions, findSessionPolicy, listSessions } from './store.ts'
import { findGroupOfUser } from './users-store.ts'

const config = { access: 'in-person' } as const
const hide = true
const Sessions = Type.Array(
  Type.Object({
    id: Type.String(),
    address: Type.String(),
    user_agent: Type.String(),
    signed_in_at: Timestamp,
    last_used_at: Timestamp,
    is_current: Type.Boolean(),
  }),
)

/** `/console`: the browsers in which the calling user is signed in. */
export function userSessionRoutes(services: Services): Routes {
  const { db } = services
  return (scope) => {
    scope.get(
      '/sessions',
      { config, schema: { hide, operationId: 'listUserSessions', response: { 200: Sessions } } },
      async (request) => {
        const { id, credentialId } = callerOf(request).principal
        const sessions = await listSessions(db, id, expiryOf(services, await findSessionPolicy(db, id)))
        return sessions.map(({ signed_in_at, last_used_at, ...session }) => ({
          ...session,
          signed_in_at: toTimestamp(signed_in_at),
          last_used_at: toTimestamp(last_used_at),
          is_current: session.id === credentialId,
        }))
      },
    )

    scope.delete('/sessions', { config, schema: { hide, operationId: 'deleteUserSessions' } }, async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const { id } = callerOf(request).principal
        const ended = await deleteSessions(change.tx, id)
        await recordAudit(
          change,
          { id, group_id: await findGroupOfUser(change.tx, id) },
          { action: 'user.sign_out_everywhere', after: { ended } },
        )
      }),
    )

    const params = Type.Object({ id: Type.String() })
    const removal = { hide, operationId: 'deleteUserSession', params } as const
    scope.delete('/sessions/:id', { config, schema: removal }, async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const { id: userId } = callerOf(request).principal
        const { id } = request.params
        if (!(await deleteSession(change.tx, { id, userId }))) throw notFound(`Session ${id}`)
        const group_id = await findGroupOfUser(change.tx, userId)
        await recordAudit(change, { id, group_id }, { action: 'user_session.delete' })
      }),
    )
  }
}
