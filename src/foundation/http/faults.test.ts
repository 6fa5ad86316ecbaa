import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv } from 'ajv'
import type { FastifySchemaValidationError } from 'fastify'
import { Type } from 'typebox'
import { validationProblem } from './faults.ts'

const word = Type.Union([Type.Literal('plain'), Type.Literal('base64')])
const schema = Type.Object({
  word: Type.Optional(word),
  words: Type.Optional(Type.Array(word)),
  orNone: Type.Optional(Type.Union([word, Type.Null()])),
  mixed: Type.Optional(Type.Union([Type.Literal('all'), Type.Array(Type.String())])),
  number: Type.Optional(Type.Number({ minimum: 2, maximum: 3 })),
  list: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 2 }), { minItems: 1, maxItems: 2 })),
  object: Type.Optional(Type.Object({}, { minProperties: 1, maxProperties: 2 })),
})

function faultsOf(body: object): string[] {
  const validate = new Ajv({ strict: false, allErrors: true }).compile(schema)
  assert.equal(validate(body), false)
  return validationProblem(validate.errors as FastifySchemaValidationError[], 'body').faults.map(({ detail }) => detail)
}

const cases: [why: string, body: object, faults: string[]][] = [
  ['a string outside an enum', { word: 'utf16' }, ['/word must be one of plain, base64']],
  ['a number instead of a string of an enum', { word: 1 }, ['/word must be one of plain, base64']],
  [
    'strings outside an enum in a list',
    { words: ['a', 'plain', 'b'] },
    ['/words/0 must be one of plain, base64', '/words/2 must be one of plain, base64'],
  ],
  [
    'alternatives of several types',
    { mixed: 1 },
    ['/mixed must be string', '/mixed must be "all"', '/mixed must be array', '/mixed must match a schema in anyOf'],
  ],
  ['a number below the minimum', { number: 1 }, ['/number must be at least 2']],
  ['a number above the maximum', { number: 4 }, ['/number must be at most 3']],
  ['an empty list', { list: [] }, ['/list must have at least 1 item']],
  ['a list above the maximum length', { list: ['a', 'b', 'c'] }, ['/list must have at most 2 items']],
  [
    'strings below and above the length limits',
    { list: ['', 'abc'] },
    ['/list/0 must have at least 1 character', '/list/1 must have at most 2 characters'],
  ],
  ['an empty object', { object: {} }, ['/object must have at least 1 member that is supported']],
  ['an object with too many members', { object: { a: 1, b: 1, c: 1 } }, ['/object must have at most 2 members']],
  [
    'a string outside an enum that also allows null',
    { orNone: 'x' },
    ['/orNone must be one of plain, base64', '/orNone must be null', '/orNone must match a schema in anyOf'],
  ],
]
for (const [why, body, faults] of cases) {
  test(`validation faults: ${why}, ${faults.length} reported`, () => assert.deepEqual(faultsOf(body), faults))
}

test('validation faults: an empty object lists its members if the validator passes the schema on', () => {
  const members = { id: Type.Optional(Type.String()), name: Type.Optional(Type.String()) }
  const validate = new Ajv({ verbose: true }).compile(Type.Object(members, { minProperties: 1 }))
  assert.equal(validate({}), false)
  const { faults } = validationProblem(validate.errors as FastifySchemaValidationError[], 'body')
  assert.equal(faults[0]!.detail, 'The body must have at least 1 of these members: id, name')
})

test('validation faults: 20,000 strings outside an enum give 20 faults', () => {
  assert.equal(faultsOf({ words: Array.from({ length: 20_000 }, () => 'x') }).length, 20)
})
