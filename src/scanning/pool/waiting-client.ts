import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientSignal } from '#foundation/http/client-signal.ts'
import { callerOf } from '#foundation/http/request-context.ts'
import type { RunOptions } from './pool.ts'

/** Options of a test that a client waits for: its credential shares the time, and a client that leaves abandons the test. */
export function waitingOf(request: FastifyRequest, reply: FastifyReply): RunOptions {
  return { credential: callerOf(request).principal.credentialId, signal: clientSignal(reply) }
}
