import type { FastifyInstance } from 'fastify'

/**
 * What browsers are told about every answer: take its type at its word, show it in no frame, load nothing from it, keep
 * no copy (answers hold secrets that are shown once). Pages and files loosen this for themselves.
 */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const

/** Call before anything that may refuse a request. */
export function secureAnswers(server: FastifyInstance): void {
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(securityHeaders)
    done()
  })
}
