import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

const document: { paths: Record<string, object> } = JSON.parse(
  readFileSync(new URL('../openapi.json', import.meta.url), 'utf8'),
)
/** All operations, the longest paths first: the first routes get series of their own. */
const operations = Object.entries(document.paths)
  .toSorted(([one], [other]) => other.length - one.length)
  .flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({ method: method.toUpperCase() as InjectOptions['method'], path })),
  )

const statuses = [200, 202, 400, 404, 409, 503]
const MOST_BYTES = 250_000

onAnyEngine('the size of /metrics', (engine) => {
  let app: TestApp
  before(async () => {
    const unlimited = { GATEHOUSE_RATE_LIMIT_PER_MINUTE: '0', GATEHOUSE_FAILED_SECRETS_PER_MINUTE: '0' }
    app = await startApp(engine, unlimited, (server) => {
      // Answers what the test wants to see counted.
      server.addHook('preValidation', async ({ headers }, reply) => {
        const status = headers['x-answer']
        if (status !== undefined) return reply.code(Number(status)).send()
      })
    })
  })
  after(() => app.close())

  const fill = (path: string) =>
    path
      .replace(/\{(org_id|orgId)\}/, app.orgId)
      .replace(/\{(group_id|groupId)\}/, app.groupId)
      .replace(/\{\w+\}/g, () => randomUUID())
  const measure = () => app.parts.metrics.registry.metrics()
  const linesOf = (text: string, ...parts: string[]) =>
    text.split('\n').filter((line) => parts.every((part) => line.includes(part)) && !line.startsWith('#'))
  const sum = (lines: readonly string[]) =>
    lines.reduce((total, line) => total + Number(line.slice(line.lastIndexOf(' '))), 0)

  test('metrics: refused requests create no series', async () => {
    for (const { method, path } of operations) await app.call(method, fill(path), { key: randomUUID() })
    const lines = linesOf(await measure(), 'gatehouse_http_requests_total{', 'status="401"')
    assert.deepEqual(
      lines.map((line) => line.slice(0, line.indexOf('}') + 1)),
      ['gatehouse_http_requests_total{method="any",route="other",status="401"}'],
    )
  })

  test('metrics: limited in size after every status of every operation, with correct counts', async (t) => {
    assert.ok(operations.length > 200)
    const before = await measure()
    const counted: Record<number, number> = {}
    for (const { method, path } of operations) {
      for (const status of statuses) {
        const answer = await app.call(method, fill(path), { headers: { 'x-answer': String(status) } })
        counted[answer.statusCode] = (counted[answer.statusCode] ?? 0) + 1
      }
    }
    for (const status of statuses) assert.ok(counted[status]! > 200, `${status}: ${counted[status]}`)
    const text = await measure()
    t.diagnostic(`${Buffer.byteLength(text)} bytes, ${text.split('\n').length} lines`)
    assert.ok(Buffer.byteLength(text) < MOST_BYTES, `${Buffer.byteLength(text)} bytes`)

    const gained = (...parts: string[]) => sum(linesOf(text, ...parts)) - sum(linesOf(before, ...parts))
    const all = operations.length * statuses.length
    assert.equal(gained('gatehouse_http_requests_total{'), all)
    assert.equal(gained('gatehouse_http_request_duration_seconds_count{'), all)
    assert.equal(gained('gatehouse_http_request_duration_seconds_bucket{le="+Inf"'), all)
    for (const [status, count] of Object.entries(counted)) {
      assert.equal(gained('gatehouse_http_requests_total{', `status="${status}"`), count, status)
    }
    assert.ok(gained('gatehouse_http_requests_total{', 'route="other"') > 0)
  })

  test('metrics: every route with its own series is counted as often as it is timed', async () => {
    const text = await measure()
    const timed = linesOf(text, 'gatehouse_http_request_duration_seconds_count{')
    assert.ok(timed.length > 20)
    for (const line of timed) {
      const labels = /method="\w+",route="[^"]*"/.exec(line)![0]
      assert.equal(sum(linesOf(text, 'gatehouse_http_requests_total{', `${labels},`)), sum([line]), labels)
    }
  })

  test('metrics: refused from another address without the token, allowed from this machine', async () => {
    const { statusCode, body } = await app.server.inject({ url: '/metrics', remoteAddress: '203.0.113.9' })
    assert.equal(statusCode, 403)
    assert.ok(body.length < 1000)
    const answer = await app.server.inject({ url: '/metrics' })
    assert.equal(answer.statusCode, 200)
    assert.ok(answer.body.length < MOST_BYTES)
  })
})
