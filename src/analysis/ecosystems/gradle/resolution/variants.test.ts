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
  return text.split(' ').map((each) => {
    const [name = '', value = ''] = each.split('=')
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
  ['the usage that is wanted', ['api: usage=java-api', 'runtime: usage=java-runtime'], ['runtime']],
  [
    'who compiles takes what is for compiling, though both would do',
    ['runtime: usage=java-runtime', 'api: usage=java-api'],
    ['api'],
    wish.replace('runtime', 'api'),
  ],
  [
    'a runtime variant also serves for compiling',
    ['runtime: usage=java-runtime'],
    ['runtime'],
    wish.replace('runtime', 'api'),
  ],
  ['documentation is no library', ['docs: usage=java-runtime category=documentation', 'a: usage=java-runtime'], ['a']],
  ['what a variant does not say does not keep it out', ['a: color=red'], ['a']],
  [
    'older spellings of the usage',
    ['a: usage=java-runtime-classes', 'b: usage=java-runtime-jars', 'c: usage=java-api-jars'],
    ['b'],
  ],
  ['the newest JVM that is not too new', ['a: jvm=8', 'b: jvm=11', 'c: jvm=21'], ['b']],
  ['the oldest where all are newer than we assume', ['a: jvm=25', 'b: jvm=21'], ['b']],
  ['the environment, which never keeps out', ['a: env=android', 'b: env=standard-jvm'], ['b']],
  ['another environment where there is none else', ['a: env=android'], ['a']],
  ['not shadowed if it need not be', ['a: bundling=shadowed', 'b: bundling=external'], ['b']],
  ['shadowed if need be', ['a: bundling=shadowed'], ['a']],
  [
    'Kotlin for all platforms, taken on the JVM',
    [
      'metadata: usage=kotlin-metadata kotlin=common',
      'js: usage=kotlin-runtime kotlin=js',
      'android: usage=java-runtime kotlin=androidJvm env=android',
      'jvm: usage=java-runtime kotlin=jvm env=standard-jvm',
    ],
    ['jvm'],
  ],
  [
    'the same on Android',
    [
      'aar: usage=java-runtime kotlin=androidJvm env=android elements=aar',
      'jvm: usage=java-runtime kotlin=jvm env=standard-jvm elements=jar',
    ],
    ['aar'],
    android,
  ],
  ['a library for the JVM on Android', ['jvm: usage=java-runtime kotlin=jvm elements=jar'], ['jvm'], android],
  ['none where none fits', ['js: usage=kotlin-runtime kotlin=js'], []],
  ['more said of what is wanted', ['a: usage=java-runtime', 'b: usage=java-runtime category=library'], ['b']],
  ['nothing besides what is wanted', ['a: usage=java-runtime color=red', 'b: usage=java-runtime'], ['b']],
  ['all, where Gradle too could not decide', ['a: color=red', 'b: color=blue'], ['a', 'b']],
  ['the capability of the module itself', ['fixtures: jvm=8 + g:a-test-fixtures', 'a: jvm=8'], ['a']],
  [
    'the capability that is wanted',
    ['a: jvm=8', 'fixtures: jvm=8 + g:a-test-fixtures'],
    ['fixtures'],
    wish,
    ['g:a-test-fixtures'],
  ],
  ['no capability more than wanted', ['both: jvm=8 + g:a + g:old', 'a: jvm=8 + g:a'], ['a']],
  ['with another capability besides', ['both: jvm=8 + g:a + g:old'], ['both']],
]

describe('variants are chosen as Gradle chooses them', () => {
  for (const [why, variants, chosen, wanted = wish, capabilities = []] of cases) {
    test(why, () => {
      const attributes = new Map(attributesOf(wanted))
      for (const each of [variants, variants.toReversed()]) {
        const found = chooseVariants(each.map(variantOf), { attributes, capabilities }, 'g:a')
        assert.deepEqual(found.map(({ name }) => name).sort(), chosen)
      }
    })
  }
})
