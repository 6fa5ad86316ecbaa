import { Type } from 'typebox'
import { answerChange, toGroupChange } from '#foundation/http/change.ts'
import type { Routes } from '#foundation/http/server.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { Services } from '#foundation/services.ts'
import { resetFactorsOf, resetPassword } from './change-user.ts'

const params = Type.Object({ group_id: Type.String(), user_id: Type.String() })

/** `/console`: one-time links with which users set a new password, and the reset of lost second factors. */
export function userResetRoutes(services: Services): Routes {
  return (scope) => {
    const options = { config: { access: { group: ['group.user.edit'] } }, schema: { hide: true, params } } as const
    scope.post('/groups/:group_id/users/:user_id/password-reset', options, async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const { url, expiresAt } = await resetPassword(
          services,
          toGroupChange(request, change),
          request.params.user_id.toLowerCase(),
        )
        return { status: 201, body: { url, expires_at: toTimestamp(expiresAt) } }
      }),
    )

    scope.delete('/groups/:group_id/users/:user_id/factors', options, async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        await resetFactorsOf(toGroupChange(request, change), request.params.user_id.toLowerCase())
        return { status: 204 }
      }),
    )
  }
}
