import type { AnySchema } from 'ajv'
import type { FastifyInstance } from 'fastify'
import { createAjv, createBodyValidator, lazily, type Validate } from './bodies/body-validator.ts'
import { serialize } from './lasting-documents.ts'

const forText = createAjv({ coerceTypes: 'array', allErrors: true })

/** Coerces text from URLs and headers to its schema type, but not JSON bodies. */
export function validateStrictly(
  server: Pick<FastifyInstance, 'setSerializerCompiler' | 'setValidatorCompiler'>,
): void {
  server.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? createBodyValidator(schema) : withPlainNumbers(lazily(forText, schema), schema),
  )
  // Response schemas serve documentation and tests; running them here would cost speed and hide mistakes.
  server.setSerializerCompiler(() => serialize)
}

/** Accepts only digits for integers: Ajv would take every JavaScript spelling, such as `1e2`, `0x10` and ` 5`. */
function withPlainNumbers(validate: Validate, schema: AnySchema): Validate {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> }
  const names = Object.keys(properties).filter((name) => properties[name]!.type === 'integer')
  if (names.length === 0) return validate
  const whole: Validate = Object.assign(
    (data: unknown) => {
      const values = data as Record<string, unknown>
      const odd = names.filter((name) => typeof values[name] === 'string' && !/^-?\d+$/.test(values[name]))
      if (odd.length === 0) {
        const isValid = validate(data)
        whole.errors = validate.errors
        return isValid
      }
      whole.errors = odd.map((name) => ({
        instancePath: `/${name}`,
        schemaPath: `#/properties/${name}/type`,
        keyword: 'type',
        params: { type: 'integer' },
        message: 'must be a whole number in digits',
      }))
      return false
    },
    { errors: [] },
  )
  return whole
}
