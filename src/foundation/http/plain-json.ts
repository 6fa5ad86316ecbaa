import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { PLAIN_JSON, readJson } from './bodies/media-types.ts'
import type { BodyReader } from './bodies/read-body.ts'
import { type AnswerError, handleErrors } from './refusals.ts'
import { nameSchemas } from './schema-names.ts'

export const PlainError = Type.Object({
  code: Type.Integer({ description: 'The HTTP status' }),
  message: Type.String(),
  error: Type.String({ description: 'The same text as `message`' }),
  errorRef: Type.String({ description: 'The request id' }),
  errorCode: Type.String({ description: 'A stable code, for programs' }),
  faults: Type.Optional(
    Type.Array(
      Type.Object({
        detail: Type.String(),
        source: Type.Optional(
          Type.Object({
            pointer: Type.Optional(Type.String()),
            parameter: Type.Optional(Type.String()),
            header: Type.Optional(Type.String()),
          }),
        ),
      }),
      { description: 'Each fault with its location in the request' },
    ),
  ),
})

nameSchemas({ PlainError })

export const toPlainError: AnswerError = (problem, requestId) => ({
  code: problem.status,
  message: problem.message,
  error: problem.message,
  errorRef: requestId,
  errorCode: problem.code,
  ...(problem.faults.some(({ source }) => source) && { faults: problem.faults }),
})

/** Sets up the v1 interface: plain JSON, errors as `{code, message, error, errorRef}`. */
export function plainJson(scope: FastifyInstance, bodies: BodyReader): void {
  readJson(scope, [PLAIN_JSON], bodies)
  handleErrors(scope, toPlainError)
  scope.addHook('onSend', (request, reply, payload, done) => {
    if (reply.statusCode >= 500) reply.header('x-error-reference', request.id)
    done(null, payload)
  })
}
