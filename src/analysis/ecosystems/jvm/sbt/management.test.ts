import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type MavenContent, mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { sbt } from './index.ts'
import { managementRulesOf } from './management.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 200 } }

async function read(content: MavenContent, sbtVersion: string): Promise<string[]> {
  const target = 'autoScalaLibrary := false\nlibraryDependencies += "g" % "a" % "1"\n'
  const manifest = { target, additional: [`sbt.version=${sbtVersion}\n`] }
  const { graph } = await sbt.read(manifest, registriesOf({ maven: mavenReaderOf(content) }), options)
  return graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
}

const [ivy, before, current] = ['1.2.8', '1.10.5', '1.10.7']
const libraries: MavenContent = Object.fromEntries(
  ['b', 'c', 'd'].flatMap((name) => ['1', '2', '3'].map((version) => [`g:${name}:${version}`, {}])),
)

/** Packages per version of sbt. */
const cases: [why: string, content: MavenContent, packages: Readonly<Record<string, string[]>>][] = [
  [
    "a version that a package manages for its dependencies' dependencies",
    { 'g:a:1': { dependencies: ['g:b:1'], managed: ['g:c:1'] }, 'g:b:1': { dependencies: ['g:c:2'] } },
    {
      [ivy]: ['g:a@1', 'g:b@1', 'g:c@2'],
      [before]: ['g:a@1', 'g:b@1', 'g:c@2'],
      [current]: ['g:a@1', 'g:b@1', 'g:c@2'],
    },
  ],
  [
    'two packages above that manage different versions',
    {
      'g:a:1': { dependencies: ['g:b:1'], managed: ['g:c:1'] },
      'g:b:1': { dependencies: ['g:d:1'], managed: ['g:c:3'] },
      'g:d:1': { dependencies: ['g:c:2'] },
    },
    {
      [before]: ['g:a@1', 'g:b@1', 'g:c@2', 'g:d@1'],
      [current]: ['g:a@1', 'g:b@1', 'g:c@2', 'g:d@1'],
    },
  ],
  [
    'a version that a package both declares and manages otherwise',
    { 'g:a:1': { dependencies: ['g:b:2', 'g:c:1'], managed: ['g:b:1'] }, 'g:c:1': { dependencies: ['g:b:1'] } },
    {
      [ivy]: ['g:a@1', 'g:b@2', 'g:c@1'],
      [before]: ['g:a@1', 'g:b@1', 'g:c@1'],
      [current]: ['g:a@1', 'g:b@1', 'g:c@1'],
    },
  ],
  [
    'managed exclusions beside those of the dependency',
    {
      'g:a:1': { dependencies: ['g:b:1 exclude=g:x'], managed: ['g:b:1 exclude=g:c'] },
      'g:b:1': { dependencies: ['g:c:1', 'g:d:1'] },
    },
    {
      [ivy]: ['g:a@1', 'g:b@1', 'g:c@1', 'g:d@1'],
      [before]: ['g:a@1', 'g:b@1', 'g:c@1', 'g:d@1'],
      [current]: ['g:a@1', 'g:b@1', 'g:d@1'],
    },
  ],
  [
    'managed exclusions of a dependency without its own',
    {
      'g:a:1': { dependencies: ['g:b:1'], managed: ['g:b:1 exclude=g:c'] },
      'g:b:1': { dependencies: ['g:c:1', 'g:d:1'] },
    },
    { [before]: ['g:a@1', 'g:b@1', 'g:d@1'], [current]: ['g:a@1', 'g:b@1', 'g:d@1'] },
  ],
  [
    'a scope that does not exist, which counts',
    { 'g:a:1': { dependencies: ['g:b:1 scope=linux-x86_64', 'g:c:1 scope=provided'] } },
    { [before]: ['g:a@1', 'g:b@1'], [current]: ['g:a@1', 'g:b@1'] },
  ],
]

describe('dependency management by version of sbt', () => {
  for (const [why, content, expected] of cases) {
    for (const [version, packages] of Object.entries(expected)) {
      test(`dependency management, ${why}: as in sbt ${version}`, async () => {
        assert.deepEqual((await read({ ...libraries, ...content }, version)).sort(), packages)
      })
    }
  }

  const rules: [version: string | undefined, reach: string, exclusions: string][] = [
    ['0.13.18', 'gaps', 'inherited'],
    ['1.2.8', 'gaps', 'inherited'],
    ['1.3.0', 'own', 'inherited'],
    ['1.9.9', 'own', 'inherited'],
    ['1.10.5', 'own', 'inherited'],
    ['1.10.6', 'own', 'added'],
    ['1.10.7', 'own', 'added'],
    ['1.11.0-RC2', 'own', 'added'],
    ['1.12.13', 'own', 'added'],
    ['2.0.0', 'own', 'added'],
    [undefined, 'own', 'added'],
  ]
  for (const [version, reach, exclusions] of rules) {
    test(`dependency management in sbt ${version ?? 'of an unknown version'}: reaches ${reach}, exclusions ${exclusions}`, () =>
      assert.deepEqual(managementRulesOf(version), { reach, exclusions }))
  }
})

test('dependency management: sbt 1.10.6, which applies it to everything below a package, is reported', async () => {
  const manifest = { target: 'autoScalaLibrary := false\n', additional: ['sbt.version=1.10.6\n'] }
  const { unresolved } = await sbt.read(manifest, registriesOf({ maven: mavenReaderOf({}) }), options)
  assert.deepEqual(
    unresolved.map(({ name, range, code }) => [name, range, code]),
    [['sbt.version', '1.10.6', 'not-static']],
  )
})
