import type { FastifyReply } from 'fastify'
import { Problem } from '../problem.ts'

/** Aborts with a `Problem` if the client disconnects before it is answered. */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const gone = () => {
    if (!raw.writableEnded) controller.abort(new Problem('client-closed', 'The client closed the connection'))
  }
  if (raw.destroyed) gone()
  else raw.once('close', gone)
  return controller.signal
}
