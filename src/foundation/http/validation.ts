import { Ajv, type AnySchema, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { serialize } from './lasting-documents.ts'
import type { Server } from './server.ts'

const options: Options = { strict: false, removeAdditional: false, useDefaults: true }

/** Values in a body of which every fault is looked for. */
const MAX_VALUES = 20_000

/** Text from URLs and headers is converted to the type its schema asks for; JSON bodies are taken at their word. */
export function validateStrictly(server: Server): void {
  const ajv = {
    firstOfBody: createAjv({ ...options, coerceTypes: false }),
    allOfBody: createAjv({ ...options, coerceTypes: false, allErrors: true }),
    allOfText: createAjv({ ...options, coerceTypes: 'array', allErrors: true }),
  }
  server.setValidatorCompiler(({ schema, httpPart }) => {
    if (httpPart !== 'body') return lazily(ajv.allOfText, schema)
    return inTwoSteps(lazily(ajv.firstOfBody, schema), lazily(ajv.allOfBody, schema))
  })
  // Response schemas serve the documentation and the tests; running them here costs speed and hides mistakes.
  server.setSerializerCompiler(() => serialize)
}

function createAjv(wanted: Options): Ajv {
  const ajv = new Ajv(wanted)
  addFormats.default(ajv)
  return ajv
}

interface Validate {
  (data: unknown): boolean
  errors: ValidateFunction['errors'] & object
}

/** Compiles a schema when it is first needed: all of them at once would be a tenth of the start. */
function lazily(ajv: Ajv, schema: AnySchema): Validate {
  let compiled: ValidateFunction | undefined
  return withErrors((data) => {
    compiled ??= ajv.compile(schema)
    compiled(data)
    return compiled.errors ?? []
  })
}

/**
 * Looks for the first fault, and only in a body that has one for all of them. In a body of millions of values each could
 * be a fault, and to describe them all took 18 seconds and 3 GB; there the first one has to do.
 */
function inTwoSteps(first: Validate, all: Validate): Validate {
  return withErrors((data) => {
    if (first(data)) return []
    if (!hasAtMost(data, MAX_VALUES)) return first.errors
    all(data)
    return all.errors
  })
}

function withErrors(findErrors: (data: unknown) => Validate['errors']): Validate {
  const validate = (data: unknown): boolean => {
    validate.errors = findErrors(data)
    return validate.errors.length === 0
  }
  validate.errors = [] as Validate['errors']
  return validate
}

/** Whether a JSON value consists of at most that many values. Looks at no more of them. */
function hasAtMost(data: unknown, most: number): boolean {
  const left = [data]
  for (let seen = 0; left.length > 0; ) {
    const value = left.pop()
    if (typeof value !== 'object' || value === null) continue
    const inside = Object.values(value)
    seen += inside.length
    if (seen > most) return false
    left.push(...inside)
  }
  return true
}
