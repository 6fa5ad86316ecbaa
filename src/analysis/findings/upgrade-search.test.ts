import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fixtureRegistries } from '#test/registries/fixture-registries.ts'
import type { Package } from '../dependency-graph.ts'
import { RegistryUnreachable, type WhatIfResolver } from '../ecosystems/ecosystem.ts'
import { getEcosystem } from '../ecosystems/index.ts'
import { npmVersions } from '../versions/npm.ts'
import { createUpgradeSearch, type UpgradeLimits } from './upgrade-search.ts'

type Dependencies = Record<string, string>

/** Package versions with their dependencies; the last is the latest. `peers` names one required at version 2. */
type Published = Record<string, Record<string, Dependencies> | 'unreachable'>

const options = { includeDev: false, repositories: [], limits: { maxNodes: 1000 } }
const wide: UpgradeLimits = { whatIfs: 100, whatIfsPerPackage: 100, isOver: () => false }

function toRegistries(published: Published) {
  const content = Object.entries(published).map(([name, versions]) => {
    if (versions === 'unreachable') return [name, versions]
    const entries = Object.entries(versions).map(([version, { peers, ...dependencies }]) => [
      version,
      { dependencies, ...(peers !== undefined && { peerDependencies: { [peers]: '^2.0.0' } }) },
    ])
    return [name, { tags: { latest: entries.at(-1)![0] }, versions: Object.fromEntries(entries) }]
  })
  return fixtureRegistries('npm', Object.fromEntries(content))
}

interface Case {
  readonly why: string
  readonly published: Published
  readonly dependencies: Dependencies
  /** Lockfile `path` to version and dependencies. */
  readonly lock?: Record<string, { version: string; dependencies?: Dependencies }>
  /** Names from the direct dependency to the affected package. */
  readonly path: string[]
  /** The affected versions. */
  readonly affected: string[]
  /** Packages with another vulnerability. */
  readonly vulnerable?: string[]
  readonly fixes?: string[]
  readonly limits?: Partial<UpgradeLimits>
  readonly expected: string[]
  /** Direct dependencies that move with the upgraded one. */
  readonly together?: string[]
  readonly notes?: RegExp
}

async function run({ published, dependencies, lock, path, affected, vulnerable = [], fixes = [], limits }: Case) {
  const registries = toRegistries(published)
  const npm = getEcosystem('npm')
  const project = { name: 'project', version: '1.0.0', dependencies }
  const packages = { '': project, ...lock }
  const manifest = {
    target: JSON.stringify(project),
    additional: lock === undefined ? [] : [JSON.stringify({ lockfileVersion: 3, packages })],
  }
  const { graph, locked, unresolved } = await npm.read(manifest, registries, options)
  const resolver = await npm.whatIfResolver!(manifest, registries, options)
  const isAffected = ({ name, version }: Package) => vulnerable.includes(`${name}@${version}`)
  const input = { graph, locked, unresolved, scheme: npmVersions, resolver, isAffected }
  const search = createUpgradeSearch({ ...input, limits: { ...wide, ...limits } })
  const nodes: number[] = []
  for (const name of path) {
    const { edges } = graph.nodes[nodes.at(-1) ?? 0]!
    nodes.push(edges.find(({ to }) => graph.nodes[to]!.package.name === name)!.to)
  }
  const versions = { key: 'A-1', name: path.at(-1)!, affects: (version: string) => affected.includes(version) }
  const need = { path: nodes, affected: versions, fixes }
  const upgraded = await search.find(need)
  return { upgraded, together: await search.listTogether(need, upgraded), notes: search.boundsMet() }
}

const deep: Published = {
  bad: { '1.0.0': {}, '1.1.0': {}, '2.0.0': {} },
  top: {
    '1.0.0': { bad: '^1.0.0' },
    '1.1.0': { bad: '^1.0.0' },
    '1.2.0': { bad: '^2.0.0' },
    '2.0.0': { bad: '^2.0.0' },
  },
}
const lockOfDeep = {
  'node_modules/top': { version: '1.0.0', dependencies: { bad: '^1.0.0' } },
  'node_modules/bad': { version: '1.0.0' },
}

const cases: Case[] = [
  {
    why: 'a direct dependency moves to the smallest published version that is not affected',
    published: { bad: { '1.0.0': {}, '1.0.5': {}, '1.1.0': {}, '2.0.0': {} } },
    dependencies: { bad: '1.0.0' },
    path: ['bad'],
    affected: ['1.0.0', '1.0.5'],
    fixes: ['1.0.9'],
    expected: ['bad@1.1.0'],
  },
  {
    why: 'the smallest version of the direct dependency without an affected dependency is chosen',
    published: deep,
    dependencies: { top: '~1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0', '1.1.0'],
    expected: ['top@1.2.0', 'bad@2.0.0'],
  },
  {
    why: 'the smallest newer version is tried and chosen if it helps',
    published: {
      bad: { '1.0.0': {}, '2.0.0': {} },
      top: { '1.0.0': { bad: '1.0.0' }, '1.1.0': { bad: '2' }, '1.2.0': { bad: '^2' }, '1.3.0': { bad: '2.0.0' } },
    },
    dependencies: { top: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    expected: ['top@1.1.0', 'bad@2.0.0'],
  },
  {
    why: 'none is proposed if the newest version of no line helps',
    published: { bad: { '1.0.0': {} }, top: { '1.0.0': { bad: '1.0.0' }, '2.0.0': { bad: '1.0.0' } } },
    dependencies: { top: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    fixes: ['1.0.1'],
    expected: [],
  },
  {
    why: 'the path ends at a package that is no longer required',
    published: { bad: { '1.0.0': {} }, top: { '1.0.0': { bad: '1.0.0' }, '1.0.1': { bad: '1.0.0' }, '1.1.0': {} } },
    dependencies: { top: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    expected: ['top@1.1.0'],
  },
  {
    why: 'none if another path still leads to an affected version',
    published: {
      bad: { '1.0.0': {}, '2.0.0': {} },
      other: { '1.0.0': { bad: '1.0.0' } },
      top: { '1.0.0': { bad: '1.0.0' }, '1.1.0': { bad: '2.0.0', other: '1.0.0' }, '1.2.0': { bad: '2.0.0' } },
    },
    dependencies: { top: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    expected: ['top@1.2.0', 'bad@2.0.0'],
  },
  {
    why: 'a package that the project also requires is upgraded with it',
    published: { bad: { '1.0.0': {}, '1.0.1': {} }, top: { '1.0.0': { bad: '^1.0.0' } } },
    dependencies: { top: '1.0.0', bad: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    expected: ['top@1.0.0', 'bad@1.0.1'],
  },
  {
    why: 'a deep package that the project also requires is upgraded with it',
    published: {
      bad: { '1.0.0': {}, '1.0.1': {} },
      mid: { '1.0.0': { bad: '^1.0.0' } },
      top: { '1.0.0': { mid: '^1.0.0' } },
    },
    dependencies: { top: '1.0.0', bad: '1.0.0' },
    path: ['top', 'mid', 'bad'],
    affected: ['1.0.0'],
    expected: ['top@1.0.0', 'mid@1.0.0', 'bad@1.0.1'],
  },
  {
    why: 'none if it conflicts with the rest of the project',
    published: {
      bad: { '1.0.0': {}, '2.0.0': {} },
      host: { '1.0.0': {}, '2.0.0': {} },
      top: { '1.0.0': { bad: '1.0.0' }, '2.0.0': { bad: '2.0.0', peers: 'host' } },
    },
    dependencies: { top: '1.0.0', host: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    expected: [],
  },
  {
    why: 'pre-releases are not proposed',
    published: { bad: { '1.0.0': {}, '1.1.0-beta.1': {}, '1.1.0': {} } },
    dependencies: { bad: '1.0.0' },
    path: ['bad'],
    affected: ['1.0.0'],
    expected: ['bad@1.1.0'],
  },
  {
    why: 'an alias is upgraded under its own name',
    published: deep,
    dependencies: { other: 'npm:top@1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0', '1.1.0'],
    expected: ['top@1.2.0', 'bad@2.0.0'],
  },
  {
    why: 'locked: a deep package moves to a published version in the range of its dependent',
    published: deep,
    dependencies: { top: '^1.0.0' },
    lock: lockOfDeep,
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    fixes: ['1.0.7'],
    expected: ['top@1.0.0', 'bad@1.1.0'],
  },
  {
    why: 'locked: the direct dependency moves if the range does not allow a fix',
    published: deep,
    dependencies: { top: '^1.0.0' },
    lock: lockOfDeep,
    path: ['top', 'bad'],
    affected: ['1.0.0', '1.1.0'],
    fixes: ['2.0.0'],
    expected: ['top@1.2.0', 'bad@2.0.0'],
  },
  {
    why: 'locked: an unreachable registry is reported, and only the files count',
    published: { bad: 'unreachable', top: 'unreachable' },
    dependencies: { top: '^1.0.0' },
    lock: lockOfDeep,
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    fixes: ['1.0.7'],
    expected: ['top@1.0.0', 'bad@1.0.7'],
    notes: /judged by the files alone where the registry gave no answer/,
  },
  {
    why: 'locked: a package unknown to the registry moves to the version of the advisory',
    published: {},
    dependencies: { top: '^1.0.0' },
    lock: lockOfDeep,
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    fixes: ['1.0.7'],
    expected: ['top@1.0.0', 'bad@1.0.7'],
  },
  {
    why: 'an upgrade to packages without registry data is reported as unverified',
    published: {
      ...deep,
      top: { '1.0.0': { bad: '1.0.0' }, '2.0.0': { bad: '2.0.0', dark: '1.0.0' } },
      dark: 'unreachable',
    },
    dependencies: { top: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    expected: [],
    notes: /could not be proved/,
  },
  {
    why: 'a version without another vulnerability is preferred, but not in a new major version',
    published: { bad: { '1.0.0': {}, '1.0.5': {}, '1.1.0': {}, '2.0.0': {} } },
    dependencies: { bad: '1.0.0' },
    path: ['bad'],
    affected: ['1.0.0'],
    vulnerable: ['bad@1.0.5'],
    expected: ['bad@1.1.0'],
  },
  {
    why: 'a version of the same major version with another vulnerability is preferred to a new major version',
    published: { bad: { '1.0.0': {}, '1.0.5': {}, '1.1.0': {}, '2.0.0': {} } },
    dependencies: { bad: '1.0.0' },
    path: ['bad'],
    affected: ['1.0.0'],
    vulnerable: ['bad@1.0.5', 'bad@1.1.0'],
    expected: ['bad@1.0.5'],
  },
  {
    why: 'a direct dependency moves to a version without a vulnerability of its own, if there is one',
    published: deep,
    dependencies: { top: '~1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0', '1.1.0'],
    vulnerable: ['top@1.1.0'],
    expected: ['top@1.2.0', 'bad@2.0.0'],
  },
  {
    why: 'packages of one scope at one version move together',
    published: {
      bad: { '1.0.0': {}, '2.0.0': {} },
      '@s/core': { '1.0.0': { bad: '1.0.0' }, '2.0.0': { bad: '2.0.0', peers: '@s/common' } },
      '@s/common': { '1.0.0': {}, '2.0.0': {} },
    },
    dependencies: { '@s/core': '1.0.0', '@s/common': '1.0.0' },
    path: ['@s/core', 'bad'],
    affected: ['1.0.0'],
    expected: ['@s/core@2.0.0', 'bad@2.0.0'],
    together: ['@s/common@2.0.0'],
  },
  {
    why: 'beyond the limit the newest version of a line is shown and the limit reported',
    published: {
      bad: { '1.0.0': {}, '2.0.0': {} },
      top: { '1.0.0': { bad: '1.0.0' }, '1.1.0': { bad: '2' }, '1.2.0': { bad: '^2' }, '1.3.0': { bad: '2.0.0' } },
    },
    dependencies: { top: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    limits: { whatIfsPerPackage: 1 },
    expected: ['top@1.3.0', 'bad@2.0.0'],
    notes: /a smaller upgrade than the one shown/,
  },
  {
    why: 'none is proposed without resolutions left, and the limit is reported',
    published: deep,
    dependencies: { top: '~1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0', '1.1.0'],
    limits: { whatIfs: 0 },
    expected: [],
    notes: /has a bound/,
  },
  {
    why: 'the end of the time limit is reported',
    published: deep,
    dependencies: { top: '^1.0.0' },
    lock: lockOfDeep,
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    fixes: ['1.0.7'],
    limits: { isOver: () => true },
    expected: ['top@1.0.0', 'bad@1.0.7'],
    notes: /no answer in time/,
  },
]

describe('upgrades verified by resolving again', () => {
  for (const testCase of cases) {
    test(`upgrade: ${testCase.why}`, async () => {
      const { upgraded, together, notes } = await run(testCase)
      assert.deepEqual(upgraded, testCase.expected)
      assert.deepEqual(together, testCase.together ?? [])
      if (testCase.notes === undefined) assert.deepEqual(notes, [])
      else assert.match(notes.join('\n'), testCase.notes)
    })
  }
})

describe('registry queries without a response', () => {
  /** A search over direct dependencies at version 1.0.0; records the packages queried in the registry. */
  function searchOver(names: readonly string[], isAnswered: (name: string) => boolean | Promise<boolean>) {
    const queries: string[] = []
    const resolver: WhatIfResolver = {
      isSameForAll: true,
      async candidates({ name }) {
        queries.push(name)
        if (!(await isAnswered(name))) throw new RegistryUnreachable('down')
        return ['2.0.0']
      },
      read: () => assert.fail('direct dependencies need no what-if resolution'),
    }
    const packages = [{ name: 'project', version: '1.0.0' }, ...names.map((name) => ({ name, version: '1.0.0' }))]
    const edges = names.map((_, index) => ({ to: index + 1, range: '1.0.0', kind: 'prod' as const }))
    const nodes = packages.map((graphPackage, index) => ({ package: graphPackage, edges: index === 0 ? edges : [] }))
    const input = {
      graph: { nodes },
      locked: false,
      unresolved: [],
      scheme: npmVersions,
      resolver,
      isAffected: () => false,
      limits: wide,
    }
    const needs = names.map((name, index) => ({
      path: [index + 1],
      affected: { key: `A-${name}`, name, affects: (version: string) => version === '1.0.0' },
      fixes: ['1.0.1'],
    }))
    return { queries, needs, search: createUpgradeSearch(input) }
  }

  test('three unanswered queries in succession: later packages are judged by the files alone', async () => {
    const { queries, needs, search } = searchOver(['a', 'b', 'c', 'd', 'e'], () => false)
    const results: string[][] = []
    for (const need of needs) results.push(await search.find(need))
    assert.deepEqual(queries, ['a', 'b', 'c'])
    assert.deepEqual(results, [['a@1.0.1'], ['b@1.0.1'], ['c@1.0.1'], ['d@1.0.1'], ['e@1.0.1']])
  })

  test('an answer after two unanswered queries resets the count', async () => {
    const { queries, needs, search } = searchOver(['a', 'b', 'c', 'd', 'e', 'f'], (name) => 'cf'.includes(name))
    for (const need of needs) await search.find(need)
    assert.deepEqual(queries, ['a', 'b', 'c', 'd', 'e', 'f'])
    assert.deepEqual(await search.find(needs[5]!), ['f@2.0.0'])
  })

  test('prefetch: starts no more queries than are in progress at the third failure', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `p${index}`)
    const { queries, needs, search } = searchOver(names, () => false)
    await search.prefetch(needs)
    assert.deepEqual(queries, names.slice(0, 16))
  })

  test('prefetch: starts none after the third failure while others are pending', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `p${index}`)
    const { promise: answered, resolve } = Promise.withResolvers<boolean>()
    const { queries, needs, search } = searchOver(names, (name) => (/^p[012]$/.test(name) ? false : answered))
    const foreseen = search.prefetch(needs)
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    assert.deepEqual(queries, names.slice(0, 16))
    resolve(true)
    await foreseen
  })
})
