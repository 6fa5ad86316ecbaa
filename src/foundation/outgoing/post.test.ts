import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { serveHttp, serveTcp } from '#test/servers/local-server.ts'
import { failsWith, loopbackClient } from '#test/servers/loopback-client.ts'
import { createOutgoing } from './outgoing.ts'
import { OutgoingRefused } from './outgoing-errors.ts'

const content = Buffer.from('{"a":"ä"}')
const options = { headers: { 'content-type': 'application/json' }, content, keptBytes: 10, timeoutMs: 60_000 }

async function read(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

test('post: content is sent unchanged, and the beginning of the response is returned', async () => {
  const seen: unknown[] = []
  await using server = await serveHttp(async (request, response) => {
    const { 'content-type': type, 'content-length': length } = request.headers
    seen.push([request.method, request.url, type, length, await read(request)])
    response.writeHead(202).end('0123456789abcdef')
  })
  await using outgoing = loopbackClient()
  const answer = await outgoing.post(`${server.url}/hook?a=b`, options)
  assert.deepEqual(seen, [['POST', '/hook?a=b', 'application/json', '10', '{"a":"ä"}']])
  assert.equal(answer.status, 202)
  assert.equal(answer.beginning.toString(), '0123456789')
})

test('post: a redirect is returned as the response and not followed', async () => {
  const requests: (string | undefined)[] = []
  await using server = await serveHttp((request, response) => {
    requests.push(request.url)
    response.writeHead(request.url === '/307' ? 307 : 302, { location: '/elsewhere' }).end()
  })
  await using outgoing = loopbackClient()
  assert.equal((await outgoing.post(`${server.url}/302`, options)).status, 302)
  assert.equal((await outgoing.post(`${server.url}/307`, options)).status, 307)
  assert.deepEqual(requests, ['/302', '/307'])
})

test('post: never repeated after a 503 or a lost connection', async () => {
  let posts = 0
  await using busy = await serveHttp((_request, response) => {
    posts++
    response.writeHead(503, { 'retry-after': '0' }).end()
  })
  await using outgoing = loopbackClient({ attempts: 3, backOffMs: 1 })
  assert.equal((await outgoing.post(busy.url, options)).status, 503)
  assert.equal(posts, 1)
  let connections = 0
  await using broken = await serveTcp((socket) => {
    connections++
    socket.once('data', () => socket.destroy())
  })
  await assert.rejects(outgoing.post(broken.url, options), failsWith('connection-lost'))
  assert.equal(connections, 1)
})

test('post: once a status arrived it is returned, even if the body fails', async () => {
  const bodies: [why: string, rest: string, next: 'end' | 'wait'][] = [
    ['endless', `Transfer-Encoding: chunked\r\n\r\n${'a\r\n0123456789\r\n'.repeat(9)}`, 'wait'],
    ['stalled', 'Content-Length: 9\r\n\r\nword', 'wait'],
    ['cut', 'Content-Length: 9\r\n\r\nword', 'end'],
    ['declared to be huge', `Content-Length: 99999999999\r\n\r\n${'x'.repeat(100)}`, 'wait'],
    ['a coding that was not asked for', 'Content-Encoding: gzip\r\nContent-Length: 4\r\n\r\nword', 'end'],
  ]
  for (const [why, rest, next] of bodies) {
    await using server = await serveTcp((socket) => {
      socket.once('data', () => {
        socket.write(`HTTP/1.1 200 OK\r\n${rest}`)
        if (next === 'end') socket.end()
      })
    })
    await using outgoing = loopbackClient({ bodyIdleTimeoutMs: 300 })
    const answer = await outgoing.post(server.url, options)
    assert.equal(answer.status, 200, why)
    assert.ok(answer.beginning.length <= 10, why)
  }
})

test('post: a server without a response times out', async () => {
  await using server = await serveTcp(() => {})
  await using outgoing = loopbackClient()
  await assert.rejects(outgoing.post(server.url, { ...options, timeoutMs: 200 }), failsWith('timeout'))
})

test('post: forbidden URLs are refused without a request', async () => {
  let reached = 0
  await using server = await serveHttp((_request, response) => {
    reached++
    response.end()
  })
  const outgoing = createOutgoing({ allow: [] }, async () => [{ address: '127.0.0.1', family: 4 }])
  for (const [url, reason] of [
    [server.url, 'address'],
    [`http://hooks.example:${server.port}/`, 'address'],
    ['http://8.8.8.8:25/', 'port'],
    ['ftp://hooks.example/', 'scheme'],
    ['http://user:word@hooks.example/', 'credentials'],
    ['not a url', 'url'],
  ] as const) {
    await assert.rejects(
      async () => outgoing.post(url, options),
      (error) => error instanceof OutgoingRefused && error.reason === reason,
      url,
    )
  }
  await outgoing.close()
  assert.equal(reached, 0)
})
