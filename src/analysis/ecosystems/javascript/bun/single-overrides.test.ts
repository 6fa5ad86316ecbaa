import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { bun } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }

/** A project with two packages, of which one has its own copy of a third. */
function lockOf(overrides: object, { ms = 'ms@2.1.1', own = 'ms@2.0.0' } = {}): string {
  const workspaces = { '': { name: 'p', dependencies: { debug: '4.0.0', ms: '2.0.0' } } }
  const packages = {
    debug: ['debug@4.0.0', '', { dependencies: { ms: '2.1.2' } }, 'sha512-d=='],
    ms: [own, '', {}, 'sha512-m=='],
    'debug/ms': [ms, '', {}, 'sha512-n=='],
  }
  return JSON.stringify({ lockfileVersion: 3, configVersion: 1, workspaces, overrides, packages })
}

const asking = (more: object) => JSON.stringify({ name: 'p', dependencies: { debug: '4.0.0', ms: '2.0.0' }, ...more })

async function read(target: string, ...additional: string[]) {
  const { graph, unresolved } = await bun.read({ target, additional }, noRegistries, options)
  return {
    packages: graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
    open: unresolved.map(({ code, name }) => `${code} ${name}`),
  }
}

describe('overrides of single places in bun.lock, lockfileVersion 3', () => {
  const packages = ['debug@4.0.0', 'ms@2.0.0', 'ms@2.1.1']
  const nested = { debug: { ms: '2.1.1' } }
  const spellings: [what: string, member: object][] = [
    ['nested', { overrides: nested }],
    ['with an arrow', { overrides: { 'debug>ms': '2.1.1' } }],
    ['as a resolution', { resolutions: { 'debug/ms': '2.1.1' } }],
    ['as a resolution with stars', { resolutions: { 'debug/**/ms': '2.1.1' } }],
    ['beside one that nests deeper, which Bun ignores', { overrides: { debug: { ms: '2.1.1', x: { y: '1.0.0' } } } }],
  ]
  for (const [what, member] of spellings) {
    test(`bun.lock: an override for one dependent, ${what}, matches the lock`, async () => {
      assert.deepEqual(await read(asking(member), lockOf(nested)), { packages, open: [] })
    })
  }

  test('bun.lock: an override for one dependent that only the manifest or only the lock has is reported', async () => {
    const other = asking({ overrides: { debug: { ms: '2.1.0' } } })
    assert.deepEqual((await read(other, lockOf(nested))).open, ['not-in-lockfile debug>ms'])
    assert.deepEqual((await read(asking({}), lockOf(nested))).open, ['not-in-lockfile debug>ms'])
  })

  test('bun.lock: the override of the parent itself is written as a dot', async () => {
    const lock = lockOf({ debug: { '.': '4.0.0', ms: '2.1.1' } })
    const project = asking({ overrides: { debug: { '.': '4.0.0', ms: '2.1.1' } } })
    assert.deepEqual(await read(project, lock), { packages, open: [] })
    assert.deepEqual(await read(asking({ overrides: { debug: '4.0.0', 'debug>ms': '2.1.1' } }), lock), {
      packages,
      open: [],
    })
  })

  test('bun.lock: an override of a range is written below the range', async () => {
    const lock = lockOf({ 'ms@2.1.2': { '.': '2.1.1' } })
    assert.deepEqual(await read(asking({ overrides: { 'ms@2.1.2': '2.1.1' } }), lock), { packages, open: [] })
  })

  test('bun.lock: a version from an override of the project itself is not reported as outside its range', async () => {
    const overrides = { p: { ms: '2.1.3' } }
    const lock = lockOf(overrides, { own: 'ms@2.1.3', ms: 'ms@2.1.2' })
    assert.deepEqual((await read(asking({ overrides }), lock)).open, [])
    const others = { debug: { ms: '2.1.3' } }
    const wrong = lockOf(others, { own: 'ms@2.1.3', ms: 'ms@2.1.3' })
    assert.deepEqual((await read(asking({ overrides: others }), wrong)).open, ['not-in-lockfile ms'])
  })

  test('bun.lock: an override with another package is accepted only for its dependent', async () => {
    const overrides = { debug: { ms: 'npm:other@1.0.0' } }
    const lock = lockOf(overrides, { ms: 'other@1.0.0' })
    assert.deepEqual((await read(asking({ overrides }), lock)).open, [])
    const moved = lockOf({ web: { ms: 'npm:other@1.0.0' } }, { ms: 'other@1.0.0' })
    assert.deepEqual((await read(asking({ overrides: { web: { ms: 'npm:other@1.0.0' } } }), moved)).open, [
      'lockfile-contradiction ms',
    ])
  })
})
