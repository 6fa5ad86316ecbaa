import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serveHttp } from '#test/servers/local-server.ts'
import { failsWith, loopbackClient } from '#test/servers/loopback-client.ts'
import { createOutgoing } from './outgoing.ts'
import { OutgoingRefused } from './outgoing-errors.ts'

const options = { headers: { 'x-test': 'a' }, maxBytes: 100, timeoutMs: 60_000 }

test('send: method, headers and content arrive; the whole response is returned', async () => {
  const seen: unknown[] = []
  await using server = await serveHttp(async (request, response) => {
    const chunks = await Array.fromAsync(request)
    const { 'content-length': length, 'x-test': header } = request.headers
    seen.push([request.method, request.url, header, length, Buffer.concat(chunks).toString()])
    response.writeHead(404).end('an answer')
  })
  await using outgoing = loopbackClient()
  const put = await outgoing.send('PUT', `${server.url}/a?b=c`, { ...options, content: Buffer.from('content') })
  assert.deepEqual([put.status, put.bytes.toString()], [404, 'an answer'])
  await outgoing.send('DELETE', `${server.url}/a`, options)
  await outgoing.send('GET', `${server.url}/a`, options)
  assert.deepEqual(seen, [
    ['PUT', '/a?b=c', 'a', '7', 'content'],
    ['DELETE', '/a', 'a', undefined, ''],
    ['GET', '/a', 'a', undefined, ''],
  ])
})

test('send: a redirect is returned as the response for every method', async () => {
  const requests: string[] = []
  await using server = await serveHttp((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.writeHead(307, { location: '/elsewhere' }).end()
  })
  await using outgoing = loopbackClient()
  for (const method of ['GET', 'PUT', 'DELETE'] as const)
    assert.equal((await outgoing.send(method, `${server.url}/`, options)).status, 307)
  assert.deepEqual(requests, ['GET /', 'PUT /', 'DELETE /'])
})

test('send: retried with its content after temporary failures, up to the limit', async () => {
  const contents: string[] = []
  await using server = await serveHttp(async (request, response) => {
    contents.push(Buffer.concat(await Array.fromAsync(request)).toString())
    if (contents.length === 1) request.socket.destroy()
    else response.writeHead(contents.length === 2 ? 503 : 200, { 'retry-after': '0' }).end()
  })
  await using outgoing = loopbackClient({ attempts: 3 })
  const { status } = await outgoing.send('PUT', server.url, { ...options, content: Buffer.from('x') })
  assert.deepEqual([status, contents], [200, ['x', 'x', 'x']])
})

test('send: a response above the size limit fails, and a private address is refused', async () => {
  await using server = await serveHttp((_request, response) => {
    response.end('x'.repeat(101))
  })
  await using outgoing = loopbackClient()
  await assert.rejects(outgoing.send('GET', server.url, options), failsWith('too-large'))
  const strict = createOutgoing({ allow: [] })
  await assert.rejects(async () => strict.send('PUT', server.url, options), OutgoingRefused)
  await strict.close()
})
