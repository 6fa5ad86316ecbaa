import fastifySwagger from '@fastify/swagger'
import type { Server } from '#foundation/http/server.ts'
import { version } from '#foundation/product.ts'
import { completeOperation } from './complete-operation.ts'
import { errorResponses, headers, parameters, schemas, securitySchemes } from './components.ts'
import { type Json, type OpenApi, operationsOf } from './openapi-document.ts'
import { describeRoute } from './route-description.ts'
import { tags } from './tags.ts'

const description = [
  'One gate for a software supply chain: which programs may act on an account, and which packages may enter the code.',
  'Operations under `/rest` speak JSON:API and take a dated `version`; operations under `/v1` (also reached as `/api/v1`) ' +
    'speak plain JSON and take none. Both take the same credentials and know the same permissions.',
  'Authentication, versions, pages, repeatable requests, limits and every error code are explained at `/docs` of every server.',
].join('\n\n')

/** Collects every route that is added later. Call before routes are added. */
export async function collectRoutes(server: Server): Promise<void> {
  await server.register(fastifySwagger, {
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
      components: { securitySchemes } as Json,
    },
    // OpenAPI 3.1 knows `const`.
    convertConstToEnum: false,
    transform: ({ schema, url, route }) => ({
      url,
      schema: describeRoute({ url, schema, config: route.config ?? {} }),
    }),
    transformObject: (described) =>
      complete(('openapiObject' in described ? described.openapiObject : {}) as unknown as OpenApi) as object,
  })
}

/** The whole interface as an OpenAPI 3.1 document. The server must be ready. */
export function openApiOf(server: Server): OpenApi {
  return server.swagger() as unknown as OpenApi
}

function complete(document: OpenApi): OpenApi {
  const operations = operationsOf(document)
  for (const placed of operations) completeOperation(placed)
  const used = new Set(operations.flatMap(({ operation }) => operation.tags ?? []))
  // Through JSON once, so that what TypeBox keeps beside a schema stays behind.
  return JSON.parse(
    JSON.stringify({
      ...document,
      tags: tags.filter(({ name }) => used.has(name)),
      components: { ...document.components, schemas, parameters, headers, responses: errorResponses() },
    }),
  ) as OpenApi
}
