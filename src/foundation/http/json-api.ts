import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../problem.ts'
import { problemCodes } from '../problem-codes.ts'
import { JSON_API, PLAIN_JSON, readJson, requireAcceptable } from './media-types.ts'
import { type AnswerError, handleErrors } from './refusals.ts'
import { resolveVersion } from './versions.ts'

/**
 * The manners of the REST interface: JSON:API 1.0 documents and dated versions. A route with an empty list of releases
 * takes no version and answers plain JSON.
 */
export function jsonApi(scope: FastifyInstance, { now, baseUrl }: { now(): number; baseUrl: string }): void {
  readJson(scope, [JSON_API, PLAIN_JSON])
  handleErrors(scope, toErrorDocument(baseUrl))
  scope.addHook('onRoute', (route) => {
    if (route.config?.releases === undefined)
      throw new Error(`${String(route.method)} ${route.url} declares no releases`)
  })
  scope.addHook('onRequest', async (request) => {
    const { releases } = request.routeOptions.config
    if (releases === undefined) return
    if (releases.length === 0) return requireAcceptable(request, [PLAIN_JSON, JSON_API])
    const { version } = request.query as Record<string, unknown>
    request.servedVersion = resolveVersion(version, releases, now())
    requireAcceptable(request, [JSON_API, PLAIN_JSON])
  })
  scope.addHook('onSend', async (request, reply, payload) => {
    if (reply.statusCode < 300) writeVersionHeaders(request, reply)
    const isPlain = reply.statusCode < 400 && request.routeOptions.config.releases?.length === 0
    if (!isPlain && payload !== undefined && payload !== null && payload !== '') reply.header('content-type', JSON_API)
    return payload
  })
}

function writeVersionHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const version = request.servedVersion
  if (!version) return
  const { deprecation } = request.routeOptions.config
  reply.header('snyk-version-requested', version.requested)
  reply.header('snyk-version-served', version.served)
  reply.header('snyk-version-lifecycle-stage', deprecation ? 'deprecated' : version.stage)
  if (!deprecation) return
  reply.header('deprecation', deprecation.since)
  reply.header('sunset', deprecation.sunset)
}

export function toErrorDocument(baseUrl: string): AnswerError {
  return (problem: Problem, requestId: string) => ({
    jsonapi: { version: '1.0' },
    errors: problem.faults.map(({ detail, source }) => ({
      id: requestId,
      status: String(problem.status),
      code: problem.code,
      title: problemCodes[problem.code].title,
      detail,
      ...(source && { source }),
      links: { about: `${baseUrl}/docs/errors/${problem.code}` },
    })),
  })
}
