import { Type } from 'typebox'
import { answerChange, toGroupChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { groupOf, pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId, toStoredName } from '#foundation/http/text.ts'
import type { Services } from '#foundation/services.ts'
import { createRole, editRole, removeRole } from './change-role.ts'
import { ChangedRole, NewRole, Role, toResource, toV1Role, V1Roles } from './resource.ts'
import { getRole, listAllRoles, listRoles, rolesByAge } from './store.ts'

const common = { tags: ['Roles'], releases: ['2024-10-15'] }
const extension = 'An extension.'

export function roleRoutes(services: Services): Routes {
  return (scope) => {
    readRoutes(scope, services)
    changeRoutes(scope, services)
  }
}

function readRoutes(scope: Server, { db, keyring }: Services): void {
  defineOperation(scope, {
    id: 'listRoles',
    at: 'GET /groups/:group_id/roles',
    summary: 'List the built-in roles and the custom roles of a group',
    description: extension,
    ...common,
    access: { group: ['group.role.read'] },
    query: listQuery(),
    response: { 200: Collection(Role) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      return list.document(await listRoles(db, groupOf(request).id, list.window), rolesByAge, toResource)
    },
  })
  defineOperation(scope, {
    id: 'getRole',
    at: 'GET /groups/:group_id/roles/:role_id',
    summary: 'Read a role',
    description: extension,
    ...common,
    access: { group: ['group.role.read'] },
    response: { 200: Single(Role) },
    handler: async (request) =>
      single(request, toResource(await getRole(db, groupOf(request).id, pathId(request, 'role_id')))),
  })
}

function changeRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'createRole',
    at: 'POST /groups/:group_id/roles',
    summary: 'Create a custom role',
    description: `${extension} The caller must hold every permission of the role.`,
    ...common,
    access: { group: ['group.role.create'] },
    body: NewRole,
    response: { 201: Single(Role) },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const { name, description = '', permissions } = request.body.data.attributes
        const role = await createRole(toGroupChange(request, change), {
          name: toStoredName(name),
          description,
          permissions,
        })
        const body = single(request, toResource(role), `/groups/${groupOf(request).id}/roles/${role.id}`)
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      }),
  })
  defineOperation(scope, {
    id: 'updateRole',
    at: 'PATCH /groups/:group_id/roles/:role_id',
    summary: 'Change a custom role; its members get the new permissions immediately',
    description: `${extension} The caller must hold every permission that is added.`,
    ...common,
    access: { group: ['group.role.edit'] },
    body: ChangedRole,
    response: { 200: Single(Role) },
    handler: async (request, reply) => {
      const { id, attributes } = request.body.data
      requirePathId(id, pathId(request, 'role_id'))
      return answerChange(services, { request, reply }, async (change) => {
        const { name } = attributes
        const changes = { ...attributes, ...(name !== undefined && { name: toStoredName(name) }) }
        const role = await editRole(toGroupChange(request, change), pathId(request, 'role_id'), changes)
        return { status: 200, body: single(request, toResource(role)) }
      })
    },
  })
  defineOperation(scope, {
    id: 'deleteRole',
    at: 'DELETE /groups/:group_id/roles/:role_id',
    summary: 'Delete a custom role that no membership has',
    description: extension,
    ...common,
    access: { group: ['group.role.delete'] },
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, (change) =>
        removeRole(toGroupChange(request, change), pathId(request, 'role_id')),
      ),
  })
}

/** `GET /v1/group/{groupId}/roles`: the source of the `role_id` in other operations. */
export function v1RoleRoutes({ db }: Services): Routes {
  return (scope) => {
    defineOperation(scope, {
      id: 'listGroupRolesV1',
      at: 'GET /group/:groupId/roles',
      summary: 'List the roles of a group',
      tags: common.tags,
      access: { group: ['group.role.read'] },
      response: { 200: V1Roles },
      handler: async (request) => (await listAllRoles(db, groupOf(request).id)).map(toV1Role),
    })
  }
}
