import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader, PackageMetadata, VersionMetadata } from '#analysis/registries/npm.ts'
import type { Registries } from '#analysis/registries/registries.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { npm } from '../npm/index.ts'
import { yarn } from '../yarn/index.ts'

const none = { dependencies: {}, optionalDependencies: {}, peerDependencies: {}, optionalPeers: [], deprecated: false }
const options = { includeDev: false, repositories: [], limits: { maxNodes: 1_000 } }

function published(name: string, versions: Record<string, Partial<VersionMetadata>>): PackageMetadata {
  const whole = Object.entries(versions).map(([version, metadata]) => [version, { ...none, ...metadata }])
  return { name, tags: { latest: Object.keys(versions).at(-1)! }, versions: Object.fromEntries(whole) }
}

function registryOf(...packages: PackageMetadata[]): Registries {
  return registriesOf({ npm: { get: async (name) => packages.find((metadata) => metadata.name === name) } })
}

describe('a published npm package by name and version', () => {
  const registry = registryOf(
    published('a', {
      '1.0.0': {},
      '1.1.0': { dependencies: { b: '^1.0.0' }, peerDependencies: { c: '*' }, license: 'MIT' },
    }),
    published('b', { '1.0.0': {} }),
    published('c', { '1.0.0': {} }),
  )

  test('npm package: it is the only dependency of an unnamed project, with its dependencies', async () => {
    const { graph, unresolved, locked } = await npm.readPackage({ name: 'a', version: '1.1.0' }, registry, options)
    assert.deepEqual(graph.nodes, [
      { package: { name: '', version: '' }, edges: [{ to: 1, range: '1.1.0', kind: 'prod' }] },
      {
        package: { name: 'a', version: '1.1.0' },
        edges: [
          { to: 2, range: '*', kind: 'peer' },
          { to: 3, range: '^1.0.0', kind: 'prod' },
        ],
        license: 'MIT',
      },
      { package: { name: 'c', version: '1.0.0' }, edges: [] },
      { package: { name: 'b', version: '1.0.0' }, edges: [] },
    ])
    assert.deepEqual(unresolved, [])
    assert.equal(locked, false)
  })

  test('npm package: the version may be a tag', async () => {
    const { graph } = await npm.readPackage({ name: 'a', version: 'latest' }, registry, options)
    assert.equal(graph.nodes[1]?.package.version, '1.1.0')
  })

  const refused: [name: string, version: string, code: string][] = [
    ['unknown', '1.0.0', 'not-in-registry'],
    ['a', '9.0.0', 'no-matching-version'],
    ['a', '^1.0.0', 'no-matching-version'],
    ['a', '*', 'no-matching-version'],
    ['a', ' ', 'no-matching-version'],
    ['a', 'no-such-tag', 'no-matching-version'],
    ['a', 'npm:b@1.0.0', 'no-matching-version'],
    ['a', 'git+https://git.example/a.git', 'no-matching-version'],
    ['../a', '1.0.0', 'not-in-registry'],
  ]
  for (const [name, version, code] of refused) {
    test(`npm package ${name}@${version} is ${code}`, async () => {
      const { graph, unresolved } = await npm.readPackage({ name, version }, registry, options)
      assert.deepEqual(
        unresolved.map((unresolved) => [unresolved.name, unresolved.range, unresolved.code]),
        [[name, version, code]],
      )
      assert.equal(graph.nodes.length, 1)
    })
  }

  test('npm package: an unreachable registry is reported, not thrown', async () => {
    const down = registriesOf({ npm: { get: () => Promise.reject(new RegistryUnreachable('down')) } })
    const { unresolved } = await npm.readPackage({ name: 'a', version: '1.0.0' }, down, options)
    assert.deepEqual(
      unresolved.map(({ code }) => code),
      ['registry-unreachable'],
    )
  })
})

describe('npm resolution', () => {
  test('npm resolution: does not depend on the order of responses', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `p${index}`)
    const packages = names.map((name, index) => {
      const below = names.slice(index + 1, index + 5)
      const ranges = Object.fromEntries(below.map((name, at) => [name, at % 2 === 0 ? '^1.0.0' : '*']))
      return published(name, { '1.0.0': { dependencies: ranges }, '2.0.0': { dependencies: ranges } })
    })
    const target = JSON.stringify({ dependencies: { p0: '^1.0.0', p3: '*', p7: '^1.0.0' } })
    const readings = await Promise.all(
      [1, 7, 13].map((factor) => {
        let requestCount = 0
        const slow: NpmReader = {
          async get(name) {
            await setTimeout((++requestCount * factor) % 5)
            return packages.find((metadata) => metadata.name === name)
          },
        }
        return npm.read({ target, additional: [] }, registriesOf({ npm: slow }), options)
      }),
    )
    assert.ok(readings[0]!.graph.nodes.length > 30)
    assert.deepEqual(readings[1], readings[0])
    assert.deepEqual(readings[2], readings[0])
  })

  test('npm resolution: ends at the limit, which is reported with the next package', async () => {
    const endless: NpmReader = {
      async get(name) {
        const next = `p${Number(name.slice(1)) + 1}`
        return published(name, { '1.0.0': { dependencies: { [next]: '*' } } })
      },
    }
    const target = '{"dependencies":{"p0":"*"}}'
    const few = { ...options, limits: { maxNodes: 50 } }
    const { graph, unresolved, boundsMet } = await npm.read(
      { target, additional: [] },
      registriesOf({ npm: endless }),
      few,
    )
    assert.equal(graph.nodes.length - 1, 51)
    assert.deepEqual(
      unresolved.map(({ name, code }) => [name, code]),
      [['p51', 'bound-met']],
    )
    assert.match(boundsMet.join(), /more than 50 packages/)
  })

  test('npm resolution: an endless chain of peers terminates and is reported', async () => {
    const endless: NpmReader = {
      async get(name) {
        const number = Number(name.slice(1))
        const peers = { [`p${number + 1}`]: '*', [`p${number + 2}`]: '*' }
        return published(name, { '1.0.0': { peerDependencies: peers } })
      },
    }
    const target = '{"dependencies":{"p0":"*"}}'
    const { unresolved } = await npm.read({ target, additional: [] }, registriesOf({ npm: endless }), {
      ...options,
      limits: { maxNodes: 200 },
    })
    assert.ok(unresolved.length > 0)
  })
})

test('npm resolution: bundled packages are resolved and reported, as only the archive has their versions', async () => {
  const registry = registryOf(
    published('a', { '1.0.0': { dependencies: { b: '^1.0.0', c: '*' }, bundled: ['b'] } }),
    published('b', { '1.0.0': {} }),
    published('c', { '1.0.0': {} }),
  )
  const manifest = { target: '{"dependencies":{"a":"1.0.0"}}', additional: [] }
  const bundled = [{ name: 'b', range: '^1.0.0', code: 'not-from-registry', requiredBy: 'a@1.0.0' }]
  const readings = [
    await npm.read(manifest, registry, options),
    await npm.readPackage({ name: 'a', version: '1.0.0' }, registry, options),
    await yarn.read(manifest, registry, options),
  ]
  for (const { graph, unresolved } of readings) {
    assert.deepEqual(
      graph.nodes
        .slice(1)
        .map((node) => node.package.name)
        .sort(),
      ['a', 'b', 'c'],
    )
    assert.deepEqual(
      unresolved.map(({ reason: _, ...rest }) => rest),
      bundled,
    )
  }
  const dev = { target: '{"devDependencies":{"a":"1.0.0"}}', additional: [] }
  assert.deepEqual((await npm.read(dev, registry, options)).unresolved, [])
})
