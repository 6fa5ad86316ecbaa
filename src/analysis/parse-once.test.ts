import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseOnce } from './parse-once.ts'

/** A parser that counts its calls. */
function counting() {
  const counted = {
    calls: 0,
    parse(text: string) {
      counted.calls++
      return { text }
    },
  }
  return counted
}

test('equal texts are parsed once, also after others', () => {
  const counted = counting()
  const parse = parseOnce(counted.parse)
  const first = parse('a')
  parse('b')
  assert.equal(parse('a'), first)
  assert.equal(counted.calls, 2)
})

test('a text that cannot be parsed is remembered too', () => {
  let calls = 0
  const parse = parseOnce(() => void calls++)
  assert.deepEqual([parse('bad'), parse('bad'), calls], [undefined, undefined, 1])
})

test('long texts and more than 5,000 are not kept', () => {
  const counted = counting()
  const parse = parseOnce(counted.parse)
  for (const length of [500, 501]) {
    counted.calls = 0
    for (let times = 0; times < 3; times++) parse('x'.repeat(length))
    assert.equal(counted.calls, length === 500 ? 1 : 3)
  }
  const first = parse('0')
  for (let at = 1; at <= 5_000; at++) parse(String(at))
  assert.notEqual(parse('0'), first)
})
