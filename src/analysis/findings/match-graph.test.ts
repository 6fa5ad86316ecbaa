import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdvisorySnapshot } from '../advisories/snapshot.ts'
import { npmVersions } from '../versions/npm.ts'
import { distinctPackages, matchGraph } from './match-graph.ts'

/** Knows one vulnerability of every version of every package. */
const everything: Pick<AdvisorySnapshot, 'affecting'> = { affecting: () => [{ record: 0, others: [] }] }
const node = (name: string, version: string) => ({ package: { name, version }, edges: [] })

test('one package at one version is held against the advisories once, wherever it stands', () => {
  const graph = {
    nodes: [node('project', '1.0.0'), node('a', '1.0.0'), node('b', '1.0.0'), node('a', '1.0.0'), node('a', '2.0.0')],
  }
  const packages = distinctPackages(graph)
  assert.deepEqual(
    packages.map(({ package: { name, version }, nodes }) => [`${name}@${version}`, nodes]),
    [
      ['a@1.0.0', [1, 3]],
      ['b@1.0.0', [2]],
      ['a@2.0.0', [4]],
    ],
  )
  const ecosystem = { registry: 'npm', versions: npmVersions } as const
  assert.equal(matchGraph(packages, ecosystem, everything as AdvisorySnapshot).length, 3)
})

test('a package whose version is not known is not matched', () => {
  const packages = distinctPackages({ nodes: [node('project', '1.0.0'), node('a', 'git+https://git.example/a.git')] })
  const ecosystem = { registry: 'npm', versions: npmVersions } as const
  assert.deepEqual(matchGraph(packages, ecosystem, everything as AdvisorySnapshot), [])
})
