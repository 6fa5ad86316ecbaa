import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { toOutage, toProblem } from './faults.ts'

/** Formats a refusal for one API style. */
export type AnswerError = (problem: Problem, requestId: string) => object

/** Sends every refusal and failure of the scope. */
export function handleErrors(scope: FastifyInstance, spell: AnswerError): void {
  const answer = (reply: FastifyReply, problem: Problem) =>
    reply
      .code(problem.status)
      .headers(problem.headers)
      .type('application/json; charset=utf-8')
      .send(spell(problem, reply.request.id))

  scope.setErrorHandler((error, request, reply) => {
    const problem = toProblem(error)
    if (!problem) {
      request.log.error({ err: error }, 'request failed')
      const internal = () => new Problem('internal', `Internal error (reference: ${request.id})`)
      return answer(reply, toOutage(error) ?? internal())
    }
    // Such a response never finishes, so the request log has no line for it.
    if (problem.code === 'client-closed') request.log.info('the client closed the connection before the answer')
    if (problem.cause) request.log.debug({ err: problem.cause }, 'refused because of')
    return answer(reply, problem)
  })
  scope.setNotFoundHandler((request, reply) => answer(reply, noRoute(request)))
}

/** Returns the refusal of an unknown path or method. */
export function noRoute(request: FastifyRequest): Problem {
  const path = request.url.split('?', 1)[0]!
  const methods = methodsOf(request.server, path)
  if (methods.length === 0) {
    const remedy = remediesOf(request.server).find(({ pattern }) => pattern.test(path))?.remedy ?? ''
    return new Problem('route-not-found', `Unknown operation: ${request.method} ${path}${remedy}`)
  }
  const headers = { allow: methods.join(', ') }
  return new Problem('method-not-allowed', `This path supports ${methods.join(', ')}`, { headers })
}

/**
 * Refuses a method that the path does not support although a parameterized route does: the router falls back from
 * `/apps/creations` to `/apps/:app_id`.
 */
export function refuseFallback(request: FastifyRequest): void {
  const { url } = request.routeOptions
  if (url === undefined || !url.includes(':')) return
  const path = request.url.split('?', 1)[0]!
  const literal = literalsOf(request.server, url).find(({ url }) => patternOf(url).test(path))
  if (literal) throw noRoute(request)
}

/** Headers of which Node keeps the first, while a proxy may have judged the last. */
const SINGLE_HEADERS = new Set(['authorization', 'host'])

/** Refuses a header that is sent twice although it has one value (RFC 9110 §5.3, RFC 9112 §3.2). */
export function refuseRepeatedHeaders({ raw: { rawHeaders } }: FastifyRequest): void {
  const sent = new Set<string>()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!.toLowerCase()
    if (!SINGLE_HEADERS.has(name)) continue
    if (sent.has(name)) {
      throw new Problem('invalid-request', `The header ${name} was sent twice. Send it once`, {
        source: { header: name },
      })
    }
    sent.add(name)
  }
}

interface Route {
  readonly method: string
  readonly url: string
}

const routesOf = new WeakMap<object, Route[]>()
const literals = new WeakMap<object, Map<string, Route[]>>()

/** Returns routes that match `url` with more literal parts. Few routes have any. */
function literalsOf(server: FastifyInstance, url: string): Route[] {
  const routesByUrl = literals.get(server.server) ?? new Map<string, Route[]>()
  literals.set(server.server, routesByUrl)
  const routes =
    routesByUrl.get(url) ?? (routesOf.get(server.server) ?? []).filter((route) => isMoreLiteral(route.url, url))
  routesByUrl.set(url, routes)
  return routes
}

function isMoreLiteral(one: string, other: string): boolean {
  const [mine, theirs] = [one.split('/'), other.split('/')]
  if (one === other || mine.length !== theirs.length) return false
  return mine.every((part, at) => part === theirs[at] || (theirs[at]!.startsWith(':') && !part.startsWith(':')))
}

/** Collects all routes, to tell a wrong method from a wrong path. Call before adding routes. */
export function rememberRoutes(server: FastifyInstance): void {
  const routes: Route[] = []
  routesOf.set(server.server, routes)
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url })
  })
}

function methodsOf(scope: FastifyInstance, path: string): string[] {
  const matching = (routesOf.get(scope.server) ?? []).filter(({ url }) => patternOf(url).test(path))
  const routes = matching.filter(({ url }) => !matching.some((other) => isMoreLiteral(other.url, url)))
  return [...new Set(routes.map(({ method }) => method))].sort()
}

const patterns = new Map<string, RegExp>()

/** Returns a pattern of the paths of a route. Only refusals need one, so none is compiled at the start. */
function patternOf(url: string): RegExp {
  const cached = patterns.get(url)
  if (cached !== undefined) return cached
  const literal = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const pattern = new RegExp(`^${literal.replace(/:[A-Za-z_]+/g, '[^/]+')}/?$`)
  patterns.set(url, pattern)
  return pattern
}

interface Remedy {
  readonly pattern: RegExp
  /** Appended to the message for an unknown path. */
  readonly remedy: string
}

const remedies = new WeakMap<object, Remedy[]>()

function remediesOf({ server }: Pick<FastifyInstance, 'server'>): Remedy[] {
  const existing = remedies.get(server) ?? []
  remedies.set(server, existing)
  return existing
}

/** Explains mistaken paths that resemble ours. */
export function explainPath(scope: Pick<FastifyInstance, 'server'>, remedy: Remedy): void {
  remediesOf(scope).push(remedy)
}
