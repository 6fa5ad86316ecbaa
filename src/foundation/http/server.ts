import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { admit, authenticate, requireAccessRules } from './access.ts'
import { toPlainError } from './plain-json.ts'
import { limitRate } from './rate-limit.ts'
import { handleErrors, rememberRoutes } from './refusals.ts'
import type {} from './request-context.ts'
import { secureAnswers } from './security-headers.ts'
import { answerUnroutable } from './unroutable.ts'
import { validateStrictly } from './validation.ts'

/** Fastify with the schemas of its routes known to TypeScript. */
export type Server = FastifyInstance<
  import('fastify').RawServerDefault,
  IncomingMessage,
  import('node:http').ServerResponse,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>

/** What a feature adds to a scope. */
export type Routes = (scope: Server) => void

/** The bare server: identity of requests, aliases, validation, access. Scopes add their manners, features their routes. */
export async function createServer(services: Services): Promise<Server> {
  const { config, access } = services
  const server = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimitBytes,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: (request) => requestId(request.headers['snyk-request-id']),
    rewriteUrl: (request) => canonicalUrl(request.url ?? '/'),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
    // A client that neither sends nor reads must not hold a connection for ever.
    requestTimeout: 120_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    frameworkErrors: answerUnroutable(services.baseUrl),
  }).withTypeProvider<TypeBoxTypeProvider>()
  server.decorateRequest('caller', null)
  server.decorateRequest('servedVersion', null)
  rememberRoutes(server as unknown as FastifyInstance)
  requireAccessRules(server as unknown as FastifyInstance)
  validateStrictly(server)
  secureAnswers(server as unknown as FastifyInstance)
  // What lies outside of both manners of speaking refuses in the plainer one.
  handleErrors(server as unknown as FastifyInstance, toPlainError)
  const countRequest = await limitRate(server as unknown as FastifyInstance, config.rateLimitPerMinute)
  server.addHook('onRequest', async (request, reply) => {
    reply.header('snyk-request-id', request.id)
    // No name or id holds one, and PostgreSQL refuses it in any text.
    if (/%00/.test(request.url)) throw new Problem('invalid-request', 'The URL holds a NUL character')
    const isPublic = request.is404 || request.routeOptions.config.access === 'public'
    try {
      if (!isPublic) request.caller = { principal: await authenticate(request, access), permissions: new Set() }
    } finally {
      await countRequest(request, reply)
    }
  })
  // After the scopes' own onRequest hooks (versions, media types), before the body is read.
  server.addHook('preParsing', async (request) => {
    if (request.caller) request.caller = await admit(request, request.caller.principal, access)
  })
  server.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        principal: request.caller?.principal.id,
      },
      'request',
    )
    done()
  })
  return server
}

function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/**
 * Paths that existing clients use for the same things: `/api/v1/…`, a doubled `/rest/rest/…`, and links without `/rest`
 * resolved against the root.
 */
export function canonicalUrl(url: string): string {
  if (url.startsWith('/rest/')) return url.replace(/^(\/rest){2,}(?=\/)/, '/rest')
  if (url.startsWith('/api/v1/')) return url.slice('/api'.length)
  return /^\/(orgs|groups|self)(?=[/?]|$)/.test(url) ? `/rest${url}` : url
}
