import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type MavenContent, mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { maven } from './maven/index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const V =
  '<dependencies><dependency><groupId>v</groupId><artifactId>v</artifactId><version>1</version></dependency></dependencies>'
const pom = (artifact: string, inside = '') =>
  `<project><modelVersion>4.0.0</modelVersion><groupId>g</groupId><artifactId>${artifact}</artifactId><version>1</version>${inside}</project>`

async function read(poms: readonly string[], content: MavenContent = { 'v:v:1': {} }) {
  const [target = '', ...additional] = poms
  const registries = registriesOf({ maven: mavenReaderOf(content) })
  const { graph, unresolved, filesRead } = await maven.read({ target, additional }, registries, options)
  const packages = graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
  return { packages, filesRead, named: unresolved.map(({ name, code, file }) => [name, code, file]) }
}

describe('additional POMs', () => {
  test('an unused additional POM is reported and not read', async () => {
    const reading = await read([pom('root'), pom('other', V)])
    assert.deepEqual(reading.named, [['g:other', 'not-from-registry', 'additional file 1']])
    assert.deepEqual(reading.filesRead, ['pom.xml'])
  })

  test('an additional POM is used as a module, parent or dependency', async () => {
    const module = '<packaging>pom</packaging><modules><module>m</module></modules>'
    const parent = '<parent><groupId>g</groupId><artifactId>p</artifactId><version>1</version></parent>'
    const sibling = V.replace(
      '<groupId>v</groupId><artifactId>v</artifactId>',
      '<groupId>g</groupId><artifactId>d</artifactId>',
    )
    const reading = await read([
      pom('root', parent + module),
      pom('m', sibling),
      pom('p', '<packaging>pom</packaging>'),
      pom('d', V),
    ])
    assert.deepEqual(reading.named, [])
    assert.deepEqual(reading.filesRead, ['pom.xml', 'pom.xml (g:m)', 'pom.xml (g:p)', 'pom.xml (g:d)'])
    assert.ok(reading.packages.includes('v:v@1'))
  })

  test('an additional POM of an inactive profile is neither read nor reported', async () => {
    const profile = '<profiles><profile><id>x</id><modules><module>m</module></modules></profile></profiles>'
    const reading = await read([pom('root', profile), pom('m', V)])
    assert.deepEqual([reading.named, reading.filesRead], [[], ['pom.xml']])
  })
})

describe('dependencies with system scope', () => {
  const system = (group: string, artifact: string) =>
    `<dependencies><dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>1</version><scope>system</scope><systemPath>/x.jar</systemPath></dependency></dependencies>`
  const cases: [why: string, group: string, artifact: string, named: unknown[]][] = [
    ['a published package is tested', 'v', 'v', []],
    ['an unpublished package is reported', 'acme', 'x', [['acme:x', 'not-from-registry', undefined]]],
    ['the JDK’s own tools are not reported', 'com.sun', 'tools', []],
  ]
  for (const [why, group, artifact, problems] of cases) {
    test(`system scope: ${why}`, async () => {
      const reading = await read([pom('root', system(group, artifact))])
      assert.deepEqual(reading.named, problems)
      assert.deepEqual(reading.packages, [`${group}:${artifact}@1`])
    })
  }
})

test('a profile activated by a file is reported if it changes dependencies', async () => {
  const profile = (inside: string) =>
    `<profiles><profile><id>p</id><activation><file><exists>x</exists></file></activation>${inside}</profile></profiles>`
  assert.deepEqual((await read([pom('root', profile(V))])).named, [['profile p', 'not-static', undefined]])
  assert.deepEqual((await read([pom('root', profile(''))])).named, [])
})
