import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type MavenContent, mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { maven } from './maven/index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const V =
  '<dependencies><dependency><groupId>g</groupId><artifactId>v</artifactId><version>1</version></dependency></dependencies>'
const property = (name: string, value?: string) =>
  `<property><name>${name}</name>${value === undefined ? '' : `<value>${value}</value>`}</property>`
const family = (name: string) => `<os><family>${name}</family></os>`

async function read(inside: string, content: MavenContent = {}, ...additional: string[]) {
  const target = `<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>root</artifactId><version>1</version>${inside}</project>`
  const registries = registriesOf({ maven: mavenReaderOf({ 'g:v:1': {}, 'g:v:2': {}, ...content }) })
  const { graph, unresolved } = await maven.read({ target, additional }, registries, options)
  const packages = graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
  return { packages, unresolved: unresolved.map(({ name, reason, requiredBy }) => ({ name, reason, requiredBy })) }
}

const profile = (activation: string, inside = V) =>
  `<profiles><profile><id>p</id><activation>${activation}</activation>${inside}</profile></profiles>`

describe('activation of Maven profiles', () => {
  const cases: [activation: string, outcome: 'active' | 'inactive' | 'undecided'][] = [
    [family('Linux'), 'active'],
    [family('UNIX'), 'active'],
    [family('!windows'), 'active'],
    [family('!linux'), 'inactive'],
    [family('windows'), 'inactive'],
    [family('mac'), 'inactive'],
    [property('java.version'), 'active'],
    [property('!java.version'), 'inactive'],
    [property('java.version', '17.0.1'), 'undecided'],
    [property('java.specification.version', '17'), 'active'],
    [property('java.specification.version', '!17'), 'inactive'],
    [property('os.arch', 'aarch64'), 'inactive'],
    [property('env.CI'), 'undecided'],
    [property('!env.CI'), 'undecided'],
    [property('env.STAGE', 'prod'), 'undecided'],
    [`${property('env.CI')}${family('windows')}`, 'inactive'],
    [`${property('env.CI')}${family('linux')}`, 'undecided'],
    ['<file><exists>x</exists></file>', 'undecided'],
    [`<file><exists>x</exists></file>${family('windows')}`, 'inactive'],
    [property('release'), 'inactive'],
    [property('!release'), 'active'],
  ]
  for (const [activation, outcome] of cases) {
    test(`Maven profile with ${activation}: ${outcome}`, async () => {
      const { packages, unresolved } = await read(profile(activation))
      assert.deepEqual(packages, outcome === 'active' ? ['g:v@1'] : [])
      assert.equal(unresolved.length, outcome === 'undecided' ? 1 : 0)
    })
  }

  test('Maven profile of an environment variable: named with the variable and the remedy', async () => {
    assert.deepEqual((await read(profile(property('!env.CI')))).unresolved, [
      {
        name: 'profile p',
        reason:
          'Only the build machine can tell whether env.CI activates this profile, which is taken to be inactive. Add -P with its name to .mvn/maven.config to test it',
        requiredBy: 'g:root',
      },
    ])
  })

  test('Maven profile of an environment variable: decided by .mvn/maven.config', async () => {
    const inside = profile(property('env.CI'))
    for (const option of ['-Pp', '-Denv.CI=true']) {
      assert.deepEqual(await read(inside, {}, option), { packages: ['g:v@1'], unresolved: [] })
    }
    assert.deepEqual(await read(inside, {}, '-P!p'), { packages: [], unresolved: [] })
  })
})

describe('undecided profiles of packages', () => {
  const cases: [what: string, profileOfPackage: object, isNamed: boolean][] = [
    ['a dependency', { dependencies: ['g:v:1'] }, true],
    ['a dependency for tests', { dependencies: ['g:v:1 scope=test'] }, false],
    ['a managed version', { managed: ['g:v:1'] }, true],
    ['a property of a version', { properties: { 'v.version': '1' } }, true],
    ['another property', { properties: { 'skip.docs': 'true' } }, false],
  ]
  for (const [what, inside, isNamed] of cases) {
    test(`profile of a package that an environment variable activates: ${what} is ${isNamed ? 'named' : 'ignored'}`, async () => {
      const { unresolved } = await read(V.replace('>v<', '>a<'), {
        'g:a:1': {
          properties: { 'v.version': '2' },
          dependencies: ['g:v:${v.version}'],
          profiles: { p: { activation: property('env.CI'), ...inside } },
        },
      })
      const reason =
        'Only the build machine can tell whether env.CI activates this profile, which is taken to be inactive'
      assert.deepEqual(unresolved, isNamed ? [{ name: 'profile p', reason, requiredBy: 'g:a@1' }] : [])
    })
  }

  test('profile of a package for the family Linux: active', async () => {
    const content = { 'g:a:1': { profiles: { p: { activation: family('Linux'), dependencies: ['g:v:1'] } } } }
    assert.deepEqual(await read(V.replace('>v<', '>a<'), content), { packages: ['g:a@1', 'g:v@1'], unresolved: [] })
  })
})
