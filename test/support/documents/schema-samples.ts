import fc from 'fast-check'
import { hostileJson, hostileText } from './hostile-values.ts'

/** Ids of existing resources by member or parameter name; `other` serves all other names. */
export type KnownIds = Readonly<Record<string, readonly string[]>> & { readonly other: readonly string[] }

/** The parts of JSON Schema that request bodies are described with. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly format?: string
  readonly minimum?: number
}

/** JSON texts that fit a schema, or nearly: formats of texts are not looked at beyond those named here. */
export function fitting(schema: Schema, ids: KnownIds): fc.Arbitrary<string> {
  return fitted(schema, ids, []).map((value) => JSON.stringify(value))
}

function fitted(schema: Schema, ids: KnownIds, at: readonly string[]): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((schema) => fitted(schema, ids, at)))
  const type = [schema.type].flat()[0]
  if (type === 'object') return fittedObject(schema, ids, at)
  if (type === 'array') return fc.array(fitted(schema.items ?? {}, ids, at), { maxLength: 3 })
  if (type === 'boolean') return fc.boolean()
  if (type === 'integer' || type === 'number') return fc.integer({ min: schema.minimum ?? 0, max: 100_000 })
  if (schema.format === 'uuid') return fc.constantFrom(...idsAt(at, ids))
  if (schema.format === 'date-time') return fc.constantFrom('2099-01-01T00:00:00Z', '2001-01-01T00:00:00.5+02:00')
  if (schema.format === 'email') return fc.uuid().map((id) => `${id}@example.test`)
  return fc.oneof(fc.uuid(), fc.constantFrom('org.read', 'replace', 'create', 'api_key', 'a name'))
}

function fittedObject(
  { properties = {}, required = [] }: Schema,
  ids: KnownIds,
  at: readonly string[],
): fc.Arbitrary<unknown> {
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, fitted(schema, ids, [...at, name])]),
  )
  return fc.record(members, { requiredKeys: required.filter((name) => name in members), noNullPrototype: true })
}

/** `role_id`, or `role: { data: { id } }`. */
function idsAt(at: readonly string[], ids: KnownIds): readonly string[] {
  const names = [at.at(-1), `${at.at(-3)}_id`].filter((name) => name !== undefined && name !== 'id')
  return names.map((name) => ids[name!]).find((id) => id !== undefined) ?? ids.other
}

/** A document with one of its places changed: replaced, left out, made a copy of another, or given a member more. */
export function mutated(document: fc.Arbitrary<string>, values = hostileJson): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(1_000),
    with: fc.nat(1_000),
    what: fc.constantFrom('replace', 'remove', 'add', 'wrap', 'twice', 'copy', 'nest'),
    value: values,
    name: hostileText,
  })
  return fc.tuple(document, change).map(([text, how]) => applyChange(text, how))
}

interface Change {
  readonly at: number
  readonly with: number
  readonly what: string
  readonly value: string
  readonly name: string
}

function applyChange(text: string, { at, with: other, what, value, name }: Change): string {
  // A marker stands for the hostile text until all is written, for it may not survive parsing.
  const marker = 'd0c0ffee-marker'
  const root = { document: JSON.parse(text) as unknown }
  const places = placesOf(root)
  const [holder, key] = places[at % places.length]!
  const before = holder[key]
  if (what === 'remove' && holder !== (root as object)) Reflect.deleteProperty(holder, key)
  else if (what === 'copy') holder[key] = copyOf(places[other % places.length]!)
  else if (what === 'nest') holder[key] = nested(before)
  else if (what === 'wrap') holder[key] = [before, marker]
  else if (what === 'add' && isObject(before)) Object.defineProperty(before, name, { value: marker, enumerable: true })
  else holder[key] = marker
  const written = JSON.stringify(root.document).replaceAll(JSON.stringify(marker), () => value)
  // The same member a second time: of equal names the last counts, wherever it stands.
  return what === 'twice' && written.startsWith('{"') ? `${written.slice(0, -1)},${written.slice(1)}` : written
}

function copyOf([holder, key]: [holder: Holder, key: string]): unknown {
  return JSON.parse(JSON.stringify(holder[key]))
}

function nested(value: unknown): unknown {
  return JSON.parse(`${'{"dependencies":'.repeat(60)}${JSON.stringify(value)}${'}'.repeat(60)}`)
}

type Holder = Record<string | number, unknown>

/** Lists every member and element with its parent. */
function placesOf(root: object): [holder: Holder, key: string][] {
  return Object.entries(root).flatMap(([key, value]): [Holder, string][] => [
    [root as Holder, key],
    ...(typeof value === 'object' && value !== null ? placesOf(value as object) : []),
  ])
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
