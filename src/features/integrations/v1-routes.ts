import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { answerChange } from '#foundation/http/change.ts'
import { callerOf, orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { notFound, Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import {
  type Change,
  copyIntegration,
  createIntegration,
  editIntegration,
  removeIntegration,
  type WantedIntegration,
} from './change-integration.ts'
import type { IntegrationKind } from './integration-kind.ts'
import { getKind } from './kinds.ts'
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
const inOrg = Type.Object({ orgId: Type.String() })
const one = Type.Object({ orgId: Type.String(), integrationId: Type.String({ maxLength: 100 }) })
const Nothing = Type.Object({})

type V1Parts = { readonly outgoing: Pick<Outgoing, 'judge'> }

/** Integrations as existing clients manage them: the oldest of each kind stands for the kind. */
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
  scope.get(
    '/org/:orgId/integrations',
    {
      config,
      schema: {
        operationId: 'listIntegrationsV1',
        summary: 'The ids of an organisation’s integrations, by their kind',
        tags,
        params: inOrg,
        response: { 200: V1Integrations },
      },
    },
    async (request) => Object.fromEntries(await listFirstOfEachKind(db, orgOf(request).id)),
  )
  scope.get(
    '/org/:orgId/integrations/:integrationId',
    {
      config,
      schema: {
        operationId: 'getIntegrationV1',
        summary: 'Find an integration by its kind, or by its id',
        tags,
        params: one,
        response: { 200: V1IntegrationId },
      },
    },
    async (request) => {
      const { integrationId } = request.params
      const byKind = (await listFirstOfEachKind(db, orgOf(request).id)).get(integrationId)
      return { id: byKind ?? (await getIntegration(db, orgOf(request).id, integrationId.toLowerCase())).id }
    },
  )
}

function writeRoutes(scope: Server, services: Services, { outgoing }: V1Parts): void {
  scope.post(
    '/org/:orgId/integrations',
    {
      config,
      schema: {
        operationId: 'createIntegrationV1',
        summary: 'Connect a source of repositories',
        description:
          'One integration of each kind can be made here; one whose credentials were deleted is connected again.',
        tags,
        params: inOrg,
        body: V1Integration,
        response: { 200: V1IntegrationId },
      },
    },
    async (request, reply) => {
      const kind = getKind(request.body.type, '/type')
      const wanted = parseV1(outgoing, kind, request.body)
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const { id } = await connect(changeOf(request, { ...services, tx, actor }), kind, wanted)
        return { status: 200, body: { id } }
      })
    },
  )
  scope.put(
    '/org/:orgId/integrations/:integrationId',
    {
      config,
      schema: {
        operationId: 'updateIntegrationV1',
        summary: 'Replace the credentials of an integration',
        tags,
        params: one,
        body: V1Integration,
        response: { 200: V1IntegrationId },
      },
    },
    async (request, reply) => {
      const kind = getKind(request.body.type, '/type')
      const wanted = parseV1(outgoing, kind, request.body)
      const id = integrationIdOf(request)
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const change = changeOf(request, { ...services, tx, actor })
        requireKind(await getIntegration(tx, change.org.id, id), kind)
        await editIntegration(change, id, { wanted, pointers: v1Pointers })
        return { status: 200, body: { id } }
      })
    },
  )
}

async function connect(change: Change, kind: IntegrationKind, wanted: WantedIntegration): Promise<StoredIntegration> {
  const { tx, org } = change
  const known = (await listFirstOfEachKind(tx, org.id)).get(kind.id)
  const before = known === undefined ? undefined : await findIntegration(tx, org.id, known)
  if (before === undefined)
    return createIntegration(change, kind, { wanted: { ...wanted, name: kind.title }, pointers: v1Pointers })
  const isEmpty = before.sealedCredentials === null && kind.credentials.length > 0
  if (isEmpty) return editIntegration(change, before.id, { wanted, pointers: v1Pointers })
  throw new Problem('name-taken', `The organisation has an integration of the kind ${kind.id}: ${before.id}`, {
    source: { pointer: '/type' },
  })
}

function requireKind(integration: StoredIntegration, kind: IntegrationKind): void {
  if (integration.kind === kind.id) return
  throw new Problem('invalid-request', `/type must be ${integration.kind}: an integration keeps its kind`, {
    source: { pointer: '/type' },
  })
}

function removeRoutes(scope: Server, services: Services): void {
  scope.delete(
    '/org/:orgId/integrations/:integrationId/authentication',
    {
      config,
      schema: {
        operationId: 'deleteIntegrationCredentialsV1',
        summary: 'Forget the credentials of an integration',
        tags,
        params: one,
        response: { 200: Nothing },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        const change = changeOf(request, { ...services, tx, actor })
        await editIntegration(change, integrationIdOf(request), { wanted: { credentials: null }, pointers: v1Pointers })
        return { status: 200, body: {} }
      }),
  )
  scope.delete(
    '/org/:orgId/integrations/:integrationId',
    {
      config,
      schema: {
        operationId: 'deleteIntegrationV1',
        summary: 'Delete an integration; what was imported through it stays',
        tags,
        params: one,
        response: { 200: Nothing },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        await removeIntegration(changeOf(request, { ...services, tx, actor }), integrationIdOf(request))
        return { status: 200, body: {} }
      }),
  )
}

function settingsRoutes(scope: Server, services: Services): void {
  scope.get(
    '/org/:orgId/integrations/:integrationId/settings',
    {
      config,
      schema: {
        operationId: 'getIntegrationSettingsV1',
        summary: 'Read the settings of an integration',
        tags,
        params: one,
        response: { 200: V1Settings },
      },
    },
    async (request) => {
      await getIntegration(services.db, orgOf(request).id, integrationIdOf(request))
      return SETTINGS
    },
  )
  scope.put(
    '/org/:orgId/integrations/:integrationId/settings',
    {
      config,
      schema: {
        operationId: 'updateIntegrationSettingsV1',
        summary: 'Confirm the settings of an integration, which are fixed',
        description:
          'This server neither tests nor opens pull requests. The defaults are accepted, every other value is refused with 422.',
        tags,
        params: one,
        body: V1Settings,
        response: { 200: V1Settings },
      },
    },
    async (request) => {
      await getIntegration(services.db, orgOf(request).id, integrationIdOf(request))
      refuseSettings(request.body)
      return SETTINGS
    },
  )
}

function cloneRoute(scope: Server, services: Services): void {
  scope.post(
    '/org/:orgId/integrations/:integrationId/clone',
    {
      config,
      schema: {
        operationId: 'cloneIntegrationV1',
        summary: 'Copy an integration to another organisation of the group',
        description: 'With its settings and credentials. Needs org.edit in that organisation, too.',
        tags,
        params: one,
        body: Type.Object({ destinationOrgPublicId: Type.String({ format: 'uuid' }) }),
        response: { 200: Type.Object({ newIntegrationId: Type.String() }) },
      },
    },
    async (request, reply) => {
      const destination = await getDestination(services, request, request.body.destinationOrgPublicId.toLowerCase())
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const source = await getIntegration(tx, orgOf(request).id, integrationIdOf(request))
        const change = { ...changeOf(request, { ...services, tx, actor }), org: destination }
        const { id } = await copyIntegration(change, source)
        return { status: 200, body: { newIntegrationId: id } }
      })
    },
  )
}

async function getDestination({ access }: Services, request: FastifyRequest, id: string): Promise<Change['org']> {
  const source = { pointer: '/destinationOrgPublicId' }
  const standing = await access.standingInOrg(callerOf(request).principal, { id })
  if (!standing?.org || !standing.permissions.has('org.read')) throw notFound('Destination organisation')
  if (!standing.permissions.has('org.edit'))
    throw new Problem('forbidden', 'This needs the permission org.edit in the destination organisation', { source })
  if (standing.group.id === orgOf(request).groupId) return { id: standing.org.id, groupId: standing.group.id }
  throw new Problem('unprocessable', '/destinationOrgPublicId names an organisation of another group', { source })
}

function integrationIdOf(request: FastifyRequest): string {
  return (request.params as { integrationId: string }).integrationId.toLowerCase()
}

type Made = Pick<Change, 'tx' | 'actor' | 'keyring'> & Pick<Services, 'now'>

function changeOf(request: FastifyRequest, { tx, actor, keyring, now }: Made): Change {
  return { tx, actor, keyring, at: now(), org: orgOf(request) }
}
