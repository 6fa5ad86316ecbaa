import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Json, OpenApi } from '#features/documentation/openapi-document.ts'
import { bodiesOf } from '#features/documentation/schema-places.ts'

const text = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8')
const document = JSON.parse(text) as OpenApi
const schemas = document.components['schemas'] as Record<string, Json>
const bodies = bodiesOf(document)

/** Small enough for readers and for generators of clients. */
const MAX_BYTES = 740_000

function nameOf(schema: Json | undefined): string | undefined {
  return String(schema?.['$ref']).match(/^#\/components\/schemas\/([\w]+)$/)?.[1]
}

describe('components of openapi.json', () => {
  test(`openapi.json is smaller than ${MAX_BYTES} bytes`, () => {
    assert.ok(Buffer.byteLength(text) <= MAX_BYTES, `${Buffer.byteLength(text)} bytes`)
  })

  test('openapi.json: every body has a named schema', () => {
    assert.ok(bodies.length > 200, `${bodies.length} bodies`)
    const unnamed = bodies.filter(({ media }) => nameOf(media.schema) === undefined).map(({ name }) => name)
    assert.deepEqual(unnamed, [])
  })

  test('openapi.json: every referenced component exists', () => {
    const references = [...text.matchAll(/"#\/components\/(\w+)\/(\w+)"/g)]
    const dangling = references.filter(([, kind, name]) => document.components[kind!]?.[name!] === undefined)
    assert.deepEqual(
      dangling.map(([reference]) => reference),
      [],
    )
  })

  test('openapi.json: no larger object appears more than twice', () => {
    const seen = new Map<string, number>()
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      const written = JSON.stringify(value)
      const isObject = (value as Json)['properties'] !== undefined
      if (isObject && written.length > 400) seen.set(written, (seen.get(written) ?? 0) + 1)
      for (const member of Object.values(value)) visit(member)
    }
    for (const schema of Object.values(schemas)) visit(schema)
    visit(document.paths)
    const repeated = [...seen].filter(([, times]) => times > 2).map(([written]) => written.slice(0, 200))
    assert.deepEqual(repeated, [], 'name these with nameSchemas')
  })
})

describe('examples of openapi.json', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema({ ...document, $id: 'openapi' } as object)

  test('openapi.json: every body has an example', () => {
    const missing = bodies.filter(({ media }) => media['example'] === undefined && media['examples'] === undefined)
    assert.deepEqual(
      missing.map(({ name }) => name),
      [],
    )
  })

  const components = Object.entries(document.components['examples'] as Record<string, { value: unknown }>)
  const inline = bodies.filter(({ media }) => media['example'] !== undefined)
  const examples: (readonly [string, unknown])[] = [
    ...components.map(([name, { value }]) => [name, value] as const),
    ...inline.map(({ media }) => [nameOf(media.schema)!, media['example']] as const),
  ]
  for (const [name, value] of examples) {
    test(`openapi.json: the example of ${name} is valid`, () => {
      const validate = ajv.compile({ $ref: `openapi#/components/schemas/${name}` })
      assert.ok(validate(value), JSON.stringify(validate.errors))
    })
  }
})
