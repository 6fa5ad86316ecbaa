import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Standing } from '#foundation/access/caller.ts'
import { answerChange } from '#foundation/http/change.ts'
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
  scope.get(
    '/orgs',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'listOrgsV1',
        summary: 'List the organisations that the caller can see',
        tags: ['Organisations'],
        response: { 200: V1Orgs },
      },
    },
    async (request) => toV1Orgs(await listAllVisibleOrgs(db, callerOf(request).principal), baseUrl),
  )
  scope.get(
    '/group/:groupId/orgs',
    {
      config: { access: { group: ['group.read'] } },
      schema: {
        operationId: 'listOrgsInGroupV1',
        summary: 'List the organisations of a group, page by page',
        tags: ['Groups'],
        params: Type.Object({ groupId: Type.String() }),
        querystring: Type.Object({
          perPage: Type.Optional(
            Type.Integer({ minimum: 1, maximum: MAX_PER_PAGE, default: MAX_PER_PAGE, description: 'Items on a page' }),
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
            Type.String({ maxLength: 100, description: 'Only organisations whose name begins so, in any case' }),
          ),
        }),
        response: { 200: V1GroupOrgs },
      },
    },
    async (request) => {
      const { id } = groupOf(request)
      const { perPage = MAX_PER_PAGE, page = 1, name } = request.query
      const wanted = { groupId: id, nameStart: name, limit: perPage, offset: (page - 1) * perPage }
      return toV1GroupOrgs(await getGroup(db, id), await listOrgsByPageNumber(db, wanted), baseUrl)
    },
  )
}

function createRoute(scope: Server, services: Services): void {
  scope.post(
    '/org',
    {
      config: { access: 'signed-in' },
      schema: {
        operationId: 'createOrgV1',
        summary: 'Create an organisation in a group',
        description:
          'Needs group.org.create in the group. The source organisation’s members are not copied unless asked for.',
        tags: ['Organisations'],
        body: V1NewOrg,
        response: { 201: V1CreatedOrg },
      },
    },
    async (request, reply) => {
      const { name, groupId, sourceOrgId, copyMembers = false } = request.body
      const { group, permissions } = await getGroupForNewOrg(
        services,
        callerOf(request).principal,
        groupId?.toLowerCase(),
      )
      const source = await getSource(services, request, { group, id: sourceOrgId?.toLowerCase() })
      const membersOf = copyMembers ? requireReadableMembers(source) : undefined
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const change = { tx, actor, at: services.now() }
        const org = await createOrg(change, { name, groupId: group.id, membersOf, held: permissions })
        return { status: 201, body: toV1CreatedOrg(org, { baseUrl: services.baseUrl, group }) }
      })
    },
  )
}

async function getSource(
  { access }: Services,
  request: FastifyRequest,
  { group, id }: { group: Standing['group']; id: string | undefined },
): Promise<Standing | undefined> {
  if (id === undefined) return undefined
  const standing = await access.standingInOrg(callerOf(request).principal, { id })
  const source = { pointer: '/sourceOrgId' }
  if (!standing?.permissions.has('org.read'))
    throw new Problem(
      'not-found',
      `Org ${id} was not found or you may not have the correct permissions to access it.`,
      { source },
    )
  if (standing.group.id === group.id) return standing
  throw new Problem('unprocessable', 'sourceOrgId names an organisation of another group', { source })
}

function requireReadableMembers(source: Standing | undefined): string {
  if (!source?.org) {
    throw new Problem('invalid-request', 'copyMembers needs sourceOrgId', { source: { pointer: '/copyMembers' } })
  }
  if (source.permissions.has('org.user.read')) return source.org.id
  throw new Problem('forbidden', 'This needs the permission org.user.read in the source organisation')
}

function deleteRoute(scope: Server, services: Services): void {
  scope.delete(
    '/org/:orgId',
    {
      config: { access: { org: ['org.delete'] } },
      schema: {
        operationId: 'deleteOrgV1',
        summary: 'Delete an organisation and everything in it',
        tags: ['Organisations'],
        params: Type.Object({ orgId: Type.String() }),
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        await removeOrg({ tx, actor, at: services.now() }, orgOf(request).id)
        return { status: 204 }
      }),
  )
}
