import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { test } from 'node:test'
import { gitReader, readAll } from '#test/repositories/git-reader.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'

/** A loopback proxy that maps every name to one port and requires a password. */
async function serveProxy(port: number, login: string) {
  const seen: string[] = []
  const expected = `Basic ${Buffer.from(login).toString('base64')}`
  const isKnown = (headers: Record<string, unknown>) => headers['proxy-authorization'] === expected
  const server = createServer((request, response) => {
    seen.push(`${request.headers['user-agent']?.split('/')[0]} ${request.method} ${request.url}`)
    if (!isKnown(request.headers)) {
      response.writeHead(407, { 'proxy-authenticate': 'Basic realm="proxy"' }).end()
      return
    }
    const { pathname, search } = new URL(request.url!)
    const { method, headers } = request
    const onward = httpRequest({ host: '127.0.0.1', port, path: pathname + search, method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    request.pipe(onward)
  })
  server.on('connect', (request, socket) => {
    seen.push(`CONNECT ${request.url}`)
    if (!isKnown(request.headers)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const onward = connect(port, '127.0.0.1')
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
    socket.pipe(onward).pipe(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    seen,
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

test("git proxy: git uses the configured proxy and sends the proxy's password only to it", async () => {
  using repository = bareRepository()
  repository.commit([{ path: 'pom.xml', content: 'x' }])
  await using server = await serveGit(repository.path, { login: 'user:for-the-server' })
  await using proxy = await serveProxy(server.port, 'us%er:for the proxy')
  const httpProxy = `http://us%25er:for%20the%20proxy@127.0.0.1:${proxy.port}`
  await using reader = gitReader({ outgoing: { allow: ['git.example'], httpProxy } })
  const credentials = { username: 'user', password: 'for-the-server' }
  const { source } = await reader.open({ url: 'http://git.example/repository.git', credentials })
  assert.deepEqual(await readAll(source), { 'pom.xml': 'x' })
  assert.ok(
    proxy.seen.some((line) => line.startsWith('git POST http://git.example/repository.git')),
    proxy.seen.join('\n'),
  )
  assert.deepEqual(new Set(server.requests.map(({ login }) => login)), new Set([undefined, 'user:for-the-server']))
})

test('git proxy: NO_PROXY hosts are dialed directly; forbidden hosts are not requested from the proxy', async () => {
  using repository = bareRepository()
  repository.commit([{ path: 'pom.xml', content: 'x' }])
  await using server = await serveGit(repository.path)
  await using proxy = await serveProxy(server.port, 'a:b')
  const httpProxy = `http://127.0.0.1:${proxy.port}`
  const outgoing = { allow: ['127.0.0.1'], httpProxy, noProxy: '127.0.0.1' }
  await using direct = gitReader({ outgoing })
  const { source } = await direct.open({ url: `${server.url}/repository.git`, credentials: undefined })
  assert.deepEqual(await readAll(source), { 'pom.xml': 'x' })
  await using behind = gitReader({ outgoing: { allow: [], httpProxy } })
  await assert.rejects(behind.find({ url: `${server.url}/repository.git`, credentials: undefined }), {
    code: 'repository-unreadable',
    message: /not public: loopback/,
  })
  assert.deepEqual(proxy.seen, [])
})

test('git proxy: refused proxy credentials fail as unreachable', async () => {
  await using proxy = await serveProxy(1, 'a:b')
  const httpProxy = `http://a:wrong@127.0.0.1:${proxy.port}`
  await using reader = gitReader({ outgoing: { allow: ['git.example'], httpProxy } })
  await assert.rejects(reader.find({ url: 'http://git.example/x.git', credentials: undefined }), {
    code: 'repository-unreachable',
  })
})
