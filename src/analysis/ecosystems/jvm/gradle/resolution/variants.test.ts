import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ModuleVariant } from '#analysis/registries/maven.ts'
import { chooseVariants } from './variants.ts'

/** Short names of attributes, so that a variant fits on a line. */
const NAMES: Readonly<Record<string, string>> = {
  usage: 'org.gradle.usage',
  category: 'org.gradle.category',
  elements: 'org.gradle.libraryelements',
  bundling: 'org.gradle.dependency.bundling',
  jvm: 'org.gradle.jvm.version',
  env: 'org.gradle.jvm.environment',
  kotlin: 'org.jetbrains.kotlin.platform.type',
}

function attributesOf(text: string): [string, string][] {
  return text.split(' ').map((attribute) => {
    const [name = '', value = ''] = attribute.split('=')
    return [NAMES[name] ?? name, value]
  })
}

/** Parses `name: usage=java-api jvm=8 + other:capability`. */
function variantOf(line: string): ModuleVariant {
  const [head = '', ...capabilities] = line.split(' + ')
  const [name = '', attributes = ''] = head.split(': ')
  return {
    name,
    attributes: Object.fromEntries(attributesOf(attributes)),
    capabilities,
    dependencies: [],
    constraints: [],
  }
}

const wish = 'usage=java-runtime category=library elements=jar bundling=external jvm=17 env=standard-jvm kotlin=jvm'
const android = 'usage=java-runtime category=library elements=aar jvm=17 env=android kotlin=androidJvm'

const cases: [why: string, variants: string[], chosen: string[], wish?: string, capabilities?: string[]][] = [
  ['the requested usage', ['api: usage=java-api', 'runtime: usage=java-runtime'], ['runtime']],
  [
    'the one for compiling when compiling, although both match',
    ['runtime: usage=java-runtime', 'api: usage=java-api'],
    ['api'],
    wish.replace('runtime', 'api'),
  ],
  [
    'one for the runtime when compiling if there is no other',
    ['runtime: usage=java-runtime'],
    ['runtime'],
    wish.replace('runtime', 'api'),
  ],
  [
    'the library, not the documentation',
    ['docs: usage=java-runtime category=documentation', 'a: usage=java-runtime'],
    ['a'],
  ],
  ['one with missing attributes', ['a: color=red'], ['a']],
  [
    'older spellings of the usage',
    ['a: usage=java-runtime-classes', 'b: usage=java-runtime-jars', 'c: usage=java-api-jars'],
    ['b'],
  ],
  ['the one for the newest JVM that is not too new', ['a: jvm=8', 'b: jvm=11', 'c: jvm=21'], ['b']],
  ['the one for the oldest JVM if all are newer than assumed', ['a: jvm=25', 'b: jvm=21'], ['b']],
  ['the one for the environment', ['a: env=android', 'b: env=standard-jvm'], ['b']],
  ['the one for another environment if there is no other', ['a: env=android'], ['a']],
  ['the one without shadowed dependencies', ['a: bundling=shadowed', 'b: bundling=external'], ['b']],
  ['the one with shadowed dependencies if there is no other', ['a: bundling=shadowed'], ['a']],
  [
    'the one for the JVM of a Kotlin multiplatform library',
    [
      'metadata: usage=kotlin-metadata kotlin=common',
      'js: usage=kotlin-runtime kotlin=js',
      'android: usage=java-runtime kotlin=androidJvm env=android',
      'jvm: usage=java-runtime kotlin=jvm env=standard-jvm',
    ],
    ['jvm'],
  ],
  [
    'the one for Android of a Kotlin multiplatform library',
    [
      'aar: usage=java-runtime kotlin=androidJvm env=android elements=aar',
      'jvm: usage=java-runtime kotlin=jvm env=standard-jvm elements=jar',
    ],
    ['aar'],
    android,
  ],
  [
    'the one for the JVM on Android if there is no other',
    ['jvm: usage=java-runtime kotlin=jvm elements=jar'],
    ['jvm'],
    android,
  ],
  ['none if none matches', ['js: usage=kotlin-runtime kotlin=js'], []],
  [
    'the one with more of the requested attributes',
    ['a: usage=java-runtime', 'b: usage=java-runtime category=library'],
    ['b'],
  ],
  ['the one without other attributes', ['a: usage=java-runtime color=red', 'b: usage=java-runtime'], ['b']],
  ['all if Gradle could not decide either', ['a: color=red', 'b: color=blue'], ['a', 'b']],
  ['the one with the default capability', ['fixtures: jvm=8 + g:a-test-fixtures', 'a: jvm=8'], ['a']],
  [
    'the one with the requested capability',
    ['a: jvm=8', 'fixtures: jvm=8 + g:a-test-fixtures'],
    ['fixtures'],
    wish,
    ['g:a-test-fixtures'],
  ],
  ['the one without additional capabilities', ['both: jvm=8 + g:a + g:old', 'a: jvm=8 + g:a'], ['a']],
  ['the one with additional capabilities if there is no other', ['both: jvm=8 + g:a + g:old'], ['both']],
]

describe('choice of variants, as in Gradle', () => {
  for (const [why, variants, chosen, request = wish, capabilities = []] of cases) {
    test(`chosen variant: ${why}`, () => {
      const attributes = new Map(attributesOf(request))
      for (const ordering of [variants, variants.toReversed()]) {
        const selected = chooseVariants(ordering.map(variantOf), { attributes, capabilities }, 'g:a')
        assert.deepEqual(selected.map(({ name }) => name).sort(), chosen)
      }
    })
  }
})
