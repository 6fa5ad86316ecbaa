import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { pnpm } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 1_000 } }

interface LockParts {
  readonly overrides?: Readonly<Record<string, string>>
  /** By package: the range and the reference of the root. */
  readonly pins?: Readonly<Record<string, readonly [specifier: string, version: string]>>
  readonly packages?: Readonly<Record<string, string>>
}

const plain = '{integrity: sha512-m==}'

function lockOf({ overrides = {}, pins = {}, packages = { 'ms@2.1.1': plain } }: LockParts): string {
  const direct = Object.entries(pins).map(([name, [specifier, version]]) => [name, { specifier, version }])
  const entries = Object.entries(packages)
  return [
    "lockfileVersion: '9.0'",
    `overrides: ${JSON.stringify(overrides)}`,
    `importers: ${JSON.stringify({ '.': { dependencies: Object.fromEntries(direct) } })}`,
    `packages: {${entries.map(([key, resolution]) => `'${key}': {resolution: ${resolution}}`).join(', ')}}`,
    `snapshots: {${entries.map(([key]) => `'${key}': {}`).join(', ')}}`,
    '',
  ].join('\n')
}

async function read(target: string, ...additional: string[]) {
  const { graph, unresolved } = await pnpm.read({ target, additional }, noRegistries, options)
  return {
    packages: graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
    open: unresolved.map(({ code, name }) => `${code} ${name}`),
  }
}

const asking = (range: string, member = 'dependencies') => JSON.stringify({ name: 'p', [member]: { ms: range } })

describe('overrides as pnpm 12 writes them', () => {
  const pinned = { ms: ['2.1.1', '2.1.1'] } as const
  for (const selector of ['ms:prod', 'm*', '*', 'p>ms', 'p>m*']) {
    test(`pnpm-lock.yaml: a range from the override "${selector}" matches the lock`, async () => {
      const lock = lockOf({ overrides: { [selector]: '2.1.1' }, pins: pinned })
      assert.deepEqual(await read(asking('2.0.0'), lock), { packages: ['ms@2.1.1'], open: [] })
    })
  }

  test('pnpm-lock.yaml: a differing range is reported although other packages are overridden', async () => {
    const lock = lockOf({ overrides: { 'n*': '2.1.1' }, pins: pinned })
    assert.deepEqual(await read(asking('2.0.0'), lock), { packages: ['ms@2.1.1'], open: ['not-in-lockfile ms'] })
  })

  test('pnpm-lock.yaml: a package that a pattern removes is not expected', async () => {
    const lock = lockOf({ overrides: { 'm*': '-' }, packages: {} })
    assert.deepEqual(await read(asking('2.0.0'), lock), { packages: [], open: [] })
    const other = lockOf({ overrides: { 'n*': '-' }, packages: {} })
    assert.deepEqual((await read(asking('2.0.0'), other)).open, ['not-in-lockfile ms'])
  })

  test('pnpm-lock.yaml: a local path of an override is the one that the project has relative to its folder', async () => {
    const lock = lockOf({
      overrides: { ms: 'link:./forks/ms' },
      pins: { ms: ['link:forks/ms', 'link:forks/ms'] },
      packages: {},
    })
    assert.deepEqual((await read(asking('2.0.0'), lock)).open, ['not-from-registry ms'])
    const other = lockOf({
      overrides: { ms: 'link:./forks/ms' },
      pins: { ms: ['link:forks/not', 'link:forks/not'] },
      packages: {},
    })
    assert.deepEqual((await read(asking('2.0.0'), other)).open, ['not-from-registry ms', 'not-in-lockfile ms'])
  })

  test('pnpm without a lock: overrides that npm does not support are reported, not ignored', async () => {
    const workspace = "overrides:\n  'a:prod': 1.0.0\n  'b*': 1.0.0\n  'c@': 1.0.0\n"
    const { open } = await read(JSON.stringify({ name: 'p' }), workspace)
    assert.deepEqual(open, ['not-static a:prod', 'not-static b*', 'not-static c@'])
  })
})

describe('files that pnpm-workspace.yaml includes', () => {
  const lock = lockOf({ overrides: { 'ms@2.0.0': '2.1.1' }, pins: { ms: ['2.0.0', '2.1.1'] } })

  for (const owned of ['[overrides]', "'*'", '[minimumReleaseAge, catalogs]']) {
    test(`pnpm-workspace.yaml: an included file that owns ${owned} is not read, which makes the result incomplete`, async () => {
      const workspace = `include:\n  ./config/deps.yaml: ${owned}\n`
      const { packages, open } = await read(asking('2.0.0'), lock, workspace)
      assert.deepEqual([packages, open], [['ms@2.1.1'], ['not-static ./config/deps.yaml']])
    })
  }

  test('pnpm-workspace.yaml: an included file without settings that change packages is ignored', async () => {
    const workspace = "include:\n  ./config/security.yaml: [trustPolicy]\noverrides:\n  'ms@2.0.0': 2.1.1\n"
    assert.deepEqual(await read(asking('2.0.0'), lock, workspace), { packages: ['ms@2.1.1'], open: [] })
  })

  test('pnpm-workspace.yaml: a lock without it, and included settings, is resolved as incomplete', async () => {
    const { open } = await read(JSON.stringify({ name: 'p' }), 'include:\n  ./config/deps.yaml: [packageExtensions]\n')
    assert.deepEqual(open, ['not-static ./config/deps.yaml'])
  })
})

describe('entries that pnpm 12 writes', () => {
  const variants =
    '{type: variations, variants: [{resolution: {integrity: sha512-v==}, targets: [{os: linux, cpu: x64}]}]}'

  test('pnpm-lock.yaml: a package with an archive for each platform is tested by its version, and named', async () => {
    for (const reference of ['2.1.1', 'work:2.1.1']) {
      const lock = lockOf({ pins: { ms: ['2.1.1', reference] }, packages: { [`ms@${reference}`]: variants } })
      assert.deepEqual(await read(lock), { packages: ['ms@2.1.1'], open: ['not-from-registry ms'] })
    }
  })

  test('pnpm-lock.yaml: a tool that pnpm downloads is not tested as a package of the registry', async () => {
    const lock = lockOf({ pins: { bun: ['tool:1.3.0', 'tool:1.3.0'] }, packages: { 'bun@tool:1.3.0': variants } })
    assert.deepEqual((await read(lock)).open, ['not-from-registry bun'])
  })

  test('pnpm-lock.yaml: a member that is linked by its publishDirectory is the member itself', async () => {
    const lock = `lockfileVersion: '9.0'
importers:
  a:
    dependencies:
      b: {specifier: 'workspace:*', version: 'link:../b/dist'}
  b:
    dependencies:
      ms: {specifier: 2.1.1, version: 2.1.1}
    publishDirectory: dist
packages:
  ms@2.1.1:
    resolution: ${plain}
snapshots:
  ms@2.1.1: {}
`
    assert.deepEqual(await read(lock), { packages: ['ms@2.1.1'], open: [] })
    assert.deepEqual((await read(lock.replace('dist\npack', 'lib\npack'))).open, ['not-from-registry b'])
  })

  test('pnpm-lock.yaml: keys longer than 1,024 characters are read in both spellings', async () => {
    const peers = Array.from({ length: 60 }, (_, at) => `(a-peer-with-a-long-name-${at}@1.0.0)`).join('')
    const head = `lockfileVersion: '9.0'\nimporters:\n  .:\n    dependencies:\n      a: {specifier: 1.0.0, version: 1.0.0${peers}}\n`
    const packages = `packages:\n  a@1.0.0:\n    resolution: ${plain}\n  ms@2.1.1:\n    resolution: {integrity: sha512-o==}\nsnapshots:\n  ms@2.1.1: {}\n`
    const key = `a@1.0.0${peers}`
    for (const entry of [
      `  ? ${key}\n  : dependencies:\n      ms: 2.1.1\n`,
      `  '${key}':\n    dependencies:\n      ms: 2.1.1\n`,
    ]) {
      assert.deepEqual(await read(head + packages + entry), { packages: ['a@1.0.0', 'ms@2.1.1'], open: [] })
    }
  })
})
