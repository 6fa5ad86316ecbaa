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
