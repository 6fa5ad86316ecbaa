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
  ['another word', { word: 'utf16' }, ['/word must be one of plain, base64']],
  ['no word at all', { word: 1 }, ['/word must be one of plain, base64']],
  [
    'other words in a list',
    { words: ['a', 'plain', 'b'] },
    ['/words/0 must be one of plain, base64', '/words/2 must be one of plain, base64'],
  ],
  [
    'alternatives that are more than words',
    { mixed: 1 },
    ['/mixed must be string', '/mixed must be "all"', '/mixed must be array', '/mixed must match a schema in anyOf'],
  ],
  ['too small a number', { number: 1 }, ['/number must be at least 2']],
  ['too large a number', { number: 4 }, ['/number must be at most 3']],
  ['an empty list', { list: [] }, ['/list must have at least 1 item']],
  ['too long a list', { list: ['a', 'b', 'c'] }, ['/list must have at most 2 items']],
  [
    'texts of other lengths',
    { list: ['', 'abc'] },
    ['/list/0 must have at least 1 character', '/list/1 must have at most 2 characters'],
  ],
  ['an empty object', { object: {} }, ['/object must have at least 1 member that is known here']],
  ['too large an object', { object: { a: 1, b: 1, c: 1 } }, ['/object must have at most 2 members']],
  [
    'words among other alternatives',
    { orNone: 'x' },
    ['/orNone must be one of plain, base64', '/orNone must be null', '/orNone must match a schema in anyOf'],
  ],
]
for (const [why, body, faults] of cases) {
  test(`${why}: ${faults.length} faults`, () => assert.deepEqual(faultsOf(body), faults))
}

test('thousands of other words are named in the time that their number takes', () => {
  assert.equal(faultsOf({ words: Array.from({ length: 20_000 }, () => 'x') }).length, 20)
})
