import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { staleChanges } from './accepted.ts'
import { judgeArea, type Result } from './judge.ts'
import { prepareMutants } from './mutants.ts'
import { countsOf, describeReport } from './report.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-mutation-'))
after(() => rmSync(folder, { recursive: true }))

/** Writes a source and its tests, and returns the outcome of each mutant. */
async function judge(source: string, tests: string): Promise<Result[]> {
  const [file, testFile] = [join(folder, 'source.ts'), join(folder, 'source.test.ts')]
  writeFileSync(file, source)
  writeFileSync(
    testFile,
    [
      "import assert from 'node:assert/strict'",
      "import { after, afterEach, before, beforeEach, describe, test } from 'node:test'",
      "import * as source from './source.ts'",
      tests,
    ].join('\n'),
  )
  return judgeArea(
    { ...prepareMutants([file]), tests: [testFile] },
    { isWanted: () => true, isAlone: false, enoughMs: 5000, scratch: folder, onResult: () => {} },
  )
}

function outcomesOf(results: readonly Result[]): string[] {
  return results.map(({ mutant, outcome }) => `${mutant.change}: ${outcome}`)
}

describe('outcomes of mutants', () => {
  test('mutant: killed by a failing test, survived without one, not covered without a test that reaches it', async () => {
    const results = await judge(
      'export const isOld = (age: number) => age >= 10\nexport const unused = () => !isOld(1)\n',
      "describe('age', () => { test('old', () => assert.equal(source.isOld(11), true)) })",
    )
    assert.deepEqual(outcomesOf(results), [
      '>= → >: survived',
      '>= → <: killed',
      '10 → 11: survived',
      '10 → 9: survived',
      '!isOld(1) → isOld(1): no coverage',
      '1 → 2: no coverage',
      '1 → 0: no coverage',
    ])
    assert.equal(results[1]!.by?.endsWith('source.test.ts › age › old'), true)
  })

  test('mutant: timed out if a loop or promise never ends', async () => {
    const results = await judge(
      [
        'export function count(to: number) {',
        '  let n = 0',
        '  while (n < to) n++',
        '  return n',
        '}',
        'export const wait = () => new Promise<void>((resolve) => { resolve() })',
      ].join('\n'),
      "test('count', () => assert.equal(source.count(3), 3)); test('wait', () => source.wait())",
    )
    assert.deepEqual(
      outcomesOf(results).filter((line) => /n\+\+|resolve/.test(line)),
      ['n++ → n--: timed out', 'resolve() → (removed): timed out'],
    )
  })

  test('mutant: code that runs once per process is tried in a new process', async () => {
    const results = await judge(
      [
        'const limit = 5',
        'let known: number | undefined',
        'const compute = () => limit + 1',
        'export const answer = () => (known ??= compute())',
      ].join('\n'),
      "test('first', () => assert.equal(source.answer(), 6)); test('second', () => assert.equal(source.answer(), 6))",
    )
    const lines = outcomesOf(results)
    for (const change of ['5 → 6', '5 → 4', '+ → -', '1 → 2']) assert.ok(lines.includes(`${change}: killed`), change)
  })

  test('mutant: hooks run around the tests that reach it, as often as those tests', async () => {
    const results = await judge(
      'export const add = (to: string[], text: string) => { to.push(text) }\n',
      [
        'const events: string[] = []',
        "describe('hooks', () => {",
        '  before(() => { events.length = 0 })',
        "  beforeEach(() => source.add(events, 'each'))",
        "  test('one', () => assert.deepEqual(events, ['each']))",
        "  test('two', (t) => { t.after(() => void events.push('after')); assert.deepEqual(events, ['each', 'each']) })",
        "  afterEach(() => assert.ok(events.includes('each')))",
        "  after(() => assert.equal(events.at(-1), 'after'))",
        '})',
      ].join('\n'),
    )
    assert.deepEqual(outcomesOf(results), ['to.push(text) → (removed): killed'])
  })

  test('tests that fail without a mutant stop the run', async () => {
    await assert.rejects(
      judge('export const one = 1', "test('wrong', () => assert.equal(source.one, 2))"),
      /Without a mutant, .*wrong/,
    )
  })
})

describe('mutation reports', () => {
  const mutant = { id: 1, file: 'a.ts', line: 3, kind: 'number', text: 'x = 1', change: '1 → 2', nth: 1 }
  const results: Result[] = [
    { mutant, outcome: 'survived' },
    { mutant: { ...mutant, nth: 2 }, outcome: 'killed' },
    { mutant: { ...mutant, change: '1 → 0' }, outcome: 'timed out' },
    { mutant: { ...mutant, change: 'x → y' }, outcome: 'no coverage' },
  ]
  const reasonOf = ({ change, nth }: typeof mutant) => (change === '1 → 2' && nth === 1 ? 'the same' : undefined)

  test('mutation score: killed and timed out mutants, with and without accepted survivors', () => {
    const { score, scoreOfOthers, accepted } = countsOf(results, reasonOf)
    assert.deepEqual([score, scoreOfOthers, accepted], [50, (100 * 2) / 3, 1])
  })

  test('mutation report: every survivor has its line, change and reason', () => {
    const text = describeReport({ name: 'area', results, stale: [], reasonOf })
    assert.match(text, /Survivors:\n {2}a\.ts:3: x → y \(no coverage\)\n {6}x = 1\n/)
    assert.match(text, /Accepted survivors:\n {2}a\.ts:3: 1 → 2: the same\n/)
  })

  test('mutation report: an accepted survivor is stale if its line is gone or its mutant is killed', () => {
    const entry = { file: 'a.ts', text: 'x = 1', changes: ['1 → 2', '1 → 2 (2)'], reason: 'the same' }
    const gone = { ...entry, text: 'x = 3', changes: ['1 → 2'] }
    const elsewhere = { ...entry, file: 'b.ts' }
    const all = results.map((result) => result.mutant)
    assert.deepEqual(staleChanges([entry, gone, elsewhere], results, all), [
      { file: 'a.ts', text: 'x = 1', change: '1 → 2 (2)' },
      { file: 'a.ts', text: 'x = 3', change: '1 → 2' },
    ])
  })
})
