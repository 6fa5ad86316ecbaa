import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Unreadable } from './unreadable.ts'
import { parseYaml, parseYamlNodes } from './yaml.ts'

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
const lines = (count: number, lineOf: (n: number) => string) => numbers(count).map(lineOf).join('')

function refusal(text: string): { readonly message: string; readonly line: number | undefined } {
  try {
    parseYaml(text, 'target')
  } catch (error) {
    assert.ok(error instanceof Unreadable, String(error))
    return { message: error.message, line: error.line }
  }
  assert.fail('the text was read')
}

describe('YAML that is read', () => {
  const cases: readonly (readonly [what: string, text: string, value: unknown])[] = [
    ['scalars as text', 'a: 1.10\nb: true\nc:\nd: ~\n', { a: '1.10', b: 'true', c: '', d: '~' }],
    ['CRLF and a byte order mark', '\ufeffa: b\r\nc:\r\n  - d\r\n', { a: 'b', c: ['d'] }],
    [
      'merge keys, more than one into the same map',
      'a: &a {x: 1}\nb: &b {y: 2}\nc:\n  <<: *a\n  <<: *b\n  z: 3\n',
      { a: { x: '1' }, b: { y: '2' }, c: { x: '1', y: '2', z: '3' } },
    ],
    ['tabs between tokens', 'a:\tb\n', { a: 'b' }],
  ]
  for (const [what, text, value] of cases)
    test(`parseYaml: reads ${what}`, () => assert.deepEqual(parseYaml(text, 'target'), value))

  test('parseYaml: keys named like object members are own members', () => {
    const map = parseYaml('__proto__: {a: b}\nconstructor: c\n', 'target')
    assert.deepEqual(Object.entries(map), [
      ['__proto__', { a: 'b' }],
      ['constructor', 'c'],
    ])
    assert.equal(Object.getPrototypeOf(map), Object.prototype)
  })

  test('parseYaml: reads maps of very many keys, and very long keys', () => {
    assert.equal(
      Object.keys(
        parseYaml(
          lines(60_000, (n) => `k${n}: ${n}\n`),
          'target',
        ),
      ).length,
      60_000,
    )
    const flow = `a: {${lines(60_000, (n) => `k${n}: ${n}, `)}}\n`
    assert.equal(Object.keys(parseYaml(flow, 'target')['a'] as object).length, 60_000)
    assert.equal(Object.keys(parseYaml(`${'k'.repeat(1_000_000)}: v\n`, 'target'))[0]!.length, 1_000_000)
  })

  test('parseYaml: reads 100 aliases', () => {
    const text = lines(100, (n) => `k${n}: &a${n} ${n}\nv${n}: *a${n}\n`)
    assert.equal(parseYaml(text, 'target')['v99'], '99')
  })
})

describe('YAML that is refused', () => {
  const bomb = lines(9, (n) => `a${n}: &a${n} [${n === 0 ? 'x' : `*a${n - 1}, `.repeat(9)}]\n`)
  const cases: readonly (readonly [what: string, text: string, reason: RegExp, line?: number])[] = [
    ['a duplicate key', "b: 1\nc: 2\n'b': 3\n", /duplicated mapping key/, 3],
    ['a duplicate key in a list', 'c:\n  - d: 1\n    d: 2\n', /duplicated mapping key/, 3],
    ['aliases that multiply', bomb, /more than 100 aliases/, 4],
    ['101 aliases', lines(101, (n) => `k${n}: &a${n} ${n}\nv${n}: *a${n}\n`), /more than 100 aliases/, 202],
    ['an alias inside its anchor', 'a: &a x\nb: &a [*a]\n', /unresolved alias "a"/, 2],
    ['merges of very many keys', `a: &a {${lines(20_000, (n) => `k${n}: 1, `)}}\nb: {<<: *a}\n`, /merge keys/, 2],
    ['brackets in brackets', `a: ${'['.repeat(100_000)}`, /nesting exceeded/, 1],
    ['lists in lists', '- '.repeat(100_000), /nesting exceeded/, 1],
    ['maps in maps', lines(1_000, (n) => `${' '.repeat(n)}a:\n`), /nesting exceeded/, 100],
    ['tabs as indentation', 'a:\n\tb: c\n', /tab characters/, 2],
    ['a map as a key', '? {a: b}\n: c\n', /complex keys/, 1],
    ['an unknown tag', 'a: !!binary aGk=\n', /unknown scalar tag/, 1],
    ['two documents', 'a: b\n---\nc: d\n', /several documents/],
    ['a list', '- a\n', /expected a map/, 1],
    ['a null byte', 'a: b\0\n', /null byte/, 1],
    ['an open quote', 'a: "b', /unexpected end of the stream/, 1],
  ]
  for (const [what, text, reason, line] of cases) {
    test(`parseYaml: refuses ${what}`, () => {
      const { message, line: shown } = refusal(text)
      assert.match(message, /^Invalid YAML: /)
      assert.match(message, reason)
      assert.equal(shown, line)
    })
  }
})

test('parseYamlNodes: returns the line of each node and follows aliases', () => {
  const { root, lineOf, resolve } = parseYamlNodes('# c\na: &x\n  - b\n\n  - "c\n    d"\ne: *x\nf: |\n  g\n')
  assert.ok(root?.kind === 'mapping')
  const [a, e, f] = root.items
  assert.ok(a?.value.kind === 'sequence')
  assert.deepEqual([root, a.key, ...a.value.items, e!.key, f!.key].map(lineOf), [2, 2, 3, 5, 7, 8])
  assert.equal(resolve(e!.value), a.value)
  assert.equal(parseYamlNodes('# only a comment\n').root, undefined)
})
