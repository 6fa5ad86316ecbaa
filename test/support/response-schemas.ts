import assert from 'node:assert/strict'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { ErrorDocument } from '#foundation/http/documents.ts'
import type { Server } from '#foundation/http/server.ts'

/** Holds every JSON answer against the schema its route documents: what the documentation says is what is served. */
export function checkResponses(server: Server): void {
  const ajv = new Ajv({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const isErrorDocument = ajv.compile(ErrorDocument)
  server.addHook('onSend', async (request, reply, payload) => {
    if (typeof payload !== 'string' || payload === '' || request.is404) return payload
    if (!String(reply.getHeader('content-type')).includes('json')) return payload
    const body: unknown = JSON.parse(payload)
    if (reply.statusCode >= 400) {
      if (request.url.startsWith('/rest')) assert.ok(isErrorDocument(body), JSON.stringify(isErrorDocument.errors))
      return payload
    }
    const schemas = request.routeOptions.schema?.response as Record<string, object> | undefined
    const schema = schemas?.[String(reply.statusCode)]
    assert.ok(schema, `${request.method} ${request.routeOptions.url} does not document ${reply.statusCode}`)
    const validate = ajv.compile(schema)
    assert.ok(validate(body), `${request.method} ${request.url}: ${JSON.stringify(validate.errors)}`)
    return payload
  })
}
