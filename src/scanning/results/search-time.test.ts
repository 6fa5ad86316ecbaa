import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RegistryUnreachable } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import { registriesOf } from '#test/registries/registries.ts'
import { createSearchTimes } from './search-time.ts'

const answering: NpmReader = { get: async (name) => ({ name, tags: {}, versions: {} }) }
const silent: NpmReader = { get: () => new Promise(() => {}) }
const failing: NpmReader = { get: () => Promise.reject(new RegistryUnreachable('down')) }
const isUnreachable = (error: unknown) => error instanceof RegistryUnreachable

describe('the time limit for registry searches', () => {
  test('search time: queries within the limit succeed', async () => {
    const search = createSearchTimes(10, Date.now).start(registriesOf({ npm: answering }))
    assert.equal((await search.registries.npm.get('a'))?.name, 'a')
    assert.equal(search.isOver(), false)
    search.end()
    assert.equal(search.isOver(), true)
  })

  test('search time of zero: sends no queries', async () => {
    const search = createSearchTimes(0, Date.now).start(registriesOf({}))
    assert.equal(search.isOver(), true)
    await assert.rejects(search.registries.npm.get('a'), isUnreachable)
    search.end()
  })

  test('search time: pending queries fail when it ends', async () => {
    const mixed: NpmReader = { get: (name) => (name === 'a' ? answering : silent).get(name) }
    const search = createSearchTimes(0.05, Date.now).start(registriesOf({ npm: mixed }))
    await search.registries.npm.get('a')
    await assert.rejects(search.registries.npm.get('b'), isUnreachable)
    assert.equal(search.isOver(), true)
    search.end()
  })

  for (const [what, npm] of [
    ['does not respond', silent],
    ['fails', failing],
  ] as const) {
    test(`search time: after a search in which the registry ${what}, later ones skip it for ten minutes`, async () => {
      let now = 0
      const times = createSearchTimes(0.05, () => now)
      const first = times.start(registriesOf({ npm }))
      await assert.rejects(first.registries.npm.get('a'), isUnreachable)
      first.end()
      const second = times.start(registriesOf({}))
      await assert.rejects(second.registries.npm.get('a'), isUnreachable)
      second.end()
      now = 10 * 60_000
      const third = times.start(registriesOf({ npm: answering }))
      assert.equal((await third.registries.npm.get('a'))?.name, 'a')
      third.end()
    })
  }

  test('search time: a failing registry does not prevent queries of other registries', async () => {
    const times = createSearchTimes(10, Date.now)
    const first = times.start(registriesOf({ npm: failing }))
    await assert.rejects(first.registries.npm.get('a'), isUnreachable)
    first.end()
    const second = times.start(registriesOf({ rubygems: { gem: async () => [] } }))
    assert.deepEqual(await second.registries.rubygems.gem('a'), [])
    second.end()
  })

  test('search time: licenses are requested every time', async () => {
    const times = createSearchTimes(10, Date.now)
    const down = registriesOf({ licenses: { find: () => Promise.reject(new RegistryUnreachable('down')) } })
    const first = times.start(down)
    await assert.rejects(first.registries.licenses.find('npm', { name: 'a', version: '1' }), isUnreachable)
    first.end()
    const second = times.start(registriesOf({ licenses: { find: async () => 'MIT' } }))
    assert.equal(await second.registries.licenses.find('npm', { name: 'a', version: '1' }), 'MIT')
    second.end()
  })

  test('search time: a search without queries has no effect on later ones', async () => {
    const times = createSearchTimes(10, Date.now)
    times.start(registriesOf({})).end()
    const next = times.start(registriesOf({ npm: answering }))
    assert.equal((await next.registries.npm.get('a'))?.name, 'a')
    next.end()
  })
})
