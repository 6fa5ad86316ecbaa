import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, test } from 'node:test'
import { compareAnswers, toCompared } from './comparison.ts'
import { explain, type KnownDifference, knownDifferences } from './known-differences.ts'

const existing: readonly KnownDifference[] = [
  { ecosystem: 'npm', reference: 'R', project: 'p', packages: ['a@1'], reason: 'first' },
  { ecosystem: 'npm', reference: 'R', pattern: '^b@', reason: 'second' },
  { ecosystem: 'npm', reference: 'R', project: 'p', packages: ['gone@1'], reason: 'third' },
]

describe('known differences from package managers', () => {
  test('known differences explain lines by package, on either end of an edge, or by pattern', () => {
    const lines = ['a@1', 'project → a@1', 'a@1 → x@1', 'b@2', 'c@1', 'a@10']
    const { byReason, unexplained, outdated } = explain(
      { ecosystem: 'npm', reference: 'R', project: 'p', lines },
      existing,
    )
    assert.deepEqual(
      [...byReason],
      [
        ['first', ['a@1', 'project → a@1', 'a@1 → x@1']],
        ['second', ['b@2']],
      ],
    )
    assert.deepEqual(unexplained, ['c@1', 'a@10'])
    assert.deepEqual(
      outdated.map(({ reason }) => reason),
      ['third'],
    )
  })

  for (const other of [{ ecosystem: 'yarn' }, { reference: 'S' }, { project: 'q' }]) {
    test(`known differences explain nothing for another ${Object.keys(other)[0]}`, () => {
      const differing = { ecosystem: 'npm', reference: 'R', project: 'p', lines: ['a@1'], ...other }
      assert.deepEqual(explain(differing, existing).unexplained, ['a@1'])
    })
  }

  test('known differences have a reason and either packages or a valid pattern', () => {
    for (const { packages, pattern, reason } of knownDifferences) {
      assert.ok(reason.length > 20)
      assert.ok((packages === undefined) !== (pattern === undefined), reason)
      assert.doesNotThrow(() => new RegExp(pattern ?? ''))
    }
  })
})

test('sides of a project: lines of one side only are listed in order; equal answers are counted', () => {
  const sides = { packages: 2, own: new Set(['b', 'a', 'same']), expected: new Set(['same', 'c']) }
  const compared = toCompared('p', 1, sides)
  assert.deepEqual([compared.lines, compared.onlyOurs, compared.onlyTheirs], [4, ['a', 'b'], ['c']])
  const answers = compareAnswers('seed 1', [
    { question: 'q', own: '1', expected: '1' },
    { question: 'r', own: '1', expected: 'refused' },
  ])
  assert.deepEqual([answers.lines, answers.onlyOurs, answers.onlyTheirs], [2, ['r → 1'], ['r → refused']])
})

test('a corpus without projects: each comparison reports what it needs', () => {
  const tool = path.join(import.meta.dirname, 'run.ts')
  const env = { ...process.env, CORPUS: path.join(import.meta.dirname, 'no-corpus') }
  const { status, stdout } = spawnSync(process.execPath, [tool, '--only', 'npm,govendor'], { env, encoding: 'utf8' })
  assert.equal(status, 0, stdout)
  for (const part of ['manifests/npm', 'manifests/govendor', 'versions'])
    assert.match(stdout, new RegExp(`needs ${part} of a corpus \\(verification/README\\.md\\)`))
})
