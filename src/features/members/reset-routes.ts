import { Type } from 'typebox'
import { answerChange, toGroupChange } from '#foundation/http/change.ts'
import { Timestamp } from '#foundation/http/documents.ts'
import type { Routes } from '#foundation/http/server.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { Services } from '#foundation/services.ts'
import { resetFactorsOf, resetPassword } from './change-user.ts'

const params = Type.Object({ group_id: Type.String(), user_id: Type.String() })

/** `/console`: one-time links with which users set a new password, and the reset of lost second factors. */
export function userResetRoutes(services: Services): Routes {
  return (scope) => {
    const config = { access: { group: ['group.user.edit'] } } as const
    const reset = {
      hide: true,
      operationId: 'createPasswordReset',
      params,
      response: { 201: Type.Object({ url: Type.String(), expires_at: Timestamp }) },
    } as const
    scope.post('/groups/:group_id/users/:user_id/password-reset', { config, schema: reset }, async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const { url, expiresAt } = await resetPassword(
          services,
          toGroupChange(request, change),
          request.params.user_id.toLowerCase(),
        )
        return { status: 201, body: { url, expires_at: toTimestamp(expiresAt) } }
      }),
    )

    const removal = { hide: true, operationId: 'deleteFactorsOfUser', params } as const
    scope.delete('/groups/:group_id/users/:user_id/factors', { config, schema: removal }, async (request, reply) =>
      answerChange(services, { request, reply }, (change) =>
        resetFactorsOf(toGroupChange(request, change), request.params.user_id.toLowerCase()),
      ),
    )
  }
}
