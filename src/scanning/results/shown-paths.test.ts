import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import { showPaths } from './shown-paths.ts'

/** A project with `parents` direct dependencies that all require `deep`, and the direct dependency `near`. */
function graphOf(parents: number): DependencyGraph {
  const to = (node: number) => ({ to: node, range: '*', kind: 'prod' as const })
  const node = (name: string, edges: number[]) => ({ package: { name, version: '1.0.0' }, edges: edges.map(to) })
  const [deep, near] = [parents + 1, parents + 2]
  const direct = Array.from({ length: parents }, (_, n) => n + 1)
  return {
    nodes: [
      node('project', [...direct, near]),
      ...direct.map((n) => node(`p${n}`, [deep])),
      node('deep', []),
      node('near', []),
    ],
  }
}

const deepOf = (parents: number) => ({ nodes: [parents + 1], name: 'X in deep', entryBytes: 1_000 })
const nearOf = (parents: number) => ({ nodes: [parents + 2], name: 'Y in near', entryBytes: 1_000 })

test('shown paths: limited per issue, with the number of all', () => {
  const { shown, boundsMet } = showPaths(graphOf(300), [deepOf(300), nearOf(300)], { pathsOfOne: 100, bytes: 1e9 })
  assert.deepEqual(
    shown.map(({ paths, count }) => [paths.length, count]),
    [
      [100, 300],
      [1, 1],
    ],
  )
  assert.deepEqual(boundsMet, ['X in deep: the 100 shortest of 300 dependency paths are listed'])
})

test('shown paths: the size limit of all issues leaves each the same number, at least one', () => {
  const issues = Array.from({ length: 10 }, (_, n) => ({ ...deepOf(300), nodes: [301], name: `X${n}` }))
  const few = showPaths(graphOf(300), issues, { pathsOfOne: 100, bytes: 52_000 })
  assert.deepEqual(new Set(few.shown.map(({ paths }) => paths.length)), new Set([4]))
  const none = showPaths(graphOf(300), issues, { pathsOfOne: 100, bytes: 0 })
  assert.deepEqual(new Set(none.shown.map(({ paths }) => paths.length)), new Set([1]))
  assert.equal(none.boundsMet.length, 10)
})

test('shown paths: counted up to 1,000; more than ten limited issues are summarized', () => {
  const issues = Array.from({ length: 30 }, (_, n) => ({ ...deepOf(1_500), name: `X${n}` }))
  const { shown, boundsMet } = showPaths(graphOf(1_500), issues, { pathsOfOne: 2, bytes: 1e9 })
  assert.equal(shown[0]!.count, 1_000)
  assert.equal(boundsMet[0], 'X0: the 2 shortest of more than 1000 dependency paths are listed')
  assert.equal(boundsMet.length, 11)
  assert.match(boundsMet[10]!, /^20 more issues .*pathCount/)
})

test('shown paths: within the limits all are listed without a note', () => {
  const { shown, boundsMet } = showPaths(graphOf(5), [deepOf(5), nearOf(5)], { pathsOfOne: 100, bytes: 1e6 })
  assert.deepEqual(
    shown.map(({ paths }) => paths.length),
    [5, 1],
  )
  assert.deepEqual(boundsMet, [])
})
