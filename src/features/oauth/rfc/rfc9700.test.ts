import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { creationsOf, newApp } from '#test/access/apps.ts'
import {
  authorizationPath,
  authorize,
  claimsOf,
  codeFor,
  granted,
  inForm,
  isAccepted,
  pkce,
  refresh,
  refused,
  sendForm,
  tokensFor,
} from '#test/access/oauth.ts'
import { addPerson, signIn } from '#test/access/people.ts'
import { holdRules, type RuleContext } from '#test/access/rules.ts'
import { createVisitor } from '#test/access/visitor.ts'

const ask = ({ app }: RuleContext, parameters: Record<string, string>) =>
  app.server.inject({ url: authorizationPath(parameters) })

const request = ({ client }: RuleContext) => ({
  response_type: 'code',
  client_id: client.clientId,
  redirect_uri: client.redirectUri,
})

const metadataOf = async ({ app }: RuleContext) =>
  (await app.server.inject({ url: '/.well-known/oauth-authorization-server' })).json()

holdRules('RFC 9700', [
  [
    '§2.1',
    'MUST',
    'redirect URIs are compared character by character',
    async (context) => {
      const { redirectUri } = context.client
      const others = [
        redirectUri.replace('https:', 'http:'),
        redirectUri.replace('app.example', 'APP.example'),
        redirectUri.replace('app.example', 'app.example:443'),
        redirectUri.replace('/callback', '/x/../callback'),
        redirectUri.replace('/callback', '/callback/'),
        redirectUri.replace('app.example', 'sub.app.example'),
        redirectUri.replace('?kept=1', ''),
        `${redirectUri}&more=1`,
        `${redirectUri}#x`,
        redirectUri.replace('callback', '%63allback'),
        'https://app.example@evil.example/callback?kept=1',
        'https://app.example.evil.example/callback?kept=1',
      ]
      for (const redirect_uri of others) {
        const answer = await ask(context, { ...request(context), redirect_uri })
        assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined], redirect_uri)
      }
    },
  ],
  [
    '§2.1',
    'MUST',
    'only the port may differ, for a loopback address of a native app',
    async (context) => {
      const { native } = context
      const valid = { response_type: 'code', client_id: native.clientId, ...pkce().challenge }
      const uri = native.redirectUri
      assert.equal((await ask(context, { ...valid, redirect_uri: uri.replace(':8080', ':1') })).statusCode, 303)
      for (const redirect_uri of [
        uri.replace('127.0.0.1', 'localhost'),
        uri.replace('127.0.0.1', '127.0.0.2'),
        uri.replace('/callback', '/other'),
        uri.replace('http:', 'https:'),
        uri.replace('127.0.0.1', 'x@127.0.0.1'),
        uri.replace(':8080', ':8080@evil.example'),
        uri.replace(':8080', ':99999'),
      ]) {
        const answer = await ask(context, { ...valid, redirect_uri })
        assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined], redirect_uri)
      }
    },
  ],
  [
    '§2.1',
    'MUST NOT',
    'an app with a secret may return to another port than the registered one',
    async (context) => {
      const created = await context.app.call('POST', creationsOf(context.app.orgId), {
        body: newApp({ redirect_uris: ['http://127.0.0.1:8080/callback'] }),
      })
      const { client_id } = created.json().data.attributes
      const redirect_uri = 'http://127.0.0.1:8081/callback'
      const answer = await ask(context, { response_type: 'code', client_id, redirect_uri })
      assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined])
    },
  ],
  [
    '§2.1.1',
    'MUST',
    'public apps use PKCE',
    async (context) => {
      const { clientId: client_id, redirectUri: redirect_uri } = context.native
      const answer = await ask(context, { response_type: 'code', client_id, redirect_uri })
      assert.equal(new URL(String(answer.headers.location)).searchParams.get('error'), 'invalid_request')
    },
  ],
  [
    '§2.1.1',
    'MUST',
    'PKCE is supported, for apps with a secret too, and announced in the metadata',
    async (context) => {
      granted(await sendForm(context.app, 'token', (await codeFor(context.app, context.client)).form))
      assert.deepEqual((await metadataOf(context)).code_challenge_methods_supported, ['S256'])
    },
  ],
  [
    '§2.1.1',
    'MUST',
    'a challenge that was sent is enforced',
    async ({ app, client }) => {
      const { form } = await codeFor(app, client)
      refused(await sendForm(app, 'token', { ...form, code_verifier: '' }), 400, 'invalid_grant')
    },
  ],
  [
    '§2.1.1',
    'MUST',
    'a verifier is accepted only if there was a challenge (§4.8.2: no downgrade)',
    async ({ app, client }) => {
      const answered = await authorize(app, client, { parameters: { redirect_uri: client.redirectUri } })
      const code = answered.searchParams.get('code')!
      const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, ...inForm(client) }
      const { verifier: code_verifier } = pkce()
      refused(await sendForm(app, 'token', { ...form, code_verifier }), 400, 'invalid_grant')
    },
  ],
  [
    '§2.1.2',
    'SHOULD NOT',
    'tokens pass through the browser: there is no implicit grant',
    async (context) => {
      for (const response_type of ['token', 'id_token', 'code token']) {
        const answer = await ask(context, { ...request(context), response_type })
        assert.match(String(answer.headers.location), /error=unsupported_response_type/)
      }
      assert.deepEqual((await metadataOf(context)).response_types_supported, ['code'])
    },
  ],
  [
    '§2.2.2',
    'MUST',
    'refresh tokens of public apps rotate, and reuse is detected',
    async ({ app, native }) => {
      const first = await tokensFor(app, native)
      const second = granted(await refresh(app, native, first.refresh_token))
      assert.notEqual(second.refresh_token, first.refresh_token)
      refused(await refresh(app, native, first.refresh_token), 400, 'invalid_grant')
      refused(await refresh(app, native, second.refresh_token), 400, 'invalid_grant')
    },
  ],
  [
    '§2.3',
    'SHOULD',
    'an access token is limited to this server and to the requested scopes',
    async ({ app, client, baseUrl }) => {
      const { access_token } = await tokensFor(app, client, { parameters: { scope: 'org.read' } })
      assert.deepEqual([claimsOf(access_token)['aud'], claimsOf(access_token)['scope']], [[baseUrl], 'org.read'])
    },
  ],
  [
    '§2.4',
    'MUST NOT',
    'passwords of users are accepted at the token endpoint',
    async (context) => {
      const form = { grant_type: 'password', username: 'a', password: 'b', ...inForm(context.client) }
      refused(await sendForm(context.app, 'token', form), 400, 'unsupported_grant_type')
      assert.ok(!(await metadataOf(context)).grant_types_supported.includes('password'))
    },
  ],
  [
    '§2.5',
    'SHOULD',
    'clients can authenticate with their own keys',
    async (context) => {
      assert.ok((await metadataOf(context)).token_endpoint_auth_methods_supported.includes('private_key_jwt'))
    },
  ],
  [
    '§2.6',
    'SHOULD',
    'metadata spares clients manual configuration',
    async (context) => assert.equal((await metadataOf(context)).issuer, context.baseUrl),
  ],
  [
    '§2.6',
    'MUST NOT',
    'the authorization endpoint is open to scripts of other origins',
    async (context) => {
      const url = authorizationPath(request(context))
      for (const method of ['GET', 'OPTIONS'] as const) {
        const headers = { origin: 'https://evil.example', 'access-control-request-method': 'GET' }
        const answer = await context.app.server.inject({ method, url, headers })
        assert.equal(answer.headers['access-control-allow-origin'], undefined)
      }
    },
  ],
  [
    '§4.2.4',
    'SHOULD NOT',
    'pages of an authorization load external resources or send a referrer',
    async (context) => {
      const visitor = createVisitor(context.app)
      const page = await visitor.open(authorizationPath(request(context)))
      assert.match(String(page.headers['content-security-policy']), /default-src 'none'/)
      assert.equal(page.headers['referrer-policy'], 'no-referrer')
      assert.doesNotMatch(page.body, /(?:src|href)="(?:https?:)?\/\//)
    },
  ],
  [
    '§4.2.4',
    'MUST',
    'a code works once, and a second use ends its tokens',
    async ({ app, native }) => {
      const { form } = await codeFor(app, native)
      const { access_token } = granted(await sendForm(app, 'token', form))
      refused(await sendForm(app, 'token', form), 400, 'invalid_grant')
      assert.equal(await isAccepted(app, access_token), false)
    },
  ],
  [
    '§4.3.2',
    'MUST NOT',
    'access tokens are accepted from URLs, which browsers and logs keep',
    async ({ app, client }) => {
      const { access_token } = await tokensFor(app, client)
      const answer = await app.call('GET', `/rest/orgs/${app.orgId}`, { key: null, query: { access_token } })
      assert.equal(answer.statusCode, 401)
    },
  ],
  [
    '§4.4.2',
    'SHOULD',
    'answers name the issuer, so that clients of several servers cannot be mixed up',
    async ({ app, client, baseUrl }) => assert.equal((await authorize(app, client)).searchParams.get('iss'), baseUrl),
  ],
  [
    '§4.5.3',
    'MUST',
    'a code that was stolen from one session is refused in another',
    async ({ app, native }) => {
      const [victim, thief] = [await codeFor(app, native), await codeFor(app, native)]
      const injected = { ...thief.form, code: victim.code }
      refused(await sendForm(app, 'token', injected), 400, 'invalid_grant')
    },
  ],
  [
    '§4.7.1',
    'MUST',
    'the state, with which clients protect themselves, is returned unchanged',
    async ({ app, client }) => {
      const state = `x.${'é'.repeat(300)} "<>&+%`
      assert.equal((await authorize(app, client, { parameters: { state } })).searchParams.get('state'), state)
    },
  ],
  [
    '§4.11.2',
    'MUST NOT',
    'this server redirects to an unregistered address',
    async (context) => {
      for (const parameters of [
        { ...request(context), redirect_uri: 'https://evil.example/' },
        { ...request(context), client_id: '', redirect_uri: 'https://evil.example/' },
        { redirect_uri: 'https://evil.example/' },
        { ...request(context), redirect_uri: '//evil.example/' },
        { ...request(context), response_type: 'token', redirect_uri: 'https://evil.example/' },
        { ...request(context), prompt: 'none', redirect_uri: 'https://evil.example/' },
      ] as Record<string, string>[]) {
        const answer = await ask(context, parameters)
        assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined])
        assert.ok(!answer.body.includes('evil.example'))
      }
    },
  ],
  [
    '§4.12',
    'MUST NOT',
    'a redirect makes browsers send a password again: every redirect is a 303',
    async ({ app, client }) => {
      const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
      const statuses = new Set<number>()
      const visitor = createVisitor({
        ...app,
        server: {
          inject: async (options: object) => {
            const answer = await app.server.inject(options)
            if (answer.headers.location !== undefined) statuses.add(answer.statusCode)
            return answer
          },
        } as unknown as typeof app.server,
      })
      const { clientId: client_id } = client
      const page = await visitor.open(authorizationPath({ response_type: 'code', client_id }))
      await visitor.press(await signIn(visitor, page, person), 'Allow', { place: `org:${app.orgId}` })
      assert.deepEqual([...statuses], [303])
    },
  ],
  [
    '§4.13',
    'MUST',
    'proxy headers from other clients are ignored',
    async (context) => {
      const headers = {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'gopher',
        forwarded: 'host=evil.example',
      }
      const answer = await context.app.server.inject({
        url: authorizationPath({ ...request(context), prompt: 'none' }),
        headers,
      })
      const { searchParams } = new URL(String(answer.headers.location))
      assert.equal(searchParams.get('iss'), context.baseUrl)
      assert.ok(!JSON.stringify(answer.headers).includes('evil'))
    },
  ],
  [
    '§4.14.2',
    'MUST',
    'a refresh token that is used twice ends its session',
    async ({ app, client }) => {
      const first = await tokensFor(app, client)
      const second = granted(await refresh(app, client, first.refresh_token))
      refused(await refresh(app, client, first.refresh_token), 400, 'invalid_grant')
      for (const { access_token } of [first, second]) assert.equal(await isAccepted(app, access_token), false)
    },
  ],
  [
    '§4.14.2',
    'SHOULD',
    'an unused refresh token expires',
    async ({ app, client }) => {
      const { refresh_token } = await tokensFor(app, client)
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 181 * 86_400_000 })
      try {
        refused(await refresh(app, client, refresh_token), 400, 'invalid_grant')
      } finally {
        mock.timers.reset()
      }
    },
  ],
  [
    '§4.15.1',
    'SHOULD NOT',
    'a service account can choose a user’s identity: its subject is assigned here',
    async ({ app, installed }) => {
      const form = { grant_type: 'client_credentials', ...inForm(installed) }
      const { sub, client_id } = claimsOf(granted(await sendForm(app, 'token', form)).access_token)
      assert.notEqual(sub, client_id)
      assert.equal(sub, installed.id)
    },
  ],
  [
    '§4.16',
    'MUST',
    'pages of an authorization cannot be shown in a frame',
    async (context) => {
      const page = await createVisitor(context.app).open(authorizationPath(request(context)))
      assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
      assert.equal(page.headers['x-frame-options'], 'DENY')
    },
  ],
])
