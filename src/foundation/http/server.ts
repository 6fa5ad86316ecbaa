import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { andThen, catching, type MaybePromise } from '#foundation/maybe-promise.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { traceRequests } from '../tracing/tracing.ts'
import { admit, authenticate, requireAccessRules } from './access.ts'
import { basePathOf, toOriginForm, withoutBasePath, writeBelow } from './base-path.ts'
import { limitAnswers } from './bodies/answer-memory.ts'
import type { BodyMemory } from './bodies/body-memory.ts'
import { discardRest } from './bodies/discard-rest.ts'
import { secureAnswers } from './browser/security-headers.ts'
import { toPlainError } from './plain-json.ts'
import { limitRate } from './rate-limit.ts'
import { handleErrors, noRoute, refuseFallback, refuseRepeatedHeaders, rememberRoutes } from './refusals.ts'
import type {} from './request-context.ts'
import { requestLog } from './request-log.ts'
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

/** Adds a feature's routes to a scope. */
export type Routes = (scope: Server) => void

/**
 * Creates the server without routes: request ids, aliases, validation, access. Scopes add their API style, features
 * their routes.
 */
export async function createServer(services: Services, bodies: BodyMemory): Promise<Server> {
  const { config, access } = services
  const basePath = basePathOf(services.baseUrl)
  const server = Fastify({
    loggerInstance: services.log as FastifyBaseLogger,
    childLoggerFactory: requestLog,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: config.bodyLimitBytes,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    genReqId: (request) => requestId(request.headers['snyk-request-id']),
    rewriteUrl: (request) => canonicalUrl(withoutBasePath(toOriginForm(request.url ?? '/'), basePath)),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 2048 },
    // A silent client must not occupy a connection forever.
    requestTimeout: 120_000,
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    frameworkErrors: answerUnroutable(services.baseUrl),
  }).withTypeProvider<TypeBoxTypeProvider>()
  // Only API scopes read bodies.
  server.removeAllContentTypeParsers()
  server.decorateRequest('caller', null)
  server.decorateRequest('servedVersion', null)
  // Fastify's type with its default schemas.
  const plain = server as unknown as FastifyInstance
  rememberRoutes(plain)
  requireAccessRules(plain)
  validateStrictly(server)
  secureAnswers(plain)
  writeBelow(plain, basePath)
  discardRest(plain)
  // Requests outside of every API scope are refused in plain JSON.
  handleErrors(plain, toPlainError)
  const countRequest = await limitRate(plain, config.rateLimitPerMinute)
  const recognize = (request: FastifyRequest): MaybePromise<void> => {
    refuseFallback(request)
    if (request.is404 || request.routeOptions.config.access === 'public') return
    return andThen(authenticate(request, access, services.baseUrl), (principal) => {
      request.caller = { principal, permissions: new Set() }
    })
  }
  limitAnswers(plain, config)
  traceRequests(plain)
  server.addHook('onRequest', (request, reply, done) => {
    reply.header('snyk-request-id', request.id)
    refuseRepeatedHeaders(request)
    // No name or id contains it, and PostgreSQL refuses it in any text.
    if (request.url.includes('%00')) throw new Problem('invalid-request', 'The URL contains a NUL character')
    const recognized = catching(
      () => recognize(request),
      // Also counts refused requests.
      async (refusal) => {
        await countRequest(request, reply)
        throw refusal
      },
    )
    const counted = andThen(recognized, () => countRequest(request, reply))
    // Before the body is read, for every caller.
    const hook = andThen(counted, () => {
      if (request.is404 && mayHaveBody(request)) throw noRoute(request)
    })
    finish(hook, done)
  })
  // After the scopes' own onRequest hooks (versions, media types), before the body is read.
  server.addHook('preParsing', (request, reply, _payload, done) => {
    if (mayHaveBody(request)) bodies.lend(request, reply)
    if (!request.caller) return done()
    const admitted = andThen(admit(request, request.caller.principal, access), (caller) => {
      request.caller = caller
    })
    finish(admitted, done)
  })
  server.addHook('onResponse', (request, reply, done) => {
    services.log.info(
      {
        reqId: request.id,
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

/** Methods whose bodies are not read (RFC 9110 §9.3). */
const bodiless = new Set(['GET', 'HEAD'])

function mayHaveBody({ method }: FastifyRequest): boolean {
  return !bodiless.has(method)
}

/** Ends a hook, synchronously if there is nothing to wait for. */
function finish(work: MaybePromise<void>, done: (error?: Error) => void): void {
  if (work instanceof Promise) work.then(() => done(), done)
  else done()
}

function requestId(sent: string | string[] | undefined): string {
  return typeof sent === 'string' && /^[\w.:-]{1,128}$/.test(sent) ? sent : randomUUID()
}

/**
 * Maps aliases of existing clients: `/api/v1/…`, a doubled `/rest/rest/…`, and links without `/rest` resolved against
 * the root.
 */
function canonicalUrl(url: string): string {
  if (url.startsWith('/rest/')) return url.replace(/^(\/rest){2,}(?=\/)/, '/rest')
  if (url.startsWith('/api/v1/')) return url.slice('/api'.length)
  return /^\/(orgs|groups|self)(?=[/?]|$)/.test(url) ? `/rest${url}` : url
}
