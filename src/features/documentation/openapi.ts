import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify'
import type { Server } from '#foundation/http/server.ts'
import { version } from '#foundation/product.ts'
import { choicesAsEnum } from './choices-as-enum.ts'
import { completeOperation } from './complete-operation.ts'
import { errorResponses, headers, parameters, schemas, securitySchemes } from './components.ts'
import { addExamples } from './examples.ts'
import { nameParameters } from './named-parameters.ts'
import { nameResponses } from './named-responses.ts'
import { collectNamedSchemas } from './named-schemas.ts'
import { type Json, type OpenApi, operationsOf } from './openapi-document.ts'
import { describeRoute } from './route-description.ts'
import { bodiesOf } from './schema-places.ts'
import { tags } from './tags.ts'
import { webhookDocuments } from './webhook-documents.ts'

const description = [
  'Access control and package testing for a software supply chain: controls which programs may act on an account and which packages enter the code.',
  'Operations under `/rest` use JSON:API and take a dated `version`; operations under `/v1` (also under `/api/v1`) ' +
    'use plain JSON and take none. Both accept the same credentials and use the same permissions.',
  'An extension is an operation or a member that the original interface documents do not have.',
  'Authentication, versions, pages, repeatable requests, limits and every error code are explained at `/docs` of every server.',
].join('\n\n')

interface Collection {
  readonly routes: RouteOptions[]
  document?: Promise<OpenApi>
}

const collections = new WeakMap<object, Collection>()

/** Records every route that is added afterward. Call it before routes are added. */
export function collectRoutes(server: Server): void {
  const routes: RouteOptions[] = []
  collections.set(server.server, { routes })
  server.addHook('onRoute', (route) => {
    if (route.method !== 'HEAD') routes.push(route)
  })
}

/** Returns the whole interface as an OpenAPI 3.1 document, generated on first use. The server must be ready. */
export function openApiOf(server: Server): Promise<OpenApi> {
  const collection = collectionOf(server)
  collection.document ??= describe(collection.routes.filter(({ schema }) => schema && !schema.hide))
  return collection.document
}

/** Returns every route, including pages and files. */
export function routesOf(server: Server): readonly RouteOptions[] {
  return collectionOf(server).routes
}

function collectionOf(server: Server): Collection {
  const collection = collections.get(server.server)
  if (!collection) throw new Error('the routes of this server were not collected')
  return collection
}

/**
 * Generates the document on a second server with the same routes: the generator must be registered before the first
 * route, and the start must not wait for it.
 */
async function describe(routes: readonly RouteOptions[]): Promise<OpenApi> {
  const { fastifySwagger } = await import('@fastify/swagger')
  const scribe: FastifyInstance = Fastify({ exposeHeadRoutes: false })
  scribe.setValidatorCompiler(() => () => true)
  scribe.setSerializerCompiler(() => JSON.stringify)
  await scribe.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Gatehouse',
        version,
        description,
        license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/' }],
      security: [{ ApiKey: [] }, { BearerToken: [] }],
      components: { securitySchemes } as object,
    },
    // OpenAPI 3.1 supports `const`.
    convertConstToEnum: false,
  })
  for (const { method, url, schema = {}, config = {} } of routes) {
    scribe.route({ method, url, schema: describeRoute({ url, schema, config }), handler: async () => undefined })
  }
  await scribe.ready()
  const document = complete(scribe.swagger() as unknown as OpenApi)
  await scribe.close()
  return document
}

function complete(document: OpenApi): OpenApi {
  const operations = operationsOf(document)
  for (const placed of operations) completeOperation(placed)
  const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []))
  // Serializing once drops the symbols that TypeBox adds to schemas.
  const written = JSON.stringify(
    {
      ...document,
      webhooks: webhookDocuments(),
      tags: tags.filter(({ name }) => used.has(name)),
      components: { ...document.components, schemas, parameters, headers, responses: errorResponses() },
    },
    choicesAsEnum,
  )
  const whole = JSON.parse(written) as OpenApi
  nameParameters(whole)
  const result = withNamedSchemas(whole)
  addExamples(result)
  nameResponses(result)
  return result
}

/** Moves each named schema of the document to the components. */
function withNamedSchemas(document: OpenApi): OpenApi {
  const bodies = bodiesOf(document)
  const shared = Object.values(document.components['schemas'] as Record<string, Json>)
  const { components, refer } = collectNamedSchemas([...bodies.map(({ media }) => media.schema), ...shared])
  for (const schema of shared) refer(schema)
  for (const { media, name } of bodies) media.schema = refer(media.schema, name)
  const byName = Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1))
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(byName) } }
}
