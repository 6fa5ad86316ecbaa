import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { toOutage } from '../http/faults.ts'
import { FORM } from '../http/oauth-forms.ts'
import { Problem } from '../problem.ts'
import { failed, foreignForm, overloaded, unreadableForm } from './message.ts'
import { type Sheet, sendSheet } from './sheet.ts'

/** A page instead of the one that was asked for. */
export class RefusedPage extends Error {
  readonly sheet: Sheet

  constructor(sheet: Sheet) {
    super(sheet.title)
    this.sheet = sheet
  }
}

/** Thousands of organisations chosen one by one. */
const MAX_FORM_BYTES = 1024 * 1024

/** The manners of pages for people: forms come in, HTML goes out, refusals too. */
export function webPages(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: MAX_FORM_BYTES }, (_request, body, done) => {
    if (/%00/.test(body as string)) return done(new RefusedPage(unreadableForm))
    done(null, new URLSearchParams(body as string))
  })
  scope.setErrorHandler((error, request, reply) => answerError(error, request, reply))
  // Browsers say where a form was sent from; those that do not are held by the form's token.
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

/** What a form holds; a request without one holds nothing. */
export function formOf(request: FastifyRequest): URLSearchParams {
  return request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
}

/** A cookie that the browser sent. */
export function cookieOf(request: FastifyRequest, name: string): string | undefined {
  for (const pair of (request.headers.cookie ?? '').split(';')) {
    const [, key, value] = /^\s*([^=\s]+)=(.*?)\s*$/.exec(pair) ?? []
    if (key === name) return value
  }
  return undefined
}
