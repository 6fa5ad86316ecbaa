import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { noRegistries, registriesOf } from '#test/registries.ts'
import type { VersionMetadata } from '../../registries/npm.ts'
import type { Reading } from '../ecosystem.ts'
import { npm } from './index.ts'

/** What the tests use of npm's own tree builder, which has no types. */
interface ArboristNode {
  readonly packageName: string
  readonly version: string
  readonly location: string
  readonly isLink: boolean
  readonly isProjectRoot: boolean
  readonly isWorkspace: boolean
  readonly target: ArboristNode
  readonly edgesOut: Map<string, { readonly to: ArboristNode | null }>
  readonly inventory: Map<string, ArboristNode>
}

interface Arborist {
  loadVirtual(): Promise<ArboristNode>
  buildIdealTree(): Promise<ArboristNode>
}

const ArboristOfNpm = createRequire(import.meta.url)('@npmcli/arborist') as new (options: object) => Arborist
const options = { includeDev: true, repositories: [], limits: { maxNodes: 50_000 } }

const projects = path.join(import.meta.dirname, '../../../../../shared/data/manifests/npm')
const skip = existsSync(projects) ? false : 'needs ../shared'

/** Packages over which the two differ on real lockfiles, each for the reason beside it. */
const explained: Record<string, readonly string[]> = {
  // Required by nothing: npm lists it as extraneous, we leave it out and say so.
  'apollographql__apollo-client-lockv1': ['@types/async@2.0.50'],
  // From git at an address that names no version, once; elsewhere from a tarball whose name tells it to us only.
  'metamask__core-lockv1': ['ethereumjs-abi@', 'ethereumjs-abi@0.6.5'],
}

describe('lockfiles as npm reads them', { skip }, () => {
  for (const project of skip ? [] : readdirSync(projects)) {
    test(project, async () => {
      const folder = path.join(projects, project)
      const [target, lock] = ['package.json', 'package-lock.json'].map((file) =>
        readFileSync(path.join(folder, file), 'utf8'),
      )
      const ours = readingLines(await npm.read({ target: target!, additional: [lock!] }, noRegistries, options))
      const theirs = treeLines(await new ArboristOfNpm({ path: folder }).loadVirtual())
      const different = [...ours.symmetricDifference(theirs)]
      const known = explained[project] ?? []
      const isExplained = (line: string) => line.split(' → ').some((label) => known.includes(label))
      assert.deepEqual(
        different.filter((line) => !isExplained(line)),
        [],
      )
      assert.deepEqual(
        known.filter((label) => !different.some((line) => line.split(' → ').includes(label))),
        [],
      )
    })
  }
})

interface World {
  readonly project: string
  readonly packages: ReadonlyMap<string, Record<string, VersionMetadata>>
}

/**
 * Random registries. Packages only ask for those after them: among cycles of peers npm's builder itself can run for
 * ever or fail, and it has no one answer to hold ours against.
 */
describe('resolution as npm does it', () => {
  let server: Server
  let url: string
  let world: World
  const folder = mkdtempSync(path.join(tmpdir(), 'against-npm-'))

  before(async () => {
    server = createServer((request, response) => {
      const name = request.url!.slice(1)
      const versions = world.packages.get(name)
      response.writeHead(versions === undefined ? 404 : 200, { 'content-type': 'application/json' })
      response.end(JSON.stringify(versions === undefined ? {} : toPackument(name, versions)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const kinds: [title: string, kinds: readonly Kind[]][] = [
    ['plain dependencies', ['prod']],
    ['optional ones', ['prod', 'prod', 'optional']],
    ['peers', ['prod', 'prod', 'prod', 'peer']],
  ]
  for (const [index, [title, mix]] of kinds.entries()) {
    test(`of ${title}`, async () => {
      let accepted = 0
      const worlds = fc.sample(worldOf(mix), { numRuns: 40, seed: index + 1 })
      for (const [number, next] of worlds.entries()) {
        world = rename(next, `w${index}-${number}-`)
        writeFileSync(path.join(folder, 'package.json'), world.project)
        const builder = new ArboristOfNpm({
          path: folder,
          registry: url,
          cache: path.join(folder, 'cache'),
          save: true,
        })
        const theirs = await builder.buildIdealTree().catch(orRefused)
        const ours = await npm.read(
          { target: world.project, additional: [] },
          registriesOf({ npm: readerOf(world) }),
          options,
        )
        if (theirs === undefined) {
          assert.notDeepEqual(ours.unresolved, [], 'npm refuses, so something must be named')
          continue
        }
        accepted++
        assert.deepEqual([...readingLines(ours)].sort(), [...treeLines(theirs)].sort(), world.project)
        assert.deepEqual(ours.unresolved, [])
      }
      assert.ok(accepted >= 35)
    })
  }
})

/** Every package, and every edge between packages, as lines. */
function readingLines({ graph }: Reading): Set<string> {
  const labels = graph.nodes.map((node, index) =>
    index === 0 ? 'project' : label(node.package.name, node.package.version),
  )
  const edges = graph.nodes.flatMap((node, from) => node.edges.map(({ to }) => `${labels[from]} → ${labels[to]}`))
  return new Set([...labels, ...edges])
}

function treeLines(root: ArboristNode): Set<string> {
  const labelOf = (node: ArboristNode): string => {
    if (node.isLink) return labelOf(node.target)
    return node === root || node.isWorkspace ? 'project' : label(node.packageName, node.version)
  }
  const lines = new Set(['project'])
  for (const node of root.inventory.values()) {
    if (node.isLink) continue
    lines.add(labelOf(node))
    for (const { to } of node.edgesOut.values()) {
      if (to !== null && labelOf(to) !== 'project') lines.add(`${labelOf(node)} → ${labelOf(to)}`)
    }
  }
  return lines
}

/** Where a version is not known, npm's tree has none and ours says where the package is from. */
function label(name: string, version: string | undefined): string {
  return `${name}@${version !== undefined && npm.versions.isValid(version) ? version : ''}`
}

type Kind = 'prod' | 'optional' | 'peer'

const names = Array.from({ length: 8 }, (_, index) => `p${index}`)
const versionNumbers = ['1.0.0', '1.1.0', '2.0.0']

function worldOf(kinds: readonly Kind[]): fc.Arbitrary<World> {
  const range = fc.constantFrom('*', '^1.0.0', '^1.1.0', '^2.0.0', '1.0.0', '>=1', '1 || 2')
  const asked = fc.record({ name: fc.constantFrom(...names), range, kind: fc.constantFrom(...kinds) })
  const version = fc.array(asked, { maxLength: 3 })
  const versions = fc.tuple(version, version, version)
  const packages = fc.tuple(...names.map(() => versions))
  return fc.record({ packages, project: fc.array(asked, { minLength: 1, maxLength: 4 }) }).map((drawn) => ({
    project: JSON.stringify({ name: 'project', version: '1.0.0', ...toMetadata(drawn.project) }),
    packages: new Map(
      names.map((name, index) => [
        name,
        Object.fromEntries(
          drawn.packages[index]!.map((each, at) => [
            versionNumbers[at]!,
            toMetadata(each.filter((one) => one.name > name)),
          ]),
        ),
      ]),
    ),
  }))
}

function toMetadata(asked: readonly { name: string; range: string; kind: Kind }[]): VersionMetadata {
  const first = new Map(asked.toReversed().map((each) => [each.name, each]))
  const of = (kind: Kind) =>
    Object.fromEntries([...first.values()].filter((each) => each.kind === kind).map(({ name, range }) => [name, range]))
  return {
    dependencies: of('prod'),
    optionalDependencies: of('optional'),
    peerDependencies: of('peer'),
    optionalPeers: [],
    deprecated: false,
  }
}

/** npm caches by name, so every world has its own. */
function rename(world: World, prefix: string): World {
  const renamed = (text: string) => text.replace(/"(p\d)"/g, `"${prefix}$1"`)
  return {
    project: renamed(world.project),
    packages: new Map(
      [...world.packages].map(([name, each]) => [prefix + name, JSON.parse(renamed(JSON.stringify(each)))]),
    ),
  }
}

function toPackument(name: string, versions: Record<string, VersionMetadata>): object {
  const published = Object.entries(versions).map(([version, each]) => {
    const dist = { tarball: `https://registry.example/${name}-${version}.tgz` }
    const { dependencies, optionalDependencies, peerDependencies } = each
    return [version, { name, version, dependencies, optionalDependencies, peerDependencies, dist }]
  })
  return { name, 'dist-tags': { latest: '2.0.0' }, versions: Object.fromEntries(published) }
}

function readerOf({ packages }: World) {
  return {
    async get(name: string) {
      const versions = packages.get(name)
      return versions === undefined ? undefined : { name, tags: { latest: '2.0.0' }, versions }
    },
  }
}

function orRefused(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ERESOLVE') return undefined
  throw error
}
