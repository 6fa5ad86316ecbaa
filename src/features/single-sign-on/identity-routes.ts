import { Type } from 'typebox'
import { requireMayEndAccess } from '#features/members/access-of-others.ts'
import { getUser } from '#features/members/users-store.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, resource, Timestamp } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, groupOf } from '#foundation/http/request-context.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import type { Routes } from '#foundation/http/server.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { Services } from '#foundation/services.ts'
import { disconnectIdentity } from './disconnect-identity.ts'
import { type ConnectedIdentity, identitiesByAge, listIdentities } from './identities-store.ts'

const Identity = resource(
  'identity',
  Type.Object({
    provider: Type.String({ description: 'The name of the identity provider' }),
    subject: Type.String({ description: 'The provider’s id of the user' }),
    created_at: Timestamp,
    last_sign_in_at: Timestamp,
  }),
)

nameSchemas({ Identity })

const common = { tags: ['Users'], releases: ['2024-10-15'] }

/** `/rest/groups/:group_id/users/:user_id/identities`: the connections of a user to identity providers of the group. */
export function identityRoutes(services: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'listUserIdentities',
      at: 'GET /groups/:group_id/users/:user_id/identities',
      summary: 'List the identities with which a user of the group signs in by single sign-on',
      description: 'An extension.',
      ...common,
      access: { group: ['group.user.read'] },
      query: listQuery(),
      response: { 200: Collection(Identity) },
      handler: async (request) => {
        const list = listOf(request, services.keyring)
        const user = await getUser(services.db, groupOf(request).id, request.params.user_id.toLowerCase())
        const page = await listIdentities(services.db, user.id, list.window)
        return list.document(page, identitiesByAge, toResource)
      },
    })
    defineOperation(scope, {
      id: 'deleteUserIdentity',
      at: 'DELETE /groups/:group_id/users/:user_id/identities/:identity_id',
      summary: 'Disconnect a user from an identity provider; the sessions that began there end',
      description:
        'An extension. The account and its roles stay. The next sign-in with the provider connects the account with the same verified address. The caller must hold every permission that the user holds in the group.',
      ...common,
      access: { group: ['group.user.edit'] },
      response: { 204: Type.Null() },
      handler: async (request, reply) =>
        answerChange(services, { request, reply }, async (change) => {
          const { id: groupId } = groupOf(request)
          const { user_id, identity_id } = request.params
          const user = await getUser(change.tx, groupId, user_id.toLowerCase())
          await requireMayEndAccess(
            change.tx,
            { id: change.actor.id, groupId, permissions: callerOf(request).permissions },
            user.id,
          )
          await disconnectIdentity(change, user, identity_id.toLowerCase())
        }),
    })
  }
}

function toResource({ id, provider, subject, created_at, last_sign_in_at }: ConnectedIdentity) {
  return {
    id,
    type: 'identity' as const,
    attributes: {
      provider,
      subject,
      created_at: toTimestamp(created_at),
      last_sign_in_at: toTimestamp(last_sign_in_at),
    },
  }
}
