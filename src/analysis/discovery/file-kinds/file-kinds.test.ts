import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { ManifestPlaces } from '#analysis/ecosystems/ecosystem.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { foreignSamples, namelessSamples, readableSamples } from '#test/manifests/file-samples.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { identifyFiles } from './identify-files.ts'
import { detectKind, fileKinds, kindOfName } from './index.ts'
import { kindsOf, type ReadingEcosystem, readKinds } from './read-kinds.ts'

/** Changes by editors and transports that keep the kind. */
const changes: readonly [why: string, change: (text: string) => string][] = [
  ['as it is', (text) => text],
  ['with a byte order mark', (text) => `\ufeff${text}`],
  ['with carriage returns', (text) => text.replaceAll(/\r?\n/g, '\r\n')],
  ['without its last line break', (text) => text.trimEnd()],
]

describe('detectKind', () => {
  for (const { name, text, kind } of [...readableSamples, ...foreignSamples]) {
    for (const [why, change] of changes) {
      test(`${kind} is detected: ${name} ${why}`, () => {
        assert.equal(detectKind(change(text))?.id, kind)
      })
    }
  }

  for (const { name, text } of [...readableSamples, ...foreignSamples].filter(({ text }) => !text.startsWith('%'))) {
    test(`${name} after two blank lines is detected as without them`, () => {
      assert.equal(detectKind(`\n\n${text}`)?.id, detectKind(text)?.id)
    })
  }

  test('a lock of pnpm 3 to 5 is detected by its version after any number of projects', () => {
    const projects = Array.from({ length: 2_000 }, (_, at) => `  packages/p${at}:\n    specifiers: {}\n`).join('')
    assert.equal(detectKind(`importers:\n${projects}lockfileVersion: 5.2\npackages: {}\n`)?.id, 'pnpm-lock.yaml')
    assert.notEqual(detectKind(`importers:\n${projects}packages: {}\n`)?.id, 'pnpm-lock.yaml')
  })

  test('an npm lockfile with ranges like a package.json is detected as package-lock.json', () => {
    const text = '{"dependencies":{"a":"1"},"lockfileVersion":3,"packages":{"node_modules/a":{"version":"1.0.0"}}}'
    assert.equal(detectKind(text)?.id, 'package-lock.json')
  })

  test('sources of an sbt build are detected despite Python-like imports and a license comment', () => {
    const imports = 'package g\n\nimport io.circe._\nimport sbt._\n\nobject Loader extends AutoPlugin {\n}\n'
    const license = '/*\n * Licensed under this License (the "License");\n */\nimport sbt._\n\nobject Versions {\n}\n'
    for (const text of [imports, license]) assert.equal(detectKind(text)?.id, 'project/*.scala')
    assert.equal(detectKind('import io.open\nimport json\n')?.id, 'setup.py')
    assert.notEqual(detectKind('import g.A;\n\nclass B {\n}\n')?.id, 'project/*.scala')
  })

  test('a build script with a list on a line of its own is not detected as TOML', () => {
    for (const list of ['[project.sourceSets.test.output],', '[packages],', '[dependencies],', '[metadata],']) {
      const script = `tasks.create('check') {\n  run(\n    ${list}\n    [1])\n}\ndependencies {\n  api 'g:a:1'\n}\n`
      assert.equal(detectKind(script)?.id, 'build.gradle')
    }
    assert.equal(detectKind('[project] # of Python\r\nname = "a"\r\n')?.id, 'pyproject.toml')
  })

  test('a list of requirements without a name and version is detected', () => {
    for (const text of [
      '-r base.txt\n',
      '-r=base.txt\n',
      '# all\n--requirement base.txt\n',
      '--group dev\n',
      '--group=dev\n',
      '--no-binary :all:\r\n-r base.txt\r\n',
      'https://files.example/a-1.0-py3-none-any.whl\n',
      './a-1.0-py3-none-any.whl\n',
    ]) {
      assert.equal(detectKind(text)?.id, 'requirements.txt', text)
      assert.equal(identifyFiles('pip', { target: text, additional: [] })[0].kind, 'requirements.txt')
    }
    for (const text of ['-- a comment\nselect 1;\n', '- a\n- b\n', '---\n', '-x\nprose here\n']) {
      assert.notEqual(detectKind(text)?.id, 'requirements.txt', text)
    }
  })

  test('ids of file kinds are unique, except for kinds with two notations', () => {
    const twice = fileKinds.map(({ id }) => id).filter((id, at, all) => all.indexOf(id) !== at)
    assert.deepEqual(twice, ['bun.lock'])
  })

  test('every ecosystem lists the file kinds that it reads, and names of manifests have a kind', () => {
    assert.deepEqual(Object.keys(readKinds).sort(), ecosystems.map(({ id }) => id).sort())
    for (const { target } of Object.values(readKinds)) {
      for (const id of target) assert.ok(fileKinds.some((kind) => kind.id === id))
    }
    for (const name of ['package.json', 'pom.xml', 'build.gradle.kts', 'a/requirements-dev.txt', 'gems.locked']) {
      assert.ok(kindOfName(name), name)
    }
  })
})

describe('slow texts', () => {
  const long = 200_000
  const texts: [why: string, text: string][] = [
    ['line breaks', '\n'.repeat(long)],
    ['blanks', `x${' '.repeat(long)}x`],
    ['tabs in lines', '\t\n'.repeat(long)],
    ['brackets', '{'.repeat(long)],
    ['tags', '<a '.repeat(long)],
    ['quotes', '"'.repeat(long)],
    ['colons', 'a:'.repeat(long)],
    ['letters of base64', 'aGVs'.repeat(long)],
    ['comments', '# x\n'.repeat(long)],
    ['openings of comments', '/*'.repeat(long)],
    ['words before signs', `${'a '.repeat(long)}:=`],
    ['names of settings', 'rootProject\n'.repeat(long)],
  ]
  for (const [why, text] of texts) {
    test(`200,000 times ${why} (${text.length} characters): identified or refused`, () => {
      for (const ecosystem of ['npm', 'yarn', 'maven', 'gradle', 'rubygems', 'pip', 'sbt'] as const) {
        try {
          identifyFiles(ecosystem, { target: text, additional: [] })
        } catch (error) {
          assert.ok(error instanceof Unreadable, String(error))
        }
      }
    })
  }
})

describe('repository files, which have names', () => {
  const places = (target: string, ...additional: string[]): ManifestPlaces => ({ target, additional })
  const refused: [why: string, ecosystem: ReadingEcosystem, at: ManifestPlaces, files: string[], message: RegExp][] = [
    ['a page as package.json', 'npm', places('package.json'), ['<html></html>'], /This is an HTML page/],
    [
      'a pnpm lockfile as package.json',
      'npm',
      places('package.json'),
      ["lockfileVersion: '9.0'\n"],
      /a pnpm lockfile.*leave it out/,
    ],
    ['a lock as package.json', 'npm', places('package.json'), [sample('package-lock.json')], /a package-lock\.json/],
    [
      'a package.json as lock',
      'npm',
      places('package.json', 'package-lock.json'),
      [sample('package.json'), sample('package.json')],
      /This is a package\.json/,
    ],
    ['an error as package.json', 'npm', places('package.json'), ['{"message":"Not Found"}'], /no member/],
    ['an empty package.json', 'npm', places('package.json'), [''], /empty/],
    [
      'an error as lock',
      'npm',
      places('package.json', 'package-lock.json'),
      [sample('package.json'), '{"message":"Not Found"}'],
      /no member/,
    ],
    ['a message as build.gradle', 'gradle', places('build.gradle'), ['404: Not Found'], /the message of a server/],
    [
      'a sentence as build.gradle',
      'gradle',
      places('build.gradle'),
      ['The page could not be found.'],
      /nothing in it identifies one/,
    ],
    ['a pom.xml as build.gradle', 'gradle', places('build.gradle'), [sample('pom.xml')], /This is a pom\.xml/],
    [
      'a page as settings.gradle',
      'gradle',
      places('build.gradle', 'settings.gradle'),
      [sample('build.gradle'), '<html></html>'],
      /HTML page/,
    ],
    ['a page as requirements.txt', 'pip', places('requirements.txt'), ['<html></html>'], /HTML page/],
    [
      'a pyproject.toml as requirements.txt',
      'pip',
      places('requirements.txt'),
      [sample('pyproject.toml')],
      /This is a pyproject\.toml/,
    ],
    ['a build.xml as pom.xml', 'maven', places('pom.xml'), [sample('build.xml')], /This is a build\.xml of Ant/],
    [
      'a sentence as Gemfile',
      'rubygems',
      places('Gemfile.lock', 'Gemfile'),
      [sample('Gemfile.lock'), 'Not here, sorry.'],
      /nothing in it identifies one/,
    ],
    ['an empty Gemfile.lock', 'rubygems', places('Gemfile.lock'), [''], /empty/],
    ['a go.mod as vendor.json', 'govendor', places('vendor.json'), [sample('go.mod')], /This is a go\.mod/],
    ['a message as build.sbt', 'sbt', places('build.sbt'), ['404: Not Found'], /the message of a server/],
  ]
  for (const [why, ecosystem, at, [target, ...additional], message] of refused) {
    test(`${why}: refused`, () => {
      assert.throws(
        () => identifyFiles(ecosystem, { target: target!, additional, places: at }),
        (error) => error instanceof Unreadable && message.test(error.message) && !error.message.includes('/v1/test/'),
      )
    })
  }

  test('a Scala source of an sbt build is known by its path, even if its statements look like Gradle', () => {
    const source = 'import java.io.File\n\nclass Boilerplate {\n  val folder = new File("a");\n}\n'
    const sent = { target: 'scalaVersion := "2.13.1"\n', additional: [source] }
    const kindsOf = (path: string) =>
      identifyFiles('sbt', { ...sent, places: places('build.sbt', path) }).map(({ kind }) => kind)
    assert.deepEqual(kindsOf('project/Boilerplate.scala'), ['build.sbt', 'project/*.scala'])
    assert.throws(() => kindsOf('project/plugins.sbt'), /This is a build script of Gradle/)
  })

  const taken: [why: string, ecosystem: ReadingEcosystem, at: ManifestPlaces, files: string[]][] = [
    ['an empty requirements.txt', 'pip', places('requirements.txt'), ['']],
    ['an object without members as package.json', 'npm', places('package.json'), ['{}']],
    ['an empty build.gradle', 'gradle', places('build.gradle'), ['']],
    ['a build.gradle of comments', 'gradle', places('build.gradle'), ['// nothing\n/* here */\n']],
    ['a script with a block of a plugin', 'gradle', places('a/a.gradle'), ['spotless { java { } }\n']],
    [
      'settings that only apply a script',
      'gradle',
      places('build.gradle', 'settings.gradle'),
      ['', 'apply from: "x.gradle"\n'],
    ],
    [
      'a gradle.properties with a continued line',
      'gradle',
      places('build.gradle', 'gradle.properties'),
      ['', 'v=1.\\\n  2\n'],
    ],
    [
      'a lock of one configuration without a header',
      'gradle',
      places('build.gradle', 'gradle/dependency-locks/runtimeClasspath.lockfile'),
      ['', 'g:a:1\ng:b:1.0+x\n'],
    ],
    ['an empty gradle.properties', 'gradle', places('build.gradle', 'gradle.properties'), ['', '# none\n']],
    ...[
      'peersSuffixMaxLength: 10',
      'lockfileIncludeTarballUrl: true\nnodeLinker: hoisted',
      '# ours\n"symlink": false',
      'supportedArchitectures:\n  cpu: [x64]\npackageExtensions:\n  a@1:\n    dependencies: {}',
    ].map((text): [string, 'pnpm', ManifestPlaces, string[]] => [
      `a pnpm-workspace.yaml with ${JSON.stringify(text)}`,
      'pnpm',
      places('package.json', 'pnpm-workspace.yaml'),
      [sample('package.json'), `${text}\n`],
    ]),
    ['a Gemfile of comments', 'rubygems', places('Gemfile.lock', 'Gemfile'), [sample('Gemfile.lock'), '# frozen\n']],
    [
      'a file of plugins called otherwise',
      'sbt',
      places('build.sbt', 'project/x.sbt'),
      [sample('build.sbt'), sample('plugins.sbt')],
    ],
  ]
  for (const [why, ecosystem, at, [target, ...additional]] of taken) {
    test(`${why}: accepted by its name`, () => {
      assert.equal(identifyFiles(ecosystem, { target: target!, additional, places: at }).length, additional.length + 1)
    })
  }
})

describe('every file kind as the target of every ecosystem', () => {
  const options = { includeDev: false, repositories: [], limits: { maxNodes: 1_000 } }
  for (const ecosystem of ecosystems) {
    const { target: own } = kindsOf(ecosystem.id)
    test(`${ecosystem.id} refuses any target other than ${own.join(' or ')}, with every change of encoding`, async () => {
      for (const { name, text, kind } of [...readableSamples, ...foreignSamples, ...namelessSamples]) {
        if ((own as readonly (string | undefined)[]).includes(kind)) continue
        for (const [why, change] of changes) {
          await assert.rejects(
            ecosystem.read({ target: change(text), additional: [] }, noRegistries, options),
            (error) => error instanceof Unreadable && error.file === 'target',
            `${name} ${why}`,
          )
        }
      }
    })
  }
})

function sample(kind: string): string {
  return [...readableSamples, ...foreignSamples].find((readableSample) => readableSample.kind === kind)!.text
}
