import fastifyRateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'
import type { Soon } from '../soon.ts'

/** Counts a request; throws 429 when its caller has used up the minute. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Soon<void>

/**
 * Limits what one credential may ask of this process per minute; without a valid one its address counts, so that keys
 * cannot be guessed without end. Answers carry `ratelimit-limit`, `ratelimit-remaining` and `ratelimit-reset` as plain
 * integers, and `retry-after` when refused. Routes with `rateLimit: false` in their configuration are never counted;
 * those with `limitPerAddress` have a limit of their own, by address, also where there is no general one.
 */
export async function limitRate(server: FastifyInstance, perMinute: number): Promise<CountRequest> {
  await server.register(fastifyRateLimit, {
    // Hooks of routes run after authentication, too late for requests that fail there.
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
    return counted?.call(server, request, reply) as Soon<void>
  }
}

/** Counts requests of single routes, each by itself; a lower general limit holds for them too. */
function ownLimits(server: FastifyInstance, perMinute: number) {
  const counts = new Map<string, ReturnType<FastifyInstance['rateLimit']>>()
  return (url: string, limit: number) => {
    const known = counts.get(url)
    if (known) return known
    const max = perMinute === 0 ? limit : Math.min(limit, perMinute)
    const made = server.rateLimit({ max, keyGenerator: (request) => normalizeIP(request.ip) })
    counts.set(url, made)
    return made
  }
}

/** One household has a whole IPv6 network of addresses: it counts as one. */
function keyOf(request: FastifyRequest): string {
  return request.caller?.principal.credentialId ?? normalizeIP(request.ip)
}
