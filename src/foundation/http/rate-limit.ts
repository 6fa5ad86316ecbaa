import fastifyRateLimit, { normalizeIP } from '@fastify/rate-limit'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

/** Counts a request; throws 429 when its caller has used up the minute. */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/**
 * Limits what one credential may ask of this process per minute; without a valid one its address counts, so that keys
 * cannot be guessed without end. Answers carry `ratelimit-limit`, `ratelimit-remaining` and `ratelimit-reset` as plain
 * integers, and `retry-after` when refused. Routes with `rateLimit: false` in their configuration are never counted.
 */
export async function limitRate(server: FastifyInstance, perMinute: number): Promise<CountRequest> {
  if (perMinute === 0) return async () => {}
  await server.register(fastifyRateLimit, {
    // Hooks of routes run after authentication, too late for requests that fail there.
    global: false,
    max: perMinute,
    timeWindow: 60_000,
    cache: 100_000,
    enableDraftSpec: true,
    keyGenerator: keyOf,
    errorResponseBuilder: (_request, { ttl }) => {
      const seconds = String(Math.ceil(ttl / 1000))
      return new Problem(
        'rate-limited',
        `Too many requests; the limit is ${perMinute} a minute. Retry after ${seconds} s`,
        {
          headers: { 'retry-after': seconds },
        },
      )
    },
  })
  const count = server.rateLimit()
  return async (request, reply) => {
    if (request.routeOptions.config?.rateLimit === false) return
    await count.call(server, request, reply)
  }
}

/** One household has a whole IPv6 network of addresses: it counts as one. */
function keyOf(request: FastifyRequest): string {
  return request.caller?.principal.credentialId ?? normalizeIP(request.ip)
}
