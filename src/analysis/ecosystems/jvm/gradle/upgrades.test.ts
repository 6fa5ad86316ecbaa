import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gradle } from './index.ts'

const platform = (group: string, artifact: string, version: string) =>
  `<project><modelVersion>4.0.0</modelVersion><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version><packaging>pom</packaging>
  <dependencyManagement><dependencies><dependency><groupId>g</groupId><artifactId>a</artifactId><version>1.0</version></dependency></dependencies></dependencyManagement></project>`
const boot = 'org.springframework.boot:spring-boot-dependencies:3.0.0'
const registries = registriesOf({
  maven: mavenReaderOf({
    'g:bom:1': platform('g', 'bom', '1'),
    [boot]: platform('org.springframework.boot', 'spring-boot-dependencies', '3.0.0'),
    'g:a:1.0': {},
    'g:a:1.1': {},
  }),
})
const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const script = (plugins: string, dependencies: string) =>
  `plugins { id 'java'\n${plugins} }\nrepositories { mavenCentral() }\ndependencies { ${dependencies}\nimplementation 'g:a' }\n`
const spring = `id 'org.springframework.boot' version '3.0.0'\nid 'io.spring.dependency-management' version '1.1.0'`

const managed: [by: string, target: string, afterward: string][] = [
  ['a platform', script('', `implementation platform('g:bom:1')`), 'g:a@1.1'],
  ['an enforced platform', script('', `implementation enforcedPlatform('g:bom:1')`), 'g:a@1.0'],
  ["Spring's management", script(spring, ''), 'g:a@1.1'],
]

describe('upgrades of managed versions', () => {
  for (const [by, target, afterward] of managed) {
    test(`a newer version of a package managed by ${by} resolves to ${afterward}`, async () => {
      const manifest = { target, additional: [] }
      const packagesOf = ({ graph }: Awaited<ReturnType<typeof gradle.read>>) =>
        graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
      assert.deepEqual(packagesOf(await gradle.read(manifest, registries, options)), ['g:a@1.0'])
      const resolver = await gradle.whatIfResolver!(manifest, registries, options)
      assert.deepEqual(await resolver.candidates({ name: 'g:a', version: '1.0' }), ['1.1'])
      assert.deepEqual(packagesOf(await resolver.read!([{ name: 'g:a', version: '1.1' }])), [afterward])
    })
  }
})
