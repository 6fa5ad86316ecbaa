import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { npm } from './index.ts'

const options = { includeDev: true, repositories: [], limits: { maxNodes: 100 } }

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
  const { unresolved } = await npm.read({ target, additional: [lock] }, noRegistries, options)
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
