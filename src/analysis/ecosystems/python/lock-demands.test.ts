import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import type { Ecosystem } from '../ecosystem.ts'
import { poetry } from './poetry/index.ts'
import { pyproject } from './pyproject/index.ts'

const python = { version: '3.13', platform: 'linux', basis: 'request' } as const
const options = { includeDev: true, repositories: [], limits: { maxNodes: 10 }, python }

async function read(ecosystem: Ecosystem, target: string, manifest: string) {
  const { graph, unresolved } = await ecosystem.read({ target, additional: [manifest] }, noRegistries, options)
  return {
    packages: graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
    open: unresolved
      .filter(({ reason }) => !/content-hash/.test(reason))
      .map(({ name, reason }) => `${name}: ${reason}`),
  }
}

const poetryLock = (entry: string) =>
  `[[package]]\n${entry}\n\n[metadata]\nlock-version = "2.1"\npython-versions = ">=3.9"\ncontent-hash = "0"\n`
const poetryProject =
  '[tool.poetry]\nname = "Web.App"\nversion = "1"\n[tool.poetry.dependencies]\npython = ">=3.9"\na = "*"\n'

test('poetry.lock: a dependency on the project itself needs no entry', async () => {
  const lock = poetryLock(
    'name = "a"\nversion = "1.0"\ngroups = ["main"]\nfiles = []\n\n[package.dependencies]\nweb-app = ">=0.5"',
  )
  assert.deepEqual(await read(poetry, lock, poetryProject), { packages: ['a@1.0'], open: [] })
})

test('poetry.lock: a declared package that is locked for other environments only is reported', async () => {
  const lock = poetryLock(
    'name = "a"\nversion = "1.0"\ngroups = ["main"]\nmarkers = "sys_platform == \'win32\'"\nfiles = []',
  )
  assert.deepEqual(await read(poetry, lock, poetryProject), {
    packages: [],
    open: ['a: poetry.lock has it for other environments only; run poetry lock to bring the two together'],
  })
})

const pylock = (...entries: string[]) =>
  `lock-version = "1.0"\ncreated-by = "test"\n${entries.map((entry) => `\n[[packages]]\n${entry}\n`).join('')}`
const project = (...dependencies: string[]) =>
  `[project]\nname = "app"\nversion = "1"\ndependencies = ${JSON.stringify(dependencies)}\n`

test('pylock.toml: a declared package that is locked for other environments only is reported', async () => {
  const lock = pylock('name = "a"\nversion = "1.0"\nmarker = "python_version < \'3.10\'"')
  const { packages, open } = await read(pyproject, lock, project('a'))
  assert.deepEqual([packages, open.length], [[], 1])
  assert.match(open[0]!, /^a: pylock\.toml has it for other environments only/)
  assert.deepEqual((await read(pyproject, lock, project("a ; python_version < '3.10'"))).open, [])
})

test('pylock.toml: an entry without a version gets it from the name of its archive', async () => {
  const lock = pylock('name = "a"\narchive = { url = "https://files.example/a-1.2-py3-none-any.whl" }')
  const { packages, open } = await read(pyproject, lock, project('a'))
  assert.deepEqual(packages, ['a@1.2'])
  assert.match(open.join(), /^a: It comes from .*: advisories for a@1\.2 in the registry may or may not apply to it$/)
})
