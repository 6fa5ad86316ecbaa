import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CompactJWSHeaderParameters, JWTVerifyGetKey } from 'jose'
import { type ClientKey, newKey } from '#test/access/client-keys.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import { loopbackClient } from '#test/servers/loopback-client.ts'
import { clientKeys } from './client-keys.ts'

const MINUTE = 60_000

/** A place where keys are published, with a clock of the test's. */
async function publisher(first: readonly ClientKey[]) {
  let keys: readonly ClientKey[] | undefined = first
  let asked = 0
  let now = Date.UTC(2026, 0, 1)
  const server = await serveHttp((_request, response) => {
    asked++
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
    timesAsked: () => asked,
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

test('keys are asked for again after some minutes', async () => {
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

test('newer keys are asked for when they are needed, but not again and again', async () => {
  const [first, second] = [await newKey('ES256'), await newKey('ES256')]
  await using place = await publisher([first])
  await place.keys.current()
  place.publish([first, second])
  assert.equal(await place.keys.newer(), undefined)
  place.wait(11_000)
  assert.ok(await has(await place.keys.newer(), second))
  assert.equal(await place.keys.newer(), undefined)
  assert.equal(place.timesAsked(), 2)
})

test('many who need the keys at once ask once', async () => {
  const key = await newKey('ES256')
  await using place = await publisher([key])
  const sets = await Promise.all([1, 2, 3, 4].map(() => place.keys.current()))
  for (const set of sets) assert.ok(await has(set, key))
  assert.equal(place.timesAsked(), 1)
})

test('while they cannot be had, the keys known are used for an hour', async () => {
  const key = await newKey('ES256')
  await using place = await publisher([key])
  await place.keys.current()
  place.publish(undefined)
  place.wait(30 * MINUTE)
  assert.ok(await has(await place.keys.current(), key))
  place.wait(31 * MINUTE)
  await assert.rejects(place.keys.current(), { code: 'unavailable' })
})
