import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Change } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { answerChange } from '#foundation/http/change.ts'
import { Collection, JsonApi, listOf, listQuery, Single, single, singleQuery } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId, toStoredName } from '#foundation/http/text.ts'
import type { JobNotifier } from '#foundation/jobs/job-notifier.ts'
import type { Services } from '#foundation/services.ts'
import { createPolicy, editPolicy, type PolicyChange, removePolicy, restorePolicy } from './change-policies.ts'
import { groups, type OwnerKind, orgs } from './owner-kind.ts'
import { checkConditions, parseAction, parseConditions } from './parse-policy.ts'
import { previewPolicy } from './preview-policy.ts'
import { ChangedPolicy, NewPolicy, Policy, Preview, toResource } from './resource.ts'
import { resolveConditions } from './selection.ts'
import { getPolicy, listPolicies, policiesByAge } from './store.ts'

const common = { tags: ['Policies'], releases: ['2024-10-15'] }

interface Tools {
  readonly services: Services
  readonly jobNotifier: JobNotifier
}

/** `/orgs/{org_id}/policies`, and the same of groups */
export function policyRoutes(services: Services, jobNotifier: JobNotifier): Routes {
  const tools = { services, jobNotifier }
  return (scope) => {
    for (const kind of [orgs, groups]) {
      readRoutes(scope, services, kind)
      createRoute(scope, tools, kind)
      updateRoute(scope, tools, kind)
      deleteRoutes(scope, tools, kind)
    }
  }
}

function readRoutes(scope: Server, { db, keyring, now }: Services, kind: OwnerKind): void {
  defineOperation(scope, {
    id: `list${kind.level}Policies`,
    at: `GET ${kind.path}`,
    summary: `List the policies of ${kind.noun}`,
    description: 'Oldest first.',
    ...common,
    access: kind.access('read'),
    query: listQuery({
      inherited: Type.Optional(
        Type.Boolean({ description: 'Include the policies of the group, which apply to its organizations' }),
      ),
      deleted: Type.Optional(Type.Boolean({ description: 'List the deleted policies, which can be restored' })),
      source: Type.Optional(Type.Enum(['user', 'vex'], { description: 'Only policies of this source' })),
    }),
    response: { 200: Collection(Policy) },
    handler: async (request) => {
      const { deleted = false, inherited = false, source } = request.query
      const list = listOf(request, keyring)
      const input = { owner: kind.ownerOf(request), filters: { isDeleted: deleted, isInherited: inherited, source } }
      const page = await listPolicies(db, input, { window: list.window, now: now() })
      return list.document(page, policiesByAge, toResource)
    },
  })
  defineOperation(scope, {
    id: `get${kind.level}Policy`,
    at: `GET ${kind.path}/:policy_id`,
    summary: `Read a policy of ${kind.noun}`,
    ...common,
    access: kind.access('read'),
    response: { 200: Single(Policy) },
    handler: async (request) =>
      single(
        request,
        toResource(await getPolicy(db, kind.ownerOf(request), { id: pathId(request, 'policy_id'), now: now() })),
      ),
  })
}

function createRoute(scope: Server, { services, jobNotifier }: Tools, kind: OwnerKind): void {
  defineOperation(scope, {
    id: `create${kind.level}Policy`,
    at: `POST ${kind.path}`,
    summary: `Create a policy of ${kind.noun}`,
    description:
      'Hides the issues that meet all conditions, or sets their severity, in existing and future projects. Existing projects are evaluated in the background. With `dry_run=true` nothing is created, and the answer says what would be hidden or changed.',
    ...common,
    access: kind.access('create'),
    query: singleQuery({
      dry_run: Type.Optional(
        Type.Boolean({ description: 'Count what the policy would hide or change, without creating it' }),
      ),
    }),
    body: NewPolicy,
    response: {
      200: Type.Object({ jsonapi: JsonApi, meta: Type.Object({ preview: Preview }) }),
      201: Single(Policy),
    },
    handler: async (request, reply) => {
      const { attributes } = request.body.data
      const owner = kind.ownerOf(request)
      const action = parseAction(attributes.action, attributes.action_type, services.now())
      const conditionsIn = async (db: Db, now: number) => {
        const conditions = await resolveConditions(db, owner, { ...attributes, now })
        checkConditions(conditions, action)
        return conditions
      }
      if (request.query.dry_run) {
        const conditions = await conditionsIn(services.db, services.now())
        const preview = await previewPolicy(services.db, owner, { conditions, action, now: services.now() })
        return { jsonapi: { version: '1.0' as const }, meta: { preview } }
      }
      await answerChange(services, { request, reply }, async (change) => {
        const conditions = await conditionsIn(change.tx, change.at)
        const content = { name: toStoredName(attributes.name), ...action, conditions }
        const policy = await createPolicy({ ...change, owner }, content)
        const body = single(request, toResource(policy), `${kind.pathOf(owner)}/${policy.id}`)
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
      jobNotifier.notifyWorkers()
      return reply
    },
  })
}

function updateRoute(scope: Server, { services, jobNotifier }: Tools, kind: OwnerKind): void {
  defineOperation(scope, {
    id: `update${kind.level}Policy`,
    at: `PATCH ${kind.path}/:policy_id`,
    summary: `Change a policy of ${kind.noun}`,
    description: 'Conditions and action are replaced as a whole; other omitted attributes stay as they are.',
    ...common,
    access: kind.access('edit'),
    body: ChangedPolicy,
    response: { 200: Single(Policy) },
    handler: async (request, reply) => {
      const { id: sent, attributes } = request.body.data
      const id = pathId(request, 'policy_id')
      requirePathId(sent, id)
      const { name, action, action_type, conditions_group } = attributes
      const changed = {
        type: action_type,
        ...(name !== undefined && { name: toStoredName(name) }),
        ...(action && parseAction(action, action_type, services.now())),
        ...(conditions_group && { conditions: parseConditions(conditions_group) }),
      }
      await answerChange(services, { request, reply }, async (change) => {
        const policy = await editPolicy(changeOf(request, kind, change), id, changed)
        return { status: 200, body: single(request, toResource(policy)) }
      })
      jobNotifier.notifyWorkers()
      return reply
    },
  })
}

function deleteRoutes(scope: Server, { services, jobNotifier }: Tools, kind: OwnerKind): void {
  defineOperation(scope, {
    id: `delete${kind.level}Policy`,
    at: `DELETE ${kind.path}/:policy_id`,
    summary: `Delete a policy of ${kind.noun}`,
    description:
      'What it hid is open again, and severities are as before. A running evaluation is canceled. The policy can be restored for 30 days.',
    ...common,
    access: kind.access('delete'),
    response: { 204: Type.Null() },
    handler: async (request, reply) => {
      await answerChange(services, { request, reply }, (change) =>
        removePolicy(changeOf(request, kind, change), pathId(request, 'policy_id')),
      )
      jobNotifier.notifyWorkers()
      return reply
    },
  })
  defineOperation(scope, {
    id: `restore${kind.level}Policy`,
    at: `POST ${kind.path}/:policy_id/restore`,
    summary: `Restore a deleted policy of ${kind.noun}`,
    description: 'Until 30 days after its deletion; 409 if the policy is not deleted.',
    ...common,
    access: kind.access('create'),
    response: { 200: Single(Policy) },
    handler: async (request, reply) => {
      await answerChange(services, { request, reply }, async (change) => {
        const policy = await restorePolicy(changeOf(request, kind, change), pathId(request, 'policy_id'))
        const path = `${kind.pathOf(kind.ownerOf(request))}/${policy.id}`
        return { status: 200, body: single(request, toResource(policy), path) }
      })
      jobNotifier.notifyWorkers()
      return reply
    },
  })
}

function changeOf(request: FastifyRequest, kind: OwnerKind, change: Change): PolicyChange {
  return { ...change, owner: kind.ownerOf(request) }
}
