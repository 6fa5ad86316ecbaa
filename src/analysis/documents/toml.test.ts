import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isTable, parseToml } from '../documents/toml.ts'
import { Unreadable } from './unreadable.ts'

describe('TOML that is read', () => {
  test('parseToml: keys named like object members are plain entries', () => {
    const { a } = parseToml('[[a]]\n__proto__ = { constructor = "x" }\n', 'target')
    assert.deepEqual(JSON.stringify(a), '[{"__proto__":{"constructor":"x"}}]')
  })

  test('isTable: true for tables and inline tables; false for lists, dates and texts', () => {
    const { a, b, c, d, e } = parseToml('b = {}\nc = []\nd = 2025-01-02\ne = "x"\n[a]\n', 'target')
    assert.deepEqual([a, b, c, d, e, undefined].map(isTable), [true, true, false, false, false, false])
  })

  test('parseToml: reads a lockfile longer than a manifest may be', () => {
    const text = 'a = "b"\n#'.padEnd(1_000_001, 'x')
    assert.equal(parseToml(text, 'target', 'lock')['a'], 'b')
    assert.throws(() => parseToml(text, 'target'), /exceeds 1000000 characters/)
  })
})

describe('TOML that is refused', () => {
  const cases: readonly (readonly [what: string, text: string, reason: RegExp, line?: number])[] = [
    ['a duplicate key', 'a = 1\na = 2\n', /Invalid TOML: .*redefine/, 2],
    ['a duplicate table', '[a]\n[a]\n', /Invalid TOML: .*redefine/, 2],
    ['a table in place of an array', '[[a]]\n[a]\n', /Invalid TOML/, 2],
    ['lists in lists', `a = ${'['.repeat(100_000)}`, /Invalid TOML: .*nest/, 1],
    ['tables in tables', `${'a.'.repeat(200)}b = 1\n`, /Depth limit of 100 exceeded/],
    ['a control character', 'a = "\u0001"\n', /Invalid TOML/, 1],
    ['an open text', 'a = "b\n', /Invalid TOML/, 1],
  ]
  for (const [what, text, reason, line] of cases) {
    test(`parseToml: refuses ${what}`, () => {
      assert.throws(
        () => parseToml(text, 'target', 'lock'),
        (error) => {
          assert.ok(error instanceof Unreadable, String(error))
          assert.match(error.message, reason)
          assert.equal(error.line, line)
          return true
        },
      )
    })
  }
})
