import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { collectNamedSchemas } from './named-schemas.ts'
import type { Json } from './openapi-document.ts'

const written = (schema: object) => JSON.parse(JSON.stringify(schema)) as Json

test('a named schema: moves to the components and is referenced', () => {
  const Pin = Type.Object({ version: Type.String() })
  nameSchemas({ Pin })
  const schema = written(Type.Object({ pin: Pin, pins: Type.Array(Pin) }, { title: 'Advice' }))
  const { components, refer } = collectNamedSchemas([schema])
  const reference = { $ref: '#/components/schemas/Pin' }
  assert.deepEqual(refer(schema), { $ref: '#/components/schemas/Advice' })
  assert.deepEqual(components['Pin'], {
    type: 'object',
    required: ['version'],
    properties: { version: { type: 'string' } },
  })
  assert.deepEqual(components['Advice']!['properties'], { pin: reference, pins: { type: 'array', items: reference } })
})

test('a copy without a title: refers to the named schema with the same content', () => {
  const Pin = Type.Object({ version: Type.String() })
  const copy = Type.Object({ pin: Type.Optional(Pin) })
  nameSchemas({ Pin })
  const all = [written(Pin), written(copy)]
  const { refer } = collectNamedSchemas(all)
  assert.deepEqual(refer(all[1]!)['properties'], { pin: { $ref: '#/components/schemas/Pin' } })
})

test('two different schemas of one name: refused', () => {
  const all = [
    Type.Object({ a: Type.String() }, { title: 'Twin' }),
    Type.Object({ b: Type.String() }, { title: 'Twin' }),
  ]
  const { refer } = collectNamedSchemas(all.map(written))
  assert.throws(() => all.map((schema) => refer(written(schema))), /two different schemas have the name Twin/i)
})

test('an unnamed schema: named after its place, like the parts of a JSON:API object', () => {
  const body = written(Type.Object({ data: Type.Object({ attributes: Type.Object({ name: Type.String() }) }) }))
  const { components, refer } = collectNamedSchemas([body])
  refer(body, 'RenameRequest')
  assert.deepEqual(Object.keys(components).sort(), ['RenameRequest', 'RenameRequestAttributes', 'RenameRequestData'])
})
