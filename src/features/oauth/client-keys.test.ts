import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompactJWSHeaderParameters, JWTVerifyGetKey } from 'jose'
import { type ClientKey, newKey } from '#test/access/client-keys.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import { loopbackClient } from '#test/servers/loopback-client.ts'
import { clientKeys } from './client-keys.ts'

const MINUTE = 60_000

/** Serves a client's key set, with a clock that the test controls. */
async function publisher(first: readonly ClientKey[]) {
  let keys: readonly ClientKey[] | undefined = first
  let requestCount = 0
  let now = Date.UTC(2026, 0, 1)
  const server = await serveHttp((_request, response) => {
    requestCount++
    if (!keys) return void response.destroy()
    response.end(JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) }))
  })
  const outgoing = loopbackClient()
  return {
    keys: clientKeys({ outgoing, now: () => now }, `${server.url}/jwks`),
    publish: (others: readonly ClientKey[] | undefined) => {
      keys = others
    },
    wait: (ms: number) => {
      now += ms
    },
    timesAsked: () => requestCount,
    async [Symbol.asyncDispose]() {
      await outgoing[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
}

async function has(set: JWTVerifyGetKey | undefined, key: ClientKey): Promise<boolean> {
  const header = { alg: key.alg, kid: key.kid } as CompactJWSHeaderParameters
  try {
    await set!(header, { payload: '', signature: '' })
    return true
  } catch {
    return false
  }
}

test('client keys: still cached after four minutes, fetched again after six', async () => {
  const [first, second] = [await newKey('ES256'), await newKey('ES256')]
  await using place = await publisher([first])
  assert.ok(await has(await place.keys.current(), first))
  place.publish([second])
  place.wait(4 * MINUTE)
  assert.ok(await has(await place.keys.current(), first))
  assert.equal(place.timesAsked(), 1)
  place.wait(2 * MINUTE)
  assert.ok(!(await has(await place.keys.current(), first)))
  assert.ok(await has(await place.keys.current(), second))
})

test('client keys: refreshed when a newer key is needed, at most once in ten seconds', async () => {
  const [first, second] = [await newKey('ES256'), await newKey('ES256')]
  await using place = await publisher([first])
  await place.keys.current()
  place.publish([first, second])
  assert.ok(await has(await place.keys.newer(), second))
  place.wait(9000)
  assert.equal(await place.keys.newer(), undefined)
  assert.equal(place.timesAsked(), 2)
  place.wait(2000)
  assert.ok(await has(await place.keys.newer(), second))
  assert.equal(place.timesAsked(), 3)
})

test('client keys: concurrent requests fetch them once', async () => {
  const key = await newKey('ES256')
  await using place = await publisher([key])
  const sets = await Promise.all([1, 2, 3, 4].map(() => place.keys.current()))
  for (const set of sets) assert.ok(await has(set, key))
  assert.equal(place.timesAsked(), 1)
})

test('client keys that cannot be fetched: cached ones are used for an hour', async () => {
  const key = await newKey('ES256')
  await using place = await publisher([key])
  await place.keys.current()
  place.publish(undefined)
  place.wait(30 * MINUTE)
  assert.ok(await has(await place.keys.current(), key))
  place.wait(31 * MINUTE)
  await assert.rejects(place.keys.current(), { code: 'unavailable' })
})
