import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '#foundation/problem.ts'
import { openGivenFiles } from '#foundation/repositories/given-files.ts'
import { ownThread, type TreeReader } from '#scanning/reading/survey-tree.ts'
import type { ReadSubject } from '#scanning/reading/task.ts'
import type { TestAnswer } from '#scanning/results/answer.ts'
import { openTreeTest } from './test-tree.ts'

const source = openGivenFiles(
  ['a', 'b', 'c'].map((name) => ({ path: `${name}/requirements.txt`, content: Buffer.from('# nothing\n') })),
  { fileBytes: 1000 },
)
const clean: TestAnswer = {
  body: new TextEncoder().encode('{"ok":true}'),
  facts: {
    ok: true,
    complete: true,
    packages: 0,
    issues: 0,
    isRepeatable: true,
    advisories: { digest: '', builtAt: 0, isStarterSet: false },
  },
}
const wanted = {
  choice: { exclusions: [], files: [] },
  atOnce: 4,
  signal: new AbortController().signal,
  test: async () => clean,
}

async function errorsOf(given: Partial<Parameters<typeof openTreeTest>[1]>) {
  const tree = await openTreeTest(source, { ...wanted, ...given })
  const answers = await Array.fromAsync(tree.answers())
  return answers.map(({ project: { path }, answer }) =>
    'problem' in answer
      ? [path, answer.problem.code, answer.problem.faults[0]!.detail.slice(0, 30)]
      : [path, undefined, undefined],
  )
}

test('tests of a tree: an unexpected error fails its own project and is reported', async () => {
  const errors: unknown[] = []
  const failing = async (_ecosystem: string, subject: ReadSubject) => {
    if (subject.kind === 'files' && subject.places?.target === 'b/requirements.txt')
      throw new RangeError('Invalid string length')
    return clean
  }
  const onError = (error: unknown, { path }: { path: string }) => void errors.push(path, error)
  assert.deepEqual(await errorsOf({ test: failing, onError }), [
    ['a/requirements.txt', undefined, undefined],
    ['b/requirements.txt', 'internal', 'The test failed because of an '],
    ['c/requirements.txt', undefined, undefined],
  ])
  assert.deepEqual(errors, ['b/requirements.txt', new RangeError('Invalid string length')])
})

test('tests of a tree: a project whose files take too long to relate fails alone', async () => {
  const reader: TreeReader = {
    ...ownThread,
    async filesBeside(tree, projects) {
      const isHeavy = projects.some(({ path }) => path === 'b/requirements.txt')
      if (isHeavy) throw new Problem('test-too-expensive', 'The test used more than 1 s')
      return ownThread.filesBeside(tree, projects)
    },
  }
  assert.deepEqual(await errorsOf({ reader }), [
    ['a/requirements.txt', undefined, undefined],
    ['b/requirements.txt', 'manifest-unreadable', 'The test used more than 1 s'],
    ['c/requirements.txt', undefined, undefined],
  ])
})
