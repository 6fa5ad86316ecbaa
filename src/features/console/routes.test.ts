import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '#foundation/config.ts'
import { createServer, type Server } from '#foundation/http/server.ts'
import type { Services } from '#foundation/services.ts'
import { consoleRoutes } from './routes.ts'

/** A server with nothing but the console; public routes touch neither storage nor access. */
async function serverOver(dir: string): Promise<Server> {
  const services = { config: readConfig({}), log: pino({ level: 'silent' }), baseUrl: 'http://127.0.0.1' }
  const server = await createServer(services as Services)
  await consoleRoutes(server, dir)
  return server
}

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
    writeFileSync(join(dir, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
    writeFileSync(join(dir, '.sources'), 'not for visitors')
    server = await serverOver(dir)
  })
  after(async () => {
    await server.close()
    rmSync(dir, { recursive: true })
  })

  for (const path of ['/', '/console']) {
    test(`${path} leads to /console/`, async () => {
      const answer = await server.inject(path)
      assert.equal(answer.statusCode, 302)
      assert.equal(answer.headers.location, '/console/')
    })
  }

  for (const path of ['/console/', '/console/orgs/1/audit-log', '/console/sign-in?from=x', '/console/.sources']) {
    test(`${path} answers the page`, async () => {
      const answer = await server.inject(path)
      assert.equal(answer.statusCode, 200)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'no-cache')
      assert.match(answer.body, /main-1\.js/)
    })
  }

  test('the page allows nothing inline but what carries a nonce that no other answer has', async () => {
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

  test('files with a digest in their name may be kept for ever', async () => {
    const answer = await server.inject('/console/assets/main-1.js')
    assert.equal(answer.statusCode, 200)
    assert.match(String(answer.headers['content-type']), /javascript/)
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.match(String((await server.inject('/console/icon.svg')).headers['cache-control']), /no-store|no-cache/)
  })

  for (const path of ['/console/assets/gone-1.js', '/console/assets/%2e%2e%2f.sources']) {
    test(`${path} is not the content of another file`, async () => {
      const answer = await server.inject(path)
      assert.doesNotMatch(answer.body, /not for visitors/)
      if (!path.endsWith('.js')) return
      assert.equal(answer.statusCode, 404)
      assert.equal(answer.headers['cache-control'], 'no-store')
    })
  }

  test('does not answer for the interface', async () => {
    for (const path of ['/rest/console', '/orgs', '/docs/x', '/v1/x']) {
      assert.equal((await server.inject(path)).statusCode, 404)
    }
  })
})

test('without a build the page says how to build it', async () => {
  const server = await serverOver(join(tmpdir(), 'gatehouse-no-such-console'))
  const answer = await server.inject('/console/')
  assert.equal(answer.statusCode, 503)
  assert.match(answer.body, /npm run build:console/)
  await server.close()
})
