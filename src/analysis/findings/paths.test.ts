import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { DependencyGraph } from '../dependency-graph.ts'
import { createPathFinder } from './paths.ts'

/** `edges[n]` lists what node n depends on. */
function graphOf(edges: readonly (readonly number[])[]): DependencyGraph {
  return {
    nodes: edges.map((to, n) => ({
      package: { name: `p${n}`, version: '1.0.0' },
      edges: to.map((node) => ({ to: node, range: '*', kind: 'prod' as const })),
    })),
  }
}

/** Returns every simple path by brute force. */
function allPaths(edges: readonly (readonly number[])[], node: number): number[][] {
  const paths: number[][] = []
  const walk = (from: number, path: number[]): void => {
    for (const to of new Set(edges[from])) {
      if (to === 0 || path.includes(to)) continue
      if (to === node) paths.push([...path, to])
      else walk(to, [...path, to])
    }
  }
  walk(0, [])
  return paths
}

describe('dependency paths', () => {
  test('paths come shortest first and exclude the project', () => {
    const graph = graphOf([[1, 2], [3], [3], [4], []])
    const { paths, complete } = createPathFinder(graph).pathsTo(4, 10)
    assert.deepEqual(paths, [
      [1, 3, 4],
      [2, 3, 4],
    ])
    assert.ok(complete)
  })

  test('a direct and transitive dependency has both kinds of path', () => {
    assert.deepEqual(createPathFinder(graphOf([[1, 2], [2], []])).pathsTo(2, 10).paths, [[2], [1, 2]])
  })

  test('paths pass through a cycle once', () => {
    assert.deepEqual(createPathFinder(graphOf([[1], [2], [1, 3], [2]])).pathsTo(3, 10).paths, [[1, 2, 3]])
  })

  test('an unreachable package has no path', () => {
    assert.deepEqual(createPathFinder(graphOf([[1], [], [1]])).pathsTo(2, 10), { paths: [], complete: true })
  })

  test('paths: the first 100 of 2^60 are found without walking the rest', () => {
    // 60 layers of two nodes each: 2^60 paths to the last.
    const edges: number[][] = [[1, 2]]
    for (let layer = 0; layer < 60; layer++) {
      const next = 2 * layer + 3
      edges.push([next, next + 1], [next, next + 1])
    }
    edges.push([], [])
    const { paths, complete } = createPathFinder(graphOf(edges)).pathsTo(edges.length - 1, 100)
    assert.equal(paths.length, 100)
    assert.equal(complete, false)
  })

  test('the end of a chain of 20,000 packages has its path at any limit', () => {
    const length = 20_000
    const ring = [[1], ...Array.from({ length }, (_, index) => [index + 1 < length ? index + 2 : 1])]
    for (const limit of [1, 1000]) {
      const { paths } = createPathFinder(graphOf(ring)).pathsTo(length, limit)
      assert.equal(paths.length, 1)
      assert.equal(paths[0]!.length, length)
      assert.deepEqual([paths[0]![0], paths[0]!.at(-1)], [1, length])
    }
  })

  test('a dense cycle off the path does not stall the search', () => {
    // 0 → 1 → 41, while 1 to 40 all require each other.
    const dense = Array.from({ length: 40 }, (_, index) => index + 1)
    const edges = [
      [1],
      ...dense.map((node) => [...dense.filter((other) => other !== node), ...(node === 1 ? [41] : [])]),
      [],
    ]
    const { paths } = createPathFinder(graphOf(edges)).pathsTo(41, 100)
    assert.deepEqual(paths, [[1, 41]])
  })

  test('a search that stops early keeps the paths found and is marked as incomplete', () => {
    // As before, with a second direct dependency on the last node.
    const dense = Array.from({ length: 40 }, (_, index) => index + 1)
    const edges = [
      [1, 42],
      ...dense.map((node) => [...dense.filter((other) => other !== node), ...(node === 1 ? [41] : [])]),
      [],
      [41],
    ]
    const result = createPathFinder(graphOf(edges)).pathsTo(41, 100)
    assert.deepEqual(result, {
      paths: [
        [1, 41],
        [42, 41],
      ],
      complete: false,
    })
  })

  test('the project has no paths, also if a cycle leads back to it', () => {
    const { paths, complete } = createPathFinder(graphOf([[1], [0]])).pathsTo(0, 10)
    assert.deepEqual([paths, complete], [[], true])
  })

  test('the last node of the graph may be a dependent', () => {
    assert.deepEqual(createPathFinder(graphOf([[2], [], [1]])).pathsTo(1, 10).paths, [[2, 1]])
  })

  test('paths equal those of an exhaustive walk on random graphs', () => {
    const graphs = fc.integer({ min: 2, max: 7 }).chain((size) =>
      fc.array(fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 4 }), {
        minLength: size,
        maxLength: size,
      }),
    )
    fc.assert(
      fc.property(graphs, (edges) => {
        const node = edges.length - 1
        const { paths, complete } = createPathFinder(graphOf(edges)).pathsTo(node, 10_000)
        assert.ok(complete)
        assert.deepEqual(paths.map(String).sort(), allPaths(edges, node).map(String).sort())
        const lengths = paths.map((path) => path.length)
        assert.deepEqual(
          lengths,
          lengths.toSorted((a, b) => a - b),
        )
      }),
    )
  })
})
