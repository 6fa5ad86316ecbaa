import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type MavenContent, mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gradle } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }

interface Rich {
  readonly requires?: string
  readonly strictly?: string
  readonly prefers?: string
  readonly rejects?: string[]
}

/** An entry `g:a:1`, or `g:a` with a rich version. */
function entry(notation: string, more: object = {}, version?: Rich) {
  const [group, module, requires] = notation.split(':')
  return { group, module, ...((version ?? requires) && { version: version ?? { requires } }), ...more }
}

const platform = { attributes: { 'org.gradle.category': 'platform' }, endorseStrictVersions: true }
const runtime = { 'org.gradle.usage': 'java-runtime', 'org.gradle.category': 'library' }

/** A module with one runtime variant. */
function library(dependencies: object[], dependencyConstraints: object[] = [], more: object = {}) {
  const variant = { name: 'runtimeElements', attributes: runtime, dependencies, dependencyConstraints, ...more }
  return { module: { formatVersion: '1.1', variants: [variant] } }
}

function bom(...dependencyConstraints: object[]) {
  const attributes = { ...runtime, 'org.gradle.category': 'platform' }
  return {
    packaging: 'pom',
    module: { formatVersion: '1.1', variants: [{ name: 'p', attributes, dependencyConstraints }] },
  }
}

async function read(notations: string[], content: MavenContent, before = '') {
  const lines = notations.map((notation) => `  ${/^\w+ /.test(notation) ? notation : `implementation '${notation}'`}\n`)
  const target = `${before}\ndependencies {\n${lines.join('')}}\n`
  const { graph, unresolved } = await gradle.read(
    { target, additional: [] },
    registriesOf({ maven: mavenReaderOf(content) }),
    options,
  )
  const packages = graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
  return [...packages.sort(), ...unresolved.map(({ name, code }) => `${name} ${code}`)]
}

const versions = (...names: string[]): MavenContent => Object.fromEntries(names.map((name) => [name, {}]))

const cases: [why: string, asked: string[], content: MavenContent, found: string[], before?: string][] = [
  [
    'has precedence over a POM that refers to it',
    ['g:a:1'],
    { 'g:a:1': { dependencies: ['g:pom:1'], ...library([entry('g:b:1')]) }, ...versions('g:b:1', 'g:pom:1') },
    ['g:a@1', 'g:b@1'],
  ],
  [
    'constraints raise required versions and add no packages',
    ['g:a:1', 'g:b:1'],
    { 'g:a:1': library([], [entry('g:b:2'), entry('g:c:3')]), ...versions('g:b:1', 'g:b:2', 'g:c:3') },
    ['g:a@1', 'g:b@2'],
  ],
  [
    'constraints of a replaced version do not count',
    ['g:a:1', 'g:x:1', 'g:b:1'],
    {
      'g:a:1': library([], [entry('g:b:3')]),
      'g:a:2': library([]),
      'g:x:1': library([entry('g:a:2')]),
      ...versions('g:b:1', 'g:b:3'),
    },
    ['g:a@2', 'g:b@1', 'g:x@1'],
  ],
  [
    'a platform aligns the modules that refer to it, also a plain BOM',
    ['g:a:2', 'g:b:1'],
    {
      'g:a:2': library([entry('g:bom:2', platform)]),
      'g:b:1': library([entry('g:bom:1', platform)]),
      'g:bom:1': { packaging: 'pom', managed: ['g:a:1', 'g:b:1'] },
      'g:bom:2': { packaging: 'pom', managed: ['g:a:2', 'g:b:2'] },
      'g:b:2': library([entry('g:bom:2', platform)]),
    },
    ['g:a@2', 'g:b@2'],
  ],
  [
    'a missing platform is reported',
    ['g:a:1'],
    { 'g:a:1': library([entry('g:bom:1', platform)]) },
    ['g:a@1', 'g:bom not-in-registry'],
  ],
  [
    'a strict version of a platform of the project has precedence',
    [`implementation platform('g:bom:1')`, 'g:b:2'],
    {
      'g:bom:1': bom(entry('g:c', {}, { strictly: '1' })),
      'g:b:2': library([entry('g:c:2')]),
      ...versions('g:c:1', 'g:c:2'),
    },
    ['g:b@2', 'g:c@1'],
  ],
  [
    'a strict version has precedence over versions below its module',
    ['g:a:1'],
    {
      'g:a:1': library([entry('g:b:1'), entry('g:c', {}, { strictly: '1', requires: '1' })]),
      'g:b:1': library([entry('g:c:2')]),
      ...versions('g:c:1', 'g:c:2'),
    },
    ['g:a@1', 'g:b@1', 'g:c@1'],
  ],
  [
    'a strict version conflicts with versions beside its module',
    ['g:a:1', 'g:b:1'],
    {
      'g:a:1': library([entry('g:c', {}, { strictly: '1', requires: '1' })]),
      'g:b:1': library([entry('g:c:2')]),
      ...versions('g:c:1', 'g:c:2'),
    },
    ['g:a@1', 'g:b@1', 'g:c no-matching-version', 'g:c no-matching-version'],
  ],
  [
    'a preferred version in a range and a rejected version',
    ['g:a:1'],
    {
      'g:a:1': library([
        entry('g:b', {}, { requires: '[1,2)', prefers: '1.1' }),
        entry('g:c', {}, { requires: '[1,2)', rejects: ['1.2'] }),
      ]),
      ...versions('g:b:1.0', 'g:b:1.1', 'g:b:1.2', 'g:c:1.1', 'g:c:1.2'),
    },
    ['g:a@1', 'g:b@1.1', 'g:c@1.1'],
  ],
  [
    'exclusions and requested capabilities',
    ['g:a:1'],
    {
      'g:a:1': library([
        entry('g:b:1', { excludes: [{ group: 'g', module: 'c' }] }),
        entry('g:f:1', { requestedCapabilities: [{ group: 'g', name: 'f-extra' }] }),
      ]),
      'g:b:1': library([entry('g:c:1')]),
      'g:f:1': {
        module: {
          formatVersion: '1.1',
          variants: [
            { name: 'main', attributes: runtime, dependencies: [entry('g:main:1')] },
            {
              name: 'extra',
              attributes: runtime,
              capabilities: [{ group: 'g', name: 'f-extra', version: '1' }],
              dependencies: [entry('g:extra:1')],
            },
          ],
        },
      },
      ...versions('g:c:1', 'g:main:1', 'g:extra:1'),
    },
    ['g:a@1', 'g:b@1', 'g:extra@1', 'g:f@1'],
  ],
  [
    'a dependency gets its version from a platform of the module',
    ['g:a:1'],
    {
      'g:a:1': library([entry('g:bom:1', platform), entry('g:b')]),
      'g:bom:1': bom(entry('g:b:4')),
      ...versions('g:b:4'),
    },
    ['g:a@1', 'g:b@4'],
  ],
]

describe('Gradle module metadata', () => {
  for (const [why, dependencies, content, expected, before] of cases) {
    test(`module metadata: ${why}`, async () => assert.deepEqual(await read(dependencies, content, before), expected))
  }

  const kotlin = (type: string, usage: string, more: object) => ({
    name: type,
    attributes: { 'org.gradle.usage': usage, 'org.jetbrains.kotlin.platform.type': type },
    ...more,
  })
  const at = (module: string) => ({ 'available-at': { url: 'x', group: 'g', module, version: '1' } })
  const multiplatform: MavenContent = {
    'g:kt:1': {
      packaging: 'pom',
      module: {
        formatVersion: '1.1',
        variants: [
          kotlin('js', 'kotlin-runtime', at('kt-js')),
          kotlin('androidJvm', 'java-runtime', {
            ...at('kt-android'),
            attributes: {
              'org.gradle.usage': 'java-runtime',
              'org.gradle.jvm.environment': 'android',
              'org.jetbrains.kotlin.platform.type': 'androidJvm',
            },
          }),
          kotlin('jvm', 'java-runtime', at('kt-jvm')),
        ],
      },
    },
    'g:kt-jvm:1': library([entry('g:std:1')]),
    'g:kt-android:1': library([entry('g:androidx:1')]),
    ...versions('g:std:1', 'g:androidx:1', 'g:kt-js:1'),
  }
  const onAndroid = ['g:androidx@1', 'g:kt-android@1', 'g:kt@1']
  const builds: [what: string, before: string, found: string[]][] = [
    ['on the JVM', '', ['g:kt-jvm@1', 'g:kt@1', 'g:std@1']],
    ['chosen by the plugin for Android', `plugins { id 'com.android.library' }`, onAndroid],
    ['chosen by an android block', 'android { compileSdk 34 }', onAndroid],
  ]
  for (const [what, before, expected] of builds) {
    test(`a multiplatform library resolves to the module of one platform, ${what}`, async () => {
      assert.deepEqual(await read(['g:kt:1'], multiplatform, before), expected)
    })
  }
})

describe('version ranges in Gradle', () => {
  const cases: [why: string, asked: string[], chosen: string][] = [
    ['resolve to a version in them that is required elsewhere', ['g:a:[1,3)', 'g:a:1.1'], '1.1'],
    ['resolve to the newest version of a narrower range', ['g:a:[1,3)', 'g:a:[1,2)'], '1.2'],
    ['add their newest version if no required version is in them', ['g:a:[1,2)', 'g:a:2'], '2'],
    ['raise a version below them', ['g:a:[2,3)', 'g:a:1.1'], '2'],
  ]
  for (const [why, dependencies, chosen] of cases) {
    test(`Gradle ranges ${why}`, async () => {
      const content = versions('g:a:1', 'g:a:1.1', 'g:a:1.2', 'g:a:2', 'g:a:3')
      assert.deepEqual(await read(dependencies, content), [`g:a@${chosen}`])
      assert.deepEqual(await read(dependencies.toReversed(), content), [`g:a@${chosen}`])
    })
  }
})

test('gradle: a relocated module leads to its new name without its former dependencies', async () => {
  const content: MavenContent = {
    'g:old:1': { relocation: 'g:new:2', dependencies: ['g:gone:1'] },
    'g:old:2': { relocation: '::3' },
    ...versions('g:new:2', 'g:old:3'),
  }
  assert.deepEqual(await read(['g:old:1'], content), ['g:new@2', 'g:old@1'])
  assert.deepEqual(await read(['g:old:2'], content), ['g:old@3'])
})

test('gradle: a single package and its upgrades are resolved like Gradle does', async () => {
  const content: MavenContent = {
    'g:a:1': library([entry('g:b:1')]),
    'g:a:2': library([entry('g:b:1')], [entry('g:b:2')]),
    ...versions('g:b:1', 'g:b:2'),
  }
  const registries = registriesOf({ maven: mavenReaderOf(content) })
  const resolver = await gradle.whatIfResolver!(undefined, registries, options)
  const readings = [
    await gradle.readPackage!({ name: 'g:a', version: '1' }, registries, options),
    await resolver.read!([{ name: 'g:a', version: '2' }]),
  ]
  assert.deepEqual(
    readings.map(({ graph }) => graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)),
    [
      ['g:a@1', 'g:b@1'],
      ['g:a@2', 'g:b@2'],
    ],
  )
})

describe('invalid module metadata', () => {
  const pom = { dependencies: ['g:b:1'] }
  const cases: [why: string, module: object | string | undefined, found: string[]][] = [
    ['marker without metadata: the POM counts', undefined, ['g:a@1', 'g:b@1']],
    ['no answer', 'unreachable', ['g:a@1', 'g:b@1', 'g:a registry-unreachable']],
    ['not JSON', '{"formatVersion": "1.1", ', ['g:a@1', 'g:b@1', 'g:a registry-unreachable']],
    ['another kind of document', '[]', ['g:a@1', 'g:b@1', 'g:a registry-unreachable']],
    ['a future format version', { formatVersion: '2.0', variants: [] }, ['g:a@1', 'g:b@1', 'g:a registry-unreachable']],
    [
      'no variant for the JVM: the POM counts, which is reported',
      { formatVersion: '1.1', variants: [] },
      ['g:a@1', 'g:b@1', 'g:a no-matching-version'],
    ],
    [
      'a dependency without a name',
      { formatVersion: '1.1', variants: [{ attributes: runtime, dependencies: [{}] }] },
      ['g:a@1', ': not-static'],
    ],
    [
      'a name of the wrong type: the POM counts, which is reported',
      { formatVersion: '1.1', variants: [{ attributes: runtime, dependencies: [{ group: 7 }] }] },
      ['g:a@1', 'g:b@1', 'g:a registry-unreachable'],
    ],
    [
      'dependencies of the wrong type',
      { formatVersion: '1.1', variants: [{ attributes: runtime, dependencies: 'g:c:1' }] },
      ['g:a@1', 'g:b@1', 'g:a registry-unreachable'],
    ],
    [
      'only a variant for compiling: the POM counts, which is reported',
      { formatVersion: '1.1', variants: [{ attributes: { ...runtime, 'org.gradle.usage': 'java-api' } }] },
      ['g:a@1', 'g:b@1', 'g:a no-matching-version'],
    ],
    [
      'names of object members, and coordinates outside the repository',
      {
        formatVersion: '1.1',
        variants: [
          {
            attributes: { ...runtime, constructor: 'x' },
            dependencies: [entry('../..:b:1'), entry('__proto__:constructor:1')],
          },
        ],
      },
      ['__proto__:constructor@1', 'g:a@1', '../..:b not-in-registry', '__proto__:constructor not-in-registry'],
    ],
    [
      'variants that lead to each other',
      {
        formatVersion: '1.1',
        variants: [{ attributes: runtime, 'available-at': { group: 'g', module: 'a', version: '1' } }],
      },
      ['g:a@1'],
    ],
  ]
  for (const [why, module, expected] of cases) {
    test(`module metadata, ${why}`, async () => {
      const marked = { ...pom, module: module ?? 'absent' }
      const content: MavenContent = { 'g:a:1': marked, 'g:b:1': {} }
      const reader = mavenReaderOf(content)
      const maven = module === undefined ? { ...reader, module: async () => undefined } : reader
      const target = `dependencies { implementation 'g:a:1' }\n`
      const { graph, unresolved } = await gradle.read({ target, additional: [] }, registriesOf({ maven }), options)
      const packages = graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
      assert.deepEqual(
        [...packages.sort(), ...new Set(unresolved.map(({ name, code }) => `${name} ${code}`))],
        expected,
      )
    })
  }
})
