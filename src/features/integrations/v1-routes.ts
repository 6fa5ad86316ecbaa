import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { answerChange } from '#foundation/http/change.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { callerOf, orgOf, pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import {
  copyIntegration,
  createIntegration,
  editIntegration,
  type IntegrationChange,
  type IntegrationInput,
  removeIntegration,
} from './change-integration.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { getKind } from './kinds.ts'
import { changeOf } from './routes.ts'
import { findIntegration, getIntegration, listFirstOfEachKind, type StoredIntegration } from './store.ts'
import {
  parseV1,
  refuseSettings,
  SETTINGS,
  V1Integration,
  V1IntegrationId,
  V1Integrations,
  V1Settings,
  v1Pointers,
} from './v1-resource.ts'

const config = { access: { org: ['org.edit'] } } as const
const tags = ['Integrations']
const one = Type.Object({ orgId: Type.String(), integrationId: Type.String({ maxLength: 100 }) })
const Nothing = Type.Object({})

type V1Parts = { readonly outgoing: Pick<Outgoing, 'judge'> }

/** Integrations in v1: the oldest one of each kind represents the kind. */
export function v1IntegrationRoutes(services: Services, parts: V1Parts): Routes {
  return (scope) => {
    readRoutes(scope, services)
    writeRoutes(scope, services, parts)
    removeRoutes(scope, services)
    settingsRoutes(scope, services)
    cloneRoute(scope, services)
  }
}

function readRoutes(scope: Server, { db }: Services): void {
  defineOperation(scope, {
    id: 'listIntegrationsV1',
    at: 'GET /org/:orgId/integrations',
    summary: 'List the ids of an organization’s integrations by kind',
    tags,
    ...config,
    response: { 200: V1Integrations },
    handler: async (request) => Object.fromEntries(await listFirstOfEachKind(db, orgOf(request).id)),
  })
  defineOperation(scope, {
    id: 'getIntegrationV1',
    at: 'GET /org/:orgId/integrations/:integrationId',
    summary: 'Find an integration by its kind or id',
    tags,
    ...config,
    params: one,
    response: { 200: V1IntegrationId },
    handler: async (request) => {
      const { integrationId } = request.params
      const byKind = (await listFirstOfEachKind(db, orgOf(request).id)).get(integrationId)
      return { id: byKind ?? (await getIntegration(db, orgOf(request).id, integrationId.toLowerCase())).id }
    },
  })
}

function writeRoutes(scope: Server, services: Services, { outgoing }: V1Parts): void {
  defineOperation(scope, {
    id: 'createIntegrationV1',
    at: 'POST /org/:orgId/integrations',
    summary: 'Connect a source of repositories',
    description:
      'Creates at most one integration per kind. If the credentials of the existing one were deleted, sets new ones.',
    tags,
    ...config,
    body: V1Integration,
    response: { 200: V1IntegrationId },
    handler: async (request, reply) => {
      const kind = getKind(request.body.type, '/type')
      const input = parseV1(outgoing, kind, request.body)
      return answerChange(services, { request, reply }, async (change) => {
        const { id } = await connect(changeOf(request, services, change), kind, input)
        return { status: 200, body: { id } }
      })
    },
  })
  defineOperation(scope, {
    id: 'updateIntegrationV1',
    at: 'PUT /org/:orgId/integrations/:integrationId',
    summary: 'Replace the credentials of an integration',
    tags,
    ...config,
    params: one,
    body: V1Integration,
    response: { 200: V1IntegrationId },
    handler: async (request, reply) => {
      const kind = getKind(request.body.type, '/type')
      const input = parseV1(outgoing, kind, request.body)
      const id = pathId(request, 'integrationId')
      return answerChange(services, { request, reply }, async (made) => {
        const change = changeOf(request, services, made)
        requireKind(await getIntegration(change.tx, change.org.id, id), kind)
        await editIntegration(change, id, { input, pointers: v1Pointers })
        return { status: 200, body: { id } }
      })
    },
  })
}

async function connect(
  change: IntegrationChange,
  kind: IntegrationKind,
  input: IntegrationInput,
): Promise<StoredIntegration> {
  const { tx, org } = change
  const existingId = (await listFirstOfEachKind(tx, org.id)).get(kind.id)
  const before = existingId === undefined ? undefined : await findIntegration(tx, org.id, existingId)
  if (before === undefined)
    return createIntegration(change, kind, { input: { ...input, name: kind.title }, pointers: v1Pointers })
  const isEmpty = before.sealedCredentials === null && kind.credentials.length > 0
  if (isEmpty) return editIntegration(change, before.id, { input, pointers: v1Pointers })
  throw new Problem('name-taken', `The organization has an integration of the kind ${kind.id}: ${before.id}`, {
    source: { pointer: '/type' },
  })
}

function requireKind(integration: StoredIntegration, kind: IntegrationKind): void {
  if (integration.kind === kind.id) return
  throw new Problem('invalid-request', `/type must be ${integration.kind}: the kind of an integration cannot change`, {
    source: { pointer: '/type' },
  })
}

function removeRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'deleteIntegrationCredentialsV1',
    at: 'DELETE /org/:orgId/integrations/:integrationId/authentication',
    summary: 'Delete the credentials of an integration',
    tags,
    ...config,
    params: one,
    response: { 200: Nothing },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (made) => {
        const change = changeOf(request, services, made)
        await editIntegration(change, pathId(request, 'integrationId'), {
          input: { credentials: null },
          pointers: v1Pointers,
        })
        return { status: 200, body: {} }
      }),
  })
  defineOperation(scope, {
    id: 'deleteIntegrationV1',
    at: 'DELETE /org/:orgId/integrations/:integrationId',
    summary: 'Delete an integration; its projects stay',
    tags,
    ...config,
    params: one,
    response: { 200: Nothing },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, async (change) => {
        await removeIntegration(changeOf(request, services, change), pathId(request, 'integrationId'))
        return { status: 200, body: {} }
      }),
  })
}

function settingsRoutes(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'getIntegrationSettingsV1',
    at: 'GET /org/:orgId/integrations/:integrationId/settings',
    summary: 'Read the settings of an integration',
    tags,
    ...config,
    params: one,
    response: { 200: V1Settings },
    handler: async (request) => {
      await getIntegration(services.db, orgOf(request).id, pathId(request, 'integrationId'))
      return SETTINGS
    },
  })
  defineOperation(scope, {
    id: 'updateIntegrationSettingsV1',
    at: 'PUT /org/:orgId/integrations/:integrationId/settings',
    summary: 'Confirm the settings of an integration, which are fixed',
    description:
      'This server neither tests nor opens pull requests. The defaults are accepted, every other value is refused with 422.',
    tags,
    ...config,
    params: one,
    body: V1Settings,
    response: { 200: V1Settings },
    handler: async (request) => {
      await getIntegration(services.db, orgOf(request).id, pathId(request, 'integrationId'))
      refuseSettings(request.body)
      return SETTINGS
    },
  })
}

function cloneRoute(scope: Server, services: Services): void {
  defineOperation(scope, {
    id: 'cloneIntegrationV1',
    at: 'POST /org/:orgId/integrations/:integrationId/clone',
    summary: 'Copy an integration to another organization of the group',
    description: 'Copies settings and credentials. Also needs org.edit in the destination organization.',
    tags,
    ...config,
    params: one,
    body: Type.Object({ destinationOrgPublicId: Type.String({ format: 'uuid' }) }),
    response: { 200: Type.Object({ newIntegrationId: Type.String() }) },
    handler: async (request, reply) => {
      const destination = await getDestination(services, request, request.body.destinationOrgPublicId.toLowerCase())
      return answerChange(services, { request, reply }, async (change) => {
        const source = await getIntegration(change.tx, orgOf(request).id, pathId(request, 'integrationId'))
        const { id } = await copyIntegration({ ...changeOf(request, services, change), org: destination }, source)
        return { status: 200, body: { newIntegrationId: id } }
      })
    },
  })
}

async function getDestination(
  { access }: Services,
  request: FastifyRequest,
  id: string,
): Promise<IntegrationChange['org']> {
  const source = { pointer: '/destinationOrgPublicId' }
  const effective = await access.permissionsInOrg(callerOf(request).principal, { id })
  if (!effective?.org || !effective.permissions.has('org.read')) throw notFound('Destination organization')
  if (!effective.permissions.has('org.edit'))
    throw new Problem('forbidden', 'You need the permission org.edit in the destination organization', { source })
  if (effective.group.id === orgOf(request).groupId) return { id: effective.org.id, groupId: effective.group.id }
  throw new Problem('unprocessable', '/destinationOrgPublicId names an organization of another group', { source })
}
