import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const TOKEN = 'a-token-for-measurements'

onAnyEngine('access to /metrics', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_METRICS_TOKEN: TOKEN })
  })
  after(() => app.close())

  const ask = (remoteAddress: string, headers: Record<string, string> = {}) =>
    app.server.inject({ url: '/metrics', remoteAddress, headers })

  const cases: [who: string, status: number, address: string, headers?: Record<string, string>][] = [
    ['this machine', 200, '127.0.0.1'],
    ['this machine by IPv6', 200, '::1'],
    ['this machine, as an IPv4 address in IPv6', 200, '::ffff:127.0.0.1'],
    ['another address', 403, '203.0.113.9'],
    ['another address with the token', 200, '203.0.113.9', { authorization: `Bearer ${TOKEN}` }],
    ['another address with a wrong token', 403, '203.0.113.9', { authorization: 'Bearer wrong' }],
    ['a client of a proxy on this machine', 403, '127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }],
    ['a client of such a proxy that claims 127.0.0.1', 403, '127.0.0.1', { forwarded: 'for=127.0.0.1' }],
    ...[
      'via',
      'x-real-ip',
      'x-client-ip',
      'x-forwarded-host',
      'x-forwarded-proto',
      'cf-connecting-ip',
      'true-client-ip',
    ].map((name): [string, number, string, Record<string, string>] => [
      `a client of such a proxy that sends only ${name}`,
      403,
      '127.0.0.1',
      { [name]: '1.1 localhost' },
    ]),
  ]
  for (const [who, status, address, headers] of cases) {
    test(`/metrics for ${who}: ${status}`, async () => {
      const answer = await ask(address, headers)
      assert.equal(answer.statusCode, status, answer.body)
      if (status === 403) assert.match(answer.json().message, /GATEHOUSE_METRICS_ALLOW/)
    })
  }

  test('/metrics behind a proxy: only a trusted proxy that forwards the address reveals who asks', async (t) => {
    const trusting = await startApp(engine, { GATEHOUSE_TRUST_PROXY: '127.0.0.1/32' })
    t.after(() => trusting.close())
    const statusOf = async (remoteAddress: string, headers: Record<string, string>) =>
      (await trusting.server.inject({ url: '/metrics', remoteAddress, headers })).statusCode
    assert.equal(await statusOf('127.0.0.1', { 'x-forwarded-for': '127.0.0.1', via: '1.1 proxy' }), 200)
    assert.equal(await statusOf('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' }), 403)
    assert.equal(await statusOf('127.0.0.1', { 'x-real-ip': '203.0.113.9' }), 403)
    assert.equal(await statusOf('::1', { 'x-forwarded-for': '127.0.0.1' }), 403)
  })

  test('unknown methods and paths share one label set', async () => {
    for (const method of ['PURGE', 'LOCK', 'MKCOL', 'POST'] as const) {
      for (const n of [1, 2, 3]) await app.server.inject({ method: method as 'POST', url: `/nothing/${method}/${n}` })
    }
    const { registry } = app.parts.metrics
    const text = await registry.metrics()
    const lines = text.split('\n').filter((line) => line.startsWith('gatehouse_http_') && line.includes('route="none"'))
    assert.ok(lines.length > 0)
    assert.ok(lines.every((line) => line.includes('method="any"')))
    const buckets = lines.filter((line) => line.includes('_bucket'))
    assert.equal(buckets.length, 8)
  })
})
