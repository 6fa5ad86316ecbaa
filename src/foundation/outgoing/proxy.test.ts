import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { serveHttp } from '#test/servers/local-server.ts'
import { failsWith, loopbackClient } from '#test/servers/loopback-client.ts'
import { createOutgoing } from './outgoing.ts'
import { OutgoingFailed } from './outgoing-errors.ts'

const LIMITS = { attempts: 1 }

/** A proxy that tunnels everything to `targetPort` and records the requests. */
async function serveProxy(targetPort: number, status = 200) {
  const requests: string[] = []
  const server = createHttpServer((request, response) => {
    requests.push(`${request.method} ${request.url} ${request.headers['proxy-authorization'] ?? ''}`)
    response.writeHead(status).end('through the proxy')
  })
  server.on('connect', (request, socket) => {
    requests.push(`CONNECT ${request.url} ${request.headers['proxy-authorization'] ?? ''}`)
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`)
      return
    }
    const target = connect(targetPort, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      target.pipe(socket).pipe(target)
    })
    socket.on('error', () => target.destroy())
    target.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    asked: requests,
    port,
    [Symbol.asyncDispose]: async () => {
      server.close().closeAllConnections()
    },
  }
}

const unresolvable = async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }))
const resolveTo = (address: string) => async () => [{ address, family: 4 }]

test('proxy: forwards http URLs; it may be private and resolve names that this server cannot', async () => {
  await using proxy = await serveProxy(0)
  const httpProxy = `http://us%65r:hunter2@127.0.0.1:${proxy.port}`
  const outgoing = createOutgoing({ allow: [], httpProxy, limits: LIMITS }, unresolvable)
  const answer = await outgoing.get('http://registry.example/left-pad?a=b')
  assert.equal(answer.bytes.toString(), 'through the proxy')
  const basic = Buffer.from('user:hunter2').toString('base64')
  assert.deepEqual(proxy.asked, [`GET http://registry.example/left-pad?a=b Basic ${basic}`])
  await outgoing.close()
})

test('proxy: forbidden URLs are not requested from it', async () => {
  await using proxy = await serveProxy(0)
  const httpProxy = `http://127.0.0.1:${proxy.port}`
  const cases: [url: string, address: string, reason: string][] = [
    ['http://10.0.0.1/', '8.8.8.8', 'address'],
    ['http://0x7f.1/', '8.8.8.8', 'address'],
    ['http://inside.example/', '10.0.0.1', 'address'],
    ['http://outside.example:22/', '8.8.8.8', 'port'],
  ]
  for (const [url, address, reason] of cases) {
    const outgoing = createOutgoing({ allow: [], httpProxy, limits: LIMITS }, resolveTo(address))
    await assert.rejects(outgoing.get(url), { reason }, url)
    await assert.rejects(outgoing.get(url), { reason }, `${url} again`)
    await outgoing.close()
  }
  const outgoing = createOutgoing({ allow: [], httpProxy, limits: LIMITS }, unresolvable)
  await assert.rejects(outgoing.get('http://unknown.example:22/'), { reason: 'port' })
  await outgoing.close()
  assert.deepEqual(proxy.asked, [])
})

test('proxy: hosts in NO_PROXY are dialed directly, under the rules for direct connections', async () => {
  await using proxy = await serveProxy(0)
  await using server = await serveHttp((_request, response) => response.end('directly'))
  const httpProxy = `http://127.0.0.1:${proxy.port}`
  await using outgoing = loopbackClient({}, { httpProxy, noProxy: '127.0.0.0/8' })
  assert.equal((await outgoing.get(server.url)).bytes.toString(), 'directly')
  await using strict = loopbackClient({}, { httpProxy, noProxy: '127.0.0.0/8', allow: [] })
  await assert.rejects(strict.get(server.url), { reason: 'address' })
  assert.deepEqual(proxy.asked, [])
})

test('proxy: a refusing or missing proxy fails without showing credentials', async () => {
  await using refusing = await serveProxy(0, 407)
  const gone = await serveProxy(0)
  await gone[Symbol.asyncDispose]()
  const cases: [why: string, url: string, port: number, code: string][] = [
    ['refused tunnel', 'https://registry.example/', refusing.port, 'proxy'],
    ['refused forwarding', 'http://registry.example/', refusing.port, 'proxy'],
    ['gone, tunnel', 'https://registry.example/', gone.port, 'connect'],
    ['gone, forwarding', 'http://registry.example/', gone.port, 'connect'],
  ]
  for (const [why, url, port, code] of cases) {
    const proxy = `http://user:hunter2@127.0.0.1:${port}`
    const outgoing = createOutgoing({ allow: [], httpProxy: proxy, httpsProxy: proxy, limits: LIMITS }, unresolvable)
    await assert.rejects(outgoing.get(url), (error) => {
      assert.ok(error instanceof OutgoingFailed, `${why}: ${error}`)
      assert.equal(error.code, code, `${why}: ${error.cause}`)
      const basic = Buffer.from('user:hunter2').toString('base64')
      const shown = [error.message, error.stack, String(error.cause), (error.cause as Error).stack].join()
      assert.ok(!shown.includes('hunter2') && !shown.includes(basic), why)
      return true
    })
    await outgoing.close()
  }
})

test('https: certificates are checked, directly and through a tunnel', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  context.after(() => rmSync(folder, { recursive: true }))
  const [keyFile, certificateFile] = [join(folder, 'key'), join(folder, 'certificate')]
  const subject = ['-subj', '/CN=registry.example', '-addext', 'subjectAltName=DNS:registry.example']
  const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1']
  try {
    execFileSync('openssl', [...kind, ...subject, '-keyout', keyFile, '-out', certificateFile], { stdio: 'ignore' })
  } catch {
    return context.skip('needs openssl')
  }
  const certificate = readFileSync(certificateFile, 'utf8')
  const server = createHttpsServer({ key: readFileSync(keyFile), cert: certificate }, (_request, response) =>
    response.end('secretly'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close().closeAllConnections())
  const { port } = server.address() as AddressInfo
  await using proxy = await serveProxy(port)
  const allow = ['registry.example', 'other.example']
  const base = { allow, limits: LIMITS }
  const tunnel = { httpsProxy: `http://127.0.0.1:${proxy.port}` }

  for (const settings of [base, { ...base, ...tunnel }]) {
    const trusting = createOutgoing({ ...settings, extraCertificates: certificate }, resolveTo('127.0.0.1'))
    assert.equal((await trusting.get(`https://registry.example:${port}/`)).bytes.toString(), 'secretly')
    await assert.rejects(trusting.get(`https://other.example:${port}/`), failsWith('tls'))
    await trusting.close()
    const wary = createOutgoing(settings, resolveTo('127.0.0.1'))
    await assert.rejects(wary.get(`https://registry.example:${port}/`), failsWith('tls'))
    await wary.close()
  }
  assert.equal(proxy.asked[0], `CONNECT registry.example:${port} `)
})
