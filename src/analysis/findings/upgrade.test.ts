import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DependencyGraph } from '../dependency-graph.ts'
import { cargoVersions } from '../versions/cargo.ts'
import { npmVersions } from '../versions/npm.ts'
import { upgradePath } from './upgrade.ts'

const edge = (to: number, range: string) => ({ to, range, kind: 'prod' as const })
const peer = (to: number, range: string) => ({ to, range, kind: 'peer' as const })
const graph: DependencyGraph = {
  nodes: [
    {
      package: { name: 'project', version: '1.0.0' },
      edges: [edge(1, '^1.0.0'), edge(2, '1.0.0'), edge(4, '1'), edge(5, '~1.0.0'), edge(7, '5')],
    },
    { package: { name: 'wide', version: '1.4.0' }, edges: [edge(3, '^2.0.0')] },
    { package: { name: 'narrow', version: '1.0.0' }, edges: [edge(3, '2.0.0')] },
    { package: { name: 'deep', version: '2.0.0' }, edges: [] },
    { package: { name: 'plugin', version: '1.0.0' }, edges: [peer(5, '>=1'), peer(6, '>=1')] },
    { package: { name: 'shared', version: '1.0.0' }, edges: [] },
    { package: { name: 'own', version: '1.0.0' }, edges: [] },
    { package: { name: 'new', version: '5.0.0' }, edges: [edge(8, '^4.0.0')] },
    { package: { name: 'next', version: '4.0.0' }, edges: [edge(9, '~1.0.0'), edge(3, '2.0.0'), peer(10, '<3')] },
    { package: { name: 'last', version: '1.0.0' }, edges: [] },
    { package: { name: 'beside', version: '1.0.0' }, edges: [] },
    { package: { name: 'both', version: '1.0.0' }, edges: [edge(3, '^2.0.0'), edge(9, '~1.0.0')] },
  ],
}

describe('upgrades derived from the graph', () => {
  const cases: [why: string, path: number[], fixes: string[], expected: string[]][] = [
    ['a direct dependency moves to the smallest fixed version', [1], ['3.0.0', '2.0.0'], ['wide@2.0.0']],
    ['a deeper package moves within its range', [1, 3], ['2.0.5'], ['wide@1.4.0', 'deep@2.0.5']],
    ['a deeper package does not move beyond its range', [1, 3], ['3.0.0'], []],
    ['a package with an exact range does not move', [2, 3], ['2.0.5'], []],
    ['a peer moves when all that share it allow it', [4, 6], ['2.0.0'], ['plugin@1.0.0', 'own@2.0.0']],
    ['a peer does not move if one that shares it forbids it', [4, 5], ['2.0.0'], []],
    [
      'a peer moves to the smaller version that all that share it allow',
      [4, 5],
      ['2.0.0', '1.0.7'],
      ['plugin@1.0.0', 'shared@1.0.7'],
    ],
    ['a package does not move to an older version', [1, 3], ['1.9.9'], []],
    ['a fix older than a direct dependency: no upgrade, although any version may be requested', [1], ['1.3.9'], []],
    ['a fix equal to the version in use: no upgrade', [1], ['1.4.0'], []],
    ['the range of another dependency of the parent does not matter', [4, 6], ['3.0.0'], ['plugin@1.0.0', 'own@3.0.0']],
    [
      'a fix between the versions of the package and of its parent',
      [7, 8, 9],
      ['1.0.1'],
      ['new@5.0.0', 'next@4.0.0', 'last@1.0.1'],
    ],
    ['the range of the direct parent counts, not of an earlier one', [7, 8, 9], ['1.1.0'], []],
    ['the range of a sibling does not count', [11, 9], ['1.0.1'], ['both@1.0.0', 'last@1.0.1']],
    ['a peer at the end of a long path', [7, 8, 10], ['2.0.0'], ['new@5.0.0', 'next@4.0.0', 'beside@2.0.0']],
    ['none without a known fix', [1], [], []],
  ]
  for (const [why, path, fixes, expected] of cases) {
    test(`upgrade path: ${why}`, () => {
      const search = { graph, scheme: npmVersions, fixes }
      assert.deepEqual(upgradePath(path, search), expected)
    })
  }
})

test('upgrade path: a range that the lockfile does not tell is the default one of the tool', () => {
  const locked: DependencyGraph = {
    nodes: [
      { package: { name: 'project', version: '1.0.0' }, edges: [edge(1, '1')] },
      { package: { name: 'direct', version: '1.0.0' }, edges: [edge(2, '')] },
      { package: { name: 'deep', version: '0.9.5' }, edges: [] },
    ],
  }
  const pathTo = (fixes: string[]) => upgradePath([1, 2], { graph: locked, scheme: cargoVersions, fixes })
  assert.deepEqual(pathTo(['0.9.20']), ['direct@1.0.0', 'deep@0.9.20'])
  assert.deepEqual(pathTo(['0.10.0']), [])
})
