import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseIgnorePath } from '../discovery/policy-files/ignore-path.ts'
import { createPathSearch, type PackageGraph } from './ignored-paths.ts'
import { compilePaths } from './path-automaton.ts'

/** Numbers of edges well below and above the limit of 200,000. */
const [FEW, MANY] = [60_000, 210_000]
const END = 3

/** The chain a > b > c, whose edges may be repeated: following each repetition costs a step. */
function chain({ toA = 1, aroundA = 0 }: { toA?: number; aroundA?: number }): PackageGraph {
  const edges = [Array(toA).fill(1), [...Array(aroundA).fill(1), 2], [3], []]
  return {
    packages: ['project', 'a', 'b', 'c'].map((name) => ({ name, version: '1.0.0' })),
    nodes: edges.map((to, at) => ({ package: at, edges: to })),
  }
}

function automatonOf(text: string) {
  const path = parseIgnorePath(text)
  assert.ok(typeof path === 'object')
  return compilePaths([path], 'npm')
}

describe('path search, within and beyond its budget of steps', () => {
  for (const [count, isBeyond] of [
    [FEW, false],
    [MANY, true],
  ] as const) {
    const title = isBeyond ? 'beyond' : 'within'

    test(`${title} the budget: an unmatched path`, () => {
      const search = createPathSearch(chain({ toA: count }))
      assert.equal(search.hasUnmet(END, automatonOf('a > b > c')), isBeyond)
    })

    test(`${title} the budget: an unmatched path in a graph with a cycle`, () => {
      const search = createPathSearch(chain({ aroundA: count }))
      assert.equal(search.hasUnmet(END, automatonOf('a > b > c')), isBeyond)
    })

    test(`${title} the budget: a matched path`, () => {
      const search = createPathSearch(chain({ toA: count }))
      assert.equal(search.hasMet(END, automatonOf('d')), isBeyond)
    })

    test(`${title} the budget: a wanted path, whose packages count as steps too`, () => {
      // Each of the paths takes three steps to follow and three to compare.
      const search = createPathSearch(chain({ toA: count / 6 }))
      assert.equal(
        search.hasWanted(END, () => false),
        isBeyond,
      )
    })

    test(`${title} the budget: a wanted path in a graph with a cycle`, () => {
      const search = createPathSearch(chain({ aroundA: count }))
      assert.equal(
        search.hasWanted(END, () => false),
        isBeyond,
      )
    })
  }

  test('path search: each search has its own budget', () => {
    const search = createPathSearch(chain({ toA: FEW }))
    for (let n = 0; n < 5; n++) assert.equal(search.hasMet(END, automatonOf('d')), false)
  })
})
