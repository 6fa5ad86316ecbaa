import { Type } from 'typebox'
import type { UserRow } from '#features/user-sessions/users-store.ts'
import type { Db } from '#foundation/db/database.ts'
import { answerChange, toGroupChange } from '#foundation/http/change.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { groupOf, orgOf, pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import { notFound } from '#foundation/problem.ts'
import { hashPassword } from '#foundation/secrets/password.ts'
import type { Services } from '#foundation/services.ts'
import { createUser, editUser, removeUser } from './change-user.ts'
import { findMembershipOf } from './store.ts'
import { summarizeMemberships } from './summary-store.ts'
import { ChangedUser, NewUser, OrgUser, toOrgUser, toUser, User } from './user-resource.ts'
import { getUser, listUsers, usersByAge } from './users-store.ts'

const common = { tags: ['Users'], releases: ['2024-10-15'] }
const extension = 'An extension.'

/** The accounts that a group manages, and the members of organizations. */
export function userRoutes(services: Services): Routes {
  return (scope) => {
    readRoutes(scope, services)
    createRoute(scope, services)
    changeRoutes(scope, services)
    orgUserRoute(scope, services)
  }
}

function readRoutes(scope: Server, { db, keyring }: Services): void {
  defineOperation(scope, {
    id: 'listUsers',
    at: 'GET /groups/:group_id/users',
    summary: 'List the users whose accounts the group manages',
    description: extension,
    ...common,
    access: { group: ['group.user.read'] },
    query: listQuery({
      email: Type.Optional(Type.String({ maxLength: 254, description: 'Only the user with this email address' })),
      name: Type.Optional(Type.String({ maxLength: 100, description: 'Only users whose name contains this' })),
      q: Type.Optional(
        Type.String({
          maxLength: 254,
          description: 'Only users whose name or email address contains this, case-insensitive',
        }),
      ),
    }),
    response: { 200: Collection(User) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      const { email, name, q } = request.query
      const input = { groupId: groupOf(request).id, filters: { email, name, q } }
      const page = await listUsers(db, input, list.window)
      const summaries = await summarizeMemberships(db, input.groupId, page.rows)
      return list.document(page, usersByAge, (row) => toUser(row, summaries(row)))
    },
  })
  defineOperation(scope, {
    id: 'getUserOfGroup',
    at: 'GET /groups/:group_id/users/:user_id',
    summary: 'Read a user whose account the group manages',
    description: extension,
    ...common,
    access: { group: ['group.user.read'] },
    response: { 200: Single(User) },
    handler: async (request) => {
      const { id: groupId } = groupOf(request)
      return single(request, await describe(db, groupId, await getUser(db, groupId, pathId(request, 'user_id'))))
    },
  })
}

function createRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'createUser',
    at: 'POST /groups/:group_id/users',
    summary: 'Create a user, who has no permissions without a membership',
    description: extension,
    ...common,
    access: { group: ['group.user.create'] },
    body: NewUser,
    response: { 201: Single(User) },
    handler: async (request, reply) => {
      const { password, ...input } = request.body.data.attributes
      // Hashing is deliberately slow, so do it outside the transaction.
      const passwordHash = password === undefined ? null : await hashPassword(password)
      return answerChange(services, { request, reply }, async (change) => {
        const user = await createUser(toGroupChange(request, change), { ...input, passwordHash })
        const body = single(
          request,
          await describe(change.tx, groupOf(request).id, user),
          `/groups/${groupOf(request).id}/users/${user.id}`,
        )
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
    },
  })
}

function changeRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'updateUserOfGroup',
    at: 'PATCH /groups/:group_id/users/:user_id',
    summary: 'Rename a user or set a new password',
    description: `${extension} To set a password, the caller must hold every permission that the user holds.`,
    ...common,
    access: { group: ['group.user.edit'] },
    body: ChangedUser,
    response: { 200: Single(User) },
    handler: async (request, reply) => {
      const { id, attributes } = request.body.data
      requirePathId(id, pathId(request, 'user_id'))
      const { password, ...changes } = attributes
      const password_hash = password === undefined ? undefined : await hashPassword(password)
      return answerChange(services, { request, reply }, async (change) => {
        const user = await editUser(toGroupChange(request, change), pathId(request, 'user_id'), {
          ...changes,
          ...(password_hash !== undefined && { password_hash }),
        })
        return { status: 200, body: single(request, await describe(change.tx, groupOf(request).id, user)) }
      })
    },
  })
  defineOperation(scope, {
    id: 'deleteUserOfGroup',
    at: 'DELETE /groups/:group_id/users/:user_id',
    summary: 'Delete a user with all memberships and API keys, which stop working immediately',
    description: `${extension} The caller must hold every permission that the user holds in the group. The last Group Admin cannot be deleted.`,
    ...common,
    access: { group: ['group.user.delete'] },
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, (change) =>
        removeUser(toGroupChange(request, change), pathId(request, 'user_id')),
      ),
  })
}

function orgUserRoute(scope: Server, { db }: Services): void {
  defineOperation(scope, {
    id: 'getUser',
    at: 'GET /orgs/:org_id/users/:id',
    summary: 'Read a member of an organization or of its group',
    tags: common.tags,
    access: { org: ['org.user.read'] },
    releases: ['2021-09-13~beta'],
    response: { 200: Single(OrgUser) },
    handler: async (request) => {
      const { id: orgId, groupId } = orgOf(request)
      const id = request.params.id.toLowerCase()
      const membership =
        (await findMembershipOf(db, { groupId, orgId }, id)) ??
        (await findMembershipOf(db, { groupId, orgId: null }, id))
      if (!membership) throw notFound(`User ${id}`)
      return single(request, toOrgUser(membership))
    },
  })
}

async function describe(db: Db, groupId: string, user: UserRow) {
  return toUser(user, (await summarizeMemberships(db, groupId, [user]))(user))
}
