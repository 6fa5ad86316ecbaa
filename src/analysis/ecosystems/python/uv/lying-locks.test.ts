import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { uv } from './index.ts'

const python = { version: '3.12', platform: 'linux', basis: 'request' } as const
const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 }, python }
const registry = 'source = { registry = "https://registry.example/simple" }'

/** Two versions of one package, chosen by the version of Python, and the project. */
const lockOf = ({ dependencies, web2 = entryOf('2.0', "python_full_version >= '3.10'"), more = '' }: Parts) =>
  `version = 1
requires-python = ">=3.9"
${more}
[[package]]
name = "app"
version = "0.1.0"
source = { virtual = "." }
dependencies = [
${dependencies.map((dependency) => `    ${dependency},\n`).join('')}]

[package.metadata]
requires-dist = [{ name = "web" }]

${entryOf('1.0', "python_full_version < '3.10'")}${web2}`

interface Parts {
  readonly dependencies: readonly string[]
  readonly web2?: string
  readonly more?: string
}

function entryOf(version: string, marker: string): string {
  return `[[package]]\nname = "web"\nversion = "${version}"\n${registry}\nresolution-markers = [\n    "${marker}",\n]\n\n`
}

const old = `{ name = "web", version = "1.0", ${registry}, marker = "python_full_version < '3.10'" }`
const current = `{ name = "web", version = "2.0", ${registry}, marker = "python_full_version >= '3.10'" }`
const both = [old, current]

async function read(lock: string, ...manifests: string[]) {
  const { graph, unresolved, boundsMet } = await uv.read({ target: lock, additional: manifests }, noRegistries, options)
  return {
    packages: graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
    open: unresolved.map(({ name, range, code, reason }) => `${name} ${range} ${code}: ${reason}`),
    boundsMet,
  }
}

describe('a uv.lock damaged by a merge', () => {
  test('uv.lock: without damage, the version for the Python is tested and nothing is reported', async () => {
    assert.deepEqual(await read(lockOf({ dependencies: both })), { packages: ['web@2.0'], open: [], boundsMet: [] })
  })

  test('uv.lock: a locked version without its entry is reported, although another version has one', async () => {
    const { packages, open } = await read(lockOf({ dependencies: both, web2: '' }))
    assert.deepEqual(packages, [])
    assert.deepEqual(open, [
      'web 2.0 not-in-lockfile: uv.lock has no entry for it; run uv lock to bring the two together',
    ])
  })

  test('uv.lock: a dependency decides by its version, whatever the condition of the entry', async () => {
    const web2 = entryOf('2.0', "python_full_version < '3.8'")
    const { packages, open } = await read(lockOf({ dependencies: both, web2 }))
    assert.deepEqual([packages, open], [['web@2.0'], []])
  })

  test('uv.lock: a version that no dependency names is tested and reported', async () => {
    const { packages, boundsMet } = await read(lockOf({ dependencies: [old] }))
    assert.deepEqual(packages, ['web@2.0'])
    assert.match(boundsMet.join(), /^1 package of the lockfile required by nothing.*: web@2\.0$/)
  })

  test('uv.lock: a declaration of the project without a locked dependency is reported', async () => {
    const { packages, open } = await read(lockOf({ dependencies: [] }))
    assert.deepEqual(packages, ['web@2.0'])
    assert.equal(open.length, 1)
    assert.match(open[0]!, /^web {2}not-in-lockfile: uv\.lock declares it for app, whose dependencies lack it/)
  })

  for (const [how, line] of [
    ['excludes it', 'excludes = ["web"]'],
    ['has an override for it', 'overrides = [{ name = "web", marker = "sys_platform == \'never\'" }]'],
  ] as const) {
    test(`uv.lock: a declaration without a dependency is fine if the lock ${how}`, async () => {
      const { open } = await read(lockOf({ dependencies: [], more: `\n[manifest]\n${line}\n` }))
      assert.deepEqual(open, [])
    })
  }
})

describe('a pyproject.toml of a folder that uv.lock takes', () => {
  const lib = `[[package]]\nname = "lib"\nversion = "1.0"\nsource = { directory = "lib" }\n\n[package.metadata]\nrequires-dist = [{ name = "web" }]\n\n`
  const lock =
    lockOf({ dependencies: [...both, '{ name = "lib" }'] }) +
    lib.replace('\n[package.m', 'dependencies = [\n    { name = "web", version = "2.0" },\n]\n\n[package.m')

  test('uv.lock: the project of such a folder is known', async () => {
    const { open } = await read(lock, '[project]\nname = "lib"\nversion = "1.0"\ndependencies = ["web"]\n')
    assert.deepEqual(open, [])
  })

  test('uv.lock: other dependencies of such a folder are reported', async () => {
    const { open } = await read(lock, '[project]\nname = "lib"\nversion = "1.0"\ndependencies = ["web", "more"]\n')
    assert.equal(open.length, 1)
    assert.match(open[0]!, /^more {2}not-in-lockfile: pyproject\.toml requires it/)
  })
})
