import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { describe, test } from 'node:test'
import { explain, type KnownDifference, knownDifferences } from '#test/manifests/known-differences.ts'
import { parseTables } from '../tools/compare/tool-comparisons.ts'
import { parseTally } from '../tools/compare/world-comparisons.ts'

const known: readonly KnownDifference[] = [
  { ecosystem: 'npm', reference: 'R', project: 'p', packages: ['a@1'], reason: 'first' },
  { ecosystem: 'npm', reference: 'R', pattern: '^b@', reason: 'second' },
  { ecosystem: 'npm', reference: 'R', project: 'p', packages: ['gone@1'], reason: 'third' },
]

describe('known differences from package managers', () => {
  test('known differences explain lines by package, on either end of an edge, or by pattern', () => {
    const lines = ['a@1', 'project → a@1', 'a@1 → x@1', 'b@2', 'c@1', 'a@10']
    const { byReason, unexplained, outdated } = explain(
      { ecosystem: 'npm', reference: 'R', project: 'p', lines },
      known,
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
      assert.deepEqual(explain(differing, known).unexplained, ['a@1'])
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

describe('tables of the comparing tools', () => {
  const text = `a heading
| project | POMs | our packages | Maven’s | only ours | only Maven’s | ms |
|---|---|---|---|---|---|---|
| p | 2 | 10 | 9 | 3 | 1 | 5 |
| q | 1 | 4 | 4 | 0 | 0 | 5 |
| r | 1 | 4 | refuses |  |  | 5 |
p: only ours (3):
    a@1
    b@1
p: only Maven’s (1):
    c@1
p: named as unresolved (1):
    d
`
  test('tables are parsed with the lists below them; omitted entries count', () => {
    const [p, q, r, ...more] = parseTables(text)
    assert.deepEqual(p, {
      project: 'p',
      files: 2,
      packages: 10,
      lines: 11,
      onlyOurs: ['a@1', 'b@1', '(not shown)'],
      onlyTheirs: ['c@1'],
    })
    assert.deepEqual([q!.onlyOurs, q!.onlyTheirs, q!.lines], [[], [], 4])
    assert.deepEqual([r!.note, r!.lines], ['the reference refuses it', 0])
    assert.deepEqual(more, [])
  })

  test('lists below tables may have one entry per line', () => {
    const other = `| build | ours | only ours | only pip |
|---|---|---|---|
| b | 4 | 2 | 3 |
b: only ours (2): x y
b: only pip's: z 1
b: only pip's: w
`
    const [b] = parseTables(other)
    assert.deepEqual([b!.packages, b!.onlyOurs, b!.onlyTheirs], [4, ['x', 'y'], ['z 1', 'w', '(not shown)']])
  })

  test('tables without comparable projects have the reason as a note', () => {
    const table = "| project | our packages | only ours | only npm's |\n|---|---|---|---|\n"
    const [refused, forced] = parseTables(
      `${table}| a | | | |\n| b | 3 | 0 | 0 |\na: npm refuses: no answer in 5 ms\nb: npm only with --force: ERESOLVE\n`,
    )
    assert.deepEqual([refused!.note, refused!.lines], ['npm refuses: no answer in 5 ms', 0])
    assert.deepEqual([forced!.note, forced!.packages], ['npm only with --force: ERESOLVE', 3])
  })

  test('text without rows gives no tables', () => {
    assert.deepEqual(parseTables('a failure'), [])
  })
})

test('a corpus without projects: each comparison reports what it needs', () => {
  const tool = path.join(import.meta.dirname, '../tools/compare-manifests.ts')
  const env = { ...process.env, CORPUS: path.join(import.meta.dirname, 'no-corpus') }
  const { status, stdout } = spawnSync(process.execPath, [tool, '--only', 'npm,govendor'], { env, encoding: 'utf8' })
  assert.equal(status, 0, stdout)
  for (const part of ['manifests/npm', 'manifests/govendor', 'versions'])
    assert.match(stdout, new RegExp(`needs ${part} of a corpus \\(docs/comparison\\.md\\)`))
})

test('final counts of a tool are parsed in either format', () => {
  assert.deepEqual(parseTally('x { a: 1 }\n{ same: 90, bothRefuse: 8, different: 2 }\n'), {
    answers: 'same 90, bothRefuse 8, different 2',
    different: 2,
  })
  assert.equal(parseTally('{"projects":5,"different":0}').different, 0)
  assert.throws(() => parseTally('it crashed'), /no count/)
})
