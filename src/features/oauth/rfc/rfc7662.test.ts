import assert from 'node:assert/strict'
import { mock } from 'node:test'
import {
  addClient,
  basic,
  claimsOf,
  granted,
  inForm,
  refresh,
  refused,
  sendForm,
  tokensFor,
} from '#test/access/oauth.ts'
import { holdRules, type RuleContext } from '#test/access/rules.ts'

const ask = ({ app, client }: RuleContext, token: string, more: Record<string, string> = {}) =>
  sendForm(app, 'introspect', { token, ...more }, basic(client.clientId, client.secret!))

async function isInactive(context: RuleContext, token: string): Promise<void> {
  const answer = await ask(context, token)
  assert.deepEqual([answer.statusCode, answer.json()], [200, { active: false }])
}

holdRules('RFC 7662', [
  [
    '§2.1',
    'MUST',
    'the introspecting client authenticates',
    async (context) => {
      const { app, client, native } = context
      const { access_token: token } = await tokensFor(app, client)
      refused(await sendForm(app, 'introspect', { token }), 401, 'invalid_client')
      refused(await sendForm(app, 'introspect', { token, client_id: native.clientId }), 401, 'invalid_client')
      const wrong = basic(client.clientId, 'wrong')
      const answer = await sendForm(app, 'introspect', { token }, wrong)
      refused(answer, 401, 'invalid_client')
      assert.match(String(answer.headers['www-authenticate']), /^Basic /)
    },
  ],
  [
    '§2.1',
    'MUST',
    'a request without a token is refused',
    async ({ app, client }) => refused(await sendForm(app, 'introspect', inForm(client)), 400, 'invalid_request'),
  ],
  [
    '§2.1',
    'MUST',
    'a token is found even if the hint is wrong',
    async (context) => {
      const { access_token, refresh_token } = await tokensFor(context.app, context.client)
      for (const [token, token_type_hint] of [
        [access_token, 'refresh_token'],
        [refresh_token, 'access_token'],
        [access_token, 'else'],
      ] as const) {
        assert.equal((await ask(context, token, { token_type_hint })).json().active, true)
      }
    },
  ],
  [
    '§2.2',
    'MUST',
    'the answer says whether the token is active',
    async (context) => {
      const { access_token } = await tokensFor(context.app, context.client)
      const answer = (await ask(context, access_token)).json()
      assert.equal(answer.active, true)
      const { iss, sub, aud, exp, iat, jti, scope, client_id } = claimsOf(access_token)
      const { iss: i, sub: s, aud: a, exp: e, iat: t, jti: j, scope: c, client_id: d } = answer
      assert.deepEqual([i, s, a, e, t, j, c, d], [iss, sub, aud, exp, iat, jti, scope, client_id])
    },
  ],
  [
    '§2.2',
    'SHOULD NOT',
    'an inactive token gets more than "active: false"',
    async (context) => {
      const { access_token, refresh_token } = await tokensFor(context.app, context.client)
      await sendForm(context.app, 'revoke', { token: refresh_token, ...inForm(context.client) })
      for (const token of ['none', 'a.b.c', access_token, refresh_token]) await isInactive(context, token)
    },
  ],
  [
    '§2.2',
    'MUST',
    'a token that the client may not know of looks inactive',
    async (context) => {
      const { app, installed } = context
      const grant = { grant_type: 'client_credentials', ...inForm(installed) }
      const token = granted(await sendForm(app, 'token', grant)).access_token
      assert.equal((await sendForm(app, 'introspect', { token, ...inForm(installed) })).json().active, true)
      const orgId = await app.addOrg({ groupId: await app.addGroup() })
      const { client_id, client_secret } = (
        await app.call('POST', `/rest/orgs/${orgId}/apps/creations`, {
          key: await app.keyWith(['org.read', 'org.app.create'], { orgId }),
          body: {
            data: {
              type: 'app',
              attributes: { name: 'x', redirect_uris: ['https://x.example/'], scopes: ['org.read'] },
            },
          },
        })
      ).json().data.attributes
      const answer = await sendForm(app, 'introspect', { token, client_id, client_secret })
      assert.deepEqual(answer.json(), { active: false })
    },
  ],
  [
    '§4',
    'MUST',
    'an expired token is inactive',
    async (context) => {
      const { access_token, refresh_token } = await tokensFor(context.app, context.client)
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_601_000 })
      try {
        await isInactive(context, access_token)
        assert.equal((await ask(context, refresh_token)).json().active, true)
      } finally {
        mock.timers.reset()
      }
    },
  ],
  [
    '§4',
    'MUST',
    'a revoked token and a used refresh token are inactive',
    async (context) => {
      const { app, client } = context
      const { access_token, refresh_token } = await tokensFor(app, client)
      await sendForm(app, 'revoke', { token: access_token, ...inForm(client) })
      await isInactive(context, access_token)
      granted(await refresh(app, client, refresh_token))
      await isInactive(context, refresh_token)
    },
  ],
  [
    '§4',
    'MUST',
    'an altered token is inactive',
    async (context) => {
      const { access_token } = await tokensFor(context.app, context.client)
      const [header, , signature] = access_token.split('.')
      const claims = Buffer.from(JSON.stringify({ ...claimsOf(access_token), scope: 'org.edit' })).toString('base64url')
      await isInactive(context, `${header}.${claims}.${signature}`)
    },
  ],
  [
    '§4',
    'MUST',
    'a token ends with the app that it was issued to',
    async (context) => {
      const { app } = context
      const gone = await addClient(app)
      const { access_token, refresh_token } = await tokensFor(app, gone)
      assert.equal((await ask(context, access_token)).json().active, true)
      await app.call('DELETE', `/rest/orgs/${app.orgId}/apps/creations/${gone.appId}`)
      for (const token of [access_token, refresh_token]) await isInactive(context, token)
    },
  ],
])
