import type { FastifyInstance } from 'fastify'

/**
 * Headers of every answer: no type sniffing, framing, loading or caching (answers may contain secrets that are shown
 * once). Pages and files relax them.
 */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** Call before every hook that may refuse a request. */
export function secureAnswers(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders)
    done()
  })
}
