import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { volume } from '#test/volume.ts'
import { findJsonFault, nestsDeeperThan } from './json-fault.ts'

describe('the position of a JSON syntax error', () => {
  const cases: [text: string, at: number | undefined][] = [
    ['{"a":[1,true,null,"x\\u00e9"]}', undefined],
    [' \r\n\t-0.5e+3 ', undefined],
    ['"\u007f"', undefined],
    ['', 0],
    ['{"a":}', 5],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['{"a" 1}', 5],
    ['{a:1}', 1],
    ['[1 2]', 3],
    ['[1}', 2],
    ['{"a":1]', 6],
    ['01', 1],
    ['{"a":"\n"}', 6],
    ['"\\x"', 1],
    ['{"a":1} x', 8],
    ['{"a":[{"b":"', 12],
    ['{"a":tru', 5],
  ]
  for (const [text, at] of cases) {
    test(`position of the JSON error in ${JSON.stringify(text)}: ${at}`, () => assert.equal(findJsonFault(text), at))
  }

  test('findJsonFault: agrees with JSON.parse on random texts', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      '.5',
      'e1',
      'null',
      ' ',
      '\n',
      '\u0001',
    )
    const texts = fc.oneof(
      fc.json(),
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
    )
    fc.assert(
      fc.property(texts, (text) => {
        assert.equal(findJsonFault(text) === undefined, isJson(text), text)
      }),
      { numRuns: volume(2_000) },
    )
  })
})

test('nestsDeeperThan: counts nesting outside strings', () => {
  assert.equal(nestsDeeperThan('[["[[[[", {"}": 1}]]', 3), false)
  assert.equal(nestsDeeperThan('[["[[[[", {"}": [1]}]]', 3), true)
  assert.equal(nestsDeeperThan('"never closed [[[[', 1), false)
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
