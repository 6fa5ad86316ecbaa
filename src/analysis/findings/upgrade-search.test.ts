import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fixtureRegistries } from '#test/fixture-registries.ts'
import { getEcosystem } from '../ecosystems/index.ts'
import { npmVersions } from '../versions/npm.ts'
import { createUpgradeSearch, type UpgradeLimits } from './upgrade-search.ts'

type Dependencies = Record<string, string>

/** Versions of packages with what they ask for; the last is the latest. `peers` names one that has to be at version 2. */
type Published = Record<string, Record<string, Dependencies> | 'unreachable'>

const options = { includeDev: false, repositories: [], limits: { maxNodes: 1000 } }
const wide: UpgradeLimits = { trials: 100, trialsOfOne: 100, isOver: () => false }

function toRegistries(published: Published) {
  const content = Object.entries(published).map(([name, versions]) => {
    if (versions === 'unreachable') return [name, versions]
    const known = Object.entries(versions).map(([version, { peers, ...dependencies }]) => [
      version,
      { dependencies, ...(peers !== undefined && { peerDependencies: { [peers]: '^2.0.0' } }) },
    ])
    return [name, { tags: { latest: known.at(-1)![0] }, versions: Object.fromEntries(known) }]
  })
  return fixtureRegistries('npm', Object.fromEntries(content))
}

interface Case {
  readonly why: string
  readonly published: Published
  readonly dependencies: Dependencies
  /** `path` of a lockfile with the version at each, and what each asks for. */
  readonly lock?: Record<string, { version: string; dependencies?: Dependencies }>
  /** Names from the direct dependency to the affected package. */
  readonly path: string[]
  /** The affected versions. */
  readonly affected: string[]
  readonly fixes?: string[]
  readonly limits?: Partial<UpgradeLimits>
  readonly expected: string[]
  readonly notes?: RegExp
}

async function run({ published, dependencies, lock, path, affected, fixes = [], limits }: Case) {
  const registries = toRegistries(published)
  const npm = getEcosystem('npm')
  const project = { name: 'project', version: '1.0.0', dependencies }
  const packages = { '': project, ...lock }
  const manifest = {
    target: JSON.stringify(project),
    additional: lock === undefined ? [] : [JSON.stringify({ lockfileVersion: 3, packages })],
  }
  const { graph, locked, unresolved } = await npm.read(manifest, registries, options)
  const trials = await npm.upgradeTrials!(manifest, registries, options)
  const ground = { graph, locked, unresolved, scheme: npmVersions, trials }
  const search = createUpgradeSearch({ ...ground, limits: { ...wide, ...limits } })
  const nodes: number[] = []
  for (const name of path) {
    const { edges } = graph.nodes[nodes.at(-1) ?? 0]!
    nodes.push(edges.find(({ to }) => graph.nodes[to]!.package.name === name)!.to)
  }
  const versions = { key: 'A-1', name: path.at(-1)!, affects: (version: string) => affected.includes(version) }
  return { found: await search.find({ path: nodes, affected: versions, fixes }), notes: search.boundsMet() }
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
    why: 'a direct dependency takes the smallest published version that is not affected',
    published: { bad: { '1.0.0': {}, '1.0.5': {}, '1.1.0': {}, '2.0.0': {} } },
    dependencies: { bad: '1.0.0' },
    path: ['bad'],
    affected: ['1.0.0', '1.0.5'],
    fixes: ['1.0.9'],
    expected: ['bad@1.1.0'],
  },
  {
    why: 'the smallest version of the direct dependency that leads to no affected one is taken',
    published: deep,
    dependencies: { top: '~1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0', '1.1.0'],
    expected: ['top@1.2.0', 'bad@2.0.0'],
  },
  {
    why: 'where the newest does not help, nothing is proposed',
    published: { bad: { '1.0.0': {} }, top: { '1.0.0': { bad: '1.0.0' }, '2.0.0': { bad: '1.0.0' } } },
    dependencies: { top: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    fixes: ['1.0.1'],
    expected: [],
  },
  {
    why: 'a package that is no longer asked for ends the path',
    published: { bad: { '1.0.0': {} }, top: { '1.0.0': { bad: '1.0.0' }, '1.0.1': { bad: '1.0.0' }, '1.1.0': {} } },
    dependencies: { top: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    expected: ['top@1.1.0'],
  },
  {
    why: 'an upgrade that leads to an affected version by another way is none',
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
    why: 'a package held back by the project itself moves with it',
    published: { bad: { '1.0.0': {}, '1.0.1': {} }, top: { '1.0.0': { bad: '^1.0.0' } } },
    dependencies: { top: '1.0.0', bad: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    expected: ['top@1.0.0', 'bad@1.0.1'],
  },
  {
    why: 'an upgrade that does not go with the rest of the project is none',
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
    why: 'pre-releases are no upgrades',
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
    why: 'locked: a deep package moves within the range of its dependent, to what is published',
    published: deep,
    dependencies: { top: '^1.0.0' },
    lock: lockOfDeep,
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    fixes: ['1.0.7'],
    expected: ['top@1.0.0', 'bad@1.1.0'],
  },
  {
    why: 'locked: else the direct dependency moves',
    published: deep,
    dependencies: { top: '^1.0.0' },
    lock: lockOfDeep,
    path: ['top', 'bad'],
    affected: ['1.0.0', '1.1.0'],
    fixes: ['2.0.0'],
    expected: ['top@1.2.0', 'bad@2.0.0'],
  },
  {
    why: 'locked: without an answer of the registry the files are what counts, and that is said',
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
    why: 'locked: what the registry does not know moves as the advisories say',
    published: {},
    dependencies: { top: '^1.0.0' },
    lock: lockOfDeep,
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    fixes: ['1.0.7'],
    expected: ['top@1.0.0', 'bad@1.0.7'],
  },
  {
    why: 'an upgrade into what the registry does not tell about is not proved, and that is said',
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
    why: 'beyond the bound the newest is shown, and that is said',
    published: {
      bad: { '1.0.0': {}, '2.0.0': {} },
      top: { '1.0.0': { bad: '1.0.0' }, '1.1.0': { bad: '2' }, '1.2.0': { bad: '^2' }, '1.3.0': { bad: '2.0.0' } },
    },
    dependencies: { top: '1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0'],
    limits: { trialsOfOne: 1 },
    expected: ['top@1.3.0', 'bad@2.0.0'],
    notes: /a smaller upgrade than the one shown/,
  },
  {
    why: 'without any trial left nothing is proposed, and that is said',
    published: deep,
    dependencies: { top: '~1.0.0' },
    path: ['top', 'bad'],
    affected: ['1.0.0', '1.1.0'],
    limits: { trials: 0 },
    expected: [],
    notes: /has a bound/,
  },
  {
    why: 'when the time is over, that is said',
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

describe('upgrades proved by resolving again', () => {
  for (const each of cases) {
    test(each.why, async () => {
      const { found, notes } = await run(each)
      assert.deepEqual(found, each.expected)
      if (each.notes === undefined) assert.deepEqual(notes, [])
      else assert.match(notes.join('\n'), each.notes)
    })
  }
})
