import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Unreadable } from './unreadable.ts'
import { parseYaml } from './yaml.ts'

/** An anchor, which package managers do not write: the full parser reads what follows. */
const ANCHORED = 'first: &a {one: 1}\n'
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const refusal = (text: string) => {
  try {
    return parseYaml(text, 'target')
  } catch (error) {
    assert.ok(error instanceof Unreadable)
    return { message: error.message, line: error.line }
  }
}

describe('YAML that package managers do not write', () => {
  test('parseYaml: reads maps of very many keys in both styles', () => {
    const block = `${ANCHORED}${numbers(60_000)
      .map((n) => `k${n}: ${n}\n`)
      .join('')}`
    assert.equal(Object.keys(parseYaml(block, 'target')).length, 60_001)
    const flow = `${ANCHORED}second: {${numbers(60_000)
      .map((n) => `k${n}: ${n}`)
      .join(', ')}}\n`
    assert.equal(Object.keys(parseYaml(flow, 'target')['second'] as object).length, 60_000)
  })

  test('parseYaml: refuses a key that its map has twice, at its line', () => {
    const expected = { message: 'The file is not YAML: Map keys must be unique', line: 4 }
    assert.deepEqual(refusal(`${ANCHORED}b: 1\nc: 2\n'b': 3\n`), expected)
    assert.deepEqual(refusal(`${ANCHORED}c:\n  - d: 1\n    d: 2\n`), expected)
    assert.deepEqual(refusal(`${ANCHORED}b: {c: 1}\nd: {c: 1}\n`), {
      first: { one: '1' },
      b: { c: '1' },
      d: { c: '1' },
    })
  })

  test('parseYaml: merges maps, more than one into the same', () => {
    const text = 'a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b\n  z: 3\n'
    assert.deepEqual(refusal(text), { a: { x: '1' }, b: { y: '2' }, c: { x: '1', y: '2', z: '3' } })
  })

  test('parseYaml: reads 100 aliases and refuses more, each of another anchor', () => {
    const written = (count: number) =>
      numbers(count)
        .map((n) => `k${n}: &a${n} ${n}\nv${n}: *a${n}\n`)
        .join('')
    assert.equal(parseYaml(written(100), 'target')['v99'], '99')
    assert.deepEqual(refusal(written(101)), {
      message: 'The file is not YAML: It has more than 100 aliases',
      line: 202,
    })
  })
})
