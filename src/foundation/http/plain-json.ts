import type { FastifyInstance } from 'fastify'
import { PLAIN_JSON, readJson } from './media-types.ts'
import { handleErrors } from './refusals.ts'

/** The manners of the v1 interface: plain JSON, errors as `{code, message, error, errorRef}`. */
export function plainJson(scope: FastifyInstance): void {
  readJson(scope, [PLAIN_JSON])
  handleErrors(scope, (problem, requestId) => ({
    code: problem.status,
    message: problem.message,
    error: problem.message,
    errorRef: requestId,
    errorCode: problem.code,
    ...(problem.faults.some(({ source }) => source) && { faults: problem.faults }),
  }))
  scope.addHook('onSend', async (_request, reply, payload) => {
    if (reply.statusCode >= 500) reply.header('x-error-reference', reply.request.id)
    return payload
  })
}
