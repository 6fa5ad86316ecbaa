import type { AnySchema } from 'ajv'
import { createAjv, createBodyValidator, lazily, type Validate } from './body-validator.ts'
import { serialize } from './lasting-documents.ts'
import type { Server } from './server.ts'

/** Text from URLs and headers is converted to the type its schema asks for; JSON bodies are taken at their word. */
export function validateStrictly(server: Server): void {
  const forText = createAjv({ coerceTypes: 'array', allErrors: true })
  server.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? createBodyValidator(schema) : withPlainNumbers(lazily(forText, schema), schema),
  )
  // Response schemas serve the documentation and the tests; running them here costs speed and hides mistakes.
  server.setSerializerCompiler(() => serialize)
}

/** Ajv takes every spelling of JavaScript for a whole number, also `1e2`, `0x10` and ` 5`; URLs hold digits only. */
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
