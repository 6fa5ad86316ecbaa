import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MavenReader } from '#analysis/registries/maven.ts'
import { type MavenContent, mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gradle } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const runtime = { 'org.gradle.usage': 'java-runtime', 'org.gradle.category': 'library' }

/** An entry `g:a:1`, or `g:a` with a rich version. */
function entry(notation: string, more: object = {}, version?: object) {
  const [group, module, requires] = notation.split(':')
  return { group, module, ...((version ?? requires) && { version: version ?? { requires } }), ...more }
}

function library(dependencies: object[]) {
  return {
    module: { formatVersion: '1.1', variants: [{ name: 'runtimeElements', attributes: runtime, dependencies }] },
  }
}

const versions = (...names: string[]): MavenContent => Object.fromEntries(names.map((name) => [name, {}]))

/** A module published in another one, whose extra variant has other dependencies. */
const redirected: MavenContent = (() => {
  const at = { 'available-at': { url: 'x', group: 'g', module: 'kt-jvm', version: '1' } }
  const extra = { capabilities: [{ group: 'g', name: 'kt-extra', version: '1' }] }
  const both = (more: object, mainMore: object, extraMore: object) => ({
    module: {
      formatVersion: '1.1',
      variants: [
        { name: 'main', attributes: runtime, ...more, ...mainMore },
        { name: 'extra', attributes: runtime, ...more, ...extra, ...extraMore },
      ],
    },
  })
  return {
    'g:kt:1': both(at, {}, {}),
    'g:kt-jvm:1': both({}, { dependencies: [entry('g:main:1')] }, { dependencies: [entry('g:extra:1')] }),
    'g:main:1': {},
    'g:extra:1': {},
  }
})()

async function read(lines: string[], content: MavenContent) {
  const declared = lines.map((line) => `  ${/^\w+(?: |\()/.test(line) ? line : `implementation '${line}'`}\n`)
  const manifest = { target: `dependencies {\n${declared.join('')}}\n`, additional: [] }
  const { graph, unresolved } = await gradle.read(manifest, registriesOf({ maven: mavenReaderOf(content) }), options)
  const packages = graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
  return [...packages.sort(), ...unresolved.map(({ name, code }) => `${name} ${code}`)]
}

const cases: [why: string, asked: string[], content: MavenContent, found: string[]][] = [
  [
    'a non-transitive dependency includes the module with the code',
    [`implementation('g:kt:1') { transitive = false }`],
    redirected,
    ['g:kt-jvm@1', 'g:kt@1'],
  ],
  [
    'a transitive and a non-transitive dependency together are transitive',
    [`implementation('g:kt:1') { transitive = false }`, 'g:x:1'],
    { ...redirected, 'g:x:1': library([entry('g:kt:1')]) },
    ['g:kt-jvm@1', 'g:kt@1', 'g:main@1', 'g:x@1'],
  ],
  [
    'a requested capability applies to the module with the code',
    [`implementation('g:kt:1') { capabilities { requireCapability('g:kt-extra:1') } }`],
    redirected,
    ['g:extra@1', 'g:kt-jvm@1', 'g:kt@1'],
  ],
  [
    'a feature is an abbreviated capability',
    [`implementation('g:x:1') { capabilities { requireFeature('extra') } }`],
    {
      'g:x:1': {
        module: {
          formatVersion: '1.1',
          variants: [
            { name: 'main', attributes: runtime, dependencies: [entry('g:main:1')] },
            {
              name: 'extra',
              attributes: runtime,
              capabilities: [{ group: 'g', name: 'x-extra', version: '1' }],
              dependencies: [entry('g:extra:1')],
            },
          ],
        },
      },
      ...versions('g:main:1', 'g:extra:1'),
    },
    ['g:extra@1', 'g:x@1'],
  ],
  [
    'a missing feature is reported',
    [`implementation(testFixtures('g:main:1'))`],
    { 'g:main:1': library([entry('g:b:1')]), ...versions('g:b:1') },
    ['g:main@1', 'g:main no-matching-version'],
  ],
  [
    'a requested capability of a POM is reported',
    [`implementation(testFixtures('g:p:1'))`],
    { 'g:p:1': { dependencies: ['g:b:1'] }, 'g:b:1': {} },
    ['g:b@1', 'g:p@1', 'g:p no-matching-version'],
  ],
  [
    'a variant that only running the script determines is reported',
    [
      `implementation('g:c:1') { capabilities { requireCapability(x.y()) } }`,
      `implementation('g:main:1') { attributes { attribute(x, y) } }`,
      `implementation('g:extra:1') { targetConfiguration = 'x' }`,
    ],
    versions('g:c:1', 'g:main:1', 'g:extra:1'),
    ['g:c@1', 'g:extra@1', 'g:main@1', 'g:c not-static', 'g:main not-static', 'g:extra not-static'],
  ],
  [
    'attributes of a dependency replace those of the build',
    ['g:x:1'],
    {
      'g:x:1': library([entry('g:f:1', { attributes: { 'x.flavour': 'full' } })]),
      'g:f:1': {
        module: {
          formatVersion: '1.1',
          variants: ['demo', 'full'].map((flavour) => ({
            name: flavour,
            attributes: { ...runtime, 'x.flavour': flavour },
            dependencies: [entry(`g:${flavour}:1`)],
          })),
        },
      },
      ...versions('g:demo:1', 'g:full:1'),
    },
    ['g:f@1', 'g:full@1', 'g:x@1'],
  ],
  [
    'a range without a published version is reported, also beside another version',
    ['g:x:1', 'g:b:1'],
    { 'g:x:1': library([entry('g:b', {}, { requires: '[5,6)' })]), ...versions('g:b:1') },
    ['g:b@1', 'g:x@1', 'g:b no-matching-version', 'g:b no-matching-version'],
  ],
  [
    'an unreachable range is reported unless a required version is in it',
    ['g:x:1', 'g:y:1', 'g:b:1', 'g:c:1'],
    {
      'g:x:1': library([entry('g:b', {}, { requires: '[2,3)' })]),
      'g:y:1': library([entry('g:c', {}, { requires: '[1,3)' })]),
      'g:b:0': 'unreachable',
      'g:c:0': 'unreachable',
      ...versions('g:b:1', 'g:c:1'),
    },
    ['g:b@1', 'g:c@1', 'g:x@1', 'g:y@1', 'g:b registry-unreachable', 'g:b registry-unreachable'],
  ],
  [
    'two strict versions of the project conflict',
    ['g:b:1!!', 'g:b:2!!'],
    versions('g:b:1', 'g:b:2'),
    ['g:b@1', 'g:b no-matching-version', 'g:b no-matching-version'],
  ],
  [
    'a version above the strict one conflicts, a lower one does not',
    [`constraints { implementation('g:b') { version { strictly '2' } } }`, 'g:b:3', 'g:c:2!!', 'g:c:1'],
    versions('g:b:2', 'g:b:3', 'g:c:1', 'g:c:2'),
    ['g:b@2', 'g:c@2', 'g:b no-matching-version'],
  ],
]

describe('unfulfilled requirements of Gradle variants', () => {
  for (const [why, dependencies, content, expected] of cases) {
    test(`gradle variant: ${why}`, async () => {
      assert.deepEqual(await read(dependencies, content), expected)
    })
  }
})

test('gradle: versions that replace each other in a cycle terminate and are reported', async () => {
  const content: MavenContent = {
    'g:c:1': library([entry('g:d:2')]),
    'g:d:2': library([entry('g:c:2')]),
    ...versions('g:c:2', 'g:d:1'),
  }
  const target = `dependencies {\n  implementation 'g:c:1'\n  implementation 'g:d:1'\n}\n`
  const registries = registriesOf({ maven: mavenReaderOf(content) })
  const { graph, boundsMet, unresolved } = await gradle.read({ target, additional: [] }, registries, options)
  assert.deepEqual(
    graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
    ['g:c@2', 'g:d@1'],
  )
  assert.ok(unresolved.some(({ code }) => code === 'bound-met'))
  assert.deepEqual(boundsMet, ['The choice of versions does not converge'])
})

test('gradle: modules that lead to ever newer ones end at the limit, which is reported', async () => {
  const next = (name: string, version: number) => library([entry(`g:${name}:${version}`)])
  const maven: MavenReader = {
    pom: async ({ artifact, version }) =>
      mavenReaderOf({ [`g:${artifact}:${version}`]: next('x', 1) }).pom({ group: 'g', artifact, version }),
    module: async ({ group, artifact, version }) => {
      const more = artifact === 'a' ? next('b', Number(version)) : next('a', Number(version) + 1)
      return mavenReaderOf({ [`g:${artifact}:${version}`]: more }).module!({ group, artifact, version })
    },
    versions: async () => undefined,
  }
  const target = `dependencies {\n  implementation 'g:a:1'\n}\n`
  const { graph, unresolved } = await gradle.read({ target, additional: [] }, registriesOf({ maven }), options)
  assert.equal(graph.nodes.length, 3)
  assert.ok(unresolved.some(({ code }) => code === 'bound-met'))
})
