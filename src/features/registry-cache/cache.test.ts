import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { onEveryEngine } from '#test/servers/engines.ts'
import { freshDatabase } from '#test/servers/fresh-database.ts'
import { createRegistryCache } from './cache.ts'
import { findCached, sumCachedBytes } from './store.ts'

const HOUR = 3_600_000

onEveryEngine('the cache of registry responses', (engine) => {
  async function open(maxBytes = 1_000_000) {
    const database = await freshDatabase(engine)
    const clock = { at: Date.parse('2026-01-01') }
    const cache = createRegistryCache({ db: database.db, maxBytes, now: () => clock.at })
    return { ...cache, clock, db: database.db, [Symbol.asyncDispose]: () => database[Symbol.asyncDispose]() }
  }

  const answer = (text: string | undefined) => ({
    url: 'http://registry.example/a',
    text,
    etag: '"1"',
    lastModified: 'then',
  })

  test('responses, also absences, are stored compressed and replaced', async () => {
    await using cache = await open()
    const text = '{"name":"ä"}'.repeat(1_000)
    assert.equal(await cache.find('a'), undefined)
    await cache.save('a', answer('older'))
    await cache.save('a', answer(text))
    await cache.save('b', {
      url: 'http://registry.example/b',
      text: undefined,
      etag: undefined,
      lastModified: undefined,
    })
    assert.deepEqual(await cache.find('a'), { text, etag: '"1"', lastModified: 'then', validatedAt: cache.clock.at })
    assert.deepEqual(await cache.find('b'), {
      text: undefined,
      etag: undefined,
      lastModified: undefined,
      validatedAt: cache.clock.at,
    })
    assert.ok((await findCached(cache.db, 'a'))!.size_bytes < 1_000, 'it is compressed')
  })

  test('a confirmation resets the validation time of a response', async () => {
    await using cache = await open()
    await cache.save('a', answer('text'))
    const fetchedAt = cache.clock.at
    cache.clock.at += HOUR
    await cache.confirm('a')
    assert.equal((await cache.find('a'))!.validatedAt, fetchedAt + HOUR)
    assert.equal((await findCached(cache.db, 'a'))!.fetched_at, fetchedAt)
  })

  test('reads update the time of use only every few hours', async () => {
    await using cache = await open()
    await cache.save('a', answer('text'))
    const usedAt = async () => (await findCached(cache.db, 'a'))!.used_at
    const first = await usedAt()
    cache.clock.at += HOUR
    await cache.find('a')
    assert.equal(await usedAt(), first)
    cache.clock.at += 6 * HOUR
    await cache.find('a')
    assert.equal(await usedAt(), cache.clock.at)
  })

  test('above its size limit the cache evicts the least recently used responses', async () => {
    await using cache = await open(26_000)
    // About 8 kB each, as random text hardly compresses: three fit.
    const large = () => answer(randomBytes(7_500).toString('base64'))
    for (const key of ['a', 'b', 'c']) {
      await cache.save(key, large())
      cache.clock.at += HOUR
    }
    cache.clock.at += 24 * HOUR
    assert.ok(await cache.find('a'), 'used again')
    for (const key of ['d', 'e']) {
      cache.clock.at += HOUR
      await cache.save(key, large())
      assert.ok((await sumCachedBytes(cache.db)) <= 26_000)
    }
    const left = await Promise.all(['a', 'b', 'c', 'd', 'e'].map(async (key) => Boolean(await cache.find(key))))
    assert.deepEqual(left, [true, false, false, true, true])
  })

  test('a response larger than the cache is not kept', async () => {
    await using cache = await open(5_000)
    await cache.save('a', answer(randomBytes(20_000).toString('latin1')))
    assert.equal(await cache.find('a'), undefined)
  })

  test('concurrent saves stay within the size limit', async () => {
    await using cache = await open(40_000)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => cache.save(`${n % 5}`, answer(randomBytes(3_000).toString('latin1')))),
    )
    assert.ok((await sumCachedBytes(cache.db)) <= 40_000)
  })
})
