import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { createLocalJWKSet, jwtVerify } from 'jose'
import { install, installsOf } from '#test/access/apps.ts'
import { basic, granted, sendForm } from '#test/access/oauth.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'

describe('server metadata', () => {
  let app: TestApp
  before(async () => {
    app = await startApp('sqlite', { GATEHOUSE_BASE_URL: 'https://gate.example/inner' })
  })
  after(() => app.close())

  const paths = ['/.well-known/oauth-authorization-server', '/.well-known/oauth-authorization-server/inner']
  for (const path of paths) {
    test(`server metadata: served at ${path}`, async () => {
      const answer = await app.server.inject({ url: path })
      assert.equal(answer.statusCode, 200)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      assert.deepEqual(answer.json().issuer, 'https://gate.example/inner')
    })
  }

  test('OpenID Connect metadata: 404, so that clients read that of RFC 8414', async () => {
    for (const path of ['', '/inner']) {
      const answer = await app.server.inject({ url: `/.well-known/openid-configuration${path}` })
      assert.equal(answer.statusCode, 404)
    }
  })

  test('server metadata: names endpoints that exist', async () => {
    const metadata = (await app.server.inject({ url: paths[0]! })).json()
    for (const name of ['authorization', 'token', 'revocation', 'introspection']) {
      const { pathname } = new URL(metadata[`${name}_endpoint`])
      assert.match(pathname, /^\/inner\/oauth2\//)
      const method = name === 'authorization' ? 'GET' : 'POST'
      const answer = await app.server.inject({ method, url: pathname.slice('/inner'.length) })
      assert.notEqual(answer.statusCode, 404, name)
    }
    const { pathname } = new URL(metadata.service_documentation)
    assert.equal((await app.server.inject({ url: pathname.slice('/inner'.length) })).statusCode, 200)
  })

  test('server metadata: names no endpoints for registration, ID tokens, user info or logout', async () => {
    const metadata = (await app.server.inject({ url: paths[0]! })).json()
    assert.deepEqual(
      Object.keys(metadata).filter((name) => /registration|id_token|userinfo|end_session/.test(name)),
      [],
    )
    for (const path of ['/oauth2/reg', '/oauth2/session/end', '/oauth2/me', '/oauth2/request', '/oauth2/device/auth']) {
      for (const method of ['GET', 'POST'] as const) {
        assert.equal((await app.server.inject({ method, url: path })).statusCode, 404, path)
      }
    }
  })

  test('published keys: verify access tokens and have no private parts', async () => {
    const { clientId, secret } = await install(app, installsOf(app.orgId))
    const { access_token } = granted(
      await sendForm(app, 'token', { grant_type: 'client_credentials' }, basic(clientId, secret)),
    )
    const answer = await app.server.inject({ url: '/oauth2/jwks' })
    const set = answer.json()
    for (const key of set.keys)
      assert.deepEqual([key.d, key.p, key.q, key.k], [undefined, undefined, undefined, undefined])
    const { payload, protectedHeader } = await jwtVerify(access_token, createLocalJWKSet(set), {
      issuer: 'https://gate.example/inner',
      audience: 'https://gate.example/inner',
      typ: 'at+jwt',
    })
    assert.equal(payload['client_id'], clientId)
    assert.equal(protectedHeader.alg, 'ES256')
  })
})

describe('a server behind a proxy that ends TLS', () => {
  test('cookies behind a TLS proxy: secure, and addresses follow the base URL, whatever the Host header', async () => {
    const app = await startApp('sqlite', { GATEHOUSE_BASE_URL: 'https://gate.example' })
    try {
      const created = await app.call('POST', `/rest/orgs/${app.orgId}/apps/creations`, {
        body: {
          data: {
            type: 'app',
            attributes: { name: 'x', redirect_uris: ['https://app.example/'], scopes: ['org.read'] },
          },
        },
      })
      const { client_id } = created.json().data.attributes
      const answer = await app.server.inject({
        url: `/oauth2/authorize?response_type=code&client_id=${client_id}`,
        headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'http' },
      })
      assert.equal(answer.statusCode, 303, answer.body)
      assert.match(String(answer.headers.location), /^\/oauth2\/interactions\//)
      const cookies = [answer.headers['set-cookie'] ?? []].flat()
      assert.ok(cookies.length > 0)
      for (const cookie of cookies) assert.match(cookie, /; samesite=lax; secure; httponly$/)
      assert.ok(!JSON.stringify(answer.headers).includes('evil'))
    } finally {
      await app.close()
    }
  })
})
