import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '#foundation/problem.ts'
import { parseJson } from './unparsed-json.ts'

const FORBIDDEN = [
  '{"__proto__":{"isAdmin":true}}',
  '{"files":[{"\\u005f_proto__":1}]}',
  '{"constructor":{"prototype":{}}}',
  '[{"a":{"constructor":{"prototype":null}}}]'.replace('r":{', '\\u0072":{'),
]

describe('JSON of a body', () => {
  for (const values of [undefined, 10, 1_000_000]) {
    const count = values === undefined ? 'an unknown number of' : `at most ${values}`
    test(`unparsed JSON with ${count} values: keys that change prototypes are refused`, () => {
      for (const text of FORBIDDEN) assert.throws(() => parse(text, values), Problem, text)
    })

    test(`unparsed JSON with ${count} values: the same words in strings are accepted`, () => {
      const texts = [
        '"__proto__"',
        '{"contents":"\\"__proto__\\": {}, \\"constructor\\":{\\"prototype\\":1}"}',
        'null',
        '[1]',
      ]
      for (const text of texts) assert.deepEqual(parse(text, values), JSON.parse(text))
    })

    test(`unparsed JSON with ${count} values: an error is reported at its position in the body`, () => {
      assert.throws(() => parse('[1 2]', values), /\(at character 103\)/)
    })
  }
})

function parse(text: string, values: number | undefined): unknown {
  return parseJson(Buffer.from(text), {
    placeOf: (position) => position + 100,
    ...(values !== undefined && { values }),
  })
}
