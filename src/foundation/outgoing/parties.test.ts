import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDnsServer } from '#test/servers/dns-server.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import { createOutgoing } from './outgoing.ts'
import { createResolve } from './resolve.ts'

const LIMITS = { backOffMs: 1, attempts: 1, requestsPerParty: 6, postsPerParty: 3 }

test('unanswered names: one organization has few lookups at a time, and others are served', async () => {
  await using server = await serveHttp((_request, response) => response.end('ok'))
  await using dns = await startDnsServer((name) => (name === 'good.example' ? '127.0.0.1' : 'silence'))
  const resolve = createResolve({ servers: [dns.address], timeoutMs: 60_000, hostsFile: '/no', resolverFile: '/no' })
  const outgoing = createOutgoing({ allow: ['127.0.0.1'], limits: LIMITS }, resolve)
  const leave = new AbortController()
  const [party, signal] = ['one', leave.signal]
  const flood = Array.from({ length: 20 }, (_, n) => [
    outgoing.get(`http://get-${n}.silent.example/`, { party, signal }),
    outgoing.post(`http://post-${n}.silent.example/`, { ...toPost(party), signal }),
  ])
  const ended = Promise.allSettled(flood.flat())
  const good = server.url.replace('127.0.0.1', 'good.example')
  assert.equal((await outgoing.get(good, { party: 'two' })).bytes.toString(), 'ok')
  assert.equal((await outgoing.post(good, toPost('two'))).status, 200)
  const names = new Set(dns.asked.filter((name) => name.endsWith('silent.example')))
  while (names.size < 9) {
    await new Promise((done) => setTimeout(done, 5))
    for (const name of dns.asked) if (name.endsWith('silent.example')) names.add(name)
  }
  const count = (kind: string) => [...names].filter((name) => name.startsWith(kind)).length
  assert.deepEqual([count('get'), count('post')], [6, 3])
  leave.abort()
  dns.release()
  await ended
  await outgoing.close()
})

function toPost(party: string) {
  return { headers: {}, content: Buffer.from('{}'), keptBytes: 100, timeoutMs: 60_000, party }
}
