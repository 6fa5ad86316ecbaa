import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DependencyGraph, Package } from '../dependency-graph.ts'
import { type Reading, RegistryUnreachable } from '../ecosystems/ecosystem.ts'
import { npmVersions } from '../versions/npm.ts'
import { createUpgradeSearch, type UpgradeInput, type UpgradeNeed } from './upgrade-search.ts'

const edge = (to: number, range: string) => ({ to, range, kind: 'prod' as const })

/** The project requires `top` and `side`; both require `bad`. */
function graphWith(top: string, bad: string, side = '1.0.0'): DependencyGraph {
  return {
    nodes: [
      { package: { name: 'project', version: '1.0.0' }, edges: [edge(1, '^1.0.0'), edge(3, '^1.0.0')] },
      { package: { name: 'top', version: top }, edges: [edge(2, '^1.0.0')] },
      { package: { name: 'bad', version: bad }, edges: [] },
      { package: { name: 'side', version: side }, edges: [edge(2, '1.0.0')] },
    ],
  }
}

interface World {
  readonly locked?: boolean
  /** The project requires `bad`, too. */
  readonly shared?: boolean
  /** Packages that are projects of the same repository. */
  readonly own?: readonly string[]
  readonly published?: Record<string, readonly string[] | Error>
  /** Versions of `top` and `side` with which `bad` is at a version that is not affected. */
  readonly helpful?: readonly string[]
  readonly limits?: Partial<UpgradeInput['limits']>
}

/** A search that records the queries for versions and the readings with another version. */
function searchIn({ locked = false, shared = false, own = [], published = {}, helpful = [], limits = {} }: World) {
  const [queries, read]: [string[], string[]] = [[], []]
  const resolver: UpgradeInput['resolver'] = {
    isSameForAll: true,
    async candidates({ name }) {
      queries.push(name)
      const answer = published[name]
      if (answer instanceof Error) throw answer
      return answer
    },
    async read([to]) {
      const text = `${to!.name}@${to!.version}`
      read.push(text)
      const bad = helpful.includes(text) ? '2.0.0' : '1.0.0'
      const graph = graphWith(
        to!.name === 'top' ? to!.version : '1.0.0',
        bad,
        to!.name === 'side' ? to!.version : '1.0.0',
      )
      return { graph, unresolved: [] } as unknown as Reading
    },
  }
  const { nodes } = graphWith('1.0.0', '1.0.0')
  const [project, ...others] = nodes
  const edges = [...project!.edges, ...(shared ? [edge(2, '^1.0.0')] : [])]
  const marked = others.map((node) => ({
    ...node,
    ...(own.includes(node.package.name) && { isProject: true as const }),
  }))
  const graph: DependencyGraph = { nodes: [{ ...project!, edges }, ...marked] }
  const input = { graph, locked, unresolved: [], scheme: npmVersions, resolver, isAffected: () => false }
  const wide = { whatIfs: 100, whatIfsPerPackage: 100, isOver: () => false, ...limits }
  return { queries, read, input, search: createUpgradeSearch({ ...input, limits: wide }) }
}

const need = (path: number[], fixes: string[] = []): UpgradeNeed => ({
  path,
  affected: { key: 'A-1', name: 'bad', affects: (version) => version === '1.0.0' },
  fixes,
})

describe('registry queries of the upgrade search', () => {
  test('upgrade search: queries the registry once per package, whatever the number of paths', async () => {
    const { queries, search } = searchIn({ locked: true, published: { bad: ['1.0.5'], top: [] } })
    for (let times = 0; times < 3; times++)
      assert.deepEqual(await search.find(need([1, 2])), ['top@1.0.0', 'bad@1.0.5'])
    assert.deepEqual(queries, ['bad'])
  })

  test('upgrade search: paths to the same package by different dependents have their own upgrades', async () => {
    const { search } = searchIn({ locked: true, published: { bad: ['1.0.5'], top: [], side: [] } })
    assert.deepEqual(await search.find(need([1, 2])), ['top@1.0.0', 'bad@1.0.5'])
    assert.deepEqual(await search.find(need([3, 2])), [])
  })

  test('prefetch: queries the affected package and the direct dependency', async () => {
    const { queries, search } = searchIn({ published: { bad: ['2.0.0'], top: ['1.1.0'] } })
    await search.prefetch([need([1, 2])])
    assert.deepEqual(queries.toSorted(), ['bad', 'top'])
    await search.find(need([1, 2]))
    assert.equal(queries.length, 2)
  })

  test('upgrade search: bisects the first line whose newest version helps; resolves each version once', async () => {
    const top = ['1.0.1', '1.0.2', '1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0', '2.0.0', '3.0.0']
    const helpful = ['1.4.0', '1.5.0', '2.0.0', '3.0.0'].map((version) => `top@${version}`)
    const { read, search } = searchIn({ published: { top }, helpful })
    for (let times = 0; times < 2; times++)
      assert.deepEqual(await search.find(need([1, 2])), ['top@1.4.0', 'bad@2.0.0'])
    assert.deepEqual(read, ['top@1.0.2', 'top@1.5.0', 'top@1.3.0', 'top@1.4.0'])
  })

  test('upgrade search: of new major versions, the first that helps', async () => {
    const top = ['1.1.0', '2.0.0', '2.1.0', '3.0.0', '3.1.0', '4.0.0']
    const { read, search } = searchIn({ published: { top }, helpful: ['top@3.0.0', 'top@3.1.0', 'top@4.0.0'] })
    assert.deepEqual(await search.find(need([1, 2])), ['top@3.0.0', 'bad@2.0.0'])
    assert.deepEqual(read, ['top@1.1.0', 'top@2.1.0', 'top@3.1.0', 'top@3.0.0'])
  })

  test('upgrade search: proposes only a version that was resolved, also if a newer one does not help', async () => {
    const top = ['1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0']
    const { read, search } = searchIn({ published: { top }, helpful: ['top@1.1.0', 'top@1.2.0', 'top@1.5.0'] })
    assert.deepEqual(await search.find(need([1, 2])), ['top@1.5.0', 'bad@2.0.0'])
    assert.deepEqual(read, ['top@1.5.0', 'top@1.3.0', 'top@1.4.0'])
  })

  test('upgrade search: does not resolve for a direct dependency without a fix', async () => {
    const { read, search } = searchIn({ published: { top: ['1.0.0'] } })
    assert.deepEqual(await search.find(need([1])), [])
    assert.deepEqual(read, [])
  })

  test('upgrade search: without a lockfile, a deep package is not upgraded alone', async () => {
    const { search } = searchIn({ published: { bad: ['1.0.5'], top: [] } })
    assert.deepEqual(await search.find(need([1, 2])), [])
  })

  test('upgrade search: resolves the fix of a package that the unlocked project requires too', async () => {
    const published = { top: ['2.0.0'], bad: ['2.0.0'] }
    const readings = async (world: World) => {
      const { read, search } = searchIn(world)
      assert.deepEqual(await search.find(need([1, 2])), [])
      return read
    }
    assert.deepEqual(await readings({ published, shared: true }), ['top@2.0.0', 'bad@2.0.0'])
    assert.deepEqual(await readings({ published, shared: true, locked: true }), ['top@2.0.0'])
    assert.deepEqual(await readings({ published }), ['top@2.0.0'])
    assert.deepEqual(await readings({ published: { ...published, bad: [] }, shared: true }), ['top@2.0.0'])
  })

  test('upgrade search: tries no smaller version of a line if its newest does not help', async () => {
    const { read, search } = searchIn({ published: { top: ['1.1.0', '1.2.0', '2.0.0'] }, helpful: ['top@1.1.0'] })
    assert.deepEqual(await search.find(need([1, 2])), [])
    assert.deepEqual(read, ['top@1.2.0', 'top@2.0.0'])
  })
})

describe('pins', () => {
  test('pin: the smallest published version; none that only the advisory names', async () => {
    const { search } = searchIn({ published: { bad: ['1.0.3', '1.0.5'] } })
    assert.equal((await search.pin(need([1, 2], ['1.0.2']), [2]))?.version, '1.0.3')
  })

  test('pin: the version of the advisory for a package unknown to the registry, and without an answer', async () => {
    for (const published of [{}, { bad: new RegistryUnreachable('down') }]) {
      const { search } = searchIn({ published })
      assert.equal((await search.pin(need([1, 2], ['1.0.2']), [2]))?.version, '1.0.2')
      assert.equal(search.boundsMet().length, 'bad' in published ? 1 : 0)
    }
  })

  test('pin: a version without a known vulnerability is preferred', async () => {
    const { input } = searchIn({ published: { bad: ['1.0.3', '1.0.5'] } })
    const limits = { whatIfs: 1, whatIfsPerPackage: 1, isOver: () => false }
    const isAffected = ({ name, version }: Package) => name === 'bad' && version === '1.0.3'
    const search = createUpgradeSearch({ ...input, isAffected, limits })
    assert.equal((await search.pin(need([1, 2]), [2]))?.version, '1.0.5')
  })
})

describe('upgrades in projects of the same repository', () => {
  test('an own project on the path: the dependency that it declares is upgraded, the project stays', async () => {
    const { queries, read, search } = searchIn({
      own: ['top'],
      published: { top: ['2.0.0'], bad: ['2.0.0'] },
    })
    await search.prefetch([need([1, 2])])
    assert.deepEqual(await search.find(need([1, 2])), ['top@1.0.0', 'bad@2.0.0'])
    assert.deepEqual([queries, read], [['bad'], []])
  })

  test('an own project that is affected itself has no upgrade and no pin', async () => {
    for (const locked of [true, false]) {
      const { queries, search } = searchIn({
        locked,
        own: ['top', 'bad'],
        published: { top: ['2.0.0'], bad: ['2.0.0'] },
      })
      await search.prefetch([need([1, 2])])
      assert.deepEqual(await search.find(need([1, 2], ['2.0.0'])), [])
      assert.equal(await search.pin(need([1, 2], ['2.0.0']), [2]), undefined)
      assert.deepEqual(queries, [])
    }
  })

  test('a dependency below the one that an own project declares: that one is upgraded', async () => {
    const { read, search } = searchIn({ own: ['side'], published: { top: ['1.1.0'] }, helpful: ['top@1.1.0'] })
    assert.deepEqual(await search.find(need([3, 1, 2])), ['side@1.0.0', 'top@1.1.0', 'bad@2.0.0'])
    assert.deepEqual(read, ['top@1.1.0'])
  })
})

describe('limits of the upgrade search', () => {
  const published = { top: ['2.0.0', '2.1.0', '2.2.0'], side: ['2.0.0'] }
  const helpful = ['top@2.0.0', 'top@2.2.0', 'side@2.0.0']

  test('limit of all resolutions: the next direct dependency is skipped; known results stay', async () => {
    const { read, search } = searchIn({
      published: { ...published, top: ['2.0.0'] },
      helpful,
      limits: { whatIfs: 1 },
    })
    assert.deepEqual(await search.find(need([1, 2])), ['top@2.0.0', 'bad@2.0.0'])
    assert.deepEqual(await search.find(need([3, 2])), [])
    assert.deepEqual(await search.find(need([1, 2])), ['top@2.0.0', 'bad@2.0.0'])
    assert.deepEqual(read, ['top@2.0.0'])
    assert.deepEqual(search.boundsMet(), ['Upgrades of side were not looked for: the search for upgrades has a bound'])
  })

  test('limit of all resolutions: each resolution counts once', async () => {
    const top = ['1.1.0', '1.2.0', '1.3.0', '1.4.0', '1.5.0']
    const { read, search } = searchIn({ published: { top }, helpful: ['top@1.5.0'], limits: { whatIfs: 2 } })
    assert.deepEqual(await search.find(need([1, 2])), ['top@1.5.0', 'bad@2.0.0'])
    assert.deepEqual(read, ['top@1.5.0', 'top@1.3.0'])
  })

  test('limit of resolutions per package: other packages keep theirs', async () => {
    const { read, search } = searchIn({ published, helpful, limits: { whatIfsPerPackage: 1 } })
    assert.deepEqual(await search.find(need([1, 2])), ['top@2.2.0', 'bad@2.0.0'])
    assert.deepEqual(read, ['top@2.2.0'])
    assert.deepEqual(await search.find(need([3, 2])), ['side@2.0.0', 'bad@2.0.0'])
    assert.deepEqual(search.boundsMet(), ['top@1.0.0: a smaller upgrade than the one shown was not looked for'])
  })
})

describe('upgrade searches without a registry response', () => {
  test('a deep package of a project without a lockfile: no upgrade is proposed', async () => {
    const down = new RegistryUnreachable('down')
    const { search } = searchIn({ published: { top: down, bad: down } })
    assert.deepEqual(await search.find(need([1, 2], ['1.0.5'])), [])
  })

  test('a direct dependency unknown to the registry: no upgrade is proposed', async () => {
    const { search } = searchIn({ locked: true, published: {} })
    assert.deepEqual(await search.find(need([1, 2], ['2.0.0'])), [])
  })

  test('without a resolver, the graph alone decides', async () => {
    const { input } = searchIn({})
    const limits = { whatIfs: 1, whatIfsPerPackage: 1, isOver: () => false }
    const search = createUpgradeSearch({ ...input, resolver: undefined, limits })
    await search.prefetch([need([1, 2])])
    assert.deepEqual(await search.find(need([1, 2], ['1.0.5'])), ['top@1.0.0', 'bad@1.0.5'])
  })

  test('an error other than RegistryUnreachable is thrown', async () => {
    const wrong = { published: { bad: new TypeError('wrong'), top: new TypeError('wrong') } }
    await assert.rejects(searchIn(wrong).search.find(need([1, 2])), TypeError)
    await assert.rejects(searchIn(wrong).search.prefetch([need([1, 2])]), TypeError)
  })
})
