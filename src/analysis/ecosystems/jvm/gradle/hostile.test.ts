import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { type Reading, RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { anyText } from '#test/documents/any-text.ts'
import { type MavenContent, mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { toPomXml } from '#test/registries/short-poms.ts'
import { volume } from '#test/volume.ts'
import { gradle } from './index.ts'
import { readSentFiles } from './sent-files.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }
const dependency = (...notations: string[]) =>
  `dependencies {\n${notations.map((notation) => `  implementation '${notation}'\n`).join('')}}\n`

function read(target: string, content: MavenContent | MavenReader = {}, ...additional: string[]): Promise<Reading> {
  const reader =
    typeof content['pom'] === 'function' ? (content as MavenReader) : mavenReaderOf(content as MavenContent)
  return gradle.read({ target, additional }, registriesOf({ maven: reader }), options)
}

/** Distinct packages: with development dependencies the product is resolved alone and with its tests. */
const packagesOf = ({ graph }: Reading) => [
  ...new Set(graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)),
]
const namesOf = ({ unresolved }: Reading) => unresolved.map(({ name, code }) => `${name} ${code}`)

describe('odd build scripts', () => {
  const a = { 'g:a:1': {} }
  const cases: [why: string, script: string, packages: string[], unresolved?: string[] | undefined][] = [
    ['nothing but a version', 'version = "1"\n', [], []],
    [
      'a byte order mark, CRLF and a first line for the shell',
      `\ufeff#!/usr/bin/env groovy\r\n${dependency('g:a:1').replaceAll('\n', '\r\n')}`,
      ['g:a@1'],
    ],
    [
      'comments and texts that look like code',
      `/* dependencies { */\n// implementation 'g:x:1'\ndef s = "dependencies { implementation 'g:x:1' }"\n${dependency('g:a:1')}`,
      ['g:a@1'],
    ],
    [
      'a comment without an end',
      `${dependency('g:a:1')}/* ${dependency('g:b:1')}`,
      ['g:a@1'],
      ['build script not-static'],
    ],
    ['a text without an end', `def s = 'open\n${dependency('g:a:1')}`, ['g:a@1'], ['build script not-static']],
    [
      'a text of several lines without an end',
      `${dependency('g:a:1')}def s = '''open`,
      ['g:a@1'],
      ['build script not-static'],
    ],
    ['a block without an end', dependency('g:a:1').slice(0, -2), ['g:a@1'], ['build script not-static']],
    [
      'a dependency without an end',
      `dependencies { implementation 'g:a`,
      [],
      ["' g : a not-static", 'build script not-static'],
    ],
    ['an addition of nothing', `dependencies { add() }\n${dependency('g:a:1')}`, ['g:a@1']],
    ['an unmatched closing brace', `}\n}\n${dependency('g:a:1')}`, ['g:a@1']],
    [
      'variables that refer to each other',
      `def a = "$b"\ndef b = "$a"\ndependencies { implementation "g:a:$a" }`,
      [],
      ['g:a not-static'],
    ],
    [
      'variables that grow',
      `${`${Array.from({ length: 40 }, (_, level) => `def v${level} = "$v${level - 1}$v${level - 1}"\n`).join('')}`.replaceAll(
        '$v-1',
        '11',
      )}dependencies { implementation "g:a:$v39" }`,
      [],
      ['g:a not-static'],
    ],
    [
      'names of object members',
      `ext.__proto__ = '1'\next.constructor = '1'\ndependencies { implementation "g:a:$constructor"\n implementation "g:b:$toString" }`,
      ['g:a@1'],
      ['g:b not-static'],
    ],
    ['invalid coordinates', dependency('g', '::', 'g:a:../1', 'g:$x:1', '..:..:..'), [], undefined],
  ]
  for (const [why, script, packages, unresolved] of cases) {
    test(`build script is read: ${why}`, async () => {
      const reading = await read(script, a)
      assert.deepEqual(packagesOf(reading), packages)
      if (unresolved !== undefined) assert.deepEqual(namesOf(reading), unresolved)
      else if (packages.length === 0) assert.ok(reading.unresolved.length > 0)
    })
  }

  const large: [why: string, script: string][] = [
    ['10 MB in one line', 'x'.repeat(10_000_000)],
    ['10 MB of quotes', `'`.repeat(1_000_001)],
    ['a million opening braces', `a${'{'.repeat(900_000)}`],
    ['a million opening brackets', `a = ${'['.repeat(900_000)}`],
    ['calls in calls', `a${'(b'.repeat(400_000)}`],
    ['a text in a text in a text', `"${'${"'.repeat(100_000)}`],
    ['an addition to a list without an end', `def l = []\nl << 'a'${" << 'a'".repeat(200_000)}`],
    [
      'a list that holds itself',
      `def l = ['g:b:1']\n${'l << l\nl += l\nl.addAll(l)\n'.repeat(60)}dependencies { api l }`,
    ],
    ['loops in loops', `def l = [${"'a', ".repeat(150)}'b']\n${'l.each { '.repeat(30)}`],
    ['a sum without an end', `def x = 'a'${" + 'a'".repeat(200_000)}`],
    ['blocks in blocks', 'a {'.repeat(300_000)],
  ]
  for (const [why, script] of large) {
    test(`build script: ${why} is read or refused`, () => {
      try {
        readSentFiles({ target: `${script}\n${dependency('g:a:1')}`, additional: [] })
      } catch (error) {
        assert.ok(error instanceof Unreadable, String(error))
      }
    })
  }
})

describe('version catalogs with hostile names', () => {
  const keys: [why: string, catalog: string][] = [
    ['of a prototype', '[libraries]\n__proto__ = { polluted = "1" }\n[constructor.prototype]\npolluted = "1"\n'],
  ]
  for (const [why, catalog] of keys) {
    test(`version catalog: names ${why} add nothing to Object.prototype`, () => {
      readSentFiles({ target: dependency('g:a:1'), additional: [catalog] })
      assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
    })
  }
})

describe('refused Gradle files', () => {
  const fine = dependency('g:a:1')
  const cases: [why: string, additional: string, message: RegExp][] = [
    ['a truncated catalog', '[versions]\na = "1"\n[libraries]\nb = { module = "g:b"', /expected .* end of structure/],
    [
      'a catalog with names in half a million levels',
      `[libraries]\n${'a.'.repeat(490_000)}a = "1"`,
      /Depth limit of 100/,
    ],
    ['a catalog with a key and no value', '[versions]\na\n', /illegal character in key/],
    ['a catalog with a value and no key', '[versions]\n= "1"\n', /unexpected end of key/],
    ['a catalog with a duplicate key', '[versions]\na = "1"\na = "2"\n', /already defined/],
    ['a catalog of lists in lists', `[versions]\na = ${'['.repeat(500_000)}`, /nested/],
    ['a catalog of tables in tables', `[versions]\na = ${'{a = '.repeat(100_000)}`, /nested/],
    ['a catalog of more characters than are read', `[versions]\n${'a.'.repeat(12_500_000)}a = "1"`, /exceeds/],
    ['a lock that is not JSON', '{"runtimeClasspath": {"g:a": {"locked": "1"', /Invalid JSON/],
    ['more words than are read', `version = '1'\n${'a '.repeat(1_000_001)}`, /more than 1000000 words/],
  ]
  for (const [why, additional, message] of cases) {
    test(`Gradle file is refused: ${why}`, async () => {
      await assert.rejects(read(fine, {}, additional), (error) => {
        assert.ok(error instanceof Unreadable, String(error))
        assert.match(error.message, message)
        assert.equal(error.file, 0)
        return true
      })
    })
  }
})

describe('hostile repositories', () => {
  test('gradle: an endless chain of packages ends at the limit, which is reported', async () => {
    const endless: MavenReader = {
      pom: async ({ artifact }) => ({
        text: toPomXml(`g:${artifact}:1`, { dependencies: [`g:p${Number(artifact.slice(1)) + 1}:1`] }),
        repository: 'https://registry.example',
      }),
      versions: async () => undefined,
    }
    const reading = await read(dependency('g:p0:1'), endless)
    assert.equal(new Set(packagesOf(reading)).size, 100)
    assert.match(reading.boundsMet.join(), /more than 100 packages/)
    assert.ok(reading.unresolved.length > 0)
  })

  test('gradle: versions that replace each other in a cycle terminate', async () => {
    const content = {
      'g:a:1': { dependencies: ['g:b:2'] },
      'g:b:1': { dependencies: ['g:a:2'] },
      'g:a:2': { dependencies: ['g:b:1'] },
      'g:b:2': { dependencies: ['g:a:1'] },
    }
    const reading = await read(dependency('g:a:1', 'g:b:1'), content)
    assert.deepEqual(new Set(packagesOf(reading)).size, 2)
  })

  test('gradle: packages of an unreachable repository are reported', async () => {
    const down: MavenReader = {
      pom: () => Promise.reject(new RegistryUnreachable('down')),
      versions: () => Promise.reject(new RegistryUnreachable('down')),
    }
    const script = `dependencies {\n implementation platform('g:bom:1')\n implementation 'g:a:1', 'g:b:1.+'\n}`
    const reading = await read(script, down)
    assert.deepEqual(
      [...new Set(namesOf(reading))],
      ['g:bom', 'g:a', 'g:b'].map((name) => `${name} registry-unreachable`),
    )
    assert.ok(packagesOf(reading).includes('g:a@1'))
  })
})

describe('random build scripts', () => {
  const fixtures = path.join(import.meta.dirname, 'fixtures')
  const scripts = readdirSync(fixtures).flatMap((name) =>
    readdirSync(path.join(fixtures, name))
      .filter((file) => !file.endsWith('.json'))
      .map((file) => readFileSync(path.join(fixtures, name, file), 'utf8')),
  )
  const piece = fc.constantFrom(
    'dependencies',
    'implementation',
    '{',
    '}',
    '(',
    ')',
    '[',
    ']',
    "'",
    '"',
    '"""',
    '$',
    '${',
    ':',
    ',',
    '\n',
    ' ',
    '=',
    '+',
    '/*',
    '//',
    '\\',
    'g:a:1',
    'def x',
    '->',
    '.',
    '?:',
    '!!',
  )
  const broken = fc
    .tuple(fc.constantFrom(...scripts), fc.nat(), fc.array(piece, { maxLength: 4 }))
    .map(([script, at, pieces]) => {
      const cut = at % (script.length + 1)
      return script.slice(0, cut) + pieces.join('') + script.slice(cut + (at % 3))
    })

  test('build script: any text is read or refused as Unreadable', () => {
    const text = fc.oneof(
      broken,
      fc.array(piece).map((all) => all.join('')),
      anyText(),
    )
    fc.assert(
      fc.property(text, text, (target, additional) => {
        try {
          readSentFiles({ target, additional: [additional] })
        } catch (error) {
          assert.ok(error instanceof Unreadable, String(error))
        }
      }),
      { numRuns: volume(1_500) },
    )
  })

  test('build script: all plain declarations are found, whatever precedes them', () => {
    const before = fc.constantFrom(
      '',
      'plugins { id "java" }',
      'if (x) { y }',
      'def a = [b: 1]',
      'task t(type: Jar) { from x }',
      "apply plugin: 'java'",
      'allprojects { group = "x" }',
    )
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,8}$/), { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(fc.array(before, { maxLength: 3 }), names, (lines, artifacts) => {
        const script = `${lines.join('\n')}\n${dependency(...artifacts.map((name) => `g:${name}:1`))}`
        const { facts } = readSentFiles({ target: script, additional: [] })
        assert.deepEqual(
          facts.dependencies.map(({ artifact }) => artifact),
          artifacts,
        )
      }),
    )
  })
})

describe('an additional file without a name', () => {
  const a = dependency('g:a:1')
  const cases: [why: string, companion: string, packages: string[]][] = [
    ['a build script that includes files in a task', `test {\n  include '**/*Test.class'\n}\n${a}`, ['g:a@1']],
    ['a build script that includes files and nothing else of note', `${a}jar {\n  include 'x'\n}\n`, ['g:a@1']],
    ['a build script with settings in a comment', `/*\ninclude 'x'\n*/\n${a}`, ['g:a@1']],
    ['a build script with settings in a string', `def help = """\ninclude 'x'\n"""\n${a}`, ['g:a@1']],
    ['a build script with a quote at the end of a string', `def help = """"x""""\n${a}`, ['g:a@1']],
    ['a build script with an empty string in three quotes', `def help = """"""\n${a}`, ['g:a@1']],
    ['a build script that names its root project', `rootProject.name = 'x'\n${a}`, ['g:a@1']],
    ['a build script for all projects', `include 'x'\nsubprojects {\n${a}}\n`, ['g:a@1']],
    [
      'settings, whose plugins are not those of the project',
      `pluginManagement {\n  repositories { gradlePluginPortal() }\n}\ninclude ':x'\nbuildscript { dependencies { classpath 'g:a:1' } }\n`,
      [],
    ],
    ['a build script that only configures its modules', `include 'x'\nproject(':x') {\n${a}}\n`, ['g:a@1']],
    ['a build script with a plugin of its own', `include 'x'\nours.sources {\n  main {\n${a}}\n}\n`, ['g:a@1']],
    ['a build script with a condition', `rootProject.name = 'x'\nif (isCi) {\n${a}}\n`, ['g:a@1']],
    ['a build script without a block', `include 'x'\ndependencies.add('implementation', 'g:a:1')\n`, ['g:a@1']],
    ['settings by their full name', `settings.rootProject.name = 'x'\n`, []],
    ['settings of another system', `\uFEFFrootProject.name = 'x'\r\ninclude 'a'\r\n`, []],
    ["Kotlin's settings", `rootProject.name = "x"\ninclude(":a", ":b")\n`, []],
  ]
  for (const [why, companion, packages] of cases) {
    test(`gradle file without a name: ${why}`, async () => {
      const reading = await read(`version = '1'\n`, { 'g:a:1': {} }, companion)
      assert.deepEqual(packagesOf(reading), packages)
      assert.deepEqual(reading.unresolved, [])
    })
  }
})

describe('dependencies declared outside of a dependencies block', () => {
  const expected = ['g:a@1']
  const cases: [script: string, packages: string[], unresolved?: string[]][] = [
    [`dependencies.add('implementation', 'g:a:1')`, expected],
    [`project.dependencies.implementation 'g:a:1'`, expected],
    [`subprojects { dependencies.api('g:a:1') { transitive = false } }`, expected],
    [`dependencies.constraints.implementation 'g:a:1'`, []],
    [`dependencies.artifactTypes.getByName('jar') { }`, []],
    [`project(':x').dependencies.add('implementation', 'g:a:1')`, [], ['dependencies not-static']],
    [`with(dependencies) { implementation 'g:a:1' }`, [], ['dependencies not-static']],
    [`configurations.implementation.dependencies.add(x)`, [], ['dependencies not-static']],
    [`configurations { implementation { dependencies.addAll(x) } }`, [], ['dependencies not-static']],
    [`dependencies.components.all(Rule)`, [], ['components not-static']],
    [`dependencies { components { withModule('g:b') { } } }`, [], ['components not-static']],
  ]
  for (const [script, packages, unresolved = []] of cases) {
    test(`gradle dependency outside a block is found or reported: ${script}`, async () => {
      const reading = await read(`version = '1'\n${script}\n`, { 'g:a:1': {} })
      assert.deepEqual(packagesOf(reading), packages)
      assert.deepEqual(namesOf(reading), unresolved)
    })
  }

  test('gradle: dependencies that settings add to projects are reported with their line', async () => {
    const settings = `rootProject.name = 'x'\ngradle.allprojects {\n  dependencies {\n    implementation 'g:a:1'\n  }\n}\n`
    const places = { target: 'build.gradle', additional: ['settings.gradle'] }
    const reading = await gradle.read(
      { target: `version = '1'\n`, additional: [settings], places },
      registriesOf({ maven: mavenReaderOf({ 'g:a:1': {} }) }),
      options,
    )
    assert.deepEqual(namesOf(reading), ['dependencies not-static'])
    assert.deepEqual(reading.unresolved[0]?.line, 3)
  })
})
