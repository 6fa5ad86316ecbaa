import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  authorizationPath,
  authorize,
  type Client,
  codeFor,
  granted,
  inForm,
  pkce,
  refused,
  sendForm,
} from '#test/access/oauth.ts'
import { holdRules } from '#test/access/rules.ts'
import type { TestApp } from '#test/servers/app.ts'

/** Returns the error of an authorization request that the app is told. */
async function errorOf(app: TestApp, client: Client, parameters: Record<string, string>): Promise<string | null> {
  const request = { response_type: 'code', client_id: client.clientId, redirect_uri: client.redirectUri }
  const answer = await app.server.inject({ url: authorizationPath({ ...request, ...parameters }) })
  return new URL(String(answer.headers.location), 'https://here.example').searchParams.get('error')
}

/** Exchanges a code whose challenge belongs to `verifier`. */
async function exchange(app: TestApp, client: Client, verifier: string, sent = verifier) {
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const parameters = { code_challenge, code_challenge_method: 'S256' }
  const { form } = await codeFor(app, client, { parameters })
  return sendForm(app, 'token', { ...form, code_verifier: sent })
}

holdRules('RFC 7636', [
  [
    '§4.1',
    'MUST',
    'verifiers have 43 to 128 unreserved characters',
    async ({ app, native }) => {
      for (const verifier of ['a'.repeat(43), 'Z9-._~'.repeat(22).slice(0, 128)])
        granted(await exchange(app, native, verifier))
      for (const verifier of ['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}+`]) {
        const answer = await exchange(app, native, verifier)
        assert.equal(answer.statusCode, 400, verifier)
      }
    },
  ],
  [
    '§4.3',
    'MUST',
    'an unsupported challenge method is refused, also plain',
    async ({ app, native }) => {
      const { code_challenge } = pkce().challenge
      for (const code_challenge_method of ['plain', 'S512', 's256']) {
        assert.equal(await errorOf(app, native, { code_challenge, code_challenge_method }), 'invalid_request')
      }
      // Without a method, `plain` would be meant.
      assert.equal(await errorOf(app, native, { code_challenge }), 'invalid_request')
    },
  ],
  [
    '§4.4.1',
    'MUST',
    'a public app without a challenge gets invalid_request',
    async ({ app, native }) => assert.equal(await errorOf(app, native, {}), 'invalid_request'),
  ],
  [
    '§4.4',
    'MUST',
    'the challenge stays with its code',
    async ({ app, native }) => {
      const [first, second] = [await codeFor(app, native), await codeFor(app, native)]
      const mixed = { ...first.form, code_verifier: second.form['code_verifier']! }
      refused(await sendForm(app, 'token', mixed), 400, 'invalid_grant')
      granted(await sendForm(app, 'token', first.form))
    },
  ],
  [
    '§4.4',
    'MUST NOT',
    'the challenge can be read from the redirect to the app',
    async ({ app, native }) => {
      const { challenge } = pkce()
      const answered = await authorize(app, native, { parameters: challenge })
      assert.ok(!answered.href.includes(challenge.code_challenge))
    },
  ],
  [
    '§4.6',
    'MUST',
    'a wrong verifier gets invalid_grant',
    async ({ app, native, client }) => {
      for (const one of [native, client]) {
        refused(await exchange(app, one, 'a'.repeat(43), 'b'.repeat(43)), 400, 'invalid_grant')
      }
    },
  ],
  [
    '§4.6',
    'MUST',
    'a code with a challenge needs its verifier, also from an app with a secret',
    async ({ app, native, client }) => {
      for (const one of [native, client]) refused(await exchange(app, one, 'a'.repeat(43), ''), 400, 'invalid_grant')
    },
  ],
  [
    '§4.2',
    'MUST',
    'S256 is supported and announced in the metadata',
    async ({ app, native }) => {
      granted(await sendForm(app, 'token', (await codeFor(app, native)).form))
      const metadata = await app.server.inject({ url: '/.well-known/oauth-authorization-server' })
      assert.deepEqual(metadata.json().code_challenge_methods_supported, ['S256'])
    },
  ],
  [
    '§5',
    'MAY',
    'an app with a secret may leave out PKCE',
    async ({ app, client }) => {
      const answered = await authorize(app, client, { parameters: { redirect_uri: client.redirectUri } })
      const code = answered.searchParams.get('code')!
      const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, ...inForm(client) }
      granted(await sendForm(app, 'token', form))
    },
  ],
])
