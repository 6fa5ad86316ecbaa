import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { npm } from '../../src/analysis/ecosystems/javascript/npm/index.ts'
import type { VersionMetadata } from '../../src/analysis/registries/npm.ts'
import { noRegistries, registriesOf } from '../../test/support/registries/registries.ts'
import { sampleOf, volume } from '../../test/support/volume.ts'
import { ArboristOfNpm, npmReadingLines, treeLines } from './arborist-view.ts'
import { explain } from './known-differences.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 50_000 } }

const projects = path.join(import.meta.dirname, '../../../shared/data/manifests/npm')
const skip = existsSync(projects) ? false : 'needs ../shared'

describe('lockfiles, compared with npm', { skip }, () => {
  for (const project of skip ? [] : sampleOf(readdirSync(projects))) {
    test(`${project}: the lockfile is read as by npm, except for explained differences`, async () => {
      const folder = path.join(projects, project)
      const [target, lock] = ['package.json', 'package-lock.json'].map((file) =>
        readFileSync(path.join(folder, file), 'utf8'),
      )
      const own = npmReadingLines(await npm.read({ target: target!, additional: [lock!] }, noRegistries, options))
      const expected = treeLines(await new ArboristOfNpm({ path: folder }).loadVirtual())
      const lines = [...own.symmetricDifference(expected)]
      const { unexplained, outdated } = explain({ ecosystem: 'npm', reference: 'Arborist', project, lines })
      assert.deepEqual(unexplained, [])
      assert.deepEqual(outdated, [])
    })
  }
})

interface World {
  readonly project: string
  readonly packages: ReadonlyMap<string, Record<string, VersionMetadata>>
}

/**
 * Random registries. Packages only require later ones: with cycles of peers npm's builder can loop or fail, and has no
 * single answer to compare with.
 */
describe('resolution, compared with npm', () => {
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
    ['optional dependencies', ['prod', 'prod', 'optional']],
    ['peers', ['prod', 'prod', 'prod', 'peer']],
  ]
  for (const [index, [title, mix]] of kinds.entries()) {
    test(`random projects with ${title} resolve as in npm`, async () => {
      let accepted = 0
      const worlds = fc.sample(worldOf(mix), { numRuns: volume(40), seed: index + 1 })
      for (const [number, next] of worlds.entries()) {
        world = rename(next, `w${index}-${number}-`)
        writeFileSync(path.join(folder, 'package.json'), world.project)
        const builder = new ArboristOfNpm({
          path: folder,
          registry: url,
          cache: path.join(folder, 'cache'),
          save: true,
        })
        const expected = await builder.buildIdealTree().catch(orRefused)
        const own = await npm.read(
          { target: world.project, additional: [] },
          registriesOf({ npm: readerOf(world) }),
          options,
        )
        if (expected === undefined) {
          assert.notDeepEqual(own.unresolved, [], 'npm refuses, so something must be named')
          continue
        }
        accepted++
        assert.deepEqual([...npmReadingLines(own)].sort(), [...treeLines(expected)].sort(), world.project)
        assert.deepEqual(own.unresolved, [])
      }
      assert.ok(accepted >= worlds.length * 0.75)
    })
  }
})

type Kind = 'prod' | 'optional' | 'peer'

const names = Array.from({ length: 8 }, (_, index) => `p${index}`)
const versionNumbers = ['1.0.0', '1.1.0', '2.0.0']

function worldOf(kinds: readonly Kind[]): fc.Arbitrary<World> {
  const range = fc.constantFrom('*', '^1.0.0', '^1.1.0', '^2.0.0', '1.0.0', '>=1', '1 || 2')
  const requested = fc.record({ name: fc.constantFrom(...names), range, kind: fc.constantFrom(...kinds) })
  const version = fc.array(requested, { maxLength: 3 })
  const versions = fc.tuple(version, version, version)
  const packages = fc.tuple(...names.map(() => versions))
  return fc.record({ packages, project: fc.array(requested, { minLength: 1, maxLength: 4 }) }).map((drawn) => ({
    project: JSON.stringify({ name: 'project', version: '1.0.0', ...toMetadata(drawn.project) }),
    packages: new Map(
      names.map((name, index) => [
        name,
        Object.fromEntries(
          drawn.packages[index]!.map((dependencies, at) => [
            versionNumbers[at]!,
            toMetadata(dependencies.filter((one) => one.name > name)),
          ]),
        ),
      ]),
    ),
  }))
}

function toMetadata(requested: readonly { name: string; range: string; kind: Kind }[]): VersionMetadata {
  const first = new Map(requested.toReversed().map((dependency) => [dependency.name, dependency]))
  const of = (kind: Kind) =>
    Object.fromEntries(
      [...first.values()].filter((dependency) => dependency.kind === kind).map(({ name, range }) => [name, range]),
    )
  return {
    dependencies: of('prod'),
    optionalDependencies: of('optional'),
    peerDependencies: of('peer'),
    optionalPeers: [],
    deprecated: false,
  }
}

/** Renames packages per world, since npm caches by name. */
function rename(world: World, prefix: string): World {
  const renamed = (text: string) => text.replace(/"(p\d)"/g, `"${prefix}$1"`)
  return {
    project: renamed(world.project),
    packages: new Map(
      [...world.packages].map(([name, versions]) => [prefix + name, JSON.parse(renamed(JSON.stringify(versions)))]),
    ),
  }
}

function toPackument(name: string, versions: Record<string, VersionMetadata>): object {
  const published = Object.entries(versions).map(([version, metadata]) => {
    const dist = { tarball: `https://registry.example/${name}-${version}.tgz` }
    const { dependencies, optionalDependencies, peerDependencies } = metadata
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
