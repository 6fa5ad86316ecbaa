import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { assertRefusal } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const LIMIT = 5
const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'] as const
const exempt = ['/healthz', '/readyz', '/metrics', '/', '/console/', '/docs', '/docs/limits', '/docs/openapi.json']

onAnyEngine('rate limit', (engine) => {
  describe('the default configuration', () => {
    let app: TestApp
    before(async () => {
      app = await startApp(engine)
    })
    after(() => app.close())

    test('without a configured limit, 50 requests succeed without rate-limit headers', async () => {
      for (let count = 0; count < 50; count++) {
        const answer = await app.call('GET', '/rest/self')
        assert.equal(answer.statusCode, 200)
        for (const name of names) assert.equal(answer.headers[name], undefined)
      }
    })
  })

  describe(`a limit of ${LIMIT} per minute`, () => {
    let app: TestApp
    let key: string
    let lastAddress = 0
    let address: string
    before(async () => {
      app = await startApp(engine, {
        GATEHOUSE_RATE_LIMIT_PER_MINUTE: String(LIMIT),
        GATEHOUSE_TRUST_PROXY: '127.0.0.1/32',
      })
    })
    after(() => app.close())
    beforeEach(async () => {
      key = await app.keyWith(['org.read'])
      address = `192.0.2.${++lastAddress}`
    })

    /** Sends requests from this test's own address by default. */
    const get = (path: string, options: { key?: string | null; from?: string } = {}) =>
      app.call('GET', path, { key, ...options, headers: { 'x-forwarded-for': options.from ?? address } })

    async function exhaust(path: string, options: Parameters<typeof get>[1] = {}) {
      for (let count = 0; count < LIMIT; count++) {
        const answer = await get(path, options)
        assert.notEqual(answer.statusCode, 429, answer.body)
        assert.equal(answer.headers['ratelimit-remaining'], String(LIMIT - 1 - count))
      }
    }

    test('rate limit: counts down in integers, then answers 429 with Retry-After', async () => {
      const first = await get('/rest/self')
      assert.equal(first.headers['ratelimit-limit'], String(LIMIT))
      assert.equal(first.headers['ratelimit-remaining'], String(LIMIT - 1))
      assert.match(String(first.headers['ratelimit-reset']), /^([1-9]|[1-5]\d|60)$/)
      assert.equal(first.headers['retry-after'], undefined)
      for (let count = 1; count < LIMIT; count++) assert.equal((await get('/rest/self')).statusCode, 200)
      const refused = await get('/rest/self')
      assert.equal(refused.statusCode, 429)
      assert.equal(refused.headers['ratelimit-limit'], String(LIMIT))
      assert.equal(refused.headers['ratelimit-remaining'], '0')
      assert.match(String(refused.headers['ratelimit-reset']), /^([1-9]|[1-5]\d|60)$/)
      assert.equal(refused.headers['retry-after'], refused.headers['ratelimit-reset'])
    })

    test('rate limit: 429 has the API style of each interface', async () => {
      await exhaust('/v1/user/me')
      const rest = await get('/rest/self')
      assertRefusal(rest, { status: 429, code: 'rate-limited' })
      assert.equal(rest.headers['content-type'], 'application/vnd.api+json')
      const v1 = await get('/v1/user/me')
      assertRefusal(v1, { status: 429, code: 'rate-limited' })
      assert.match(String(v1.headers['content-type']), /^application\/json/)
    })

    test('rate limit: applies to each credential separately, from any address', async () => {
      await exhaust('/rest/self')
      assert.equal((await get('/rest/self', { from: '198.51.100.1' })).statusCode, 429)
      assert.equal((await get('/rest/self', { key: await app.keyWith(['org.read']) })).statusCode, 200)
    })

    test('rate limit: refused requests of a credential count', async () => {
      await exhaust('/rest/self?version=never')
      assert.equal((await get('/rest/self')).statusCode, 429)
    })

    const unknown: [what: string, path: string, key: () => string | null, status: number][] = [
      ['public operations', '/rest/openapi', () => null, 200],
      ['requests without a credential', '/rest/self', () => null, 401],
      ['guesses of keys', '/v1/user/me', () => randomUUID(), 401],
      ['paths that do not exist', '/v1/nothing', () => null, 404],
      ['paths outside of the interfaces', '/nothing', () => null, 404],
    ]
    for (const [what, path, guess, status] of unknown) {
      test(`rate limit: ${what} count for the address`, async () => {
        const ask = (from: string) =>
          app.server.inject({ url: path, headers: { 'x-forwarded-for': from, ...authorization(guess()) } })
        for (let count = 0; count < LIMIT; count++) {
          const answer = await ask(address)
          assert.equal(answer.statusCode, status, answer.body)
          assert.equal(answer.headers['ratelimit-remaining'], String(LIMIT - 1 - count))
        }
        assertRefusal(await ask(address), { status: 429, code: 'rate-limited' })
        assert.equal((await ask('198.51.100.2')).statusCode !== 429, true)
      })
    }

    test('rate limit: addresses of one IPv6 /64 network share a limit', async () => {
      await exhaust('/rest/self', { key: null, from: '2001:db8::1' })
      assert.equal((await get('/rest/self', { key: null, from: '2001:db8::2:1' })).statusCode, 429)
      assert.equal((await get('/rest/self', { key: null, from: '2001:db8:0:1::1' })).statusCode, 401)
    })

    test("rate limit: a lower limit than a route's own is counted separately", async () => {
      const report = () =>
        app.call('POST', '/rest/exposed_credentials', {
          key,
          headers: { 'x-forwarded-for': address },
          body: { data: { type: 'exposure_report', attributes: { credentials: ['x'] } } },
        })
      for (let count = 0; count < LIMIT; count++) assert.equal((await report()).statusCode, 200)
      assertRefusal(await report(), { status: 429, code: 'rate-limited' })
      assert.equal((await get('/rest/self', { key: null })).statusCode, 401)
      assert.equal((await get('/rest/self')).statusCode, 200)
    })

    test('rate limit: an exhausted address does not block valid credentials from it', async () => {
      await exhaust('/rest/self', { key: null })
      assert.equal((await get('/rest/self', { key: randomUUID() })).statusCode, 429)
      assert.equal((await get('/rest/self')).statusCode, 200)
    })

    test('rate limit: health checks, metrics and pages are exempt', async () => {
      await exhaust('/rest/self', { key: null })
      for (const path of exempt) {
        const answer = await get(path, { key: null })
        assert.notEqual(answer.statusCode, 429, path)
        assert.equal(answer.headers['ratelimit-limit'], undefined, path)
      }
    })
  })
})

function authorization(key: string | null): { authorization?: string } {
  return key === null ? {} : { authorization: `token ${key}` }
}
