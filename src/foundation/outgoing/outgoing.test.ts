import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { version } from '#foundation/product.ts'
import { serveHttp, serveTcp } from '#test/servers/local-server.ts'
import { failsWith, loopbackClient } from '#test/servers/loopback-client.ts'
import { createOutgoing } from './outgoing.ts'
import { OutgoingFailed, OutgoingRefused } from './outgoing-errors.ts'
import type { OutgoingLimits } from './settings.ts'

const QUICK: Partial<OutgoingLimits> = { backOffMs: 1, attempts: 1 }

test('a response has status, headers, bytes and its URL', async () => {
  const seen: IncomingMessage['headers'][] = []
  await using server = await serveHttp((request, response) => {
    seen.push(request.headers)
    response.writeHead(404, { 'X-Odd': 'yes', 'Set-Cookie': ['a=1', 'b=2'] }).end(`you asked ${request.url}`)
  })
  await using outgoing = loopbackClient()
  const answer = await outgoing.get(`${server.url}/a?b=c#d`, { accept: 'application/json', headers: { 'X-Mine': '1' } })
  assert.equal(answer.status, 404)
  assert.equal(answer.headers['x-odd'], 'yes')
  assert.equal(answer.headers['set-cookie'], 'a=1, b=2')
  assert.equal(answer.bytes.toString(), 'you asked /a?b=c')
  assert.equal(answer.url, `${server.url}/a?b=c`)
  assert.equal(seen[0]!['user-agent'], `gatehouse/${version}`)
  assert.equal(seen[0]!.accept, 'application/json')
  assert.equal(seen[0]!['x-mine'], '1')
})

test('a name is judged by its addresses, and exactly those are dialed', async () => {
  await using server = await serveHttp((_request, response) => response.end('inside'))
  const resolveTo =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  const cases: [
    why: string,
    host: string,
    addresses: string[],
    allow: string[],
    expected: 'inside' | 'address' | 'port',
  ][] = [
    ['loopback', 'a.example', ['127.0.0.1'], [], 'address'],
    ['the final dot changes nothing', 'localhost.', ['127.0.0.1'], [], 'address'],
    ['all forbidden', 'b.example', ['10.0.0.1', '::1', 'fd00::1'], [], 'address'],
    ['mapped', 'c.example', ['::ffff:127.0.0.1'], [], 'address'],
    ['link-local with a zone', 'd.example', ['fe80::1%eth0'], [], 'address'],
    ['public, but an odd port', 'e.example', ['8.8.8.8'], [], 'port'],
    ['allowed by name', 'f.example', ['127.0.0.1'], ['f.example'], 'inside'],
    ['allowed by network', 'g.example', ['127.0.0.1'], ['127.0.0.0/8'], 'inside'],
    ['only the permitted of several is dialled', 'h.example', ['10.0.0.1', '127.0.0.1'], ['127.0.0.0/8'], 'inside'],
  ]
  for (const [why, host, addresses, allow, expected] of cases) {
    const outgoing = createOutgoing({ allow, limits: QUICK }, resolveTo(...addresses))
    const answer = outgoing.get(`http://${host}:${server.port}/secret-path`)
    if (expected === 'inside') assert.equal((await answer).bytes.toString(), 'inside', why)
    else
      await assert.rejects(answer, (error) => {
        assert.ok(error instanceof OutgoingRefused, `${why}: ${error}`)
        assert.equal(error.reason, expected, why)
        for (const address of addresses) assert.ok(!error.message.includes(address), `${why} shows the address`)
        return true
      })
    await outgoing.close()
  }
})

test('a name whose address changes between two lookups is dialed only at the checked address', async () => {
  let reached = 0
  await using server = await serveHttp((_request, response) => {
    reached++
    response.setHeader('connection', 'close').end('first')
  })
  const answers = ['127.0.0.1', '127.0.0.2']
  const outgoing = createOutgoing({ allow: [`127.0.0.1:${server.port}`], limits: QUICK }, async () => [
    { address: answers.shift()!, family: 4 },
  ])
  const url = `http://rebinding.example:${server.port}/`
  assert.equal((await outgoing.get(url)).bytes.toString(), 'first')
  await assert.rejects(outgoing.get(url), OutgoingRefused)
  assert.equal(reached, 1)
  await outgoing.close()
})

test('an unresolvable name fails as "dns"', async () => {
  const notFound = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
  for (const resolve of [notFound, async () => []]) {
    const outgoing = createOutgoing({ allow: [], limits: QUICK }, resolve)
    await assert.rejects(outgoing.get('http://nowhere.example/'), failsWith('dns'))
    await outgoing.close()
  }
})

test('redirects, also relative ones, are followed, and the response has its final URL', async () => {
  await using server = await serveHttp((request, response) => {
    const status = Number(/^\/(30[12378])$/.exec(request.url!)?.[1] ?? 200)
    response.writeHead(status, status === 200 ? {} : { location: 'there?x=1' }).end('moved or not')
  })
  await using outgoing = loopbackClient()
  for (const status of [301, 302, 303, 307, 308]) {
    const answer = await outgoing.get(`${server.url}/${status}`)
    assert.equal(answer.status, 200)
    assert.equal(answer.url, `${server.url}/there?x=1`)
  }
})

test('a redirect without a location, or another 3xx status, is returned as the response', async () => {
  await using server = await serveHttp((request, response) =>
    response.writeHead(Number(request.url!.slice(1)), request.url === '/300' ? { location: '/x' } : {}).end(),
  )
  await using outgoing = loopbackClient()
  for (const status of [300, 302, 304]) assert.equal((await outgoing.get(`${server.url}/${status}`)).status, status)
})

test('a redirect to a forbidden URL is refused for the same reason as a request', async () => {
  let location = ''
  await using server = await serveHttp((_request, response) => response.writeHead(302, { location }).end())
  await using outgoing = loopbackClient({}, { allow: [`127.0.0.1:${server.port}`] })
  const cases = [
    ['http://127.0.0.2/', 'address'],
    ['http://127.0.0.1:1/', 'address'],
    ['http://localhost/', 'address'],
    ['http://169.254.169.254/latest/meta-data/', 'address'],
    ['http://[::ffff:127.0.0.1]/', 'address'],
    ['file:///etc/passwd', 'scheme'],
    ['http://user:hunter2@registry.example/', 'credentials'],
  ]
  for (const [to, reason] of cases) {
    location = to!
    await assert.rejects(
      outgoing.get(server.url),
      (error) => error instanceof OutgoingRefused && error.reason === reason,
      to,
    )
  }
})

test('a redirect loop fails after 5 redirects', async () => {
  let requests = 0
  await using server = await serveHttp((_request, response) => {
    requests++
    response.writeHead(302, { location: '/again' }).end()
  })
  await using outgoing = loopbackClient()
  await assert.rejects(outgoing.get(server.url), failsWith('too-many-redirects'))
  assert.equal(requests, 6)
})

test('credentials follow redirects within one origin and never to another', async () => {
  const seen: IncomingMessage['headers'][] = []
  const listener = (to: () => string) => (request: IncomingMessage, response: ServerResponse) => {
    seen.push(request.headers)
    const location = request.url === '/' ? '/same' : request.url === '/same' ? to() : undefined
    response.writeHead(location ? 302 : 200, location ? { location } : {}).end()
  }
  await using other = await serveHttp(listener(() => '/'))
  await using server = await serveHttp(listener(() => `${other.url}/end`))
  await using outgoing = loopbackClient()
  const headers = { Authorization: 'Bearer hunter2', Cookie: 'a=hunter2', 'PRIVATE-TOKEN': 'hunter2', Accept: 'text/x' }
  await outgoing.get(server.url, { headers })
  assert.deepEqual(
    seen.map((headers) => [headers.authorization, headers.cookie, headers['private-token'], headers.accept]),
    [
      ['Bearer hunter2', 'a=hunter2', 'hunter2', 'text/x'],
      ['Bearer hunter2', 'a=hunter2', 'hunter2', 'text/x'],
      [undefined, undefined, undefined, 'text/x'],
    ],
  )
})

test('connections are reused, also after responses without a body', async () => {
  const ports = new Set<number | undefined>()
  await using server = await serveHttp((request, response) => {
    ports.add(request.socket.remotePort)
    response.writeHead(Number(request.url!.slice(1))).end(request.url === '/200' ? 'x'.repeat(100_000) : undefined)
  })
  await using outgoing = loopbackClient()
  for (const status of [200, 304, 404, 204, 301, 304, 204, 200]) await outgoing.get(`${server.url}/${status}`)
  // Two, because a connection is free only shortly after its answer is complete.
  assert.ok(ports.size <= 2, `${ports.size} connections`)
})

test('errors contain neither credentials nor queries', async () => {
  await using server = await serveTcp((socket) => socket.once('data', () => socket.end('garbage')))
  await using outgoing = loopbackClient({ wholeTimeoutMs: 200 })
  const headers = { authorization: 'Bearer hunter2' }
  await assert.rejects(outgoing.get(`${server.url}/path?token=hunter2`, { headers }), (error) => {
    assert.ok(error instanceof OutgoingFailed)
    assert.match(error.message, /^http:\/\/127\.0\.0\.1:\d+\/path: /)
    const cause = error.cause instanceof Error ? [error.cause.message, error.cause.stack] : []
    assert.ok(!JSON.stringify([error.message, error.stack, error, ...cause]).includes('hunter2'))
    return true
  })
})

test('invalid allow-lists and NO_PROXY values are refused at startup', () => {
  assert.throws(() => createOutgoing({ allow: ['http://registry.example'] }), /neither a host name/)
  assert.throws(
    () => createOutgoing({ allow: [], httpProxy: 'http://proxy.example', noProxy: '10.0.0.0/99' }),
    /not a network/,
  )
})
