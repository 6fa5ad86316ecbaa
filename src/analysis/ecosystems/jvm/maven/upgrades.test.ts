import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { toPomXml } from '#test/registries/short-poms.ts'
import { maven } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }

describe('candidates for Maven upgrades', () => {
  const cases: [why: string, from: string, published: string[], newer: string[]][] = [
    ['are newer ones in Maven’s order', '1.9', ['1.10', '1.2', '1.9', '2.0'], ['1.10', '2.0']],
    ['exclude pre-releases', '1.0', ['1.1-alpha-1', '1.1-M2', '1.1-RC1', '1.1-SNAPSHOT', '1.1.pre3', '1.1'], ['1.1']],
    ['include pre-releases for a pre-release', '1.1-RC1', ['1.1-RC2', '1.1'], ['1.1-RC2', '1.1']],
    ['are of the same kind', '30.0-jre', ['31.0-android', '31.0-jre', '32'], ['31.0-jre', '32']],
    [
      'include qualifiers of releases',
      '5.0.0.Final',
      ['5.0.1.Final', '5.0.2.RELEASE', '5.1'],
      ['5.0.1.Final', '5.0.2.RELEASE', '5.1'],
    ],
    ['exclude dates', '2.4', ['20030203.000550', '2.5'], ['2.5']],
    ['are dates for a date', '20030203.000550', ['20040616', '2.5'], ['20040616']],
  ]
  for (const [why, version, published, newer] of cases) {
    test(`Maven upgrade candidates ${why}`, async () => {
      const content = Object.fromEntries(published.map((version) => [`g:a:${version}`, {}]))
      const resolver = await maven.whatIfResolver!(undefined, registriesOf({ maven: mavenReaderOf(content) }), options)
      assert.deepEqual(await resolver.candidates({ name: 'g:a', version }), newer)
    })
  }

  test('Maven upgrade candidates: unknown for an unlisted package, an error if the repository is unreachable', async () => {
    const registries = registriesOf({ maven: mavenReaderOf({ 'g:down:1': 'unreachable' }) })
    const resolver = await maven.whatIfResolver!(undefined, registries, options)
    assert.equal(await resolver.candidates({ name: 'g:a', version: '1' }), undefined)
    await assert.rejects(resolver.candidates({ name: 'g:down', version: '1' }), RegistryUnreachable)
  })
})

describe('a project with an upgraded version', () => {
  const content = {
    'g:top:1': { dependencies: ['g:bad:1'] },
    'g:top:2': { dependencies: ['g:bad:2'] },
    'g:bad:1': {},
    'g:bad:2': {},
  }
  const registries = registriesOf({ maven: mavenReaderOf(content) })
  const target = toPomXml('org.example:p:1', { packaging: 'pom', modules: ['m'], dependencies: ['g:top:1'] })
  const child = toPomXml(':m:', { parent: 'org.example:p:1', dependencies: ['g:bad:1'] })

  test('maven what-if: the project is resolved as a whole, including modules', async () => {
    const resolver = await maven.whatIfResolver!({ target, additional: [child] }, registries, options)
    const { graph } = await resolver.read!([{ name: 'g:top', version: '2' }])
    const packages = graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
    assert.deepEqual(packages, ['g:top@2', 'g:bad@2', 'g:bad@1', 'g:top@2'])
  })

  test('maven what-if: finds a dependency by its name from before a relocation', async () => {
    const moved = { 'old:x:1': { relocation: 'new::' }, 'new:x:1': {}, 'new:x:2': {} }
    const resolver = await maven.whatIfResolver!(
      { target: toPomXml('org.example:p:1', { dependencies: ['old:x:1'] }), additional: [] },
      registriesOf({ maven: mavenReaderOf(moved) }),
      options,
    )
    const { graph } = await resolver.read!([{ name: 'new:x', version: '2' }])
    assert.deepEqual(
      graph.nodes.slice(1).map((node) => node.package),
      [{ name: 'new:x', version: '2' }],
    )
  })

  test('maven what-if: resolves a single package', async () => {
    const resolver = await maven.whatIfResolver!(undefined, registries, options)
    const { graph } = await resolver.read!([{ name: 'g:top', version: '2' }])
    assert.deepEqual(
      graph.nodes.map(({ package: { name, version } }) => `${name}@${version}`),
      ['@', 'g:top@2', 'g:bad@2'],
    )
  })
})
