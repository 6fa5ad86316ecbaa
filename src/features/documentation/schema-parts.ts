import type { Json } from './openapi-document.ts'

/** Changes a schema; `member` is the name of the property with this schema. */
type Change = (part: Json, member?: string) => Json

/** Returns the schema with a change applied to each schema directly inside it. */
export function mapParts(schema: Json, change: Change): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, mapKeyword(keyword, value, change)]),
  )
}

function mapKeyword(keyword: string, value: unknown, change: Change): unknown {
  switch (keyword) {
    case 'properties':
    case 'patternProperties':
      return Object.fromEntries(
        Object.entries(value as Record<string, Json>).map(([name, part]) => [name, change(part, name)]),
      )
    case 'items':
    case 'additionalProperties':
      return typeof value === 'object' && value !== null ? change(value as Json) : value
    case 'anyOf':
    case 'allOf':
    case 'oneOf':
      return (value as Json[]).map((part) => change(part))
    default:
      return value
  }
}
