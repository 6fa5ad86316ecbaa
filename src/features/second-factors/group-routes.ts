import { Type } from 'typebox'
import { recordAudit } from '#foundation/audit/record.ts'
import { answerChange } from '#foundation/http/change.ts'
import { callerOf, groupOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { countMembers, findGroupRules, saveGroupRules } from './groups-store.ts'
import { listFactors } from './store.ts'

const hide = true
const params = Type.Object({ group_id: Type.String() })
const orNull = (limit: { minimum: number; maximum: number }) =>
  Type.Optional(Type.Union([Type.Integer(limit), Type.Null()]))
// The minimums are those of the server's settings.
const body = Type.Object(
  {
    second_factor: Type.Optional(Type.Enum(['required', 'optional'])),
    session_hours: orNull({ minimum: 1, maximum: 10_000 }),
    session_idle_minutes: orNull({ minimum: 5, maximum: 100_000 }),
  },
  { additionalProperties: false, minProperties: 1 },
)

const OrNull = Type.Union([Type.Integer(), Type.Null()], { description: 'Null for the limit of the server' })
const Rules = Type.Object({
  second_factor: Type.Enum(['required', 'optional']),
  session_hours: OrNull,
  session_idle_minutes: OrNull,
  members: Type.Integer(),
  with_factor: Type.Integer(),
  server: Type.Object({ session_hours: Type.Integer(), session_idle_minutes: Type.Integer() }),
})

/** `/console/groups/:group_id/sign-in-rules`: how members of a group sign in. `/security` is the address of their page. */
export function groupSecurityRoutes(services: Services): Routes {
  const { db, config } = services
  return (scope) => {
    const reading = {
      config: { access: { group: ['group.read'] } },
      schema: { hide, operationId: 'getSignInRules', params, response: { 200: Rules } },
    } as const
    scope.get('/groups/:group_id/sign-in-rules', reading, async (request) => {
      const { id } = groupOf(request)
      return {
        ...(await findGroupRules(db, id)),
        ...(await countMembers(db, id)),
        server: { session_hours: config.sessionHours, session_idle_minutes: config.sessionIdleMinutes },
      }
    })

    const changing = {
      config: { access: { group: ['group.edit'] } },
      schema: { hide, operationId: 'updateSignInRules', params, body },
    } as const
    scope.put('/groups/:group_id/sign-in-rules', changing, async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const { id: groupId } = groupOf(request)
        const { kind, id: callerId } = callerOf(request).principal
        const isAlone =
          request.body.second_factor === 'required' &&
          kind === 'user' &&
          (await listFactors(change.tx, callerId)).length === 0
        if (isAlone) {
          throw new Problem(
            'conflict',
            'Add a second factor to your own account first. Otherwise you would be signed out.',
          )
        }
        const before = await findGroupRules(change.tx, groupId)
        await saveGroupRules(change.tx, groupId, { rules: { ...before, ...request.body }, at: change.at })
        await recordAudit(
          change,
          { id: groupId, group_id: groupId },
          {
            action: 'group.update',
            before: Object.fromEntries(Object.entries(before).filter(([name]) => name in request.body)),
            after: request.body,
          },
        )
      }),
    )
  }
}
