import { type Static, type TSchema, Type } from 'typebox'
import type { Permission } from '#foundation/access/permissions.ts'
import { answerChange, type GroupChange, toGroupChange } from '#foundation/http/change.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { changeBreakGlass } from './break-glass.ts'
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
      edit: (change: GroupChange, userId: string, input: Static<Body>) => Promise<void>,
    ) => {
      const operationId = path === 'disabled' ? 'updateDisabled' : 'updateBreakGlass'
      const schema = { hide, operationId, params, body } as const
      const options = { config: { access: { group: [needed] } }, schema } as const
      scope.put(`/groups/:group_id/users/:user_id/${path}`, options, async (request, reply) =>
        answerChange(services, { request, reply }, async (change) => {
          const { user_id } = request.params as Static<typeof params>
          await edit(toGroupChange(request, change), user_id.toLowerCase(), request.body as Static<Body>)
        }),
      )
    }

    const disabled = Type.Object({ disabled: Type.Boolean() }, { additionalProperties: false })
    route('disabled', 'group.user.edit', disabled, (change, userId, input) =>
      input.disabled ? disableUser(change, userId) : enableUser(change, userId),
    )

    const breakGlass = Type.Object({ break_glass: Type.Boolean() }, { additionalProperties: false })
    route('break-glass', 'group.edit', breakGlass, (change, userId, input) =>
      changeBreakGlass(change, userId, { isAllowed: input.break_glass }),
    )
  }
}
