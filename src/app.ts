import type { FastifyInstance } from 'fastify'
import { createBodyReader } from '#foundation/http/bodies/read-body.ts'
import { jsonApi } from '#foundation/http/json-api.ts'
import { oauthForms } from '#foundation/http/oauth-forms.ts'
import { plainJson } from '#foundation/http/plain-json.ts'
import { createServer, type Server } from '#foundation/http/server.ts'
import { webPages } from '#foundation/pages/web-pages.ts'
import type { Parts } from './composition/parts.ts'
import { consoleOwn, measurements, oauth, pages, rest, root, v1 } from './routes.ts'

/**
 * Creates the HTTP interface. Each API style is a scope, and each feature adds its routes to one. A worker process
 * serves only health and metrics.
 */
export async function createApp(parts: Parts): Promise<Server> {
  const { config } = parts.services
  const bodies = createBodyReader(config)
  const server = await createServer(parts.services, bodies.memory)
  if (config.role === 'work') {
    measurements(server, parts)
    return server
  }
  await root(server, parts)
  server.register(
    async (scope) => {
      jsonApi(scope as FastifyInstance, parts.services, bodies)
      for (const routes of rest(parts, bodies.memory)) routes(scope as Server)
    },
    { prefix: '/rest' },
  )
  server.register(
    async (scope) => {
      plainJson(scope as FastifyInstance, bodies)
      for (const routes of v1(parts)) routes(scope as Server)
    },
    { prefix: '/v1' },
  )
  server.register(
    async (scope) => {
      oauthForms(scope as FastifyInstance, parts.services.baseUrl, bodies)
      for (const routes of oauth(parts)) routes(scope as Server)
    },
    { prefix: '/oauth2' },
  )
  server.register(
    async (scope) => {
      webPages(scope as FastifyInstance, bodies)
      for (const routes of pages(parts)) routes(scope as Server)
    },
    { prefix: '/oauth2' },
  )
  server.register(
    async (scope) => {
      plainJson(scope as FastifyInstance, bodies)
      for (const routes of consoleOwn(parts)) routes(scope as Server)
    },
    { prefix: '/console' },
  )
  return server
}
