import fastifyRateLimit from '@fastify/rate-limit'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../problem.ts'

/**
 * Limits what one credential (or, where none is needed, one address) may ask of this process per minute. Answers carry
 * `ratelimit-limit`, `ratelimit-remaining` and `ratelimit-reset` as plain integers, and `retry-after` when refused.
 */
export async function limitRate(server: FastifyInstance, perMinute: number): Promise<void> {
  if (perMinute === 0) return
  await server.register(fastifyRateLimit, {
    global: true,
    max: perMinute,
    timeWindow: 60_000,
    cache: 100_000,
    enableDraftSpec: true,
    keyGenerator: (request) => request.caller?.principal.credentialId ?? request.ip,
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
}
