import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { secretPattern } from '#foundation/secrets/typed-secret.ts'
import { creationsOf, newApp } from '#test/access/apps.ts'
import {
  authorizationPath,
  authorize,
  basic,
  type Client,
  codeFor,
  granted,
  inForm,
  isAccepted,
  refresh,
  refused,
  sendForm,
  tokensFor,
} from '#test/access/oauth.ts'
import { addPerson, signIn } from '#test/access/people.ts'
import { holdRules, type RuleContext } from '#test/access/rules.ts'
import { createVisitor, filledIn } from '#test/access/visitor.ts'

const unattended = { grant_type: 'client_credentials' }
const request = ({ clientId, redirectUri }: Client) => ({
  response_type: 'code',
  client_id: clientId,
  redirect_uri: redirectUri,
  state: 'a state',
})

async function ask({ app }: RuleContext, parameters: Record<string, string> | [string, string][]) {
  return app.server.inject({ url: authorizationPath(parameters) })
}

/** Returns the parameters with which the browser returns to the app. */
async function readRedirect(context: RuleContext, change: Record<string, string>): Promise<URLSearchParams> {
  const answer = await ask(context, { ...request(context.client), ...change })
  return new URL(String(answer.headers.location)).searchParams
}

holdRules('RFC 6749', [
  [
    '§2.3',
    'MUST NOT',
    'a client uses more than one way to authenticate in a request',
    async ({ app, installed: { clientId, secret } }) =>
      refused(
        await sendForm(app, 'token', { ...unattended, client_secret: secret }, basic(clientId, secret)),
        400,
        'invalid_request',
      ),
  ],
  [
    '§2.3.1',
    'MUST',
    'HTTP Basic is supported for clients with a secret',
    async ({ app, installed: { clientId, secret } }) =>
      void granted(await sendForm(app, 'token', unattended, basic(clientId, secret))),
  ],
  [
    '§2.3.1',
    'MUST NOT',
    'client credentials are accepted from the URL',
    async ({ app, installed }) => {
      const url = `/oauth2/token?${new URLSearchParams(inForm(installed))}`
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await app.server.inject({ method: 'POST', url, headers, payload: 'grant_type=client_credentials' })
      refused(answer, 401, 'invalid_client')
    },
  ],
  [
    '§2.3.1',
    'MUST',
    'secrets are protected against guessing: each has 256 random bits',
    async ({ installed, client }) => {
      for (const secret of [installed.secret, client.secret!]) {
        assert.match(secret, new RegExp(`^${secretPattern('client_secret')}$`))
      }
    },
  ],
  [
    '§3.1',
    'MUST',
    'the identity of the user is verified before anything is granted',
    async (context) => {
      const answer = await ask(context, request(context.client))
      assert.match(String(answer.headers.location), /^\/oauth2\/interactions\//)
    },
  ],
  [
    '§3.1',
    'MUST',
    'the authorization endpoint accepts GET',
    async (context) => assert.equal((await ask(context, request(context.client))).statusCode, 303),
  ],
  [
    '§3.1',
    'MUST',
    'parameters without a value count as not sent, at the authorization endpoint',
    async (context) =>
      assert.equal((await readRedirect(context, { response_type: '' })).get('error'), 'invalid_request'),
  ],
  [
    '§3.1',
    'MUST',
    'unknown parameters are ignored, at the authorization endpoint',
    async (context) =>
      assert.equal((await readRedirect(context, { utm_source: 'x', prompt: 'none' })).get('error'), 'login_required'),
  ],
  [
    '§3.1',
    'MUST NOT',
    'parameters are sent more than once, at the authorization endpoint',
    async (context) => {
      const answer = await ask(context, [
        ...Object.entries(request(context.client)),
        ['scope', 'org.read'],
        ['scope', 'x'],
      ])
      const { searchParams } = new URL(String(answer.headers.location))
      assert.equal(searchParams.get('error'), 'invalid_request')
    },
  ],
  [
    '§3.1.1',
    'MUST',
    'a request with a missing or unknown response type gets an error',
    async (context) => {
      assert.equal((await readRedirect(context, { response_type: '' })).get('error'), 'invalid_request')
      assert.equal((await readRedirect(context, { response_type: 'x' })).get('error'), 'unsupported_response_type')
    },
  ],
  [
    '§3.1.2',
    'MUST',
    'redirect URIs are absolute and have no fragment',
    async ({ app }) => {
      for (const uri of ['/callback', 'app.example/callback', 'https://app.example/callback#part']) {
        const answer = await app.call('POST', creationsOf(app.orgId), { body: newApp({ redirect_uris: [uri] }) })
        assert.equal(answer.statusCode, 400, uri)
      }
    },
  ],
  [
    '§3.1.2',
    'MUST',
    'the query of a redirect URI is kept',
    async (context) => assert.equal((await readRedirect(context, { prompt: 'none' })).get('kept'), '1'),
  ],
  [
    '§3.1.2.2',
    'MUST',
    'clients register their redirect URIs',
    async ({ app }) => {
      for (const redirect_uris of [undefined, []]) {
        const answer = await app.call('POST', creationsOf(app.orgId), { body: newApp({ redirect_uris }) })
        assert.equal(answer.statusCode, 400)
      }
    },
  ],
  [
    '§3.1.2.3',
    'MUST',
    'a redirect URI in a request is compared with the registered ones',
    async (context) => {
      const answer = await ask(context, { ...request(context.client), redirect_uri: 'https://app.example/callback' })
      assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined])
    },
  ],
  [
    '§3.1.2.4',
    'MUST NOT',
    'a user is redirected to an invalid redirect URI; a page reports the error',
    async (context) => {
      const answer = await ask(context, { ...request(context.client), redirect_uri: 'https://evil.example/' })
      assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined])
      assert.match(answer.body, /<h1>The app sent an unregistered redirect address<\/h1>/)
    },
  ],
  [
    '§3.2',
    'MUST',
    'the token endpoint accepts POST only',
    async ({ app }) => refused(await app.server.inject({ url: '/oauth2/token' }), 405, 'invalid_request'),
  ],
  [
    '§3.2',
    'MUST',
    'parameters without a value count as not sent, at the token endpoint',
    async ({ app, installed }) =>
      void granted(await sendForm(app, 'token', { ...unattended, scope: '', ...inForm(installed) })),
  ],
  [
    '§3.2',
    'MUST',
    'unknown parameters are ignored, at the token endpoint',
    async ({ app, installed }) =>
      void granted(await sendForm(app, 'token', { ...unattended, nonce: 'x', utm_source: 'y', ...inForm(installed) })),
  ],
  [
    '§3.2',
    'MUST NOT',
    'parameters are sent more than once, at the token endpoint',
    async ({ app, installed }) => {
      const form = Object.entries({ ...unattended, ...inForm(installed) })
      refused(await sendForm(app, 'token', [...form, ['client_id', installed.clientId]]), 400, 'invalid_request')
    },
  ],
  [
    '§3.2.1',
    'MUST',
    'clients with a secret authenticate at the token endpoint',
    async ({ app, client }) => {
      const { form } = await codeFor(app, client)
      refused(await sendForm(app, 'token', { ...form, client_secret: '' }), 401, 'invalid_client')
    },
  ],
  [
    '§3.3',
    'MUST',
    'a token with other scopes than the requested ones names its scopes',
    async ({ app, client }) => {
      const { scope } = await tokensFor(app, client, { parameters: { scope: 'org.read org.edit' } })
      assert.equal(scope, 'org.read')
    },
  ],
  [
    '§3.3',
    'MUST',
    'a request without scopes gets the default ones',
    async ({ app, client }) => assert.equal((await tokensFor(app, client)).scope, 'org.read org.project.read'),
  ],
  [
    '§4.1.2',
    'MUST',
    'a code expires soon after it was issued',
    async ({ app, client }) => {
      const { form } = await codeFor(app, client)
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
      try {
        refused(await sendForm(app, 'token', form), 400, 'invalid_grant')
      } finally {
        mock.timers.reset()
      }
      granted(await sendForm(app, 'token', form))
    },
  ],
  [
    '§4.1.2',
    'MUST',
    'a code that is used more than once is refused',
    async ({ app, client }) => {
      const { form } = await codeFor(app, client)
      granted(await sendForm(app, 'token', form))
      refused(await sendForm(app, 'token', form), 400, 'invalid_grant')
    },
  ],
  [
    '§4.1.2',
    'SHOULD',
    'a code that is used more than once revokes the tokens that were issued for it',
    async ({ app, client }) => {
      const { form } = await codeFor(app, client)
      const tokens = granted(await sendForm(app, 'token', form))
      await sendForm(app, 'token', form)
      assert.equal(await isAccepted(app, tokens.access_token), false)
      refused(await refresh(app, client, tokens.refresh_token), 400, 'invalid_grant')
    },
  ],
  [
    '§4.1.2',
    'MUST',
    'the state is returned exactly as it was sent',
    async ({ app, client }) => {
      const state = 'ä b+c%2F"&=#'
      assert.equal((await authorize(app, client, { parameters: { state } })).searchParams.get('state'), state)
    },
  ],
  [
    '§4.1.2.1',
    'MUST NOT',
    'a user is redirected for an unknown client; a page reports the error',
    async (context) => {
      const answer = await ask(context, { ...request(context.client), client_id: context.installed.clientId })
      assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined])
      assert.match(answer.body, /<h1>Unknown app<\/h1>/)
    },
  ],
  [
    '§4.1.2.1',
    'MUST',
    'other errors are returned to the app, with its state',
    async (context) => {
      for (const [change, error] of [
        [{ response_type: 'token' }, 'unsupported_response_type'],
        [{ scope: 'org.edit' }, 'invalid_scope'],
        [{ code_challenge_method: 'S256' }, 'invalid_request'],
      ] as const) {
        const answer = await ask(context, { ...request(context.client), ...change })
        const location = new URL(String(answer.headers.location))
        const params = new URLSearchParams(location.hash === '' ? location.search : location.hash.slice(1))
        assert.deepEqual([params.get('error'), params.get('state')], [error, 'a state'])
      }
    },
  ],
  [
    '§4.1.3',
    'MUST',
    'a code works only for the client that it was issued to',
    async ({ app, client, native }) => {
      const { form } = await codeFor(app, client)
      const stolen = { ...form, client_id: native.clientId, client_secret: '' }
      refused(await sendForm(app, 'token', stolen), 400, 'invalid_grant')
    },
  ],
  [
    '§4.1.3',
    'MUST',
    'a redirect URI in the authorization request is sent again, unchanged',
    async ({ app, client }) => {
      const { form } = await codeFor(app, client)
      refused(await sendForm(app, 'token', { ...form, redirect_uri: '' }), 400, 'invalid_request')
      refused(await sendForm(app, 'token', { ...form, redirect_uri: 'https://app.example/' }), 400, 'invalid_grant')
    },
  ],
  [
    '§4.4',
    'MUST',
    'client credentials are granted to clients with credentials only',
    async ({ app, native }) =>
      refused(await sendForm(app, 'token', { ...unattended, client_id: native.clientId }), 400, 'unauthorized_client'),
  ],
  [
    '§4.4.3',
    'SHOULD NOT',
    'client credentials grant a refresh token',
    async ({ app, installed }) => {
      const tokens = granted(await sendForm(app, 'token', { ...unattended, ...inForm(installed) }))
      assert.equal('refresh_token' in tokens, false)
    },
  ],
  [
    '§5.1',
    'MUST',
    'responses with tokens are not cached',
    async ({ app, installed }) => {
      const { headers } = await sendForm(app, 'token', { ...unattended, ...inForm(installed) })
      assert.deepEqual([headers['cache-control'], headers['pragma']], ['no-store', 'no-cache'])
    },
  ],
  [
    '§5.1',
    'MUST',
    'answers with tokens are JSON with a token and its type',
    async ({ app, installed }) => {
      const answer = await sendForm(app, 'token', { ...unattended, ...inForm(installed) })
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      const { access_token, token_type } = granted(answer)
      assert.ok(access_token)
      assert.equal(token_type.toLowerCase(), 'bearer')
    },
  ],
  [
    '§5.2',
    'MUST',
    'a client that fails with HTTP Basic gets 401 and a Basic challenge',
    async ({ app, installed }) => {
      const answer = await sendForm(app, 'token', unattended, basic(installed.clientId, 'wrong'))
      refused(answer, 401, 'invalid_client')
      assert.match(String(answer.headers['www-authenticate']), /^Basic realm="/)
    },
  ],
  [
    '§5.2',
    'MUST NOT',
    'an error description has characters outside the allowed set',
    async ({ app, installed }) => {
      const strange = { ...unattended, scope: '"\\\u00e9\u{1f600}', ...inForm(installed) }
      refused(await sendForm(app, 'token', strange), 400, 'invalid_scope')
      const unknown = { grant_type: 'ü"', ...inForm(installed) }
      refused(await sendForm(app, 'token', unknown), 400, 'unsupported_grant_type')
    },
  ],
  [
    '§6',
    'MUST',
    'clients with a secret authenticate to refresh',
    async ({ app, client }) => {
      const { refresh_token } = await tokensFor(app, client)
      refused(await refresh(app, { ...client, secret: undefined }, refresh_token), 401, 'invalid_client')
    },
  ],
  [
    '§6',
    'MUST',
    'a refresh token works only for the client that it was issued to',
    async ({ app, client, native }) => {
      const { refresh_token } = await tokensFor(app, client)
      refused(await refresh(app, native, refresh_token), 400, 'invalid_grant')
    },
  ],
  [
    '§6',
    'MUST NOT',
    'a refresh grants scopes that were not granted before',
    async ({ app, client }) => {
      const { refresh_token } = await tokensFor(app, client, { parameters: { scope: 'org.read' } })
      const form = { grant_type: 'refresh_token', refresh_token, scope: 'org.project.read', ...inForm(client) }
      refused(await sendForm(app, 'token', form), 400, 'invalid_scope')
    },
  ],
  [
    '§6',
    'MUST',
    'a new refresh token has the scopes of the old one',
    async ({ app, client }) => {
      const { refresh_token } = await tokensFor(app, client)
      const form = { grant_type: 'refresh_token', refresh_token, scope: 'org.read', ...inForm(client) }
      const next = granted(await sendForm(app, 'token', form))
      assert.equal(granted(await refresh(app, client, next.refresh_token)).scope, 'org.read org.project.read')
    },
  ],
  [
    '§10.10',
    'MUST',
    'codes and tokens cannot be guessed: each has 256 random bits',
    async ({ app, client }) => {
      const { form, code } = await codeFor(app, client)
      const { refresh_token } = granted(await sendForm(app, 'token', form))
      assert.match(code, new RegExp(`^${secretPattern('authorization_code')}$`))
      assert.match(refresh_token, new RegExp(`^${secretPattern('refresh_token')}$`))
    },
  ],
  [
    '§10.12',
    'MUST',
    'consent cannot be given from another page',
    async ({ app, client }) => {
      const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
      const visitor = createVisitor(app)
      const page = await signIn(visitor, await visitor.open(authorizationPath(request(client))), person)
      const form = filledIn(page, 'Allow', { place: `org:${app.orgId}` })
      form.set('token', 'made up')
      const answer = await visitor.send(page.url, form)
      assert.equal(answer.status, 403)
      assert.equal(answer.url.pathname, page.url.pathname)
    },
  ],
  [
    '§10.13',
    'SHOULD',
    'the pages cannot be shown in a frame',
    async (context) => {
      const answer = await ask(context, { client_id: 'x' })
      assert.equal(answer.headers['x-frame-options'], 'DENY')
      assert.match(String(answer.headers['content-security-policy']), /frame-ancestors 'none'/)
    },
  ],
])
