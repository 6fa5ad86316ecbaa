import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ManifestPlaces } from '#analysis/ecosystems/ecosystem.ts'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gradle } from './index.ts'

const lock = '# This is a Gradle generated file for dependency locking.\ng:a:1=runtimeClasspath\nempty=\n'
const content = {
  'g:a:1': {},
  'org.jetbrains.kotlin:kotlin-stdlib:1.4.0': {},
  'org.jetbrains.kotlin:kotlin-stdlib:1.9.0': {},
  'org.jetbrains.kotlin:kotlin-gradle-plugin:1.4.0': {},
}
const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }

async function read(target: string, additional: readonly string[] = [], places?: ManifestPlaces) {
  const manifest = { target, additional, ...(places && { places }) }
  const reading = await gradle.read(manifest, registriesOf({ maven: mavenReaderOf(content) }), options)
  const packages = reading.graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
  const problems = reading.unresolved.map(({ name, code, line }) => `${name} ${code} ${line}`)
  return { packages, named: problems }
}

describe('Gradle plugins', () => {
  const cases: [why: string, script: string, additional: string[], named: string[]][] = [
    [
      'of Gradle itself are not reported',
      `plugins { id 'java'; id 'org.gradle.jacoco' }\napply plugin: 'maven-publish'\n`,
      [],
      [],
    ],
    [
      'of Gradle itself, applied by class, are not reported',
      'apply plugin: JavaLibraryPlugin\napply<org.gradle.api.plugins.WarPlugin>()\n',
      [],
      [],
    ],
    ['that check and publish are not reported', `plugins { id 'com.diffplug.spotless' version '6.0' }\n`, [], []],
    [
      'that are unknown are reported',
      `plugins {\n  id 'com.acme.deps' version '1'\n}\n`,
      [],
      ['plugin com.acme.deps not-static 2'],
    ],
    [
      'that modules apply are reported there',
      `plugins { id 'com.acme.deps' version '1' apply false }\nsubprojects {\n  apply plugin: 'com.acme.deps'\n}\n`,
      [],
      ['plugin com.acme.deps not-static 3'],
    ],
    [
      'that are not applied are not reported',
      `plugins { id 'com.acme.deps' version '1' apply false }\nversion = '1'\n`,
      [],
      [],
    ],
    [
      'that a script defines itself are not reported',
      `class P implements Plugin<Project> { void apply(Project p) { } }\napply plugin: P\n`,
      [],
      [],
    ],
    ['with the names of extensions are not reported', `protobuf { plugins { grpc { } } }\nversion = '1'\n`, [], []],
    [
      'of settings are reported',
      `version = '1'\n`,
      [`rootProject.name = 'x'\nplugins {\n  id 'com.acme.settings' version '1'\n}\n`],
      ['plugin com.acme.settings not-static 3'],
    ],
    [
      'are not reported beside a lockfile',
      `plugins { id 'com.acme.deps' }\ndependencies { implementation 'g:a:1' }\n`,
      [lock],
      [],
    ],
  ]
  for (const [why, script, additional, problems] of cases) {
    test(`Gradle plugins ${why}`, async () => {
      assert.deepEqual((await read(script, additional)).named, problems)
    })
  }

  test('Gradle plugins of the parent project are reported for a module only if allprojects applies them', async () => {
    const places = { target: 'x/build.gradle', additional: ['../build.gradle'] }
    const above = `plugins { id 'com.acme.a' version '1' }\napply plugin: 'com.acme.b'\nallprojects { apply plugin: 'com.acme.c' }\n`
    const { named: problems } = await read(`version = '1'\n`, [above], places)
    assert.deepEqual(problems, ['plugin com.acme.c not-static 3'])
  })

  test('Gradle plugins with scripts in the repository are read, not reported', async () => {
    const places = { target: 'build.gradle', additional: ['buildSrc/src/main/groovy/acme.deps.gradle'] }
    const plugin = `dependencies { implementation 'g:a:1' }\n`
    const { packages, named: problems } = await read(`plugins { id 'acme.deps' }\n`, [plugin], places)
    assert.deepEqual([packages, problems], [['g:a@1'], []])
  })
})

describe('the Kotlin plugin and its standard library', () => {
  const library = (version: string) => [`org.jetbrains.kotlin:kotlin-stdlib@${version}`]
  const plugin = (version: string) => `plugins { id 'org.jetbrains.kotlin.jvm' version '${version}' }\n`
  const old = `buildscript { dependencies { classpath 'org.jetbrains.kotlin:kotlin-gradle-plugin:1.4.0' } }\napply plugin: 'kotlin'\n`
  const declared = `dependencies { implementation 'org.jetbrains.kotlin:kotlin-stdlib:1.9.0' }\n`
  const cases: [why: string, script: string, additional: string[], packages: string[]][] = [
    ['in the version of the plugin', plugin('1.9.0'), [], library('1.9.0')],
    ['in the version of its package in buildscript', old, [], library('1.4.0')],
    ['unless the project declares one', plugin('1.4.0') + declared, [], library('1.9.0')],
    ['unless a property disables it', plugin('1.4.0'), ['kotlin.stdlib.default.dependency=false\n'], []],
    ['only from version 1.4', plugin('1.3.72'), [], []],
  ]
  for (const [why, script, additional, packages] of cases) {
    test(`the Kotlin plugin adds the standard library ${why}`, async () => {
      const reading = await read(script, additional)
      assert.deepEqual([reading.packages, reading.named], [packages, []])
    })
  }
})

describe('dependency locking without a lockfile', () => {
  const dependency = `dependencies { implementation 'g:a:1' }\n`
  const cases: [script: string, line: number][] = [
    ['dependencyLocking { lockAllConfigurations() }', 1],
    ['dependencyLocking.lockAllConfigurations()', 1],
    ['allprojects {\n  dependencyLocking { lockAllConfigurations() }\n}', 2],
    ['configurations.all { resolutionStrategy.activateDependencyLocking() }', 1],
    ['configurations { compileClasspath { resolutionStrategy { activateDependencyLocking() } } }', 1],
    [`apply plugin: 'nebula.dependency-lock'`, 1],
  ]
  for (const [script, line] of cases) {
    test(`a missing lockfile is reported for ${script}`, async () => {
      assert.deepEqual((await read(`${script}\n${dependency}`)).named, [`lockfile lockfile-not-read ${line}`])
      assert.deepEqual((await read(`${script}\n${dependency}`, [lock])).named, [])
    })
  }

  test('a missing lockfile of the buildscript alone is not reported without development dependencies', async () => {
    const script = `buildscript { configurations.classpath { resolutionStrategy.activateDependencyLocking() } }\n`
    assert.deepEqual((await read(script + dependency)).named, [])
  })
})

describe('missing Gradle scripts', () => {
  const script = `ext { a = '1' }\n`
  const applying = `version = '1'\napply from: 'a.gradle'\napply from: 'b.gradle'\n`
  const cases: [why: string, script: string, additional: string[], named: string[]][] = [
    ['none is reported if all were sent', applying, [script, script], []],
    [
      'all are reported if some were not sent',
      applying,
      [script],
      ['script a.gradle not-from-registry 2', 'script b.gradle not-from-registry 3'],
    ],
    [
      'projects configured by the parent need no script',
      `project(':x') { dependencies { implementation project(':y') } }\nproject(':y') { version = '1' }\n`,
      [script],
      [],
    ],
    [
      'an included build outside the repository is reported',
      `version = '1'\n`,
      [`rootProject.name = 'x'\nincludeBuild '../other'\nincludeBuild 'build-logic'\n`],
      ['build ../other not-from-registry 2'],
    ],
  ]
  for (const [why, script, additional, problems] of cases) {
    test(`missing Gradle scripts: ${why}`, async () => {
      assert.deepEqual((await read(script, additional)).named, problems)
    })
  }
})
