import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Problem } from '../problem.ts'
import { problemCodes } from '../problem-codes.ts'
import { JSON_API, PLAIN_JSON, readJson, requireAcceptable } from './bodies/media-types.ts'
import type { BodyReader } from './bodies/read-body.ts'
import { toPresentNames } from './former-names.ts'
import { listNamesOf, withLists } from './query-lists.ts'
import { type AnswerError, handleErrors } from './refusals.ts'
import { resolveVersion, type ServedVersion } from './versions.ts'

/**
 * Sets up the REST interface: JSON:API 1.0 documents and dated versions. A route with an empty list of releases takes
 * no version and answers plain JSON.
 */
export function jsonApi(
  scope: FastifyInstance,
  { now, baseUrl }: { now(): number; baseUrl: string },
  bodies: BodyReader,
): void {
  readJson(scope, [JSON_API, PLAIN_JSON], bodies)
  handleErrors(scope, toErrorDocument(baseUrl))
  scope.addHook('onRoute', (route) => {
    if (route.config?.releases === undefined)
      throw new Error(`${String(route.method)} ${route.url} declares no releases`)
  })
  readQueries(scope)
  const resolve = createResolver(now)
  // Callbacks, as in all hooks here: a promise would cost every request.
  scope.addHook('onRequest', (request, _reply, done) => {
    const { releases, mediaTypes } = request.routeOptions.config
    if (releases?.length === 0) requireAcceptable(request, [PLAIN_JSON, JSON_API])
    else if (releases) {
      const { version } = request.query as Record<string, unknown>
      request.servedVersion = resolve(version, releases)
      requireAcceptable(request, mediaTypes === undefined ? documents : [...mediaTypes, ...documents])
    }
    done()
  })
  scope.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode < 300) writeVersionHeaders(request, reply)
    const { releases, mediaTypes } = request.routeOptions.config
    const isPlain = reply.statusCode < 400 && (releases?.length === 0 || mediaTypes !== undefined)
    if (!isPlain && payload !== undefined && payload !== null && payload !== '') reply.header('content-type', JSON_API)
    done(null, payload)
  })
}

const documents = [JSON_API, PLAIN_JSON]

/** Validates queries under current names with their lists split; skips routes without either. */
function readQueries(scope: FastifyInstance): void {
  scope.addHook('onRoute', (route) => {
    const names = listNamesOf(route.schema?.querystring)
    const former = route.config?.formerNames
    if (names.length === 0 && former === undefined) return
    route.preValidation = [
      (request, _reply, done) => {
        const query = request.query as Record<string, unknown>
        request.query = withLists(former ? toPresentNames(query, request, former) : query, names)
        done()
      },
      ...[route.preValidation ?? []].flat(),
    ]
  })
}

const DAY_MS = 86_400_000

/** Resolves versions and caches the results for the rest of the day: clients repeat the same ones. */
function createResolver(now: () => number): (requested: unknown, releases: readonly string[]) => ServedVersion {
  let day = 0
  let versionsByRelease = new WeakMap<readonly string[], Map<unknown, ServedVersion>>()
  return (requested, releases) => {
    const time = now()
    const today = Math.floor(time / DAY_MS)
    if (today !== day) [day, versionsByRelease] = [today, new WeakMap()]
    const resolved = versionsByRelease.get(releases) ?? new Map<unknown, ServedVersion>()
    versionsByRelease.set(releases, resolved)
    const kept = resolved.get(requested)
    if (kept) return kept
    const served = resolveVersion(requested, releases, time)
    if (resolved.size < 1000) resolved.set(requested, served)
    return served
  }
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
