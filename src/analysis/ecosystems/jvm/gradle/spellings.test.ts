import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gradle } from './index.ts'

/**
 * Scripts that require `v:v:1`, or Kotlin's library by its plugin, one per spelling in Gradle's documentation. `====`
 * separates scripts, `----` their companions.
 */
const content = {
  'v:v:1': {},
  'v:v:2': {},
  'g:fine:1': {},
  'g:fine:2': {},
  'g:p:1': { dependencies: ['v:v:1'] },
  'g:needs2:1': { dependencies: ['v:v:2'] },
  'org.jetbrains.kotlin:kotlin-stdlib:1.9.0': {},
}
const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }

function scriptsIn(file: string): string[] {
  return readFileSync(path.join(import.meta.dirname, 'spellings', file), 'utf8').split(/^====\n/m)
}

async function read(script: string) {
  const [target = '', ...additional] = script.split(/^-----?\n/m)
  const reading = await gradle.read({ target, additional }, registriesOf({ maven: mavenReaderOf(content) }), options)
  const isFound = reading.graph.nodes.some(({ package: { name, version } }) =>
    ['v:v@1', 'org.jetbrains.kotlin:kotlin-stdlib@1.9.0'].includes(`${name}@${version}`),
  )
  return { isFound, unresolved: reading.unresolved }
}

describe('declarations that are found in every spelling', () => {
  for (const script of scriptsIn('found.txt')) {
    test(`gradle dependency is found: ${script.replaceAll('\n', ' ⏎ ')}`, async () => {
      assert.ok((await read(script)).isFound)
    })
  }
})

describe('declarations that only running the script determines, reported with their line', () => {
  for (const script of scriptsIn('named.txt')) {
    test(`gradle declaration is reported: ${script.replaceAll('\n', ' ⏎ ')}`, async () => {
      const { unresolved } = await read(script)
      assert.ok(unresolved.some(({ line }) => line !== undefined))
    })
  }
})
