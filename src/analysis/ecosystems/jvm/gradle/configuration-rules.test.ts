import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gradle } from './index.ts'

const content = { 'g:a:1': {}, 'g:a:2': {}, 'g:p:1': { dependencies: ['g:a:1'] } }
const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }

async function read(script: string) {
  const manifest = { target: script, additional: [] }
  const reading = await gradle.read(manifest, registriesOf({ maven: mavenReaderOf(content) }), options)
  const packages = reading.graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
  return [...packages, ...reading.unresolved.map(({ name, code }) => `${name} ${code}`)]
}

const a1 = `dependencies { implementation 'g:a:1' }\n`

describe('rules of Gradle configurations', () => {
  const cases: [why: string, script: string, found: string[]][] = [
    ['an exclusion everywhere', `configurations.all { exclude group: 'g', module: 'a' }\n${a1}`, []],
    ["with Kotlin's arguments", `configurations.all { exclude(group = "g", module = "a") }\n${a1}`, []],
    ['in order', `configurations.all { exclude("g", "a") }\n${a1}`, []],
    ['of what is not known', `configurations.all { exclude group: x }\n${a1}`, ['g:a@1', 'exclude not-static']],
    [
      'of a group with a module that is not known',
      `configurations.all { exclude group: 'g', module: x }\n${a1}`,
      ['g:a@1', 'exclude not-static'],
    ],
    ['from tests', `configurations.testImplementation { exclude group: 'g' }\n${a1}`, ['g:a@1']],
    ['from tests, in a block', `configurations { testImplementation { exclude group: 'g' } }\n${a1}`, ['g:a@1']],
    ['from what is compiled with', `configurations.compileClasspath { exclude group: 'g' }\n${a1}`, ['g:a@1']],
    ['from what is run', `configurations.runtimeClasspath { exclude group: 'g' }\n${a1}`, []],
    ['under a condition', `configurations.all { if (it.name == 'x') { exclude group: 'g' } }\n${a1}`, ['g:a@1']],
    [
      'of a dependency, of what is not known',
      `dependencies { implementation('g:p:1') { exclude group: x } }\n`,
      ['g:p@1', 'g:a@1'],
    ],
    [
      'a version forced for tests',
      `configurations.testRuntimeClasspath { resolutionStrategy.force 'g:a:2' }\n${a1}`,
      ['g:a@1', 'g:a not-static'],
    ],
    ['a version forced everywhere', `configurations.all { resolutionStrategy.force 'g:a:2' }\n${a1}`, ['g:a@2']],
    ['versions that are set', `configurations.all { resolutionStrategy.forcedModules = ['g:a:2'] }\n${a1}`, ['g:a@2']],
    ['a rule of their own', `configurations.all(ours)\n${a1}`, ['g:a@1', 'configurations not-static']],
    [
      'a version that is not known',
      `dependencies { implementation('g:a:1') { version { strictly x } } }\n`,
      ['g:a@1', 'g:a not-static'],
    ],
    [
      'tools that the product extends',
      `configurations { api.extendsFrom docs }\ndependencies { docs 'g:a:1' }\n`,
      ['g:a@1'],
    ],
    ['tools that tests extend', `configurations { testApi.extendsFrom docs }\ndependencies { docs 'g:a:1' }\n`, []],
    [
      'tools that an archive extends',
      `configurations { archives.extendsFrom docs }\ndependencies { docs 'g:a:1' }\n`,
      [],
    ],
    ['what is repackaged', `dependencies { jarjar 'g:a:1' }\n`, ['g:a@1']],
  ]
  for (const [why, script, expected] of cases) {
    test(`Gradle configuration rule: ${why}`, async () => {
      assert.deepEqual(await read(script), expected)
    })
  }
})
