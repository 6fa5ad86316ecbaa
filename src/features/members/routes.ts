import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { UserRow } from '#features/user-sessions/users-store.ts'
import type { Change } from '#foundation/audit/record.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single, singleQuery, Versioned } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { addMembership, changeRole, type MembershipChange, removeMembership } from './change-membership.ts'
import { groups, orgs, type PlaceKind } from './place-kind.ts'
import {
  type ChangedMembership,
  ChangedMembershipBody,
  CreatedMembership,
  Membership,
  type MembershipQuery,
  membershipFilters,
  type NewMembership,
  NewMembershipBody,
  toResource,
  toSort,
} from './resource.ts'
import { getMembership, listMemberships, membershipsBy } from './store.ts'

const tags = ['Members']

export function membershipRoutes(services: Services): Routes {
  return (scope) => {
    for (const kind of [orgs, groups]) {
      listRoute(scope, services, kind)
      createRoute(scope, services, kind)
      changeRoutes(scope, services, kind)
    }
  }
}

function listRoute(scope: Server, { db, keyring }: Services, kind: PlaceKind): void {
  defineOperation(scope, {
    id: `list${kind.level}Memberships`,
    at: `GET ${kind.path}`,
    summary: `List the members of ${kind.noun}`,
    tags,
    access: kind.access('read'),
    releases: kind.releases.list,
    query: listQuery(membershipFilters(kind)),
    response: { 200: Collection(Membership(kind)) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const query = request.query as MembershipQuery
      const keyset = membershipsBy(...toSort(query))
      const filters = {
        userId: query.user_id?.toLowerCase(),
        email: query.email,
        username: query.username,
        roleName: query.role_name,
      }
      const page = await listMemberships(db, { place: kind.ownerOf(request), filters, keyset }, list.window)
      return list.document(page, keyset, toResource(kind, kind.nameOf(request)))
    },
  })
}

function createRoute(scope: Server, services: Services, kind: PlaceKind): void {
  defineOperation(scope, {
    id: `create${kind.level}Membership`,
    at: `POST ${kind.path}`,
    summary: `Make a user a member of ${kind.noun}`,
    description: 'The caller must hold every permission of the role.',
    tags,
    access: kind.access('add'),
    releases: kind.releases.list,
    body: NewMembershipBody(kind),
    response: { 201: CreatedMembership(kind) },
    handler: async (request, reply) => {
      const { relationships } = (request.body as NewMembership).data
      requireSamePlace(request, kind, relationships[kind.word]?.data.id)
      return answerChange(services, { request, reply }, async (change) => {
        const membership = await addMembership(changeOf(request, kind, change), {
          userId: relationships.user.data.id.toLowerCase(),
          roleId: relationships.role.data.id.toLowerCase(),
          maySee: (user) => maySee(services, request, user),
        })
        const data = toResource(kind, kind.nameOf(request))(membership)
        const document = single(request, data, `${kind.pathOf(kind.ownerOf(request))}/${data.id}`)
        const body = kind.word === 'org' ? { ...document, id: data.id, type: data.type } : document
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${document.links.self}` } }
      })
    },
  })
}

function changeRoutes(scope: Server, services: Services, kind: PlaceKind): void {
  const path = `${kind.path}/:membership_id`
  const releases = kind.releases.one
  defineOperation(scope, {
    id: `get${kind.level}Membership`,
    at: `GET ${path}`,
    summary: `Read a membership of ${kind.noun}`,
    description: 'An extension.',
    tags,
    access: kind.access('read'),
    releases,
    response: { 200: Single(Membership(kind)) },
    handler: async (request) => {
      const membership = await getMembership(services.db, kind.ownerOf(request), pathId(request, 'membership_id'))
      return single(request, toResource(kind, kind.nameOf(request))(membership))
    },
  })
  defineOperation(scope, {
    id: `update${kind.level}Membership`,
    at: `PATCH ${path}`,
    summary: `Give a member of ${kind.noun} another role`,
    description: 'The caller must hold every permission of the role. The role of the last Group Admin cannot change.',
    tags,
    access: kind.access('edit'),
    releases,
    body: ChangedMembershipBody(kind),
    response: { 204: Type.Null() },
    handler: async (request, reply) => {
      const { id, relationships } = (request.body as ChangedMembership).data
      requirePathId(id, pathId(request, 'membership_id'))
      return answerChange(services, { request, reply }, async (change) => {
        await changeRole(
          changeOf(request, kind, change),
          pathId(request, 'membership_id'),
          relationships.role.data.id.toLowerCase(),
        )
      })
    },
  })
  defineOperation(scope, {
    id: `delete${kind.level}Membership`,
    at: `DELETE ${path}`,
    summary: `Remove a member from ${kind.noun}`,
    description: 'The last Group Admin cannot be removed.',
    tags,
    access: kind.access('delete'),
    releases,
    query: kind.word === 'group' ? singleQuery({ cascade: Type.Optional(Cascade) }) : Versioned,
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        const { cascade = false } = request.query as { cascade?: boolean }
        await removeMembership(changeOf(request, kind, change), pathId(request, 'membership_id'), { cascade })
      }),
  })
}

const Cascade = Type.Boolean({ description: 'Also remove the user from all organizations of the group' })

function changeOf(request: FastifyRequest, kind: PlaceKind, change: Change): MembershipChange {
  return { ...change, place: kind.ownerOf(request), permissions: callerOf(request).permissions }
}

function requireSamePlace(request: FastifyRequest, kind: PlaceKind, sent: string | undefined): void {
  const { groupId, orgId } = kind.ownerOf(request)
  if (sent === undefined || sent.toLowerCase() === (orgId ?? groupId)) return
  const pointer = `/data/relationships/${kind.word}/data/id`
  throw new Problem('invalid-request', `${pointer} must be the id in the path`, { source: { pointer } })
}

/** Returns true if the caller may see the account's own group's users. */
export async function maySee({ access }: Services, request: FastifyRequest, user: UserRow): Promise<boolean> {
  const effective = await access.permissionsInGroup(callerOf(request).principal, user.group_id)
  return effective?.permissions.has('group.user.read') ?? false
}
