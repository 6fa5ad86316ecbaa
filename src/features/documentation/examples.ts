import { ref } from './components.ts'
import { exampleValues } from './example-values.ts'
import type { Json, OpenApi } from './openapi-document.ts'
import { examplesByPath, requestExamples } from './request-examples.ts'
import { bodiesOf } from './schema-places.ts'

/** Adds an example to every body: a request from the table, an answer made from its schema. */
export function addExamples(document: OpenApi): void {
  const schemas = document.components['schemas'] as Record<string, Json>
  const examples: Record<string, Json> = {}
  for (const { media, requestPath = '' } of bodiesOf(document)) {
    const isRequest = requestPath !== ''
    const ofPath = examplesByPath[requestPath]
    if (ofPath !== undefined) media['example'] = ofPath
    if (media['example'] !== undefined || media['examples'] !== undefined) continue
    const name = nameOf(media.schema)
    const place = { schemas, schema: '', member: '' }
    if (name === undefined) {
      media['example'] = exampleOf(media.schema, place)
      continue
    }
    const own = isRequest ? requestExamples[name] : undefined
    if (isRequest && own === undefined) throw new Error(`No example for ${name}; add one to request-examples.ts`)
    examples[name] ??= { value: own ?? exampleOf(media.schema, place) }
    media['examples'] = { default: ref('examples', name) }
  }
  const sorted = Object.entries(examples).sort(([a], [b]) => (a < b ? -1 : 1))
  document.components['examples'] = Object.fromEntries(sorted)
}

interface MemberPosition {
  readonly schemas: Readonly<Record<string, Json>>
  /** The named schema that contains the place. */
  readonly schema: string
  readonly member: string
}

/** Returns a value that the schema accepts. Throws if the schema does not determine one and the table has none. */
function exampleOf(schema: Json, place: MemberPosition): unknown {
  const name = nameOf(schema)
  if (name !== undefined) {
    return exampleValues[name] ?? exampleOf(place.schemas[name]!, { ...place, schema: name })
  }
  const { const: only, enum: choices, anyOf, examples } = schema as { [keyword: string]: unknown[] | undefined }
  if (only !== undefined) return only
  if (examples) return examples[0]
  if (anyOf) return exampleOf(anyOf.find((alternative) => (alternative as Json)['type'] !== 'null') as Json, place)
  const example = exampleValues[`${place.schema}.${place.member}`] ?? exampleValues[place.member]
  if (choices) return choices.includes(example) ? example : choices[0]
  return exampleOfType(schema, place, example)
}

function exampleOfType(schema: Json, place: MemberPosition, example: unknown): unknown {
  switch ([schema['type']].flat()[0]) {
    case 'object':
      return exampleOfObject(schema, place, example)
    case 'array':
      return exampleOfList(schema, place, example)
    case 'string':
      return exampleOfText(schema, place, example)
    case 'integer':
    case 'number':
      return typeof example === 'number' ? example : (schema['default'] ?? schema['minimum'] ?? 1)
    case 'boolean':
      return typeof example === 'boolean' ? example : (schema['default'] ?? true)
    case 'null':
      return null
    default:
      return missing(place, example)
  }
}

function exampleOfList({ items = {} }: Json, place: MemberPosition, example: unknown): unknown[] {
  if (Array.isArray(example) && example.length === 0) return example
  const one = exampleOf(items as Json, place)
  return Array.isArray(example) && typeof one !== 'object' ? example : [one]
}

function exampleOfObject(schema: Json, place: MemberPosition, example: unknown): unknown {
  const {
    properties,
    required = [],
    additionalProperties,
    patternProperties,
  } = schema as {
    properties?: Record<string, Json>
    required?: string[]
    additionalProperties?: Json | boolean
    patternProperties?: Record<string, Json>
  }
  if (properties) {
    const shown = Object.entries(properties).filter(([name]) => required.includes(name))
    return Object.fromEntries(shown.map(([member, json]) => [member, exampleOf(json, { ...place, member })]))
  }
  if (typeof example === 'object' && example !== null && !Array.isArray(example)) return example
  const values = Object.values(patternProperties ?? {})[0] ?? additionalProperties
  if (typeof values !== 'object' || Object.keys(values).length === 0) return {}
  return { [exampleKeys[place.member] ?? exampleKeys[place.schema] ?? 'key']: exampleOf(values, place) }
}

/** Example keys of objects that map keys to values. */
const exampleKeys: Readonly<Record<string, string>> = {
  severities: 'GPL-3.0-only',
  orgLicenseRules: 'GPL-3.0-only',
  affectedPkgs: 'lodash@4.17.20',
  issuesData: 'GHSA-35jh-r3h4-6jhm',
  issues: 'GHSA-35jh-r3h4-6jhm',
  GraphIssuesData: 'GHSA-35jh-r3h4-6jhm',
  IgnoresByIssue: 'GHSA-35jh-r3h4-6jhm',
  IgnoreEntry: '*',
}

const ID = '4a72d1db-b465-4764-99e1-ecedad03b06a'

function exampleOfText({ format }: Json, place: MemberPosition, example: unknown): unknown {
  if (format === 'uuid') return typeof example === 'string' && /^[\da-f]{8}-/.test(example) ? example : ID
  if (format === 'date-time') return '2026-03-01T10:00:00.000Z'
  if (format === 'date') return '2026-03-01'
  if (format === 'uri' && !String(example).startsWith('http')) return 'https://gate.example/'
  if (typeof example === 'string') return example
  return Array.isArray(example) ? example[0] : missing(place, example)
}

function missing({ schema, member }: MemberPosition, example: unknown): unknown {
  if (example !== undefined) return example
  throw new Error(`No example for ${member} of ${schema}; add one to example-values.ts`)
}

function nameOf({ $ref }: Json): string | undefined {
  return typeof $ref === 'string' ? $ref.split('/').at(-1) : undefined
}
