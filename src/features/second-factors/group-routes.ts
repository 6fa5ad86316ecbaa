import { Type } from 'typebox'
import { recordAudit } from '#foundation/audit/record.ts'
import { answerChange } from '#foundation/http/change.ts'
import { callerOf, groupOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { countMembers, findGroupRule, saveGroupRule } from './groups-store.ts'
import { listFactors } from './store.ts'

const hide = true
const params = Type.Object({ group_id: Type.String() })
const body = Type.Object({ second_factor: Type.Enum(['required', 'optional']) }, { additionalProperties: false })

/** `/console/groups/:group_id/sign-in-rules`: how members of a group sign in. `/security` is the address of their page. */
export function groupSecurityRoutes(services: Services): Routes {
  const { db, now } = services
  return (scope) => {
    const reading = { config: { access: { group: ['group.read'] } }, schema: { hide, params } } as const
    scope.get('/groups/:group_id/sign-in-rules', reading, async (request) => {
      const { id } = groupOf(request)
      return { second_factor: await findGroupRule(db, id), ...(await countMembers(db, id)) }
    })

    const changing = { config: { access: { group: ['group.edit'] } }, schema: { hide, params, body } } as const
    scope.put('/groups/:group_id/sign-in-rules', changing, async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        const { id: groupId } = groupOf(request)
        const { kind, id: callerId } = callerOf(request).principal
        const { second_factor } = request.body
        const isAlone =
          second_factor === 'required' && kind === 'user' && (await listFactors(tx, callerId)).length === 0
        if (isAlone) {
          throw new Problem(
            'conflict',
            'Add a second factor to your own account first. Otherwise you would be signed out.',
          )
        }
        const before = await findGroupRule(tx, groupId)
        await saveGroupRule(tx, groupId, { rule: second_factor, at: now() })
        await recordAudit(tx, actor, {
          at: now(),
          action: 'group.update',
          groupId,
          target: { kind: 'group', id: groupId },
          before: { second_factor: before },
          after: { second_factor },
        })
        return { status: 204 }
      }),
    )
  }
}
