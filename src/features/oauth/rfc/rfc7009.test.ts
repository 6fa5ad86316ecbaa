import assert from 'node:assert/strict'
import { basic, granted, inForm, isAccepted, refresh, refused, sendForm, tokensFor } from '#test/access/oauth.ts'
import { holdRules } from '#test/access/rules.ts'

holdRules('RFC 7009', [
  [
    '§2',
    'MUST',
    'refresh tokens can be revoked',
    async ({ app, client }) => {
      const { refresh_token } = await tokensFor(app, client)
      assert.equal((await sendForm(app, 'revoke', { token: refresh_token, ...inForm(client) })).statusCode, 200)
      refused(await refresh(app, client, refresh_token), 400, 'invalid_grant')
    },
  ],
  [
    '§2',
    'SHOULD',
    'access tokens can be revoked',
    async ({ app, client }) => {
      const { access_token } = await tokensFor(app, client)
      await sendForm(app, 'revoke', { token: access_token, ...inForm(client) })
      assert.equal(await isAccepted(app, access_token), false)
    },
  ],
  [
    '§2.1',
    'MUST',
    'the client authenticates first',
    async ({ app, client }) => {
      const { access_token: token } = await tokensFor(app, client)
      refused(await sendForm(app, 'revoke', { token }), 401, 'invalid_client')
      refused(
        await sendForm(app, 'revoke', { token, ...inForm({ ...client, secret: 'wrong' }) }),
        401,
        'invalid_client',
      )
      assert.ok(await isAccepted(app, token))
    },
  ],
  [
    '§2.1',
    'MUST',
    'the token of another client is not revoked, and the answer says so',
    async ({ app, client, installed }) => {
      const { access_token, refresh_token } = await tokensFor(app, client)
      for (const token of [access_token, refresh_token]) {
        refused(await sendForm(app, 'revoke', { token, ...inForm(installed) }), 400, 'invalid_grant')
      }
      assert.ok(await isAccepted(app, access_token))
      granted(await refresh(app, client, refresh_token))
    },
  ],
  [
    '§2.1',
    'MUST',
    'a token is invalid once its revocation is answered',
    async ({ app, native }) => {
      const { access_token: token } = await tokensFor(app, native)
      assert.equal((await sendForm(app, 'revoke', { token, client_id: native.clientId })).statusCode, 200)
      assert.equal(await isAccepted(app, token), false)
    },
  ],
  [
    '§2.1',
    'SHOULD',
    'the revocation of a refresh token ends the access tokens of its session',
    async ({ app, client }) => {
      const { access_token, refresh_token } = await tokensFor(app, client)
      const next = granted(await refresh(app, client, refresh_token))
      await sendForm(app, 'revoke', { token: next.refresh_token, ...inForm(client) })
      for (const token of [access_token, next.access_token]) assert.equal(await isAccepted(app, token), false)
    },
  ],
  [
    '§2.1',
    'MUST',
    'a token is found even if the hint is wrong or unknown',
    async ({ app, client }) => {
      for (const token_type_hint of ['refresh_token', 'saml', 'access_token']) {
        const { access_token: token } = await tokensFor(app, client)
        await sendForm(app, 'revoke', { token, token_type_hint, ...inForm(client) })
        assert.equal(await isAccepted(app, token), false)
      }
    },
  ],
  [
    '§2.1',
    'MUST',
    'a request without a token is refused',
    async ({ app, client }) => refused(await sendForm(app, 'revoke', inForm(client)), 400, 'invalid_request'),
  ],
  [
    '§2.2',
    'MUST',
    'an unknown or already revoked token gets the answer of a revocation',
    async ({ app, client }) => {
      const { access_token } = await tokensFor(app, client)
      for (const token of ['none', 'a.b.c', access_token, access_token]) {
        const answer = await sendForm(app, 'revoke', { token }, basic(client.clientId, client.secret!))
        assert.deepEqual([answer.statusCode, answer.body], [200, ''])
      }
    },
  ],
])
