import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { BodyReader, Payload } from '#foundation/http/bodies/read-body.ts'
import { FORM, limitFields } from '../http/bodies/forms.ts'
import { toOutage } from '../http/faults.ts'
import { Problem } from '../problem.ts'
import { failed, foreignForm, overloaded, unreadableForm } from './message.ts'
import { type Sheet, sendSheet } from './sheet.ts'

/** Thrown to show a page instead of the requested one. */
export class RefusedPage extends Error {
  readonly sheet: Sheet

  constructor(sheet: Sheet) {
    super(sheet.title)
    this.sheet = sheet
  }
}

/** Enough for thousands of organizations chosen one by one. */
const MAX_FORM_BYTES = 1024 * 1024
const MAX_FIELDS = 20_000

/** Sets up pages for browsers: forms in, HTML out, including refusals. */
export function webPages(scope: FastifyInstance, bodies: BodyReader): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(FORM, async (request: FastifyRequest, payload: Payload) => {
    const bytes = await bodies.read(request, payload, { maxBytes: MAX_FORM_BYTES, check: limitFields(MAX_FIELDS) })
    await bodies.takeTurn(bytes.length)
    const body = new TextDecoder().decode(bytes)
    if (body.includes('%00')) throw new RefusedPage(unreadableForm)
    return new URLSearchParams(body)
  })
  scope.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  // Browsers send a form's origin; without one, the form's token protects it.
  scope.addHook('onRequest', async (request) => {
    const site = request.headers['sec-fetch-site']
    const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
    if (request.method === 'POST' && isForeign) throw new RefusedPage(foreignForm)
  })
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof RefusedPage) return sendSheet(reply, error.sheet)
  if (error instanceof Problem && (error.code === 'unavailable' || error.code === 'rate-limited')) {
    return sendSheet(reply.headers(error.headers), { ...overloaded, status: error.status })
  }
  const status = error instanceof Problem ? error.status : (error as { statusCode?: number }).statusCode
  if (status !== undefined && status < 500) return sendSheet(reply, { ...unreadableForm, status })
  request.log.error({ err: error }, 'request failed')
  const outage = toOutage(error)
  return sendSheet(reply.headers(outage?.headers ?? {}), outage ? overloaded : failed(request.id))
}

/** Returns the fields of a form; empty for a request without one. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
}
