import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { describe, test } from 'node:test'
import { runInThisContext } from 'node:vm'
import { selectAreas } from './areas.ts'
import { findMutationPoints } from './find-mutants.ts'
import { instrument } from './instrument.ts'
import { installSwitches } from './switches.ts'

function changesIn(source: string): string[] {
  return findMutationPoints('source.ts', source).map(
    ({ start, end, replacement }) => `${source.slice(start, end)} → ${replacement || '(removed)'}`,
  )
}

describe('mutation points', () => {
  const rows: [title: string, source: string, changes: string[]][] = [
    ['comparison', 'x = a < b', ['< → <=', '< → >=']],
    ['equality as a condition', 'if (a === b) c = d', ['a === b → true', 'a === b → false']],
    ['boundary as a condition', 'if (a > b) c = d', ['a > b → true', 'a > b → false', '> → >=']],
    ['loop', 'while (a) b = c', ['a → false']],
    ['logical operators', 'x = a && b || c', ['&& → ||', '|| → &&']],
    ['fallback', 'x = a ?? b', ['a ?? b → a', 'a ?? b → b']],
    ['negation', 'x = !a', ['!a → a']],
    ['sum of numbers', 'x = a + b', ['+ → -']],
    ['sum of texts', "x = a + ''", []],
    ['step', 'a++', ['a++ → a--']],
    ['boolean', 'x = true', ['true → false']],
    ['number', 'x = [0, 7]', ['0 → 1', '7 → 8', '7 → 6']],
    ['text', "x = 'a'", ["'a' → ''"]],
    ['template', 'x = `a$' + '{b}`', ['`a$' + "{b}` → ''"]],
    ['compared text', "x = a === 'b'", ['=== → !==']],
    ['call as a statement', 'a(b)', ['a(b) → (removed)']],
    ['awaited call', 'await a?.b()', ['await a?.b() → (removed)']],
    ['method', 'x = a.some(b)', ['some → every']],
    ['removed method', 'x = a.filter(b)', ['a.filter(b) → a']],
    [
      'last return of a branch',
      'function f() { if (a) { b = c; return d } }',
      ['a → true', 'a → false', 'return d → (removed)'],
    ],
    ['where of a query', "x = q.where('id', '<', y)", ["q.where('id', '<', y) → q", "'<' → '<='"]],
    ['sentence', "x = 'not a word of it'", []],
    ['message of an error', "x = new RangeError('wrong')", []],
    ['code of a problem', "x = new Problem('code', 'why', y)", ["'code' → ''"]],
    ['log text', "log.warn({ a }, 'text')", []],
    ['description', "x = { description: 'Text', a: 'b' }", ["'b' → ''"]],
    ['types', "type A = 'a' | 1; const x: 'a' = y as 'a'", []],
    ['imports and keys', "import { a } from 'b'; x = { 'c': d, 1: e }", []],
    ['default of a pattern', 'const { a = 1 } = b', ['1 → 2', '1 → 0']],
  ]
  for (const [title, source, changes] of rows) {
    test(`mutants of ${title}`, () => assert.deepEqual(changesIn(source), changes))
  }
})

describe('sources instrumented with all mutants', () => {
  const rows: [title: string, source: string, result: unknown, change: string, changed: unknown][] = [
    ['an operator', 'let a = 2; let b = 2; b = Number(a < b); b', 0, '< → <=', 1],
    ['nested operators', '(() => (1 as number) + 2 * 3)().valueOf()', 7, '* → /', 1 + 2 / 3],
    ['a line that begins with a change', 'let a = 1\nlet b = a\na++\nb = a\n;b', 2, 'a++ → a--', 0],
    ['the object of a method', '[3, 1].some(function (n: number) { return n > 2 }); ', true, 'some → every', false],
    ['a chain that ends early', '(undefined as any)?.a.filter(1).b.slice(2)', undefined, '2 → 3', undefined],
    ['a removed statement', 'let a = [0]; const f = () => { a.push(1) }; f(); a.length', 2, 'a.push(1) → (removed)', 1],
  ]
  for (const [title, source, result, change, changed] of rows) {
    test(`${title}: behaves like the original until a mutant is activated`, () => {
      const points = findMutationPoints('source.ts', source).map((point, at) => ({ ...point, id: at + 1 }))
      const code = stripTypeScriptTypes(instrument(source, points))
      const switches = installSwitches(points.length)
      const run = () => runInThisContext(`{${code}}`)
      assert.deepEqual(run(), result)
      switches.activate(changesIn(source).indexOf(change) + 1, Infinity)
      assert.deepEqual(run(), changed)
    })
  }

  test('every source of every area compiles when instrumented', () => {
    for (const { sources, tests } of selectAreas([])) {
      assert.ok(sources.length > 0 && tests.length > 0)
      for (const path of sources) {
        const source = readFileSync(path, 'utf8')
        const points = findMutationPoints(path, source).map((point, at) => ({ ...point, id: at + 1 }))
        assert.ok(stripTypeScriptTypes(instrument(source, points)).length > 0)
      }
    }
  })
})
