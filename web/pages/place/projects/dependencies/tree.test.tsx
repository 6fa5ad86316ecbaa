import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PackageIssues } from '../../../../api/dependency-graph.ts'
import type { DepGraph } from '../../../../api/resources.ts'
import { isVulnerable, listRows, pathsTo, toTree } from './tree.ts'

/** Builds a graph from `{ root: ['a'], a: ['b'] }`; each package has version 1. */
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

const issuesOf = (worstByName: Readonly<Record<string, PackageIssues['worst']>>) =>
  new Map(Object.entries(worstByName).map(([name, worst]) => [`${name}@1`, { worst, count: 1 }]))
const all = () => true
const outline = (...parameters: Parameters<typeof listRows>) =>
  listRows(...parameters).map(({ level, node, isExpanded }) => {
    const mark = isExpanded === undefined ? ' ' : isExpanded ? '-' : '+'
    return `${'  '.repeat(level - 1)}${mark}${node.name}`
  })

describe('dependency tree', () => {
  const edges = { root: ['a', 'b', 'c'], a: ['d'], b: ['d', 'e'], c: [], d: ['bad'], e: ['worse'], bad: [], worse: [] }
  const tree = toTree(graphOf(edges), issuesOf({ bad: 'low', worse: 'critical' }))

  test('dependency tree: expands the shortest path to each affected package, the worst issue first', () => {
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

  test('dependency tree: packages show the worst issue below them through any path', () => {
    const below = Object.fromEntries(tree.nodes.map(({ name, worstBelow }) => [name, worstBelow]))
    assert.deepEqual(
      [below['root'], below['a'], below['b'], below['c'], below['d'], below['worse']],
      ['critical', 'low', 'critical', undefined, 'low', undefined],
    )
  })

  test('dependency tree: hides packages that lead to no issue', () => {
    assert.deepEqual(outline(tree, new Set(['0']), isVulnerable), ['-root', '  +b', '  +a'])
  })

  test('dependency tree: a package below itself cannot be expanded', () => {
    const cyclic = toTree(graphOf({ root: ['a'], a: ['b'], b: ['a'] }), issuesOf({ b: 'high' }))
    assert.deepEqual(outline(cyclic, new Set(['0', '0/1', '0/1/2', '0/1/2/1']), all), [
      '-root',
      '  -a',
      '    -b',
      '       a',
    ])
    assert.equal(cyclic.nodes[1]?.worstBelow, 'high')
  })

  test('dependency tree: 1,000 levels with two paths each give one row per node', () => {
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

  test('dependency tree: contains only the project before the first test', () => {
    assert.deepEqual(outline(toTree(graphOf({ root: [] }), new Map()), new Set(['0']), all), [' root'])
  })
})
