import { createAjv, createBodyValidator, lazily } from './body-validator.ts'
import { serialize } from './lasting-documents.ts'
import type { Server } from './server.ts'

/** Text from URLs and headers is converted to the type its schema asks for; JSON bodies are taken at their word. */
export function validateStrictly(server: Server): void {
  const forText = createAjv({ coerceTypes: 'array', allErrors: true })
  server.setValidatorCompiler(({ schema, httpPart }) =>
    httpPart === 'body' ? createBodyValidator(schema) : lazily(forText, schema),
  )
  // Response schemas serve the documentation and the tests; running them here costs speed and hides mistakes.
  server.setSerializerCompiler(() => serialize)
}
