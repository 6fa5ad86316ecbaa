import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DepGraph, PackageIssues } from '../../../../api/dependency-graph.ts'
import { isVulnerable, listRows, pathsTo, toTree } from './tree.ts'

/** `{ root: ['a'], a: ['b'] }`: each package at version 1. */
function graphOf(edges: Readonly<Record<string, readonly string[]>>): DepGraph {
  const names = Object.keys(edges)
  return {
    schemaVersion: '1.2.0',
    pkgManager: { name: 'npm' },
    pkgs: names.map((name) => ({ id: `${name}@1`, info: { name, version: '1' } })),
    graph: {
      rootNodeId: names[0]!,
      nodes: names.map((name) => ({
        nodeId: name,
        pkgId: `${name}@1`,
        deps: edges[name]!.map((nodeId) => ({ nodeId })),
      })),
    },
  }
}

const issuesOf = (found: Readonly<Record<string, PackageIssues['worst']>>) =>
  new Map(Object.entries(found).map(([name, worst]) => [`${name}@1`, { worst, count: 1 }]))
const all = () => true
const outline = (...given: Parameters<typeof listRows>) =>
  listRows(...given).map(({ level, node, isExpanded }) => {
    const mark = isExpanded === undefined ? ' ' : isExpanded ? '-' : '+'
    return `${'  '.repeat(level - 1)}${mark}${node.name}`
  })

describe('tree of dependencies', () => {
  const edges = { root: ['a', 'b', 'c'], a: ['d'], b: ['d', 'e'], c: [], d: ['bad'], e: ['worse'], bad: [], worse: [] }
  const tree = toTree(graphOf(edges), issuesOf({ bad: 'low', worse: 'critical' }))

  test('only the shortest path to each affected package is expanded; the worst comes first', () => {
    assert.deepEqual(outline(tree, pathsTo(tree, ({ issues }) => issues !== undefined).expanded, all), [
      '-root',
      '  -b',
      '    -e',
      '       worse',
      '    -d',
      '       bad',
      '  +a',
      '   c',
    ])
  })

  test('packages know the worst issue below them, through any path', () => {
    const below = Object.fromEntries(tree.nodes.map(({ name, worstBelow }) => [name, worstBelow]))
    assert.deepEqual(
      [below['root'], below['a'], below['b'], below['c'], below['d'], below['worse']],
      ['critical', 'low', 'critical', undefined, 'low', undefined],
    )
  })

  test('packages that lead to no issue can be left out', () => {
    assert.deepEqual(outline(tree, new Set(['0']), isVulnerable), ['-root', '  +b', '  +a'])
  })

  test('a package below itself cannot be expanded again', () => {
    const cyclic = toTree(graphOf({ root: ['a'], a: ['b'], b: ['a'] }), issuesOf({ b: 'high' }))
    assert.deepEqual(outline(cyclic, new Set(['0', '0/1', '0/1/2', '0/1/2/1']), all), [
      '-root',
      '  -a',
      '    -b',
      '       a',
    ])
    assert.equal(cyclic.nodes[1]?.worstBelow, 'high')
  })

  test('a graph with two paths at each of a thousand levels: as many rows as nodes, not as paths', () => {
    const levels = 1_000
    const deep: Record<string, string[]> = { root: ['a0', 'b0'] }
    for (let n = 0; n < levels; n++) {
      const next = n + 1 < levels ? [`a${n + 1}`, `b${n + 1}`] : []
      deep[`a${n}`] = next
      deep[`b${n}`] = next
    }
    const last = toTree(graphOf(deep), issuesOf({ [`b${levels - 1}`]: 'high' }))
    const rows = listRows(last, pathsTo(last, ({ issues }) => issues !== undefined).expanded, all)
    assert.equal(rows.length, 1 + 2 * levels)
    assert.equal(rows.filter(({ node }) => node.issues).length, 1)
  })

  test('before the first test there is only the project', () => {
    assert.deepEqual(outline(toTree(graphOf({ root: [] }), new Map()), new Set(['0']), all), [' root'])
  })
})
