import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { answerChange } from '#foundation/http/change.ts'
import { clientSignal } from '#foundation/http/client-signal.ts'
import { Collection, listOf, listQuery, Single, single, Uuid, Versioned } from '#foundation/http/documents.ts'
import { orgOf } from '#foundation/http/request-context.ts'
import type { Routes, Server } from '#foundation/http/server.ts'
import { requirePathId } from '#foundation/http/text.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { Problem } from '#foundation/problem.ts'
import type { Services } from '#foundation/services.ts'
import {
  type Change,
  createIntegration,
  editIntegration,
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
  toResource,
  WantedTest,
} from './resource.ts'
import { getIntegration, integrationsByAge, listIntegrations } from './store.ts'

const config = { access: { org: ['org.edit'] }, releases: ['2024-10-15'] } as const
const tags = ['Integrations']
const extension = 'An extension: the interface documents have no such operation.'
const TEST_SECONDS = 30
const inOrg = Type.Object({ org_id: Uuid })
const one = Type.Object({ org_id: Uuid, integration_id: Uuid })

export interface IntegrationParts {
  readonly outgoing: Pick<Outgoing, 'judge'>
  readonly sources: IntegrationSources
}

/** The places that an organisation imports repositories from. */
export function integrationRoutes(services: Services, parts: IntegrationParts): Routes {
  return (scope) => {
    readRoutes(scope, services)
    createRoute(scope, services, parts)
    changeRoutes(scope, services, parts)
    testRoute(scope, services, parts)
  }
}

function readRoutes(scope: Server, { db, keyring }: Services): void {
  scope.get(
    '/orgs/:org_id/integrations',
    {
      config,
      schema: {
        operationId: 'listIntegrations',
        summary: 'List the integrations of an organisation',
        description: extension,
        tags,
        params: inOrg,
        querystring: listQuery(),
        response: { 200: Collection(Integration) },
      },
    },
    async (request) => {
      const list = listOf(request, keyring)
      return list.document(await listIntegrations(db, orgOf(request).id, list.window), integrationsByAge, toResource)
    },
  )
  scope.get(
    '/orgs/:org_id/integrations/:integration_id',
    {
      config,
      schema: {
        operationId: 'getIntegration',
        summary: 'Read an integration',
        description: `${extension} Credentials are not among what is shown.`,
        tags,
        params: one,
        querystring: Versioned,
        response: { 200: Single(Integration) },
      },
    },
    async (request) =>
      single(request, toResource(await getIntegration(db, orgOf(request).id, integrationIdOf(request)))),
  )
}

function createRoute(scope: Server, services: Services, { outgoing }: IntegrationParts): void {
  scope.post(
    '/orgs/:org_id/integrations',
    {
      config,
      schema: {
        operationId: 'createIntegration',
        summary: 'Connect a source of repositories',
        description: `${extension} An organisation has at most ${MAX_INTEGRATIONS}.`,
        tags,
        params: inOrg,
        querystring: Versioned,
        body: NewIntegration,
        response: { 201: Single(Integration) },
      },
    },
    async (request, reply) => {
      const { attributes } = request.body.data
      const kind = getKind(attributes.kind, '/data/attributes/kind')
      const wanted = { ...parseAttributes(outgoing, attributes), name: attributes.name.trim() }
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const change = changeOf(request, { ...services, tx, actor })
        const made = await createIntegration(change, kind, { wanted, pointers: restPointers })
        const body = single(request, toResource(made), `/orgs/${made.orgId}/integrations/${made.id}`)
        return { status: 201, body, headers: { location: `${services.baseUrl}/rest${body.links.self}` } }
      })
    },
  )
}

function changeRoutes(scope: Server, services: Services, { outgoing }: IntegrationParts): void {
  scope.patch(
    '/orgs/:org_id/integrations/:integration_id',
    {
      config,
      schema: {
        operationId: 'updateIntegration',
        summary: 'Change an integration, or replace its credentials',
        description: `${extension} What is not sent stays. A new base URL needs the credentials again, since they were given for the old one.`,
        tags,
        params: one,
        querystring: Versioned,
        body: ChangedIntegration,
        response: { 200: Single(Integration) },
      },
    },
    async (request, reply) => {
      const id = integrationIdOf(request)
      requirePathId(request.body.data.id, id)
      const wanted = parseAttributes(outgoing, request.body.data.attributes)
      return answerChange(services, { request, reply }, async (tx, actor) => {
        const change = changeOf(request, { ...services, tx, actor })
        const changed = await editIntegration(change, id, { wanted, pointers: restPointers })
        return { status: 200, body: single(request, toResource(changed)) }
      })
    },
  )
  scope.delete(
    '/orgs/:org_id/integrations/:integration_id',
    {
      config,
      schema: {
        operationId: 'deleteIntegration',
        summary: 'Delete an integration with its credentials and archives; what was imported stays',
        description: extension,
        tags,
        params: one,
        querystring: Versioned,
        response: { 204: Type.Null() },
      },
    },
    async (request, reply) =>
      answerChange(services, { request, reply }, async (tx, actor) => {
        await removeIntegration(changeOf(request, { ...services, tx, actor }), integrationIdOf(request))
        return { status: 204 }
      }),
  )
}

function testRoute(scope: Server, { db }: Services, { sources }: IntegrationParts): void {
  scope.post(
    '/orgs/:org_id/integrations/:integration_id/test',
    {
      config,
      schema: {
        operationId: 'testIntegration',
        summary: 'Test the connection of an integration, or whether a target is there',
        description: `${extension} Answers 200 also when there is no connection: \`ok\` says it. Nothing is stored.`,
        tags,
        params: one,
        querystring: Versioned,
        body: WantedTest,
        response: { 200: Single(ConnectionTest) },
      },
    },
    async (request, reply) => {
      const integration = await getIntegration(db, orgOf(request).id, integrationIdOf(request))
      const { target } = request.body.data.attributes
      const attributes = await describe(sources, integration, { target, client: clientSignal(reply) })
      return single(request, { id: integration.id, type: 'integration_test' as const, attributes })
    },
  )
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
      return { ok: false, message: `There was no answer within ${TEST_SECONDS} s`, code: 'repository-unreachable' }
    if (!(error instanceof Problem)) throw error
    return { ok: false, message: error.message, code: error.code }
  }
}

function integrationIdOf(request: FastifyRequest): string {
  return (request.params as { integration_id: string }).integration_id.toLowerCase()
}

type Made = Pick<Change, 'tx' | 'actor' | 'keyring'> & Pick<Services, 'now'>

function changeOf(request: FastifyRequest, { tx, actor, keyring, now }: Made): Change {
  return { tx, actor, keyring, at: now(), org: orgOf(request) }
}
