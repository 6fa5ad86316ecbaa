import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemoryLease } from '#foundation/http/bodies/client-memory.ts'
import { Problem } from '#foundation/problem.ts'
import { openGivenFiles } from '#foundation/repositories/given-files.ts'
import { ownThread, type TreeReader } from '#scanning/reading/survey-tree.ts'
import type { ReadSubject } from '#scanning/reading/task.ts'
import type { TestAnswer } from '#scanning/results/answer.ts'
import { openTreeTest, type ProjectAnswer, type TreeTest } from './test-tree.ts'
import { writeTreeAnswer } from './tree-answer.ts'

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
const defaults = {
  choice: { exclusions: [], files: [] },
  atOnce: 4,
  signal: new AbortController().signal,
  test: async () => clean,
}

async function errorsOf(overrides: Partial<Parameters<typeof openTreeTest>[1]>) {
  const tree = await openTreeTest(source, { ...defaults, ...overrides })
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

const MB = 1024 * 1024
const advisories = { digest: 'd', builtAt: 0, isStarterSet: false }
const facts = { ok: true, complete: true, packages: 0, issues: 0, isRepeatable: true, advisories }
const noRoomLimit: MemoryLease = { add() {}, free() {} }

/** An answer whose result has that many bytes. */
function sized(bytes: number, details: Record<string, string> = {}): TestAnswer {
  const body = new TextEncoder().encode(`"${'x'.repeat(Math.max(0, bytes - 2))}"`)
  return { body, facts, details: new Map(Object.entries(details)) }
}

function treeOf(answers: readonly (readonly [path: string, answer: TestAnswer | Problem])[]): TreeTest {
  const projects = answers.map(([path]) => ({ path, ecosystem: 'npm', covers: [] }))
  async function* all(): AsyncGenerator<ProjectAnswer> {
    for (const [at, [, answer]] of answers.entries()) {
      if (answer instanceof Problem) throw answer
      yield { project: projects[at]!, answer }
    }
  }
  return { projects, leftOut: [], outOfScope: [], excluded: 0, excludedByPolicy: [], policyNotes: [], answers: all }
}

async function write(tree: TreeTest, room = noRoomLimit) {
  const parts: Buffer[] = []
  for await (const part of writeTreeAnswer(tree, room)) parts.push(part)
  const { ok, projects, leftOut, advisories: details, next } = JSON.parse(Buffer.concat(parts).toString())
  const pathsOf = (all: { path: string }[]) => all.map(({ path }) => path)
  return { ok, projects: pathsOf(projects), leftOut: pathsOf(leftOut), details, next }
}

test('answer about a tree: ends at its size; the rest is named, and `next` says where to continue', async () => {
  const large = ['a', 'b', 'c', 'd'].map((path) => [path, sized(16 * MB)] as const)
  assert.deepEqual(await write(treeOf(large)), {
    ok: false,
    projects: ['a', 'b'],
    leftOut: ['c', 'd'],
    details: {},
    next: 'b',
  })
  // Otherwise the next request would leave out the second of them.
  const pair = await write(treeOf([...large.slice(0, 2), ['b', sized(10)], ['c', sized(10)]]))
  assert.deepEqual([pair.projects, pair.leftOut, pair.next], [['a', 'b', 'b'], ['c'], 'b'])
})

test('answer about a tree: at most 1,000 projects', async () => {
  const all = await write(treeOf(Array.from({ length: 1_002 }, (_, at) => [String(at + 1_000), sized(2)] as const)))
  assert.deepEqual([all.projects.length, all.leftOut, all.next], [1_000, ['2000', '2001'], '1999'])
})

test('answer about a tree: an overloaded server refuses the first project, and ends the answer at a later one', async () => {
  const busy = new Problem('unavailable', 'busy')
  await assert.rejects(write(treeOf([['a', busy]])), busy)
  const begun = await write(
    treeOf([
      ['a', sized(2)],
      ['b', busy],
    ]),
  )
  assert.deepEqual([begun.projects, begun.leftOut, begun.next], [['a'], ['b'], 'a'])
})

test('answer about a tree: memory is counted until a part is sent; without room the answer ends', async () => {
  let used = 0
  const room: MemoryLease = {
    add(bytes) {
      if (used + bytes > 1_000) throw new Problem('unavailable', 'full')
      used += bytes
    },
    free(bytes) {
      used -= bytes
    },
  }
  const sent = await write(
    treeOf([
      ['a', sized(600)],
      ['b', sized(600)],
      ['c', sized(2_000)],
    ]),
    room,
  )
  assert.deepEqual([sent.projects, sent.next, used], [['a', 'b'], 'b', 0])
  await assert.rejects(write(treeOf([['a', sized(2_000)]]), room), /full/)
})

test('answer about a tree: the details of an advisory stand once, those of the first project by path', async () => {
  const first = sized(2, { 'GHSA-1': '{"description":"one"}' })
  const second = sized(2, { 'GHSA-1': '{"description":"other"}', 'GHSA-2': '{"description":"two"}' })
  const { ok, details } = await write(
    treeOf([
      ['a', first],
      ['b', second],
    ]),
  )
  assert.deepEqual([ok, details], [true, { 'GHSA-1': { description: 'one' }, 'GHSA-2': { description: 'two' } }])
})
