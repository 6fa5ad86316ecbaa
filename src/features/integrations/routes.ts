import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { Change } from '#foundation/audit/record.ts'
import { answerChange } from '#foundation/http/change.ts'
import { clientSignal } from '#foundation/http/client-signal.ts'
import { Collection, listOf, listQuery, Single, single } from '#foundation/http/documents.ts'
import { defineOperation } from '#foundation/http/operation.ts'
import { orgOf, pathId } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId, toStoredName } from '#foundation/http/text.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import {
  createIntegration,
  editIntegration,
  type IntegrationChange,
  MAX_INTEGRATIONS,
  removeIntegration,
} from './change-integration.ts'
import { getKind } from './kinds.ts'
import type { IntegrationSources } from './repositories.ts'
import {
  ChangedIntegration,
  ConnectionTest,
  Integration,
  NewIntegration,
  parseAttributes,
  restPointers,
  TestInput,
  toResource,
} from './resource.ts'
import { getIntegration, integrationsByAge, listIntegrations } from './store.ts'

const config = { access: { org: ['org.edit'] }, releases: ['2024-10-15'] } as const
const tags = ['Integrations']
const extension = 'An extension.'
const TEST_SECONDS = 30

export interface IntegrationParts {
  readonly outgoing: Pick<Outgoing, 'judge'>
  readonly sources: IntegrationSources
}

export function integrationRoutes(services: Services, parts: IntegrationParts): Routes {
  return (scope) => {
    readRoutes(scope, services)
    createRoute(scope, services, parts)
    changeRoutes(scope, services, parts)
    testRoute(scope, services, parts)
  }
}

function readRoutes(scope: Server, { db, keyring }: Services): void {
  defineOperation(scope, {
    id: 'listIntegrations',
    at: 'GET /orgs/:org_id/integrations',
    summary: 'List the integrations of an organization',
    description: extension,
    tags,
    ...config,
    query: listQuery(),
    response: { 200: Collection(Integration) },
    handler: async (request) => {
      const list = listOf(request, keyring)
      return list.document(await listIntegrations(db, orgOf(request).id, list.window), integrationsByAge, toResource)
    },
  })
  defineOperation(scope, {
    id: 'getIntegration',
    at: 'GET /orgs/:org_id/integrations/:integration_id',
    summary: 'Read an integration',
    description: `${extension} Credentials are never shown.`,
    tags,
    ...config,
    response: { 200: Single(Integration) },
    handler: async (request) =>
      single(request, toResource(await getIntegration(db, orgOf(request).id, pathId(request, 'integration_id')))),
  })
}

function createRoute(scope: Server, services: Services, { outgoing }: IntegrationParts): void {
  defineOperation(scope, {
    id: 'createIntegration',
    at: 'POST /orgs/:org_id/integrations',
    summary: 'Connect a source of repositories',
    description: `${extension} An organization has at most ${MAX_INTEGRATIONS}.`,
    tags,
    ...config,
    body: NewIntegration,
    response: { 201: Single(Integration) },
    handler: async (request, reply) => {
      const { attributes } = request.body.data
      const kind = getKind(attributes.kind, '/data/attributes/kind')
      const input = { ...parseAttributes(outgoing, attributes), name: toStoredName(attributes.name) }
      return answerChange(services, { request, reply }, async (change) => {
        const made = await createIntegration(changeOf(request, services, change), kind, {
          input,
          pointers: restPointers,
        })
        const body = single(request, toResource(made), `/orgs/${made.orgId}/integrations/${made.id}`)
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
    },
  })
}

function changeRoutes(scope: Server, services: Services, { outgoing }: IntegrationParts): void {
  defineOperation(scope, {
    id: 'updateIntegration',
    at: 'PATCH /orgs/:org_id/integrations/:integration_id',
    summary: 'Change an integration, or replace its credentials',
    description: `${extension} Omitted attributes stay as they are. A base URL on another server requires the credentials again.`,
    tags,
    ...config,
    body: ChangedIntegration,
    response: { 200: Single(Integration) },
    handler: async (request, reply) => {
      const id = pathId(request, 'integration_id')
      requirePathId(request.body.data.id, id)
      const input = parseAttributes(outgoing, request.body.data.attributes)
      return answerChange(services, { request, reply }, async (change) => {
        const changed = await editIntegration(changeOf(request, services, change), id, {
          input,
          pointers: restPointers,
        })
        return { status: 200, body: single(request, toResource(changed)) }
      })
    },
  })
  defineOperation(scope, {
    id: 'deleteIntegration',
    at: 'DELETE /orgs/:org_id/integrations/:integration_id',
    summary: 'Delete an integration with its credentials and archives; its projects stay',
    description: extension,
    tags,
    ...config,
    response: { 204: Type.Null() },
    handler: async (request, reply) =>
      answerChange(services, { request, reply }, (change) =>
        removeIntegration(changeOf(request, services, change), pathId(request, 'integration_id')),
      ),
  })
}

function testRoute(scope: Server, { db }: Services, { sources }: IntegrationParts): void {
  defineOperation(scope, {
    id: 'testIntegration',
    at: 'POST /orgs/:org_id/integrations/:integration_id/test',
    summary: 'Test the connection of an integration, or look for a target',
    description: `${extension} Returns 200 even if the connection fails; see \`ok\`. Nothing is stored.`,
    tags,
    ...config,
    body: TestInput,
    response: { 200: Single(ConnectionTest) },
    handler: async (request, reply) => {
      const integration = await getIntegration(db, orgOf(request).id, pathId(request, 'integration_id'))
      const { target } = request.body.data.attributes
      const attributes = await describe(sources, integration, { target, client: clientSignal(reply) })
      return single(request, { id: integration.id, type: 'integration_test' as const, attributes })
    },
  })
}

async function describe(
  sources: IntegrationSources,
  integration: Parameters<IntegrationSources['test']>[0],
  { target, client }: { target: object | undefined; client: AbortSignal },
) {
  if (target !== undefined) sources.check(integration, target)
  const signal = AbortSignal.any([client, AbortSignal.timeout(TEST_SECONDS * 1000)])
  try {
    if (target === undefined) return { ok: true, message: await sources.test(integration, signal) }
    const { displayName, reference, revision, isPrivate } = await sources.find(integration, target, { signal })
    return { ok: true, message: `${displayName} can be read`, reference, revision, is_private: isPrivate }
  } catch (error) {
    client.throwIfAborted()
    if (signal.aborted)
      return {
        ok: false,
        message: `The source did not respond within ${TEST_SECONDS} s`,
        code: 'repository-unreachable',
      }
    if (!(error instanceof Problem)) throw error
    return { ok: false, message: error.message, code: error.code }
  }
}

export function changeOf(request: FastifyRequest, { keyring }: Services, change: Change): IntegrationChange {
  return { ...change, keyring, org: orgOf(request) }
}
