import { type Static, type TSchema, Type } from 'typebox'
import type { Permission } from '#foundation/access/permissions.ts'
import { answerChange } from '#foundation/http/change.ts'
import { callerOf, groupOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { changeBreakGlass } from './break-glass.ts'
import type { Change } from './change-user.ts'
import { disableUser, enableUser } from './disable-user.ts'

const params = Type.Object({ group_id: Type.String(), user_id: Type.String() })
const hide = true

/** `/console`: disabling users of a group, and choosing who may sign in without its identity provider. */
export function accountRoutes(services: Services): Routes {
  return (scope) => {
    const route = <Body extends TSchema>(
      path: 'disabled' | 'break-glass',
      needed: Permission,
      body: Body,
      change: (context: Change, userId: string, wanted: Static<Body>) => Promise<void>,
    ) => {
      const operationId = path === 'disabled' ? 'updateDisabled' : 'updateBreakGlass'
      const schema = { hide, operationId, params, body } as const
      const options = { config: { access: { group: [needed] } }, schema } as const
      scope.put(`/groups/:group_id/users/:user_id/${path}`, options, async (request, reply) =>
        answerChange(services, { request, reply }, async (tx, actor) => {
          const held = callerOf(request).permissions
          const context = { tx, actor, held, groupId: groupOf(request).id, at: services.now() }
          const { user_id } = request.params as Static<typeof params>
          await change(context, user_id.toLowerCase(), request.body as Static<Body>)
          return { status: 204 }
        }),
      )
    }

    const disabled = Type.Object({ disabled: Type.Boolean() }, { additionalProperties: false })
    route('disabled', 'group.user.edit', disabled, (context, userId, wanted) =>
      wanted.disabled ? disableUser(context, userId) : enableUser(context, userId),
    )

    const breakGlass = Type.Object({ break_glass: Type.Boolean() }, { additionalProperties: false })
    route('break-glass', 'group.edit', breakGlass, (context, userId, wanted) =>
      changeBreakGlass(context, userId, { isAllowed: wanted.break_glass }),
    )
  }
}
