import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gradle } from '../ecosystems/jvm/gradle/index.ts'
import { readProperties } from './properties.ts'

test('properties file: comments, continued lines, separators and escapes are read as Java reads them', () => {
  const text = [
    '# a=comment \\',
    'a = 1.\\',
    '    2',
    '! b=comment',
    'c:3',
    'd 4\r',
    'e=https\\://x',
    'f=\\u0031\\\\',
    'g=5',
    'h=',
  ].join('\n')
  assert.deepEqual(readProperties(text), [
    ['a', '1.2'],
    ['c', '3'],
    ['d', '4'],
    ['e', 'https://x'],
    ['f', '1\\'],
    ['g', '5'],
    ['h', ''],
  ])
})

test('gradle.properties: a version over two lines is used', async () => {
  const target = 'dependencies { implementation "g:a:$lv" }'
  const places = { target: 'build.gradle', additional: ['gradle.properties'] }
  const registries = registriesOf({ maven: mavenReaderOf({ 'g:a:1.2': {} }) })
  const options = { includeDev: false, repositories: [], limits: { maxNodes: 10 } }
  const { graph } = await gradle.read({ target, additional: ['lv=1\\\n  .2\n'], places }, registries, options)
  assert.equal(graph.nodes[1]?.package.version, '1.2')
})

test('lock of one configuration without a header: its versions are used', async () => {
  const target =
    'configurations.all { resolutionStrategy.activateDependencyLocking() }\ndependencies { implementation "g:a:1.+" }'
  const places = { target: 'build.gradle', additional: ['gradle/dependency-locks/runtimeClasspath.lockfile'] }
  const registries = registriesOf({ maven: mavenReaderOf({ 'g:a:1.2': {}, 'g:a:1.3': {} }) })
  const options = { includeDev: false, repositories: [], limits: { maxNodes: 10 } }
  const reading = await gradle.read({ target, additional: ['g:a:1.2\n'], places }, registries, options)
  assert.deepEqual([reading.locked, reading.graph.nodes[1]?.package.version], [true, '1.2'])
})
