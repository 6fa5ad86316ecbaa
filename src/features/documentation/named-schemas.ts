import { ref } from './components.ts'
import type { Json } from './openapi-document.ts'
import { mapParts } from './schema-parts.ts'

/** Members of a JSON:API object whose schemas are named after that object. */
const namedMembers: Readonly<Record<string, string>> = {
  data: 'Data',
  attributes: 'Attributes',
  relationships: 'Relationships',
}

/** The titled schemas of a document, each once, by name. */
export interface NamedSchemas {
  readonly components: Readonly<Record<string, Json>>
  /** Replaces named schemas by references; `name` is used for a schema without a title. */
  refer(schema: Json, name?: string): Json
}

/**
 * Moves named schemas to the components of a document. Also matches schemas by content: TypeBox copies a schema to make
 * it optional, and the copy loses the title.
 */
export function collectNamedSchemas(all: readonly Json[]): NamedSchemas {
  const names = namesByContent(all)
  const components: Record<string, Json> = {}

  function refer(schema: Json, fallback?: string): Json {
    if ('$ref' in schema) return schema
    const name = (schema['title'] as string | undefined) ?? names.get(contentOf(schema)) ?? fallback
    const { title: _title, ...rest } = schema
    const inner = mapParts(rest, (part, member) => refer(part, nameOfPart(part, member, name)))
    if (name === undefined) return inner
    const existing = components[name]
    if (existing && JSON.stringify(existing) !== JSON.stringify(inner)) {
      throw new Error(`Two different schemas have the name ${name}; rename one of them`)
    }
    components[name] = inner
    return ref('schemas', name)
  }

  return { components, refer }
}

function nameOfPart(part: Json, member: string | undefined, holder: string | undefined): string | undefined {
  const suffix = member === undefined ? undefined : namedMembers[member]
  if (suffix === undefined || holder === undefined || part['properties'] === undefined) return undefined
  return `${holder.replace(/Data$/, '')}${suffix}`
}

function namesByContent(all: readonly Json[]): ReadonlyMap<string, string> {
  const names = new Map<string, string>()
  const visit = (schema: Json): Json => {
    const { title } = schema
    const content = contentOf(schema)
    if (typeof title === 'string' && !names.has(content)) names.set(content, title)
    mapParts(schema, visit)
    return schema
  }
  for (const schema of all) visit(schema)
  return names
}

/** Returns the text of a schema without titles, for comparison. */
function contentOf(schema: Json): string {
  return JSON.stringify(withoutTitles(schema))
}

function withoutTitles({ title: _title, ...rest }: Json): Json {
  return mapParts(rest, withoutTitles)
}
