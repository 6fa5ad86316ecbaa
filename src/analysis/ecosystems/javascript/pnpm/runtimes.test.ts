import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { noRegistries } from '#test/registries/registries.ts'
import { pnpm } from './index.ts'

const node = { name: 'node', version: '24.x', onFail: 'download' }

function lockOf(version: string, member: string) {
  return [
    `lockfileVersion: '${version}'`,
    `importers: {.: {${member}: {node: {specifier: 'runtime:24.x', version: 'runtime:24.4.1'}}}}`,
    "packages: {'node@runtime:24.4.1': {resolution: {type: variations, variants: []}, version: 24.4.1, hasBin: true}}",
    "snapshots: {'node@runtime:24.4.1': {}}",
    '',
  ].join('\n')
}

async function read(project: object, lock: string, includeDev = true) {
  const options = { includeDev, repositories: [], limits: { maxNodes: 100 } }
  const target = JSON.stringify({ name: 'p', version: '1.0.0', ...project })
  const reading = await pnpm.read({ target, additional: [lock] }, noRegistries, options)
  return {
    packages: reading.graph.nodes.slice(1).map(({ package: { name, version } }) => `${name}@${version}`),
    open: reading.unresolved.map(({ code, name, range }) => `${code} ${name} ${range}`),
    notes: [...reading.boundsMet, ...reading.excluded.map(({ reason, packages }) => `${packages} ${reason}`)],
  }
}

describe('runtimes that pnpm downloads', () => {
  const listed = { packages: ['node@24.4.1'], open: ['not-from-registry node runtime:24.x'], notes: [] }

  for (const [engines, member] of [
    ['devEngines', 'devDependencies'],
    ['engines', 'dependencies'],
  ] as const) {
    test(`pnpm-lock.yaml: the runtime of ${engines} is a dependency that is not from the registry`, async () => {
      assert.deepEqual(await read({ [engines]: { runtime: node } }, lockOf('9.0', member)), listed)
      const several = [{ name: 'deno', version: '2.x', onFail: 'warn' }, node]
      assert.deepEqual(await read({ [engines]: { runtime: several } }, lockOf('9.0', member)), listed)
    })
  }

  test('pnpm-lock.yaml: the runtime of devEngines is excluded without dev dependencies', async () => {
    const reading = await read({ devEngines: { runtime: node } }, lockOf('9.0', 'devDependencies'), false)
    assert.deepEqual(reading, { packages: [], open: [], notes: ['1 dev'] })
  })

  test('pnpm-lock.yaml: a runtime of a lock that does not know it is not in the lockfile', async () => {
    const reading = await read({ devEngines: { runtime: node } }, "lockfileVersion: '9.0'\nimporters: {.: {}}\n")
    assert.deepEqual(reading.open, ['not-in-lockfile node runtime:24.x'])
  })

  test('pnpm-lock.yaml: a runtime that is not downloaded, or of an earlier pnpm, is not expected', async () => {
    const none = { packages: [], open: [], notes: [] }
    const current = "lockfileVersion: '9.0'\nimporters: {.: {}}\n"
    assert.deepEqual(await read({ devEngines: { runtime: { ...node, onFail: 'warn' } } }, current), none)
    const earlier = "lockfileVersion: '6.0'\nimporters: {.: {}}\n"
    assert.deepEqual(await read({ devEngines: { runtime: node } }, earlier), none)
  })
})
