import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DependencyGraph } from '../dependency-graph.ts'
import { toDependencyGraph, toStoredGraph } from './stored-graph.ts'

const edge = (to: number) => ({ to, range: '^1.0.0', kind: 'dev' as const })
const graph: DependencyGraph = {
  nodes: [
    // The project may have the name and version of a package.
    { package: { name: 'a', version: '1.0.0' }, edges: [edge(1), edge(2), edge(2)] },
    { package: { name: 'a', version: '1.0.0' }, edges: [edge(3)], advisoryNames: ['a/sub'], commit: '0123abc' },
    { package: { name: 'b', version: '1.0.0' }, edges: [] },
    { package: { name: 'b', version: '1.0.0' }, edges: [edge(1)] },
    { package: { name: 'a', version: '1.0.0' }, edges: [] },
  ],
}
const licenseOf = ({ package: { name } }: DependencyGraph['nodes'][number]) => (name === 'a' ? 'MIT' : undefined)

test('toStoredGraph: stores each package and edge once, and the project apart', () => {
  assert.deepEqual(toStoredGraph(graph, licenseOf), {
    packages: [
      { name: 'a', version: '1.0.0' },
      { name: 'a', version: '1.0.0', license: 'MIT', advisoryNames: ['a/sub'], commit: '0123abc' },
      { name: 'b', version: '1.0.0' },
    ],
    nodes: [
      { package: 0, edges: [1, 2] },
      { package: 1, edges: [3] },
      { package: 2, edges: [] },
      { package: 2, edges: [1] },
      { package: 1, edges: [] },
    ],
  })
})

test('stored graph: packages of two registries with one name and version stay distinct', () => {
  const samplePackage = { name: 'a', version: '1.0.0' }
  const nodes: DependencyGraph['nodes'] = [
    { package: { name: 'project', version: '' }, edges: [] },
    { package: samplePackage, edges: [] },
    { package: samplePackage, edges: [], registry: 'npm' },
    { package: samplePackage, edges: [], registry: 'PyPI' },
  ]
  const stored = toStoredGraph({ nodes }, () => undefined)
  assert.deepEqual(
    stored.nodes.map(({ package: number }) => number),
    [0, 1, 2, 3],
  )
  assert.deepEqual(
    toDependencyGraph(stored).nodes.map(({ registry }) => registry),
    [undefined, undefined, 'npm', 'PyPI'],
  )
})

test('restored graph: has all packages and edges, with ranges that no version satisfies', () => {
  const restored = (to: number) => ({ to, range: '(not told)', kind: 'prod' as const })
  const { nodes } = toDependencyGraph(toStoredGraph(graph, licenseOf))
  assert.deepEqual(nodes, [
    { package: { name: 'a', version: '1.0.0' }, edges: [restored(1), restored(2)] },
    {
      package: { name: 'a', version: '1.0.0' },
      edges: [restored(3)],
      license: 'MIT',
      advisoryNames: ['a/sub'],
      commit: '0123abc',
    },
    { package: { name: 'b', version: '1.0.0' }, edges: [] },
    { package: { name: 'b', version: '1.0.0' }, edges: [restored(1)] },
    {
      package: { name: 'a', version: '1.0.0' },
      edges: [],
      license: 'MIT',
      advisoryNames: ['a/sub'],
      commit: '0123abc',
    },
  ])
})
