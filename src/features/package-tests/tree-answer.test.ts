import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemoryLease } from '#foundation/http/bodies/client-memory.ts'
import { Problem } from '#foundation/problem.ts'
import type { TestAnswer } from '#scanning/results/answer.ts'
import type { ProjectAnswer, TreeTest } from './test-tree.ts'
import { writeTreeAnswer } from './tree-answer.ts'

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
