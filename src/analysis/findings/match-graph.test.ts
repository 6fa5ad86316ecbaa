import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commitName } from '../advisories/commits.ts'
import type { AdvisorySnapshot } from '../advisories/snapshot.ts'
import { goVersions } from '../versions/go.ts'
import { npmVersions } from '../versions/npm.ts'
import { distinctPackages, matchGraph, possiblyAffected, undecided } from './match-graph.ts'

/** Reports one vulnerability for every version of every package. */
const everything: Pick<AdvisorySnapshot, 'affecting'> = { affecting: () => [{ record: 0, others: [] }] }
const node = (name: string, version: string) => ({ package: { name, version }, edges: [] })

test('matchGraph: matches each package version once, however often the graph has it', () => {
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

test('matchGraph: skips packages with an unknown version', () => {
  const packages = distinctPackages({ nodes: [node('project', '1.0.0'), node('a', 'git+https://git.example/a.git')] })
  const ecosystem = { registry: 'npm', versions: npmVersions } as const
  assert.deepEqual(matchGraph(packages, ecosystem, everything as AdvisorySnapshot), [])
})

test("matchGraph: matches a package of another registry there, by that registry's versions", () => {
  const queries: string[] = []
  const affecting = (registry: string, name: string, version: string) => {
    queries.push(`${registry} ${name}@${version}`)
    return []
  }
  const samplePackage = { name: 'a', version: '1.0.0' }
  const packages = distinctPackages({
    nodes: [
      node('project', ''),
      { package: samplePackage, edges: [] },
      { package: samplePackage, edges: [], registry: 'npm' },
      { package: samplePackage, edges: [], registry: 'none' },
      // A version of PyPI, but none of npm.
      { package: { name: 'a', version: '1.0rc1' }, edges: [], registry: 'PyPI' },
      { package: { name: 'a', version: '1.0rc1' }, edges: [] },
    ],
  })
  assert.deepEqual(
    packages.map(({ nodes }) => nodes),
    [[1], [2], [3], [4], [5]],
  )
  const ecosystem = { registry: 'npm', versions: npmVersions } as const
  matchGraph(packages, ecosystem, { affecting } as unknown as AdvisorySnapshot)
  assert.deepEqual(queries, ['npm a@1.0.0', 'npm a@1.0.0', 'PyPI a@1.0rc1'])
})

const go = { registry: 'Go', versions: goVersions } as const
const hash = 'a'.repeat(40)
const repository = {
  package: { name: 'code.example/a', version: 'v0.0.0-20170118161356-aaaaaaaaaaaa' },
  edges: [],
  advisoryNames: ['code.example/a/sub'],
  commit: hash,
  isVersionGuessed: true,
}
/** Records by lookup name; `against` has one more for the repository. */
const byName: Record<string, number[]> = {
  'code.example/a': [1],
  'code.example/a/sub': [1, 2],
  [commitName('code.example/a/sub', hash)]: [2, 3],
}
const toMatches = (records: readonly number[] = []) => records.map((record) => ({ record, others: [] }))
const snapshot = {
  affecting: (_: string, name: string) => toMatches(byName[name]),
  against: (_: string, name: string) => toMatches(name === 'code.example/a' ? [1, 4] : []),
} as unknown as AdvisorySnapshot

test('matchGraph: reports a vulnerability once, found by any name or by the commit', () => {
  const packages = distinctPackages({ nodes: [node('project', ''), repository] })
  const affected = matchGraph(packages, go, snapshot)
  assert.deepEqual(
    affected.map(({ advisoryName, matches }) => [advisoryName, matches.map(({ record }) => record)]),
    [
      ['code.example/a', [1]],
      ['code.example/a/sub', [2, 3]],
    ],
  )
})

test('undecided: reports advisories that a guessed version does not decide', () => {
  const packages = distinctPackages({ nodes: [node('project', ''), repository] })
  const affected = matchGraph(packages, go, snapshot)
  const open = undecided(packages, go, { snapshot, affected })
  assert.deepEqual(
    open.map(({ name, code, reason }) => [name, code, /whether 1 advisory of it applies/.test(reason)]),
    [['code.example/a', 'version-unknown', true]],
  )
  const exactPackages = distinctPackages({ nodes: [node('project', ''), { ...repository, isVersionGuessed: false }] })
  assert.deepEqual(undecided(exactPackages, go, { snapshot, affected: [] }), [])
})

/** Matches by lookup name; notes the names that were looked up. */
function snapshotOf(matches: Record<string, { record: number; others: number[] }[]>) {
  const queries: string[] = []
  const affecting = (registry: string, name: string) => {
    queries.push(name)
    return registry === 'Go' ? (matches[name] ?? []) : []
  }
  return { queries, snapshot: { affecting, against: affecting } as unknown as AdvisorySnapshot }
}
const match = (record: number, ...others: number[]) => ({ record, others })
const module = { package: { name: 'code.example/a', version: 'v1.0.0' }, edges: [] }
const matchModule = (matches: Parameters<typeof snapshotOf>[0], extra: object) => {
  const { queries, snapshot } = snapshotOf(matches)
  const packages = distinctPackages({ nodes: [node('project', ''), { ...module, ...extra }] })
  const affected = matchGraph(packages, go, snapshot)
  return {
    queries,
    affected: affected.map((affectedPackage) => [
      affectedPackage.advisoryName,
      affectedPackage.matches.map(({ record }) => record),
    ]),
  }
}

test('matchGraph: does not report an unaffected package', () => {
  assert.deepEqual(matchModule({}, {}), { queries: ['code.example/a'], affected: [] })
})

test('matchGraph: finds advisories by another name without a commit, and by a commit without other names', () => {
  const sub = 'code.example/a/sub'
  const byName = matchModule({ [sub]: [match(1)] }, { advisoryNames: [sub] })
  assert.deepEqual(byName, { queries: ['code.example/a', 'code.example/a', sub], affected: [[sub, [1]]] })
  const atCommit = commitName('code.example/a', hash)
  const byCommit = matchModule({ [atCommit]: [match(2)] }, { commit: hash })
  assert.deepEqual(byCommit.affected, [['code.example/a', [2]]])
})

test('matchGraph: joins vulnerabilities under two names that share a record', () => {
  const sub = 'code.example/a/sub'
  const { affected } = matchModule({ 'code.example/a': [match(1)], [sub]: [match(5, 1)] }, { advisoryNames: [sub] })
  assert.deepEqual(affected, [['code.example/a', [1]]])
})

test('undecided: looks up a guessed version under every name and counts the advisories', () => {
  const open = (matches: Parameters<typeof snapshotOf>[0], advisoryNames?: string[]) => {
    const guessed = { ...module, isVersionGuessed: true, ...(advisoryNames && { advisoryNames }) }
    const packages = distinctPackages({ nodes: [node('project', ''), guessed] })
    const affected = [
      { package: guessed.package, registry: 'Go' as const, advisoryName: 'x', nodes: [1], matches: [match(9)] },
    ]
    return undecided(packages, go, { snapshot: snapshotOf(matches).snapshot, affected }).map(({ reason }) => reason)
  }
  assert.deepEqual(open({}), [])
  assert.deepEqual(open({ 'code.example/a': [match(8, 9)] }), [])
  assert.match(open({ 'code.example/a': [match(1)] })[0]!, /whether 1 advisory of it applies/)
  assert.match(open({ 'code.example/a/sub': [match(1), match(2)] }, ['code.example/a/sub'])[0]!, /whether 2 advisories/)
})

test('undecided: names a possible package of an affected module, at its version only', () => {
  const node = { package: { name: 'git.example/a/b/c', version: 'v1.0.0' }, edges: [] }
  const possible = (matches: Parameters<typeof snapshotOf>[0], possibleModules?: string[]) => {
    const nodes = [
      { package: { name: '', version: '' }, edges: [] },
      { ...node, ...(possibleModules && { possibleModules }) },
    ]
    const open = possiblyAffected(distinctPackages({ nodes }), snapshotOf(matches).snapshot)
    return open.map(({ name, code, reason }) => [name, code, /module (\S+), (\d+ \w+ \w+)\./.exec(reason)!.slice(1)])
  }
  const matches = {
    'git.example/a/b': [match(1), match(2)],
    'git.example/a': [match(3)],
    'git.example/a/b/c': [match(4)],
  }
  assert.deepEqual(possible(matches), [])
  assert.deepEqual(possible({}, ['git.example/a/b']), [])
  assert.deepEqual(possible(matches, ['git.example/a/b', 'git.example/a']), [
    ['git.example/a/b/c', 'version-unknown', ['git.example/a/b', '2 advisories apply']],
    ['git.example/a/b/c', 'version-unknown', ['git.example/a', '1 advisory applies']],
  ])
})
