import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { EffectivePermissions } from '#foundation/access/caller.ts'
import { answerChange } from '#foundation/http/change.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, groupOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { createOrg, removeOrg } from './change-org.ts'
import { getGroupForNewOrg } from './group-for-new-org.ts'
import { getGroup, listAllVisibleOrgs, listOrgsByPageNumber } from './store.ts'
import { toV1CreatedOrg, toV1GroupOrgs, toV1Orgs, V1CreatedOrg, V1GroupOrgs, V1NewOrg, V1Orgs } from './v1-resource.ts'

const MAX_PER_PAGE = 100

export function v1OrganizationRoutes(services: Services): Routes {
  return (scope) => {
    listRoutes(scope, services)
    createRoute(scope, services)
    deleteRoute(scope, services)
  }
}

function listRoutes(scope: Server, { db, baseUrl }: Services): void {
  defineOperation(scope, {
    id: 'listOrgsV1',
    at: 'GET /orgs',
    summary: 'List the organizations that the caller can see',
    tags: ['Organizations'],
    access: 'signed-in',
    response: { 200: V1Orgs },
    handler: async (request) => toV1Orgs(await listAllVisibleOrgs(db, callerOf(request).principal), baseUrl),
  })
  defineOperation(scope, {
    id: 'listOrgsInGroupV1',
    at: 'GET /group/:groupId/orgs',
    summary: 'List the organizations of a group, page by page',
    tags: ['Groups'],
    access: { group: ['group.read'] },
    query: Type.Object({
      perPage: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_PER_PAGE,
          default: MAX_PER_PAGE,
          description: 'Number of items on a page',
        }),
      ),
      page: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 1_000_000,
          default: 1,
          description: 'Number of the page; a page with fewer items is the last',
        }),
      ),
      name: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Only organizations whose name begins with this, case-insensitive',
        }),
      ),
    }),
    response: { 200: V1GroupOrgs },
    handler: async (request) => {
      const { id } = groupOf(request)
      const { perPage = MAX_PER_PAGE, page = 1, name } = request.query
      const input = { groupId: id, nameStart: name, limit: perPage, offset: (page - 1) * perPage }
      return toV1GroupOrgs(await getGroup(db, id), await listOrgsByPageNumber(db, input), baseUrl)
    },
  })
}

function createRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'createOrgV1',
    at: 'POST /org',
    summary: 'Create an organization in a group',
    description:
      'Needs group.org.create in the group. Members of the source organization are copied only with copyMembers.',
    tags: ['Organizations'],
    access: 'signed-in',
    body: V1NewOrg,
    response: { 201: V1CreatedOrg },
    handler: async (request, reply) => {
      const { name, groupId, sourceOrgId, copyMembers = false } = request.body
      const { group, permissions } = await getGroupForNewOrg(
        services,
        callerOf(request).principal,
        groupId?.toLowerCase(),
      )
      const source = await getSource(services, request, { group, id: sourceOrgId?.toLowerCase() })
      const membersOf = copyMembers ? requireReadableMembers(source) : undefined
      return answerChange(services, { request, reply }, async (change) => {
        const org = await createOrg(change, { name, groupId: group.id, membersOf, permissions: permissions })
        return { status: 201, body: toV1CreatedOrg(org, { baseUrl: services.baseUrl, group }) }
      })
    },
  })
}

async function getSource(
  { access }: Services,
  request: FastifyRequest,
  { group, id }: { group: EffectivePermissions['group']; id: string | undefined },
): Promise<EffectivePermissions | undefined> {
  if (id === undefined) return undefined
  const effective = await access.permissionsInOrg(callerOf(request).principal, { id })
  const source = { pointer: '/sourceOrgId' }
  if (!effective?.permissions.has('org.read'))
    throw new Problem(
      'not-found',
      `Org ${id} was not found or you may not have the correct permissions to access it.`,
      { source },
    )
  if (effective.group.id === group.id) return effective
  throw new Problem('unprocessable', 'sourceOrgId names an organization of another group', { source })
}

function requireReadableMembers(source: EffectivePermissions | undefined): string {
  if (!source?.org) {
    throw new Problem('invalid-request', 'copyMembers needs sourceOrgId', { source: { pointer: '/copyMembers' } })
  }
  if (source.permissions.has('org.user.read')) return source.org.id
  throw new Problem('forbidden', 'You need the permission org.user.read in the source organization')
}

function deleteRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'deleteOrgV1',
    at: 'DELETE /org/:orgId',
    summary: 'Delete an organization and everything in it',
    tags: ['Organizations'],
    access: { org: ['org.delete'] },
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, (change) => removeOrg(change, orgOf(request).id)),
  })
}
