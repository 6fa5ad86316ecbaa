import { Ajv, type AnySchema, type Options, type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { boundedPatterns, boundFormats } from './bounded-texts.ts'
import { replaceUniqueItems } from './unique-items.ts'

const options: Options = {
  strict: false,
  removeAdditional: false,
  useDefaults: true,
  // Validating a schema first compiles the meta-schemas, 80 ms in each process and thread. Tests validate openapi.json.
  validateSchema: false,
}

/** Largest number of values in a body for which every fault is reported. */
const MAX_VALUES = 20_000

export interface Validate {
  (data: unknown): boolean
  errors: ValidateFunction['errors'] & object
}

const forBodies = {
  first: createAjv({ coerceTypes: false }),
  all: createAjv({ coerceTypes: false, allErrors: true }),
}

/** Validates JSON bodies without type coercion. */
export function createBodyValidator(schema: AnySchema): Validate {
  return inTwoSteps(lazily(forBodies.first, schema), lazily(forBodies.all, schema))
}

export function createAjv(request: Options): Ajv {
  const ajv = new Ajv({ ...options, ...request, code: boundedPatterns })
  addFormats.default(ajv)
  boundFormats(ajv)
  replaceUniqueItems(ajv)
  return ajv
}

/** Compiles a schema at first use: compiling all would take a tenth of the start. */
export function lazily(ajv: Ajv, schema: AnySchema): Validate {
  let compiled: ValidateFunction | undefined
  return withErrors((data) => {
    compiled ??= compileOnce(ajv, schema)
    compiled(data)
    return compiled.errors ?? []
  })
}

const compiledSchemas = new WeakMap<Ajv, Map<string, ValidateFunction>>()

/** Compiles schemas of the same content once: a hundred routes have the same parameters. */
function compileOnce(ajv: Ajv, schema: AnySchema): ValidateFunction {
  const validators = compiledSchemas.get(ajv) ?? new Map<string, ValidateFunction>()
  compiledSchemas.set(ajv, validators)
  const content = JSON.stringify(schema)
  const compiled = validators.get(content) ?? ajv.compile(schema)
  validators.set(content, compiled)
  return compiled
}

/**
 * Looks for the first fault, and only in faulty bodies for all. In a body of millions of values, each could be faulty,
 * and describing them took 18 seconds and 3 GB; such bodies get only the first fault.
 */
function inTwoSteps(first: Validate, all: Validate): Validate {
  return withErrors((data) => {
    if (first(data)) return []
    if (!hasAtMost(data, MAX_VALUES)) return first.errors
    all(data)
    return all.errors
  })
}

/** Creates a validator from a function that lists the errors of a value. */
export function withErrors(findErrors: (data: unknown) => Validate['errors']): Validate {
  const validate = (data: unknown): boolean => {
    validate.errors = findErrors(data)
    return validate.errors.length === 0
  }
  validate.errors = [] as Validate['errors']
  return validate
}

/** Returns true if a JSON value has at most that many values. Stops counting beyond. */
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
