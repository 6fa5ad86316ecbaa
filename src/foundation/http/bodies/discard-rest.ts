import type { FastifyInstance } from 'fastify'

/** Bytes of a refused body that are read and discarded before the connection is closed. */
const MAX_DISCARDED_BYTES = 64 * 1024 * 1024

/**
 * Reads the rest of a body that is answered before it is complete. Closing the connection instead would reset it, and
 * the client would see a broken pipe rather than the answer.
 */
export function discardRest(server: FastifyInstance, maxBytes = MAX_DISCARDED_BYTES): void {
  server.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (raw.complete !== false || reply.statusCode === 408) return done(null, payload)
    // Otherwise Node closes the connection after the answer: for a client that asked for that, and after body errors.
    if (reply.statusCode < 500) reply.header('connection', 'keep-alive')
    let discarded = 0
    raw.on('data', (chunk: Buffer) => {
      discarded += chunk.length
      if (discarded > maxBytes) raw.destroy()
    })
    done(null, payload)
  })
}
