import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { inOrg, install } from '#test/access/apps.ts'
import { basic, claimsOf, granted, sendForm } from '#test/access/oauth.ts'
import { holdRules } from '#test/access/rules.ts'
import type { TestApp } from '#test/servers/app.ts'

const unattended = { grant_type: 'client_credentials' }

async function tokenOf(app: TestApp, client: { clientId: string; secret: string }): Promise<string> {
  return granted(await sendForm(app, 'token', unattended, basic(client.clientId, client.secret))).access_token
}

const read = (app: TestApp, headers: Record<string, string>, query: Record<string, string> = {}) =>
  app.call('GET', `/rest/orgs/${app.orgId}`, { key: null, headers, query })

const challengeOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['www-authenticate'])

holdRules('RFC 6750', [
  [
    '§2.1',
    'MUST',
    'tokens are accepted from the Authorization header, whatever the case of the scheme',
    async ({ app, installed }) => {
      const token = await tokenOf(app, installed)
      for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
        assert.equal((await read(app, { authorization: `${scheme} ${token}` })).statusCode, 200)
      }
    },
  ],
  [
    '§2.2',
    'MUST NOT',
    'tokens are accepted from a body',
    async ({ app, installed }) => {
      const payload = new URLSearchParams({ access_token: await tokenOf(app, installed) }).toString()
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const url = `/rest/orgs/${app.orgId}?version=2024-10-15`
      const answer = await app.server.inject({ method: 'PATCH', url, headers, payload })
      assert.notEqual(answer.statusCode, 200)
    },
  ],
  [
    '§2.3',
    'SHOULD NOT',
    'tokens are accepted from a URL',
    async ({ app, installed }) =>
      assert.equal((await read(app, {}, { access_token: await tokenOf(app, installed) })).statusCode, 401),
  ],
  [
    '§3',
    'MUST',
    'a refusal of a request without a token names the scheme',
    async ({ app }) => {
      const answer = await read(app, {})
      assert.equal(answer.statusCode, 401)
      assert.match(challengeOf(answer), /^Bearer realm="/)
    },
  ],
  [
    '§3.1',
    'SHOULD NOT',
    'a request without a token gets a token error',
    async ({ app }) => assert.doesNotMatch(challengeOf(await read(app, {})), /error=/),
  ],
  [
    '§3.1',
    'SHOULD',
    'an expired, revoked or malformed token gets 401 invalid_token',
    async ({ app, installed }) => {
      const token = await tokenOf(app, installed)
      const isInvalid = async (shown: string) => {
        const answer = await read(app, { authorization: `Bearer ${shown}` })
        assert.equal(answer.statusCode, 401)
        assert.match(challengeOf(answer), /error="invalid_token"/)
      }
      await isInvalid('none')
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_601_000 })
      try {
        await isInvalid(token)
      } finally {
        mock.timers.reset()
      }
      assert.equal((await read(app, { authorization: `Bearer ${token}` })).statusCode, 200)
      await sendForm(app, 'revoke', { token }, basic(installed.clientId, installed.secret))
      await isInvalid(token)
    },
  ],
  [
    '§3.1',
    'SHOULD',
    'a token without the scope gets 403 insufficient_scope, with the required scope',
    async ({ app, installed }) => {
      const authorization = `Bearer ${await tokenOf(app, installed)}`
      const answer = await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, {
        key: null,
        headers: { authorization },
      })
      assert.equal(answer.statusCode, 403)
      assert.match(challengeOf(answer), /error="insufficient_scope", scope="org.audit.read"/)
    },
  ],
  [
    '§5.2',
    'MUST',
    'an altered token is refused',
    async ({ app, installed }) => {
      const token = await tokenOf(app, installed)
      const [header, , signature] = token.split('.')
      const claims = Buffer.from(JSON.stringify({ ...claimsOf(token), scope: 'org.edit' })).toString('base64url')
      for (const changed of [`${header}.${claims}.${signature}`, `${header}.${claims}.`, token.slice(0, -2)]) {
        assert.equal((await read(app, { authorization: `Bearer ${changed}` })).statusCode, 401)
      }
    },
  ],
  [
    '§5.2',
    'MUST',
    'tokens live for a limited time and name their audience',
    async ({ app, baseUrl }) => {
      const { exp, iat, aud } = claimsOf(await tokenOf(app, await install(app, inOrg.path(app))))
      assert.equal(Number(exp) - Number(iat), 3600)
      assert.deepEqual(aud, [baseUrl])
    },
  ],
  [
    '§5.3',
    'SHOULD',
    'tokens live for an hour or less, unless the owner of the app wants otherwise',
    async ({ app, installed }) => {
      const answer = await sendForm(app, 'token', unattended, basic(installed.clientId, installed.secret))
      assert.ok(granted(answer).expires_in <= 3600)
    },
  ],
])
