import { Ajv, type AnySchema, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'

const options: Options = { strict: false, removeAdditional: false, useDefaults: true }

/** Values in a body of which every fault is looked for. */
const MAX_VALUES = 20_000

export interface Validate {
  (data: unknown): boolean
  errors: ValidateFunction['errors'] & object
}

const forBodies = {
  first: createAjv({ coerceTypes: false }),
  all: createAjv({ coerceTypes: false, allErrors: true }),
}

/** Validates JSON bodies, which are taken at their word. */
export function createBodyValidator(schema: AnySchema): Validate {
  return inTwoSteps(lazily(forBodies.first, schema), lazily(forBodies.all, schema))
}

export function createAjv(wanted: Options): Ajv {
  const ajv = new Ajv({ ...options, ...wanted })
  addFormats.default(ajv)
  return ajv
}

/** Compiles a schema when it is first needed: all of them at once would be a tenth of the start. */
export function lazily(ajv: Ajv, schema: AnySchema): Validate {
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

/** True when a JSON value consists of at most that many values. Looks at no more of them. */
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
