import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import { toOutage, toProblem } from './faults.ts'

/** How one manner of speaking spells a refusal. */
export type AnswerError = (problem: Problem, requestId: string) => object

/** Every refusal and every failure of the scope goes out through here. */
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
    // Such a response is never finished, so that no line of the request log says so.
    if (problem.code === 'client-closed') request.log.info('the client closed the connection before the answer')
    if (problem.cause) request.log.debug({ err: problem.cause }, 'refused because of')
    return answer(reply, problem)
  })
  scope.setNotFoundHandler((request, reply) => answer(reply, noRoute(request)))
}

/** The refusal of a path or a method that there is not. */
export function noRoute(request: FastifyRequest): Problem {
  const path = request.url.split('?', 1)[0]!
  const methods = methodsOf(request.server, path)
  if (methods.length === 0) return new Problem('route-not-found', `There is no ${request.method} ${path}`)
  const headers = { allow: methods.join(', ') }
  return new Problem('method-not-allowed', `This path takes ${methods.join(', ')}`, { headers })
}

const routesOf = new WeakMap<object, { method: string; pattern: RegExp }[]>()

/** Remembers every route, so that a wrong method can be told from a wrong path. Call before routes are added. */
export function rememberRoutes(server: FastifyInstance): void {
  const routes: { method: string; pattern: RegExp }[] = []
  routesOf.set(server.server, routes)
  server.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[A-Za-z_]+/g, '[^/]+')}/?$`)
    for (const one of [method].flat()) routes.push({ method: one, pattern })
  })
}

function methodsOf(scope: FastifyInstance, path: string): string[] {
  const routes = routesOf.get(scope.server) ?? []
  return [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))].sort()
}
