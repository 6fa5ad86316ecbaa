import { answerChange } from '#foundation/http/change.ts'
import { Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { Routes } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { addFirstAdmin, createGroup, requireGroupCreation } from './create-group.ts'
import { Group, NewGroup, toGroup } from './resource.ts'

export function groupCreationRoutes(services: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'createGroup',
      at: 'POST /groups',
      summary: 'Create a group; the caller becomes its Group Admin',
      description:
        'An extension. Needs group.create in the server’s first group. Only users can create groups, because a group needs a user as its administrator.',
      tags: ['Groups'],
      access: 'in-person',
      releases: ['2024-10-15'],
      body: NewGroup,
      response: { 201: Single(Group) },
      handler: async (request, reply) => {
        const { principal } = callerOf(request)
        await requireGroupCreation(services, principal)
        return answerChange(services, { request, reply }, async (change) => {
          const group = await createGroup(change, request.body.data.attributes.name)
          await addFirstAdmin(change, group.id, principal.id)
          const body = single(request, toGroup(group), `/groups/${group.id}`)
          return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
        })
      },
    })
  }
}
