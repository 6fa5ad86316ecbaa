import assert from 'node:assert/strict'
import { request } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { filesBody } from '#test/manifests/test-bodies.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { startListening } from '#test/servers/listening.ts'
import { type LocalServer, serveHttp } from '#test/servers/local-server.ts'
import { ALLOWING_LOOPBACK, addWebhook, until } from '#test/servers/webhooks.ts'

/** A request that waits for a silent server: name, path and body. */
type Waiting = readonly [name: string, path: string, body?: object]

onAnyEngine('clients that disconnect', (engine) => {
  let app: TestApp
  let silent: LocalServer
  let requestCount = 0
  let open = 0
  before(async () => {
    silent = await serveHttp((_request, response) => {
      requestCount++
      open++
      response.once('close', () => open--)
    })
    app = await startListening(engine, {
      ...ALLOWING_LOOPBACK,
      GATEHOUSE_NPM_REGISTRY: silent.url,
      GATEHOUSE_MAVEN_REPOSITORIES: silent.url,
      GATEHOUSE_TEST_WORKERS: '1',
    })
  })
  after(async () => {
    await app.close()
    await silent[Symbol.asyncDispose]()
  })

  /** Disconnects as soon as the silent server has a request. */
  async function callAndLeave(path: string, body?: object): Promise<void> {
    const [before, abandoned] = [requestCount, countAbandoned()]
    const type = path.startsWith('/v1') ? 'application/json' : 'application/vnd.api+json'
    const call = request(`${app.parts.services.baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `token ${app.adminKey}`, ...(body !== undefined && { 'content-type': type }) },
    })
    call.on('error', () => {})
    call.on('response', (response) => assert.fail(`answered ${response.statusCode}`))
    call.end(body === undefined ? undefined : JSON.stringify(body))
    await until('the silent server is asked', () => requestCount > before)
    call.destroy()
    // Proves that the registry's time limit did not end it.
    await until('the request is abandoned', () => countAbandoned() > abandoned)
  }

  function countAbandoned(): number {
    return app.log().split('the client closed the connection before the answer').length - 1
  }

  const waiting: readonly Waiting[] = [
    ['a test of files', '/v1/test/npm', filesBody(JSON.stringify({ dependencies: { a: '*' } }))],
    ['a test of a package', '/v1/test/npm/b/1.0.0'],
    ['a test in another repository', `/v1/test/maven/g/a/1?repository=`],
    ['a list of vulnerabilities', '/v1/vuln/npm/c@1.0.0'],
  ]
  for (const [name, path, body] of waiting) {
    test(`client disconnects during ${name}: the test and its registry requests end`, async () => {
      await callAndLeave(path.endsWith('=') ? `${path}${encodeURIComponent(`${silent.url}/m`)}` : path, body)
      await until('the test is abandoned', () => app.parts.tests.open === 0)
      await until('the registry is left', () => open === 0)
    })
  }

  test('client disconnects during a test of a webhook: the delivery ends', async () => {
    const { path } = await addWebhook(app, { url: `${silent.url}/hook` })
    await callAndLeave(`${path}/test?version=2024-10-15`, {})
    await until('the receiver is left', () => open === 0)
  })

  describe('shared registry requests', () => {
    test('client disconnects from a shared registry request: the other client’s test continues', async () => {
      const files = filesBody(JSON.stringify({ dependencies: { shared: '*' } }))
      const staying = new AbortController()
      const stays = fetch(`${app.parts.services.baseUrl}/v1/test/npm`, {
        method: 'POST',
        headers: { authorization: `token ${app.adminKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(files),
        signal: staying.signal,
      }).catch(() => {})
      await until('the registry is asked', () => open > 0)
      const before = requestCount
      const leaving = new AbortController()
      const leaves = fetch(`${app.parts.services.baseUrl}/v1/test/npm`, {
        method: 'POST',
        headers: { authorization: `token ${app.adminKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(files),
        signal: leaving.signal,
      }).catch(() => {})
      await until('both are begun', () => app.parts.tests.open === 2)
      leaving.abort()
      await leaves
      await until('one is abandoned', () => app.parts.tests.open === 1)
      assert.deepEqual([requestCount, open], [before, 1])
      staying.abort()
      await stays
      await until('the registry is left', () => open === 0)
    })
  })
})
