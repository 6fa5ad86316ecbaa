import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientSignal } from '#foundation/http/client-signal.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { RunOptions } from './test-pool.ts'

/** Returns options for a client that waits: its credential shares the time; the test is abandoned if it disconnects. */
export function waitingOf(request: FastifyRequest, reply: FastifyReply): RunOptions {
  return { credential: callerOf(request).principal.credentialId, signal: clientSignal(reply) }
}
