import fastifyRateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MaybePromise } from '#foundation/maybe-promise.ts'
import { Problem } from '../problem.ts'

/** Counts a request; throws 429 when its caller exceeds the limit per minute. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => MaybePromise<void>

/**
 * Limits requests per credential, process and minute; without a valid credential per address, to slow down guessing of
 * keys. Answers carry `ratelimit-limit`, `ratelimit-remaining` and `ratelimit-reset` as integers, refusals also
 * `retry-after`. Routes with `rateLimit: false` are never counted; routes with `limitPerAddress` have their own limit
 * per address, even without a general one.
 */
export async function limitRate(server: FastifyInstance, perMinute: number): Promise<CountRequest> {
  await server.register(fastifyRateLimit, {
    // Route hooks run after authentication, too late for requests that fail it.
    global: false,
    max: perMinute,
    timeWindow: 60_000,
    cache: 100_000,
    enableDraftSpec: true,
    keyGenerator: keyOf,
    errorResponseBuilder: (_request, { ttl, max }) => {
      const seconds = String(Math.ceil(ttl / 1000))
      return new Problem('rate-limited', `Too many requests; the limit is ${max} a minute. Retry after ${seconds} s`, {
        headers: { 'retry-after': seconds },
      })
    },
  })
  const count = perMinute === 0 ? undefined : server.rateLimit()
  const countOf = ownLimits(server, perMinute)
  return (request, reply) => {
    const { url, config } = request.routeOptions
    if (config?.rateLimit === false) return
    const limit = config?.limitPerAddress
    const counted = limit === undefined || url === undefined ? count : countOf(url, limit)
    return counted?.call(server, request, reply) as MaybePromise<void>
  }
}

/** Counts requests of single routes separately; a lower general limit also applies. */
function ownLimits(server: FastifyInstance, perMinute: number) {
  const counts = new Map<string, ReturnType<FastifyInstance['rateLimit']>>()
  return (url: string, limit: number) => {
    const counter = counts.get(url)
    if (counter) return counter
    const max = perMinute === 0 ? limit : Math.min(limit, perMinute)
    const made = server.rateLimit({ max, keyGenerator: (request) => normalizeIP(request.ip) })
    counts.set(url, made)
    return made
  }
}

/** Returns the counted key. One household has a whole IPv6 network, so it counts as one address. */
function keyOf(request: FastifyRequest): string {
  return request.caller?.principal.credentialId ?? normalizeIP(request.ip)
}
