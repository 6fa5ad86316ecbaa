import assert from 'node:assert/strict'
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'
import { lazily, type Validate } from '#foundation/http/bodies/body-validator.ts'
import { ErrorDocument } from '#foundation/http/documents.ts'
import type { Server } from '#foundation/http/server.ts'

/** One for all servers of a process. */
const ajv = new Ajv({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } })
addFormats.default(ajv)
const isErrorDocument = ajv.compile(ErrorDocument)
const validators = new WeakMap<object, Validate>()

/** Validates every JSON answer with the schema that its route documents. */
export function checkResponses(server: Server): void {
  server.addHook('onSend', async (request, reply, payload) => {
    // What is sent compressed is checked where it is sent as it is.
    if (reply.hasHeader('content-encoding')) return payload
    const text = Buffer.isBuffer(payload) ? payload.toString() : payload
    if (typeof text !== 'string' || text === '' || request.is404) return payload
    const type = String(reply.getHeader('content-type'))
    if (!type.includes('json')) return payload
    const body: unknown = JSON.parse(text)
    if (reply.statusCode >= 400) {
      if (request.url.startsWith('/rest')) assert.ok(isErrorDocument(body), JSON.stringify(isErrorDocument.errors))
      return payload
    }
    const schemas = request.routeOptions.schema?.response as Record<string, object> | undefined
    // A file that no operation documents.
    if (schemas === undefined && request.routeOptions.schema?.hide) return payload
    const schema = ofType(schemas?.[String(reply.statusCode)], type)
    assert.ok(schema, `${request.method} ${request.routeOptions.url} does not document ${reply.statusCode}`)
    const validate = validators.get(schema) ?? lazily(ajv, schema)
    validators.set(schema, validate)
    assert.ok(validate(body), `${request.method} ${request.url}: ${JSON.stringify(validate.errors)}`)
    return payload
  })
}

interface ByType {
  readonly content: Readonly<Record<string, { readonly schema: object }>>
}

/** A response may have one schema, or one for each media type. */
function ofType(schema: object | undefined, type: string): object | undefined {
  if (schema === undefined || !('content' in schema)) return schema
  return (schema as ByType).content[type.split(';')[0]!]?.schema
}
