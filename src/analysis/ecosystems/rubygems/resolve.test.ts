import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { registriesOf } from '#test/registries/registries.ts'
import type { GemVersion } from '../../registries/rubygems.ts'
import { RegistryUnreachable } from '../ecosystem.ts'
import { rubygems } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 1_000 } }

function gem(version: string, asks: Record<string, string> = {}): GemVersion {
  const dependencies = Object.entries(asks).map(([name, requirement]) => ({ name, requirement }))
  return { version, platform: 'ruby', dependencies }
}

function registryOf(gems: Record<string, GemVersion[]>) {
  return registriesOf({ rubygems: { gem: async (name) => (Object.hasOwn(gems, name) ? gems[name] : undefined) } })
}

describe('a published gem by name and version', () => {
  const registry = registryOf({
    a: [gem('1.0'), gem('1.1.0', { b: '~> 2.0' }), gem('2.0.pre')],
    b: [gem('2.0'), gem('2.5')],
  })

  test('gem: it is the only dependency of an unnamed project, with its dependencies', async () => {
    const { graph, unresolved, locked } = await rubygems.readPackage({ name: 'a', version: '1.1.0' }, registry, options)
    assert.deepEqual(graph.nodes, [
      { package: { name: '', version: '' }, edges: [{ to: 1, range: '= 1.1.0', kind: 'prod' }] },
      { package: { name: 'a', version: '1.1.0' }, edges: [{ to: 2, range: '~> 2.0', kind: 'prod' }] },
      { package: { name: 'b', version: '2.5' }, edges: [] },
    ])
    assert.deepEqual([unresolved, locked], [[], false])
  })

  test('gem: the version may be a pre-release', async () => {
    const { graph } = await rubygems.readPackage({ name: 'a', version: '2.0.pre' }, registry, options)
    assert.equal(graph.nodes[1]?.package.version, '2.0.pre')
  })

  const refused: [name: string, version: string, code: string][] = [
    ['unknown', '1.0.0', 'not-in-registry'],
    ['a/../b', '1.0', 'not-in-registry'],
    ['a', '9.0', 'no-matching-version'],
    ['a', '>= 1', 'no-matching-version'],
    ['a', ' 1.0', 'no-matching-version'],
    ['a', '1.0, < 2', 'no-matching-version'],
    ['a', 'latest', 'no-matching-version'],
  ]
  for (const [name, version, code] of refused) {
    test(`gem ${name} ${version} is ${code}`, async () => {
      const { graph, unresolved } = await rubygems.readPackage({ name, version }, registry, options)
      assert.deepEqual(
        unresolved.map((unresolved) => [unresolved.name, unresolved.range, unresolved.code]),
        [[name, version, code]],
      )
      assert.equal(graph.nodes.length, 1)
    })
  }

  test('gem: an unreachable registry is reported, not thrown', async () => {
    const down = registriesOf({ rubygems: { gem: () => Promise.reject(new RegistryUnreachable('down')) } })
    const { unresolved } = await rubygems.readPackage({ name: 'a', version: '1.0' }, down, options)
    assert.deepEqual(
      unresolved.map(({ range, code }) => [range, code]),
      [['1.0', 'registry-unreachable']],
    )
  })
})

describe('gem resolution', () => {
  const read = (target: string, registry: ReturnType<typeof registryOf>, limits = options.limits) =>
    rubygems.read({ target, additional: [] }, registry, { ...options, limits })

  test('gem resolution: a gemspec alone is read like a Gemfile that includes it; plugins are reported', async () => {
    const registry = registryOf({ a: [gem('1.0'), gem('1.2'), gem('2.0')] })
    const gemspec = "Gem::Specification.new do |s|\n  s.add_dependency 'a', '~> 1.0'\nend\n"
    const alone = await read(gemspec, registry)
    assert.deepEqual(
      alone.graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
      ['a@1.2'],
    )
    assert.deepEqual([alone.unresolved, alone.filesRead], [[], ['gemspec']])
    const { unresolved } = await read("gem 'a'\nplugin 'b', '1.0'\n", registry)
    assert.deepEqual(
      unresolved.map(({ name, range, code, line }) => `${name} ${range} ${code} ${line}`),
      ['b 1.0 not-in-lockfile 2'],
    )
  })

  test('gem resolution: does not depend on the order of responses', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `g${index}`)
    const gems = Object.fromEntries(
      names.map((name, at) => {
        const below = names.slice(at + 1, at + 5).map((other, index) => [other, index % 2 === 0 ? '~> 1.0' : '>= 0'])
        return [name, [gem('1.0', Object.fromEntries(below)), gem('2.0', Object.fromEntries(below))]]
      }),
    )
    const readings = await Promise.all(
      [1, 7, 13].map((factor) => {
        let requestCount = 0
        const slow = registriesOf({
          rubygems: {
            async gem(name) {
              await setTimeout((++requestCount * factor) % 5)
              return gems[name]
            },
          },
        })
        return read('gem "g0", "~> 1.0"\ngem "g3"\n', slow)
      }),
    )
    assert.equal(readings[0]!.graph.nodes.length, 26)
    assert.deepEqual(readings[1], readings[0])
    assert.deepEqual(readings[2], readings[0])
  })

  test('gem resolution: every chosen version satisfies all its dependents', async () => {
    const registry = registryOf({
      a: [gem('3.0', { c: '~> 3.0' }), gem('2.0', { c: '~> 2.0' }), gem('1.0', { c: '~> 1.0' })],
      b: [gem('3.0', { c: '< 2', d: '>= 2' }), gem('2.0', { c: '~> 2.0', d: '>= 2' }), gem('1.0')],
      c: [gem('1.5'), gem('2.5', { d: '< 2' }), gem('3.5')],
      d: [gem('1.0'), gem('2.0')],
    })
    const { graph, unresolved } = await read('gem "a", "< 3"\ngem "b", ">= 2"\n', registry)
    assert.deepEqual(unresolved, [])
    assert.deepEqual(
      graph.nodes.slice(1).map(({ package: { name, version } }) => `${name} ${version}`),
      ['a 1.0', 'b 3.0', 'c 1.5', 'd 2.0'],
    )
  })

  test('gem resolution: conflicts beyond the limit of steps are reported', async () => {
    // All pairs of gems contradict each other, which would require trying all combinations.
    const count = 14
    const gems: Record<string, GemVersion[]> = {}
    for (let at = 0; at < count; at++) {
      const versions = Array.from({ length: 8 }, (_, number) =>
        gem(`${number + 1}.0`, { [`t${at}`]: `= ${number + 1}`, clash: `= ${at}` }),
      )
      gems[`g${at}`] = versions
      gems[`t${at}`] = Array.from({ length: 8 }, (_, number) => gem(String(number + 1)))
    }
    gems['clash'] = Array.from({ length: count }, (_, at) => gem(String(at)))
    const target = Array.from({ length: count }, (_, at) => `gem "g${at}"`).join('\n')
    const { graph, unresolved } = await read(target, registryOf(gems))
    assert.ok(unresolved.length >= count - 1)
    assert.ok(graph.nodes.length > 1)
  })

  test('gem resolution: ends at the limit, which is reported with the next gem', async () => {
    const endless = registriesOf({
      rubygems: { gem: async (name) => [gem('1.0', { [`p${Number(name.slice(1)) + 1}`]: '>= 0' })] },
    })
    const { graph, unresolved, boundsMet } = await read('gem "p0"\n', endless, { maxNodes: 50 })
    assert.equal(graph.nodes.length - 1, 50)
    assert.deepEqual(
      unresolved.map(({ name, code }) => [name, code]),
      [['p50', 'bound-met']],
    )
    assert.match(boundsMet.join(), /ended early/)
  })
})
