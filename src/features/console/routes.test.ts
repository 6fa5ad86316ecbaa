import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { readConfig } from '#foundation/config.ts'
import { createBodyReader } from '#foundation/http/bodies/read-body.ts'
import { createServer, type Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { consoleRoutes } from './routes.ts'

/** Creates a server with nothing but the console; public routes touch neither storage nor access. */
async function serverOver(dir: string): Promise<Server> {
  const services = { config: readConfig({}), log: pino({ level: 'silent' }), baseUrl: 'http://127.0.0.1' }
  const server = await createServer(services as Services, createBodyReader(services.config).memory)
  await consoleRoutes(server, dir)
  return server
}

const large = Buffer.from('export const word = "gate"\n'.repeat(100))

const encodings: [accepted: string | undefined, sent: string | undefined][] = [
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip, deflate', 'gzip'],
  ['br;q=0, gzip;q=0.5', 'gzip'],
  ['*', 'gzip'],
  ['zstd', undefined],
  ['deflate', undefined],
  ['gzip;q=0, br;q=0', undefined],
  ['identity', undefined],
  ['', undefined],
  [undefined, undefined],
]

describe('the hosted console', () => {
  let dir: string
  let server: Server
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'gatehouse-console-'))
    mkdirSync(join(dir, 'assets'))
    writeFileSync(
      join(dir, 'index.html'),
      '<!doctype html><script nonce="__CSP_NONCE__" src="/console/assets/main-1.js"></script>',
    )
    writeFileSync(join(dir, 'assets', 'main-1.js'), 'export {}')
    writeFileSync(join(dir, 'assets', 'large-1.js'), large)
    writeFileSync(join(dir, 'assets', 'large-1.js.br'), brotliCompressSync(large))
    writeFileSync(join(dir, 'assets', 'large-1.js.gz'), gzipSync(large))
    writeFileSync(join(dir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    writeFileSync(join(dir, '.sources'), 'not for visitors')
    server = await serverOver(dir)
  })
  after(async () => {
    await server.close()
    rmSync(dir, { recursive: true })
  })

  for (const path of ['/', '/console']) {
    test(`console: ${path} redirects to /console/ (302)`, async () => {
      const answer = await server.inject(path)
      assert.equal(answer.statusCode, 302)
      assert.equal(answer.headers.location, '/console/')
    })
  }

  for (const path of ['/console/', '/console/orgs/1/audit-log', '/console/sign-in?from=x', '/console/.sources']) {
    test(`console: ${path} returns the page, to be revalidated`, async () => {
      const answer = await server.inject(path)
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'no-cache')
      assert.match(answer.body, /main-1\.js/)
    })
  }

  test('console page: its policy allows inline content only with a nonce that changes with each response', async () => {
    const answers = [await server.inject('/console/'), await server.inject('/console/')]
    const nonces = answers.map(({ headers, body }) => {
      const policy = String(headers['content-security-policy'])
      assert.doesNotMatch(policy, /unsafe/)
      const nonce = /style-src 'self' 'nonce-([^']+)'/.exec(policy)?.[1]
      assert.ok(nonce && body.includes(`nonce="${nonce}"`))
      return nonce
    })
    assert.notEqual(nonces[0], nonces[1])
  })

  test('console files with a digest in their name: cached as immutable; others are revalidated', async () => {
    const answer = await server.inject('/console/assets/main-1.js')
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /javascript/)
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.match(String((await server.inject('/console/icon.svg')).headers['cache-control']), /no-store|no-cache/)
  })

  for (const [accepted, sent] of encodings) {
    test(`console file for Accept-Encoding “${accepted}”: sent as ${sent ?? 'identity'}`, async () => {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
      const answer = await server.inject({ url: '/console/assets/large-1.js', headers })
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-encoding'], sent)
      assert.match(String(answer.headers['content-type']), /javascript/)
      assert.match(String(answer.headers['cache-control']), /immutable/)
      assert.match(String(answer.headers.vary), /accept-encoding/i)
      assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length)
      const unpack = sent === 'br' ? brotliDecompressSync : sent === 'gzip' ? gunzipSync : Buffer.from
      assert.deepEqual(unpack(answer.rawPayload), large)
    })
  }

  test('console file: each encoding has its own ETag; a matching If-None-Match gets 304', async () => {
    const url = '/console/assets/large-1.js'
    const tags = new Set<string>()
    for (const accepted of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': accepted }
      const { etag = '' } = (await server.inject({ url, headers })).headers
      const again = await server.inject({ url, headers: { ...headers, 'if-none-match': etag } })
      assert.deepEqual([again.statusCode, again.body], [304, ''])
      assert.match(String(again.headers.vary), /accept-encoding/i)
      tags.add(etag)
    }
    assert.equal(tags.size, 3)
    const other = { 'accept-encoding': 'br', 'if-none-match': [...tags][1] }
    assert.equal((await server.inject({ url, headers: other })).statusCode, 200)
  })

  test('console file: ignores Range and returns the whole content (200)', async () => {
    for (const accepted of ['br', 'identity']) {
      const headers = { range: 'bytes=0-9', 'accept-encoding': accepted }
      const answer = await server.inject({ url: '/console/assets/large-1.js', headers })
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-range'], undefined)
      assert.notEqual(answer.headers['accept-ranges'], 'bytes')
      assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length)
    }
  })

  test('compressed console files: have no URL of their own (404)', async () => {
    for (const name of ['large-1.js.br', 'large-1.js.gz']) {
      assert.equal((await server.inject(`/console/assets/${name}`)).statusCode, 404)
    }
  })

  for (const path of ['/console/assets/gone-1.js', '/console/assets/%2e%2e%2f.sources']) {
    test(`console: ${path} does not return the content of another file`, async () => {
      const answer = await server.inject(path)
      assert.doesNotMatch(answer.body, /not for visitors/)
      if (!path.endsWith('.js')) return
      assert.equal(answer.statusCode, 404)
      assert.equal(answer.headers['cache-control'], 'no-store')
    })
  }

  test('console routes: return 404 for paths outside the console', async () => {
    for (const path of ['/rest/console', '/orgs', '/docs/x', '/v1/x']) {
      assert.equal((await server.inject(path)).statusCode, 404)
    }
  })
})

test('console without a build: returns 503 and names the build command', async () => {
  const server = await serverOver(join(tmpdir(), 'gatehouse-no-such-console'))
  const answer = await server.inject('/console/')
  assert.equal(answer.statusCode, 503)
  assert.match(answer.body, /npm run build:console/)
  await server.close()
})
