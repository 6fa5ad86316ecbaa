import { Type } from 'typebox'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single, singleQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, groupOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import type { Services } from '#foundation/services.ts'
import { renameOrg } from './change-org.ts'
import {
  ChangedOrg,
  Group,
  Org,
  OrgWithRole,
  OrgWithTenant,
  toGroup,
  toOrg,
  toOrgWithRole,
  toOrgWithTenant,
} from './resource.ts'
import {
  getGroup,
  getOrg,
  groupsByAge,
  listOrgsOfGroup,
  listVisibleGroups,
  listVisibleOrgs,
  orgsByAge,
  visibleOrgsByAge,
} from './store.ts'

const Slug = Type.String({ pattern: '^[\\w.-]+$', maxLength: 100, description: 'Only the organization with this slug' })
const NamePart = Type.String({
  maxLength: 100,
  description: 'Only organizations whose name contains this, case-insensitive',
})

export function organizationRoutes(services: Services): Routes {
  return (scope) => {
    listOrgsRoute(scope, services)
    orgRoutes(scope, services)
    groupRoutes(scope, services)
  }
}

function listOrgsRoute(scope: Server, { db, keyring }: Services): void {
  defineOperation(scope, {
    id: 'listOrgs',
    at: 'GET /orgs',
    summary: 'List the organizations that the caller can see',
    tags: ['Organizations'],
    access: 'signed-in',
    releases: ['2022-04-06~experimental', '2022-12-15~beta', '2023-05-29', '2024-02-28'],
    query: listQuery({
      group_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only organizations of this group' })),
      is_personal: Type.Optional(Type.Boolean({ description: 'true matches none: every organization is in a group' })),
      slug: Type.Optional(Slug),
      name: Type.Optional(NamePart),
      expand: Type.Optional(
        Type.Array(Type.Enum(['member_role']), { description: 'Include the name of the caller’s role' }),
      ),
    }),
    response: { 200: Collection(OrgWithRole) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const { group_id, is_personal, slug, name, expand = [] } = request.query
      const filters = { groupId: group_id?.toLowerCase(), slug, name }
      const input = { reader: callerOf(request).principal, filters }
      const nothing = { rows: [], hasNext: false, hasPrevious: false }
      const page = is_personal ? nothing : await listVisibleOrgs(db, input, list.window)
      return list.document(page, visibleOrgsByAge, toOrgWithRole(expand))
    },
  })
}

function orgRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'getOrg',
    at: 'GET /orgs/:org_id',
    summary: 'Read an organization',
    tags: ['Organizations'],
    access: { org: ['org.read'] },
    releases: ['2022-04-06~experimental', '2022-12-15~beta', '2023-05-29'],
    query: singleQuery({
      expand: Type.Optional(Type.Array(Type.Enum(['tenant']), { description: 'Add the tenant, which is the group' })),
    }),
    response: { 200: Single(OrgWithTenant) },
    handler: async (request) => {
      const org = await getOrg(services.db, orgOf(request).id)
      const tenant = request.query.expand?.includes('tenant') ? await getGroup(services.db, org.group_id) : undefined
      return single(request, toOrgWithTenant(org, tenant))
    },
  })
  defineOperation(scope, {
    id: 'updateOrg',
    at: 'PATCH /orgs/:org_id',
    summary: 'Rename an organization; its slug stays',
    tags: ['Organizations'],
    access: { org: ['org.edit'] },
    releases: ['2022-04-06~experimental', '2022-12-15~beta', '2023-05-29', '2024-02-28'],
    body: ChangedOrg,
    response: { 200: Single(Org) },
    handler: async (request, reply) => {
      const { id: orgId } = orgOf(request)
      const { id, attributes } = request.body.data
      requirePathId(id, orgId)
      return answerChange(services, { request, reply }, async (change) => {
        const org = await renameOrg(change, orgId, attributes.name)
        return { status: 200, body: single(request, toOrg(org)) }
      })
    },
  })
}

function groupRoutes(scope: Server, { db, keyring }: Services): void {
  const releases = ['2022-01-31~experimental', '2023-01-30~beta']
  defineOperation(scope, {
    id: 'listGroups',
    at: 'GET /groups',
    summary: 'List the groups that the caller is a member of',
    tags: ['Groups'],
    access: 'signed-in',
    releases,
    query: listQuery(),
    response: { 200: Collection(Group) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      return list.document(await listVisibleGroups(db, callerOf(request).principal, list.window), groupsByAge, toGroup)
    },
  })
  defineOperation(scope, {
    id: 'getGroup',
    at: 'GET /groups/:group_id',
    summary: 'Read a group',
    tags: ['Groups'],
    access: { group: ['group.read'] },
    releases,
    response: { 200: Single(Group) },
    handler: async (request) => single(request, toGroup(await getGroup(db, groupOf(request).id))),
  })
  defineOperation(scope, {
    id: 'listOrgsInGroup',
    at: 'GET /groups/:group_id/orgs',
    summary: 'List the organizations of a group',
    tags: ['Groups'],
    access: { group: ['group.read'] },
    releases: ['2023-10-24~experimental', '2023-12-14~beta', '2024-02-28'],
    query: listQuery({ slug: Type.Optional(Slug), name: Type.Optional(NamePart) }),
    response: { 200: Collection(Org) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const { slug, name } = request.query
      const page = await listOrgsOfGroup(db, { groupId: groupOf(request).id, slug, name }, list.window)
      return list.document(page, orgsByAge, (row) => toOrg(row))
    },
  })
}
