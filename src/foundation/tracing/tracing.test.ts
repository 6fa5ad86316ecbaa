import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { startServer } from '#test/servers/server-process.ts'
import { storagePlaces } from '#test/servers/storage-places.ts'

interface Span {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: number } }[]
}

interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] }
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[]
  }[]
}

const KEY = '2d0c41e2-91f4-4d57-8a8b-0f6b8a6c2f10'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'

describe('traces', () => {
  const batches: Batch[] = []
  const collector = createServer(async (request, response) => {
    const chunks = await request.toArray()
    assert.equal(request.url, '/v1/traces')
    batches.push(JSON.parse(Buffer.concat(chunks).toString()) as Batch)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  before(async () => {
    collector.listen(0, '127.0.0.1')
    await once(collector, 'listening')
  })
  after(() => collector.close())

  test("exported spans of requests, tests and jobs continue the caller's trace without paths and keys", async () => {
    await using places = storagePlaces()
    const { environment } = await places.make('sqlite')
    const endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const server = await startServer({
      ...environment,
      GATEHOUSE_ADMIN_API_KEY: KEY,
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=here',
    })
    const headers = { authorization: `token ${KEY}`, traceparent: `00-${TRACE}-00f067aa0ba902b7-01` }
    const target = '{"name":"shop","lockfileVersion":3,"packages":{"":{"name":"shop"}}}'
    const tested = await fetch(`${server.baseUrl}/v1/test/npm`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ files: { target: { contents: target } } }),
    })
    assert.equal(tested.status, 200, await tested.text())
    assert.equal((await fetch(`${server.baseUrl}/v1/none/${KEY}`, { headers })).status, 404)
    assert.equal(await server.end('SIGTERM'), 0)

    const [resource] = batches.flatMap(({ resourceSpans }) =>
      resourceSpans.map((resourceSpan) => resourceSpan.resource.attributes),
    )
    const facts = Object.fromEntries(resource!.map(({ key, value }) => [key, value.stringValue]))
    assert.deepEqual([facts['service.name'], facts['deployment.environment.name']], ['gatehouse', 'here'])
    const spans = batches.flatMap(({ resourceSpans }) =>
      resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scopeSpan) => scopeSpan.spans)),
    )
    const request = spans.find(({ name }) => name === 'POST /v1/test/npm')!
    assert.deepEqual([request.traceId, request.parentSpanId], [TRACE, '00f067aa0ba902b7'])
    const status = request.attributes.find(({ key }) => key === 'http.response.status_code')
    assert.equal(status?.value.intValue, 200)
    const inside = spans.find(({ name }) => name === 'package test')!
    assert.deepEqual([inside.traceId, inside.parentSpanId], [TRACE, request.spanId])
    assert.ok(spans.some(({ name }) => name.startsWith('job ')))
    assert.ok(spans.some(({ name }) => name === 'GET none'))
    assert.ok(!JSON.stringify(batches).includes(KEY))
  })
})
