import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { choicesAsEnum } from './choices-as-enum.ts'

const written = (schema: object) => JSON.parse(JSON.stringify(schema, choicesAsEnum))

test('choicesAsEnum: writes a union of string literals as an enum with its description and default', () => {
  const size = Type.Union([Type.Literal('small'), Type.Literal('large')], {
    description: 'How large',
    default: 'small',
  })
  assert.deepEqual(written(Type.Object({ size })).properties.size, {
    type: 'string',
    enum: ['small', 'large'],
    description: 'How large',
    default: 'small',
  })
})

test('choicesAsEnum: keeps other unions, but converts unions inside them', () => {
  const choice = Type.Union([Type.Union([Type.Literal('a'), Type.Literal('b')]), Type.Null()])
  assert.deepEqual(written(choice).anyOf, [{ type: 'string', enum: ['a', 'b'] }, { type: 'null' }])
  const mixed = Type.Union([Type.Literal('a'), Type.Literal(1)])
  assert.equal(written(mixed).anyOf.length, 2)
})
