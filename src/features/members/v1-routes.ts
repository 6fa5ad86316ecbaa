import { Type } from 'typebox'
import { findUserByEmail } from '#features/user-sessions/users-store.ts'
import { orgAdmin, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { answerChange } from '#foundation/http/change.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, groupOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import { addMembership } from './change-membership.ts'
import { createUser } from './change-user.ts'
import { toV1GroupMembers, toV1Member, V1GroupMembers, V1Invitation, V1Members } from './resource.ts'
import { maySee } from './routes.ts'
import { findMembershipOf, listAllMembers, listMembersOfWholeGroup } from './store.ts'

const tags = ['Members']

export function v1MemberRoutes(services: Services): Routes {
  return (scope) => {
    listRoutes(scope, services)
    inviteRoute(scope, services)
  }
}

function listRoutes(scope: Server, { db }: Services): void {
  defineOperation(scope, {
    id: 'listOrgMembersV1',
    at: 'GET /org/:orgId/members',
    summary: 'List the members of an organization',
    tags,
    access: { org: ['org.user.read'] },
    query: Type.Object({
      includeGroupAdmins: Type.Optional(
        Type.Boolean({ description: 'Include members of the whole group, whose roles also apply here' }),
      ),
    }),
    response: { 200: V1Members },
    handler: async (request) => {
      const { id, groupId } = orgOf(request)
      const direct = await listAllMembers(db, { groupId, orgId: id })
      if (!request.query.includeGroupAdmins) return direct.map(toV1Member)
      const directIds = new Set(direct.map((member) => member.user_id))
      const ofGroup = await listAllMembers(db, { groupId, orgId: null })
      return [...direct, ...ofGroup.filter((member) => !directIds.has(member.user_id))].map(toV1Member)
    },
  })
  defineOperation(scope, {
    id: 'listGroupMembersV1',
    at: 'GET /group/:groupId/members',
    summary: 'List the members of a group and of its organizations',
    tags,
    access: { group: ['group.user.read'] },
    response: { 200: V1GroupMembers },
    handler: async (request) => toV1GroupMembers(await listMembersOfWholeGroup(db, groupOf(request).id)),
  })
}

function inviteRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'inviteUserV1',
    at: 'POST /org/:orgId/invite',
    summary: 'Add a user to an organization by email address',
    description:
      'Adds the user at once: this server sends no mail. An unknown address gets an account, which needs group.user.create; the user signs in with single sign-on or a link of an administrator. Inviting a member has no effect.',
    tags,
    access: { org: ['org.user.add'] },
    body: V1Invitation,
    response: { 200: Type.Object({}) },
    handler: async (request, reply) => {
      const { id: orgId, groupId } = orgOf(request)
      const { principal, permissions } = callerOf(request)
      const email = request.body.email.toLowerCase()
      const role = request.body.isAdmin === true ? orgAdmin : orgCollaborator
      const inGroup = await services.access.permissionsInGroup(principal, groupId)
      return answerChange(services, { request, reply }, async (change) => {
        const place = { groupId, orgId }
        const existing = await findUserByEmail(change.tx, email)
        if (existing === undefined) requireAccountCreation(inGroup?.permissions)
        const groupChange = { ...change, groupId, permissions }
        const user = existing ?? (await createUser(groupChange, { email, name: email, passwordHash: null }))
        if ((await findMembershipOf(change.tx, place, user.id)) === undefined) {
          const membership = { userId: user.id, roleId: role.id, maySee: () => maySee(services, request, user) }
          await addMembership({ ...groupChange, place }, membership)
        }
        return { status: 200, body: {} }
      })
    },
  })
}

function requireAccountCreation(permissions: ReadonlySet<string> | undefined): void {
  if (permissions?.has('group.user.create')) return
  throw new Problem(
    'forbidden',
    'No user has this email address, and creating one needs the permission group.user.create. Ask an administrator of the group.',
    { source: { pointer: '/email' } },
  )
}
