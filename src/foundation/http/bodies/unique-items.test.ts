import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createAjv, createBodyValidator } from './body-validator.ts'

describe('unique items', () => {
  const validate = createBodyValidator({ type: 'array', maxItems: 3, uniqueItems: true })

  const lists: [list: unknown[], isUnique: boolean][] = [
    [[], true],
    [['a', 'b', 'A'], true],
    [['1', 1, true], true],
    [[null, 'null', []], true],
    [[{ a: 1 }, { a: '1' }, { b: 1 }], true],
    [[[1, 2], [2, 1], [12]], true],
    [[{ a: 'b,"c":1' }, { a: 'b', c: 1 }], true],
    [['a', 'b', 'a'], false],
    [[0, -0], false],
    [
      [
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ],
      false,
    ],
  ]
  for (const [list, isUnique] of lists) {
    test(`unique items: ${JSON.stringify(list)} is ${isUnique ? 'accepted' : 'refused'}`, () =>
      assert.equal(validate(list), isUnique))
  }

  test('unique items: a duplicate is reported at its list with both places', () => {
    const inside = createBodyValidator({ type: 'object', properties: { a: { type: 'array', uniqueItems: true } } })
    assert.equal(inside({ a: ['x', 'y', 'x'] }), false)
    const { instancePath, keyword, params, message } = inside.errors[0]!
    assert.deepEqual([instancePath, keyword, params], ['/a', 'uniqueItems', { i: 2, j: 0 }])
    assert.equal(message, 'must NOT have duplicate items (items ## 0 and 2 are identical)')
  })

  test('unique items: false allows duplicates', () => {
    const compiled = createAjv({}).compile({ type: 'array', uniqueItems: false })
    assert.equal(compiled(['a', 'a']), true)
  })

  test('unique items: long lists are refused without comparing each pair, which would take minutes', () => {
    const schemas = [{ type: 'object' }, { enum: ['high', 'low'] }]
    for (const items of schemas) {
      const long = createBodyValidator({ type: 'array', items, maxItems: 100, uniqueItems: true })
      const list = Array.from({ length: 50_000 }, (_, n) => ({ key: `k${n}` }))
      assert.equal(long(list), false)
    }
  })
})
