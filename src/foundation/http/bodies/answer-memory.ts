import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#foundation/config.ts'
import { createClientMemory, type MemoryLease } from './client-memory.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Counts the memory of parts of an answer that is sent as a stream, until it is sent or the client is gone. */
    lendAnswerMemory(request: FastifyRequest, reply: FastifyReply): MemoryLease
  }
}

const MB = 1024 * 1024
/** The system takes smaller answers, whether the client reads them or not. */
const SMALL_BYTES = 16 * 1024

const refusals = {
  full: 'The server has no memory left for this answer. Repeat the request shortly',
  tooMuch:
    'Answers that this credential or address has not read use too much memory. Read them, or send fewer requests at once.',
}

type Settings = Pick<Config, 'answersMb' | 'answersPerClientMb' | 'answerSilenceSeconds'>

/** Limits the memory of answers that clients have not read, and disconnects clients that stop reading. */
export function limitAnswers(server: FastifyInstance, config: Settings): void {
  const memory = createClientMemory({
    totalBytes: config.answersMb * MB,
    clientBytes: config.answersPerClientMb * MB,
    refusals,
    allowsLone: true,
  })
  server.decorate('lendAnswerMemory', (request: FastifyRequest, reply: FastifyReply) => memory.lend(request, reply))
  server.addHook('onSend', (request, reply, payload, done) => {
    const bytes = sizeOf(payload)
    try {
      // A refusal of the answer is always sent.
      if (bytes >= SMALL_BYTES && reply.statusCode < 400) memory.lend(request, reply).add(bytes)
    } catch (error) {
      return done(error as Error)
    }
    if (bytes >= SMALL_BYTES || payload instanceof Readable) endWhenSilent(reply, config.answerSilenceSeconds * 1000)
    done()
  })
}

function sizeOf(payload: unknown): number {
  return typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0
}

/** Disconnects a client that accepts no byte for this long while there are bytes to send. */
function endWhenSilent({ raw }: FastifyReply, ms: number): void {
  // Node also calls back while a stream has nothing to send, but not while bytes leave.
  raw.setTimeout(ms, () => {
    if (raw.writableLength > 0) raw.destroy()
  })
}
