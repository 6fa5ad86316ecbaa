import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import type { ManifestPlaces } from '../ecosystem.ts'
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
  const named = reading.unresolved.map(({ name, code, line }) => `${name} ${code} ${line}`)
  return { packages, named }
}

describe('plugins', () => {
  const cases: [why: string, script: string, additional: string[], named: string[]][] = [
    [
      'of Gradle itself are quiet',
      `plugins { id 'java'; id 'org.gradle.jacoco' }\napply plugin: 'maven-publish'\n`,
      [],
      [],
    ],
    ['by their class, too', 'apply plugin: JavaLibraryPlugin\napply<org.gradle.api.plugins.WarPlugin>()\n', [], []],
    ['that check and publish are quiet', `plugins { id 'com.diffplug.spotless' version '6.0' }\n`, [], []],
    [
      'that are not known are named',
      `plugins {\n  id 'com.acme.deps' version '1'\n}\n`,
      [],
      ['plugin com.acme.deps not-static 2'],
    ],
    [
      'that are applied by modules are named there',
      `plugins { id 'com.acme.deps' version '1' apply false }\nsubprojects {\n  apply plugin: 'com.acme.deps'\n}\n`,
      [],
      ['plugin com.acme.deps not-static 3'],
    ],
    [
      'that are not applied are quiet',
      `plugins { id 'com.acme.deps' version '1' apply false }\nversion = '1'\n`,
      [],
      [],
    ],
    [
      'that a script makes itself are read there',
      `class P implements Plugin<Project> { void apply(Project p) { } }\napply plugin: P\n`,
      [],
      [],
    ],
    ['that extensions are called like are none', `protobuf { plugins { grpc { } } }\nversion = '1'\n`, [], []],
    [
      'of settings are named',
      `version = '1'\n`,
      [`rootProject.name = 'x'\nplugins {\n  id 'com.acme.settings' version '1'\n}\n`],
      ['plugin com.acme.settings not-static 3'],
    ],
    [
      'add nothing that a lockfile does not say',
      `plugins { id 'com.acme.deps' }\ndependencies { implementation 'g:a:1' }\n`,
      [lock],
      [],
    ],
  ]
  for (const [why, script, additional, named] of cases) {
    test(why, async () => {
      assert.deepEqual((await read(script, additional)).named, named)
    })
  }

  test('of the project above a module are not the module’s', async () => {
    const places = { target: 'x/build.gradle', additional: ['../build.gradle'] }
    const above = `plugins { id 'com.acme.a' version '1' }\napply plugin: 'com.acme.b'\nallprojects { apply plugin: 'com.acme.c' }\n`
    const { named } = await read(`version = '1'\n`, [above], places)
    assert.deepEqual(named, ['plugin com.acme.c not-static 3'])
  })

  test('whose scripts lie in the repository are no unknown ones', async () => {
    const places = { target: 'build.gradle', additional: ['buildSrc/src/main/groovy/acme.deps.gradle'] }
    const plugin = `dependencies { implementation 'g:a:1' }\n`
    const { packages, named } = await read(`plugins { id 'acme.deps' }\n`, [plugin], places)
    assert.deepEqual([packages, named], [['g:a@1'], []])
  })
})

describe("Kotlin's plugin adds the standard library", () => {
  const library = (version: string) => [`org.jetbrains.kotlin:kotlin-stdlib@${version}`]
  const plugin = (version: string) => `plugins { id 'org.jetbrains.kotlin.jvm' version '${version}' }\n`
  const old = `buildscript { dependencies { classpath 'org.jetbrains.kotlin:kotlin-gradle-plugin:1.4.0' } }\napply plugin: 'kotlin'\n`
  const declared = `dependencies { implementation 'org.jetbrains.kotlin:kotlin-stdlib:1.9.0' }\n`
  const cases: [why: string, script: string, additional: string[], packages: string[]][] = [
    ['in its own version', plugin('1.9.0'), [], library('1.9.0')],
    ['in the version of the package of the build', old, [], library('1.4.0')],
    ['unless one is declared', plugin('1.4.0') + declared, [], library('1.9.0')],
    ['unless a property says no', plugin('1.4.0'), ['kotlin.stdlib.default.dependency=false\n'], []],
    ['but not before 1.4', plugin('1.3.72'), [], []],
  ]
  for (const [why, script, additional, packages] of cases) {
    test(why, async () => {
      const found = await read(script, additional)
      assert.deepEqual([found.packages, found.named], [packages, []])
    })
  }
})

describe('locked versions without a lockfile are named', () => {
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
    test(script, async () => {
      assert.deepEqual((await read(`${script}\n${dependency}`)).named, [`lockfile lockfile-not-read ${line}`])
      assert.deepEqual((await read(`${script}\n${dependency}`, [lock])).named, [])
    })
  }

  test('also where only the build itself is locked, if development counts', async () => {
    const script = `buildscript { configurations.classpath { resolutionStrategy.activateDependencyLocking() } }\n`
    assert.deepEqual((await read(script + dependency)).named, [])
  })
})

describe('scripts that were not sent', () => {
  const script = `ext { a = '1' }\n`
  const applying = `version = '1'\napply from: 'a.gradle'\napply from: 'b.gradle'\n`
  const cases: [why: string, script: string, additional: string[], named: string[]][] = [
    ['all of them came', applying, [script, script], []],
    [
      'more are named than came',
      applying,
      [script],
      ['script a.gradle not-from-registry 2', 'script b.gradle not-from-registry 3'],
    ],
    [
      'projects that the script speaks for need none of their own',
      `project(':x') { dependencies { implementation project(':y') } }\nproject(':y') { version = '1' }\n`,
      [script],
      [],
    ],
    [
      'an included build was not sent',
      `version = '1'\n`,
      [`rootProject.name = 'x'\nincludeBuild '../other'\nincludeBuild 'build-logic'\n`],
      ['build ../other not-from-registry 2'],
    ],
  ]
  for (const [why, script, additional, named] of cases) {
    test(why, async () => {
      assert.deepEqual((await read(script, additional)).named, named)
    })
  }
})
