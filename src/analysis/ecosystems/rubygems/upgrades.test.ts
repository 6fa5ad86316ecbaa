import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { registriesOf } from '#test/registries/registries.ts'
import type { GemVersion } from '../../registries/rubygems.ts'
import { rubygems } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 1_000 } }

function gem(version: string, asks: Record<string, string> = {}, platform = 'ruby'): GemVersion {
  const dependencies = Object.entries(asks).map(([name, requirement]) => ({ name, requirement }))
  return { version, platform, dependencies }
}

const gems: Record<string, GemVersion[]> = {
  rack: [gem('1.0'), gem('1.1'), gem('2.0')],
  app: [gem('1.0', { rack: '~> 1.0' }), gem('1.1', { rack: '~> 1.0' }), gem('2.0.rc1'), gem('2.0', { rack: '>= 2.0' })],
  other: [gem('1.0', { rack: '< 2' }), gem('1.1', { rack: '< 3' })],
}
const registries = registriesOf({ rubygems: { gem: async (name) => gems[name] } })

const lock = (direct: string[]) => `GEM
  remote: https://registry.example/
  specs:
    app (1.0)
      rack (~> 1.0)
    other (1.0)
      rack (< 2)
    rack (1.0)

PLATFORMS
  ruby

DEPENDENCIES
${direct.map((requirement) => `  ${requirement}`).join('\n')}
`

async function packagesAfter(target: string | undefined, upgrade: { name: string; version: string }) {
  const manifest = target === undefined ? undefined : { target, additional: [] }
  const { graph, unresolved } = await (await rubygems.whatIfResolver(manifest, registries, options)).read!([upgrade])
  const packages = graph.nodes.slice(1).map(({ package: { name, version } }) => `${name} ${version}`)
  return { packages: packages.sort(), unresolved: unresolved.map(({ name }) => name) }
}

describe('what-if resolutions of gems', () => {
  test('gem upgrade candidates: newer releases', async () => {
    const resolver = await rubygems.whatIfResolver(undefined, registries, options)
    const candidates = await resolver.candidates({ name: 'app', version: '1.0' })
    assert.deepEqual(candidates, ['1.1', '2.0'])
    const fromPrerelease = await resolver.candidates({ name: 'app', version: '2.0.rc1' })
    assert.deepEqual(fromPrerelease, ['2.0'])
    assert.equal(await resolver.candidates({ name: 'unknown', version: '1.0' }), undefined)
    assert.equal(resolver.isSameForAll, true)
  })

  const cases: [why: string, target: string | undefined, wanted: [string, string], found: string[]][] = [
    ['a single published gem', undefined, ['app', '2.0'], ['app 2.0', 'rack 2.0']],
    [
      'a lock: other unrestricted requirements are upgraded too',
      lock(['app', 'other']),
      ['app', '2.0'],
      ['app 2.0', 'other 1.1', 'rack 2.0'],
    ],
    [
      'a lock: its requirements are respected',
      lock(['app (~> 1.0)', 'other (= 1.0)']),
      ['app', '1.1'],
      ['app 1.1', 'other 1.0', 'rack 1.1'],
    ],
    ['a Gemfile', "gem 'app', '~> 1.0'\ngem 'other'\n", ['app', '2.0'], ['app 2.0', 'other 1.1', 'rack 2.0']],
  ]
  for (const [why, target, [name, version], expected] of cases) {
    test(`what-if resolution of ${why}`, async () => {
      const { packages, unresolved } = await packagesAfter(target, { name, version })
      assert.deepEqual([packages, unresolved], [expected, []])
    })
  }

  test('what-if resolution of conflicting requirements is reported', async () => {
    const { unresolved } = await packagesAfter(lock(['app', 'other (= 1.0)']), { name: 'app', version: '2.0' })
    assert.notDeepEqual(unresolved, [])
  })
})
