import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { TestApp } from '#test/servers/app.ts'
import { runCommand } from '#test/servers/command-line.ts'
import { startListening } from '#test/servers/listening.ts'
import { serveHttp } from '#test/servers/local-server.ts'

describe('connections to a server', () => {
  let root: string
  let app: TestApp
  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'gatehouse-ways-'))
    app = await startListening('sqlite')
  })
  after(async () => {
    await app.close()
    rmSync(root, { recursive: true })
  })

  /** Forwards a request to the server, whatever host it names. */
  function passOn(incoming: IncomingMessage, response: ServerResponse): void {
    const { pathname, search } = new URL(incoming.url!, 'http://any.example')
    const { method, headers } = incoming
    const onward = request(new URL(`${pathname}${search}`, app.parts.services.baseUrl), { method: method!, headers })
    onward.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(response)
    })
    incoming.pipe(onward)
  }

  const whoAmI = (environment: Record<string, string>, ...args: string[]) =>
    runCommand(['whoami', ...args], { environment: { HOME: root, GATEHOUSE_KEY: app.adminKey, ...environment } })

  test('server connection: another server or a silent proxy exits with 2 and names the setting', async () => {
    await using pages = await serveHttp((_incoming, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end('<!doctype html>')
    })
    for (const command of ['whoami', 'projects']) {
      const environment = { HOME: root, GATEHOUSE_KEY: app.adminKey, GATEHOUSE_URL: pages.url }
      const result = await runCommand([command], { environment })
      assert.equal(result.code, 2)
      assert.match(result.errors, /^http:\S+ answers with a web page, .* Set GATEHOUSE_URL .*\n$/)
    }
    for (const answer of ['{"data":', '', 'null', '{"message":"ok"}', '{"data":5}']) {
      await using other = await serveHttp((_incoming, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
      })
      for (const command of ['whoami', 'projects']) {
        const environment = { HOME: root, GATEHOUSE_KEY: app.adminKey, GATEHOUSE_URL: other.url }
        const { code, errors } = await runCommand([command], { environment })
        assert.match(
          `${code} ${errors}`,
          /^2 http:\S+ does not answer as a Gatehouse server\. Check GATEHOUSE_URL[^\n]*\n$/,
        )
      }
    }
    const closed = { HTTP_PROXY: 'http://127.0.0.1:1', GATEHOUSE_URL: 'http://gatehouse.example' }
    const result = await whoAmI(closed, '--insecure-http')
    assert.match(result.errors, /No answer from http:\/\/gatehouse\.example .* Check HTTP_PROXY too/)
  })

  test('server connection: uses HTTP_PROXY except for loopback and hosts of NO_PROXY', async () => {
    const requests: string[] = []
    const proxy = await serveHttp((incoming, response) => {
      requests.push(incoming.url!)
      passOn(incoming, response)
    })
    try {
      const through = { HTTP_PROXY: proxy.url, GATEHOUSE_URL: 'http://gatehouse.example' }
      const result = await whoAmI(through, '--insecure-http')
      assert.deepEqual([result.code, /on http:\/\/gatehouse\.example/.test(result.output)], [0, true], result.errors)
      assert.ok(requests.every((url) => url.startsWith('http://gatehouse.example/')))
      const before = requests.length
      assert.equal((await whoAmI({ HTTP_PROXY: proxy.url, GATEHOUSE_URL: app.parts.services.baseUrl })).code, 0)
      assert.equal(requests.length, before)
      const direct = await whoAmI({ ...through, NO_PROXY: 'gatehouse.example' }, '--insecure-http')
      assert.deepEqual([direct.code, /No answer from http:\/\/gatehouse\.example/.test(direct.errors)], [2, true])
    } finally {
      await proxy[Symbol.asyncDispose]()
    }
  })

  const hasOpenSsl = spawnSync('openssl', ['version']).status === 0
  test('server connection: a private certificate authority needs NODE_EXTRA_CA_CERTS', {
    skip: !hasOpenSsl && 'openssl is not installed',
  }, async () => {
    const [key, certificate] = [join(root, 'key.pem'), join(root, 'certificate.pem')]
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2']
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', ...subject]
    execFileSync('openssl', [...made, '-keyout', key, '-out', certificate], { stdio: 'ignore' })
    const server = createServer({ key: readFileSync(key), cert: readFileSync(certificate) }, passOn)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      const refused = await whoAmI({ GATEHOUSE_URL: url })
      assert.equal(refused.code, 2)
      assert.match(refused.errors, /is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\. .* set NODE_EXTRA_CA_CERTS/)
      const trusted = await whoAmI({ GATEHOUSE_URL: url, NODE_EXTRA_CA_CERTS: certificate })
      assert.equal(trusted.code, 0, trusted.errors)
    } finally {
      server.close()
      server.closeAllConnections()
    }
  })

  test('server connection: HTTPS to an HTTP server exits with 2 and says so', async () => {
    const url = app.parts.services.baseUrl.replace('http:', 'https:')
    const { code, errors } = await whoAmI({ GATEHOUSE_URL: url })
    assert.deepEqual([code, /begins with https or http/.test(errors)], [2, true], errors)
  })
})
