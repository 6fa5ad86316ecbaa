import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mavenReaderOf } from '#test/registries/maven-content.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { gradle } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const content = { 'g:a:1': {}, 'g:b:2': {} }
const catalogOf = (module: string, version: string) =>
  `[libraries]\none = { module = "${module}", version = "${version}" }\n`
const settingsOf = (...catalogs: string[]) =>
  `dependencyResolutionManagement {\n  versionCatalogs {\n    ${catalogs.join('\n    ')}\n  }\n}\n`
const using = (...names: string[]) =>
  `plugins { java }\ndependencies {\n${names.map((name) => `  implementation(${name}.one)`).join('\n')}\n}\n`

/** Reads a script with further files by their paths, or without paths. */
async function read(target: string, files: Readonly<Record<string, string>>, hasPaths = true) {
  const [paths, additional] = [Object.keys(files), Object.values(files)]
  const manifest = {
    target,
    additional,
    ...(hasPaths && { places: { target: 'plugin/build.gradle.kts', additional: paths } }),
  }
  const reading = await gradle.read(manifest, registriesOf({ maven: mavenReaderOf(content) }), options)
  const packages = reading.graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
  return { packages, open: reading.unresolved.map(({ name, code, line }) => `${name} ${code} ${line}`) }
}

describe('catalogs that Gradle settings name', () => {
  test('settings.gradle: a catalog of another folder is read', async () => {
    const files = {
      'settings.gradle.kts': settingsOf('create("libs") { from(files("../gradle/libs.versions.toml")) }'),
      '../gradle/libs.versions.toml': catalogOf('g:a', '1'),
    }
    assert.deepEqual(await read(using('libs'), files), { packages: ['g:a@1'], open: [] })
    assert.deepEqual(await read(using('libs'), files, false), { packages: ['g:a@1'], open: [] })
  })

  test('settings.gradle: catalogs have the names that the settings give them', async () => {
    const files = {
      'settings.gradle.kts': settingsOf(
        'create("tools") { from(files("gradle/tools.versions.toml")) }',
        'named { from(files("./gradle/named.versions.toml")) }',
      ),
      'gradle/tools.versions.toml': catalogOf('g:a', '1'),
      'gradle/named.versions.toml': catalogOf('g:b', '2'),
    }
    assert.deepEqual(await read(using('tools', 'named'), files), { packages: ['g:a@1', 'g:b@2'], open: [] })
  })

  test('settings.gradle: a catalog that was not sent is reported with its line if a script uses it', async () => {
    const files = {
      'settings.gradle.kts': settingsOf(
        'create("libs") { from(files("../../libs.versions.toml")) }',
        'create("shared") { from("org.example:catalog:1.0") }',
        'create("unused") { from("org.example:unused:1.0") }',
      ),
    }
    assert.deepEqual(await read(using('libs', 'shared'), files), {
      packages: [],
      open: [
        'libs.one not-static 3',
        'shared.one not-static 4',
        '../../libs.versions.toml not-static 3',
        'org.example:catalog:1.0 not-static 4',
      ],
    })
  })

  test('settings.gradle: several catalogs without paths are not reported', async () => {
    const files = {
      settings: settingsOf('create("libs") { from(files("a.versions.toml")) }'),
      one: catalogOf('g:a', '1'),
      two: catalogOf('g:a', '1'),
    }
    assert.deepEqual(await read(using('libs'), files, false), { packages: ['g:a@1'], open: [] })
  })
})
