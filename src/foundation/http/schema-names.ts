import type { TSchema } from 'typebox'

/**
 * Gives each schema its key as its title: the name of its component in the OpenAPI document and of its type in generated
 * clients. Call it below the schemas of a file, before other files build on them.
 */
export function nameSchemas(schemas: Readonly<Record<string, TSchema>>): void {
  for (const [title, schema] of Object.entries(schemas)) Object.assign(schema, { title })
}

/** Returns the options that name a schema after the one from which it is derived; empty if that has no name. */
export function namedAfter(schema: TSchema, suffix: string): { title?: string } {
  const { title } = schema as { title?: string }
  return title === undefined ? {} : { title: `${title}${suffix}` }
}
