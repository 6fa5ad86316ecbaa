import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { noRegistries } from '#test/registries/registries.ts'
import { npm } from './index.ts'

const options = { includeDev: false, repositories: [], limits: { maxNodes: 100 } }
const registry = 'https://registry.example'
const old = `${registry}/lodash/-/lodash-4.17.4.tgz`
const current = `${registry}/lodash/-/lodash-4.17.21.tgz`
const oldDigest = `sha512-${'a'.repeat(86)}==`

/** The package that npm 11 installs for the entry with `npm ci`, and the reported codes. */
interface Lie {
  readonly why: string
  readonly entry: object
  readonly packages: string[]
  readonly codes: string[]
  readonly name?: string
  readonly range?: string
}

const contradiction = ['lockfile-contradiction']
const installed = ['lodash@4.17.4']

const lies: Lie[] = [
  ...['4.17.4.0', '4.17', 'latest', `4.17.21-${'a'.repeat(300)}`].map((version) => ({
    why: `the version ${version.slice(0, 12)} beside the archive of 4.17.4`,
    entry: { version, resolved: old, integrity: oldDigest },
    packages: installed,
    codes: contradiction,
  })),
  { why: 'a newer version', entry: { version: '4.17.21', resolved: old }, packages: installed, codes: contradiction },
  {
    why: 'another name',
    entry: { version: '4.17.4', resolved: old },
    packages: installed,
    codes: contradiction,
    name: 'my',
  },
  {
    why: 'a name of its own',
    entry: { name: 'ms', version: '4.17.4', resolved: old },
    packages: installed,
    codes: contradiction,
  },
  {
    why: 'an alias of another package',
    entry: { name: 'lodash', version: '4.17.4', resolved: old },
    packages: installed,
    codes: ['not-in-lockfile'],
    name: 'my',
    range: 'npm:ms@4',
  },
  {
    why: 'an alias without its name, which does not count as one',
    entry: { version: '4.17.4', resolved: old },
    packages: installed,
    codes: [],
    name: 'my',
    range: 'npm:lodash@4',
  },
  { why: 'no version', entry: { resolved: old }, packages: installed, codes: [] },
  { why: 'no address', entry: { version: '4.17.4', integrity: oldDigest }, packages: installed, codes: [] },
  { why: 'the address false', entry: { version: '4.17.4', resolved: false }, packages: installed, codes: [] },
  {
    why: 'no address, no version',
    entry: { version: 'latest' },
    packages: ['lodash@latest'],
    codes: ['version-unknown'],
  },
  {
    why: 'a version for an address',
    entry: { version: '4.17.21', resolved: '4.17.4' },
    packages: installed,
    codes: contradiction,
  },
  {
    why: 'an alias for an address',
    entry: { version: '4.17.21', resolved: 'npm:ms@2.0.0' },
    packages: ['ms@2.0.0'],
    codes: contradiction,
  },
  {
    why: 'a tag for an address',
    entry: { version: '4.17.21', resolved: 'latest' },
    packages: ['lodash@4.17.21'],
    codes: ['version-unknown'],
  },
  {
    why: 'an address without a package name',
    entry: { version: '4.17.21', resolved: `${registry}/x/y` },
    packages: ['lodash@4.17.21'],
    codes: ['not-from-registry'],
  },
  ...[
    ['percent-encoding in the version', `${registry}/lodash/-/lodash-4%2E17%2E4.tgz`],
    ['percent-encoding in the name', `${registry}/%6codash/-/lodash-4.17.4.tgz`],
    ['a step up', `${registry}/lodash/-/lodash-4.17.21.tgz/../lodash-4.17.4.tgz`],
    ['an encoded step up', `${registry}/lodash/-/lodash-4.17.21.tgz/%2e%2e/lodash-4.17.4.tgz`],
    ['backslashes', `${registry}\\lodash\\-\\lodash-4.17.4.tgz`],
    ['the other address as query', `${old}?/lodash/-/lodash-4.17.21.tgz`],
    ['the other address as fragment', `${old}#/lodash/-/lodash-4.17.21.tgz`],
    ['capitals and credentials', 'HTTPS://user:secret@REGISTRY.example/lodash/-/lodash-4.17.4.tgz'],
    ['blanks', ` ${old} `],
    ['a path before it', `${registry}/artifactory/api/npm/all/lodash/-/lodash-4.17.4.tgz`],
    ['a folder for the version', `${registry}/api/packages/o/npm/lodash/-/4.17.4/lodash-4.17.4.tgz`],
    ['no hyphen folder', `${registry}/lodash/download/lodash-4.17.4.tgz`],
    ['an attachment', `${registry}/l/lodash/_attachments/lodash-4.17.4.tgz`],
  ].map(([why, resolved]) => ({
    why: `an address with ${why}`,
    entry: { version: '4.17.21', resolved },
    packages: installed,
    codes: contradiction,
  })),
  ...[
    `${registry}/@s/p/-/p-1.0.0.tgz`,
    `${registry}/@s%2fp/-/p-1.0.0.tgz`,
    `${registry}/@s/p/-/@s/p-1.0.0.tgz`,
    `${registry}/download/@s/p/1.0.0/0f`,
  ].map((resolved) => ({
    why: `a scoped package at ${resolved.slice(registry.length)}`,
    entry: { version: '1.9.0', resolved },
    packages: ['@s/p@1.0.0'],
    codes: contradiction,
    name: '@s/p',
  })),
  {
    why: 'the plain address of the name in a scope',
    entry: { version: '1.0.0', resolved: `${registry}/@s/p/-/p-1.0.0.tgz` },
    packages: ['@s/p@1.0.0'],
    codes: contradiction,
    name: 'p',
  },
  {
    why: 'an archive that its own folder claims to bundle',
    entry: { version: '4.17.21', resolved: old, inBundle: true },
    packages: installed,
    codes: contradiction,
  },
  {
    why: 'a link to an archive, which npm refuses',
    entry: { version: '4.17.21', resolved: old, link: 1 },
    packages: [],
    codes: ['not-in-lockfile'],
  },
]

describe('an npm lockfile that contradicts itself', () => {
  for (const { why, entry, packages, codes, name = 'lodash', range = '*' } of lies) {
    test(`lockfileVersion 3, ${why}: tests what npm installs and reports contradictions`, async () => {
      const reading = await readV3(name, range, { [`node_modules/${name}`]: entry })
      assert.deepEqual(toPackages(reading), packages)
      assert.deepEqual(toCodes(reading), codes)
      assert.doesNotMatch(JSON.stringify(reading), /secret/)
    })
  }

  const v1: [why: string, entry: object, packages: string[], codes: string[]][] = [
    ['another version', { version: '4.17.21', resolved: old }, installed, contradiction],
    ['an unreadable version', { version: '4.17.4.0', resolved: old }, installed, contradiction],
    ['an alias', { version: 'npm:ms@2.1.3', resolved: old }, installed, contradiction],
    ['an archive for its version', { version: current, resolved: old }, installed, ['not-from-registry']],
    ['an archive in "from"', { version: '4.17.21', from: old }, installed, contradiction],
    ['a range in "from"', { version: '4.17.21', from: 'lodash@4.17.4' }, ['lodash@4.17.21'], []],
    ['a bundled archive', { version: '4.17.21', resolved: old, bundled: true }, installed, contradiction],
  ]
  for (const [why, entry, packages, codes] of v1) {
    test(`lockfileVersion 1, ${why}: tests what npm installs and reports contradictions`, async () => {
      const lock = { lockfileVersion: 1, requires: true, dependencies: { lodash: entry } }
      const reading = await read({ lodash: '*' }, JSON.stringify(lock))
      assert.deepEqual(toPackages(reading), packages)
      assert.deepEqual(toCodes(reading), codes)
    })
  }

  for (const [why, version, codes] of [
    ['the same', '2.0.0', []],
    ['another', '2.0.1', contradiction],
  ] as const) {
    test(`lockfileVersion 2: ${why} version below a workspace member in both trees`, async () => {
      const packages = {
        '': { name: 'app', version: '1.0.0', workspaces: ['packages/*'] },
        'node_modules/member': { resolved: 'packages/member', link: true },
        'packages/member': { version: '1.0.0', dependencies: { ms: '2.0.0' } },
        'packages/member/node_modules/ms': { version: '2.0.0' },
      }
      const nested = { version: 'file:packages/member', requires: { ms: '2.0.0' }, dependencies: { ms: { version } } }
      const lock = { lockfileVersion: 2, requires: true, packages, dependencies: { member: nested } }
      const reading = await read({}, JSON.stringify(lock))
      assert.ok(toPackages(reading).includes('ms@2.0.0'))
      assert.deepEqual(toCodes(reading), codes)
    })
  }

  test('package-lock.json: the last of equal keys counts, as in npm', async () => {
    const entries = `"node_modules/lodash":{"version":"4.17.21","resolved":"${current}","resolved":"${old}"}`
    const reading = await read({ lodash: '*' }, `{"lockfileVersion":3,"packages":{${entries}}}`)
    assert.deepEqual(toPackages(reading), installed)
    assert.deepEqual(toCodes(reading), contradiction)
  })

  test('package-lock.json: one integrity for two versions: both are tested and reported', async () => {
    const reading = await readV3('lodash', '*', {
      'node_modules/lodash': { version: '4.17.21', resolved: current, integrity: oldDigest, dependencies: { b: '1' } },
      'node_modules/b': { version: '1.0.0', dependencies: { lodash: '4.17.4' } },
      'node_modules/b/node_modules/lodash': { version: '4.17.4', resolved: old, integrity: `sha1-0 ${oldDigest}` },
    })
    assert.deepEqual(toPackages(reading).sort(), ['b@1.0.0', 'lodash@4.17.21', 'lodash@4.17.4'])
    assert.deepEqual(toCodes(reading), [...contradiction, ...contradiction])
  })

  test('package-lock.json: one integrity for two copies of one version is not reported', async () => {
    const entry = { version: '4.17.4', resolved: old, integrity: oldDigest }
    const reading = await readV3('lodash', '*', {
      'node_modules/lodash': { ...entry, dependencies: { lodash: '*' } },
      'node_modules/lodash/node_modules/lodash': entry,
    })
    assert.deepEqual(toCodes(reading), [])
  })
})

function readV3(name: string, range: string, packages: object): Promise<Reading> {
  const root = { name: 'app', version: '1.0.0', dependencies: { [name]: range } }
  return read({ [name]: range }, JSON.stringify({ lockfileVersion: 3, packages: { '': root, ...packages } }))
}

function read(dependencies: Record<string, string>, lock: string): Promise<Reading> {
  return npm.read({ target: JSON.stringify({ dependencies }), additional: [lock] }, noRegistries, options)
}

function toPackages({ graph }: Reading): string[] {
  return graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`)
}

function toCodes({ unresolved }: Reading): string[] {
  return unresolved.map(({ code }) => code)
}

describe('lockfiles without the requirements of packages', () => {
  const project = { name: 'p', version: '1.0.0', dependencies: { a: '1.0.0' }, devDependencies: { b: '1.0.0' } }
  const dependencies = { a: { version: '1.0.0' }, b: { version: '1.0.0' }, c: { version: '1.0.0' } }

  async function readOld(lock: object) {
    const manifest = { target: JSON.stringify(project), additional: [JSON.stringify({ ...project, ...lock })] }
    const { graph, boundsMet } = await npm.read(manifest, noRegistries, options)
    const names = graph.nodes.slice(1).map((node) => node.package.name)
    return { names: names.sort(), isNoted: boundsMet.some((text) => text.includes('npm 4')) }
  }

  test('npm-shrinkwrap.json of npm 4: all packages count without dev dependencies, and the result says so', async () => {
    assert.deepEqual(await readOld({ dependencies }), { names: ['a', 'b', 'c'], isNoted: true })
  })

  test('npm-shrinkwrap.json of npm 4: packages marked as dev are left out without dev dependencies', async () => {
    const marked = { ...dependencies, b: { version: '1.0.0', dev: true }, c: { version: '1.0.0', dev: true } }
    assert.deepEqual(await readOld({ dependencies: marked }), { names: ['a'], isNoted: true })
  })

  test('package-lock.json of npm 6: packages that require nothing are no sign of npm 4', async () => {
    assert.equal((await readOld({ lockfileVersion: 1, requires: true, dependencies })).isNoted, false)
  })
})

/** A project with one package, which requires ms ^2.0.0 and an optional dependency. */
async function openOf({ overrides, ms = '2.0.0', more = {} }: { overrides?: object; ms?: string; more?: object }) {
  const target = JSON.stringify({ name: 'p', dependencies: { debug: '1.0.0' }, ...(overrides && { overrides }) })
  const packages = {
    '': { name: 'p', dependencies: { debug: '1.0.0' } },
    'node_modules/debug': { version: '1.0.0', dependencies: { ms: '^2.0.0' } },
    'node_modules/ms': { version: ms },
    ...more,
  }
  const lock = JSON.stringify({ name: 'p', lockfileVersion: 3, packages })
  const { unresolved } = await npm.read({ target, additional: [lock] }, noRegistries, {
    includeDev: true,
    repositories: [],
    limits: { maxNodes: 100 },
  })
  return unresolved.map(({ code, name, range, requiredBy }) => `${code} ${name} ${range} of ${requiredBy}`)
}

const stale = (range: string) => [`not-in-lockfile ms ${range} of debug@1.0.0`]

test('npm overrides: added after the lock was written, the version that they replace is reported', async () => {
  assert.deepEqual(await openOf({ overrides: { ms: '1.0.0' } }), stale('1.0.0'))
  assert.deepEqual(await openOf({ overrides: { debug: { ms: '1.0.0' } } }), stale('1.0.0'))
  assert.deepEqual(await openOf({ overrides: { 'ms@^2': '1.0.0' } }), stale('1.0.0'))
})

test('npm overrides: removed after the lock was written, the version outside of the range is reported', async () => {
  assert.deepEqual(await openOf({ ms: '1.0.0' }), stale('^2.0.0'))
})

test('npm overrides: those for which the lock was written, and those of other packages, are no contradiction', async () => {
  for (const overrides of [{ ms: '1.0.0' }, { debug: { ms: '1.0.0' } }, { 'ms@^2': '1.0.0' }])
    assert.deepEqual(await openOf({ overrides, ms: '1.0.0' }), [])
  for (const overrides of [{ other: '1.0.0' }, { other: { ms: '1.0.0' } }, { 'ms@^1': '1.0.0' }])
    assert.deepEqual(await openOf({ overrides }), [])
  assert.deepEqual(await openOf({ ms: '1.0.0', more: { 'node_modules/ms': { version: '1.0.0', inBundle: true } } }), [])
})

test('npm lock: an optional dependency of a package without an entry is reported', async () => {
  const debug = { version: '1.0.0', dependencies: { ms: '^2.0.0' }, optionalDependencies: { watch: '^1.0.0' } }
  assert.deepEqual(await openOf({ more: { 'node_modules/debug': debug } }), [
    'not-in-lockfile watch ^1.0.0 of debug@1.0.0',
  ])
})
