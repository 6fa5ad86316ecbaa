import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { unattended } from '#test/access/apps.ts'
import {
  addClient,
  authorizationPath,
  authorize,
  type Client,
  claimsOf,
  codeFor,
  granted,
  isAccepted,
  pkce,
  publicApp,
  refused,
  sendForm,
  tokensFor,
} from '#test/access/oauth.ts'
import { addPerson } from '#test/access/people.ts'
import { createVisitor } from '#test/access/visitor.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { BEGUN_PER_MINUTE } from './routes.ts'

onEveryEngine('authorization code flow', (engine) => {
  let app: TestApp
  let client: Client
  let native: Client
  before(async () => {
    app = await startApp(engine)
    client = await addClient(app, {
      redirect_uris: ['https://app.example/callback?fixed=1', 'https://app.example/other'],
      scopes: ['org.read', 'org.project.read'],
    })
    native = await addClient(app, publicApp)
  })
  after(() => app.close())

  test('consent to an app: grants a code, and tokens as documented', async () => {
    const { form } = await codeFor(app, client, { parameters: { nonce: 'once' } })
    const answer = await sendForm(app, 'token', form)
    const tokens = granted(answer)
    assert.deepEqual(
      { ...tokens, access_token: '', refresh_token: '', bot_id: '', refresh_expires_in: 0 },
      {
        access_token: '',
        token_type: 'bearer',
        expires_in: 3600,
        scope: 'org.read org.project.read',
        bot_id: '',
        refresh_token: '',
        refresh_expires_in: 0,
      },
    )
    // A second may have passed.
    assert.ok([15_552_000, 15_551_999].includes(tokens.refresh_expires_in))
    assert.match(tokens.refresh_token, /^gate_rt_/)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(answer.headers['pragma'], 'no-cache')
    const { jti, iat, exp, sub, ...claims } = claimsOf(tokens.access_token)
    const { baseUrl } = app.parts.services
    assert.deepEqual(claims, {
      iss: baseUrl,
      aud: [baseUrl],
      client_id: client.clientId,
      scope: tokens.scope,
      bot_id: tokens.bot_id,
      nonce: 'once',
    })
    assert.equal(sub, tokens.bot_id)
    assert.equal(Number(exp) - Number(iat), 3600)
    assert.match(String(jti), /^gate_at_/)
    assert.ok(await isAccepted(app, tokens.access_token))
  })

  test('an app in a user’s context: the token’s subject is the user', async () => {
    const person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
    const personal = await addClient(app, { context: 'user' })
    assert.equal(claimsOf((await tokensFor(app, personal, { person })).access_token)['sub'], person.id)
  })

  test('access tokens: live as long as the app says', async () => {
    const patient = await addClient(app, { access_token_ttl_seconds: 4321 })
    assert.equal((await tokensFor(app, patient)).expires_in, 4321)
  })

  test('authorization request: ignores unrelated parameters and returns the state unchanged', async () => {
    const state = 'a b+c/d=é&"<>%00'.replace('%00', '')
    const besides = {
      version: '2021-08-11~experimental',
      access_type: 'offline',
      cross_region_routing: 'true',
      utm_source: 'cli',
      response_mode: 'form_post',
      claims: '{}',
      acr_values: 'urn:x',
      resource: 'https://elsewhere.example',
      prompt: 'select_account',
    }
    const answer = await authorize(app, client, { parameters: { ...besides, state } })
    assert.equal(answer.searchParams.get('state'), state)
    assert.equal(answer.searchParams.get('iss'), app.parts.services.baseUrl)
    assert.equal(answer.searchParams.get('fixed'), '1')
    assert.equal(`${answer.origin}${answer.pathname}`, 'https://app.example/callback')
  })

  test('authorization request: keeps a question mark in a value, encoded or not', async () => {
    const { redirectUri, clientId } = client
    for (const state of ['state=a?b', 'state=a%3Fb', 'state=a%3fb']) {
      const page = await createVisitor(app).open(
        `/oauth2/authorize?${state}&redirect_uri=${redirectUri}&response_type=none&client_id=${clientId}`,
      )
      assert.equal(page.url.searchParams.get('error'), 'unsupported_response_type', page.body)
      assert.equal(page.url.searchParams.get('state'), 'a?b')
    }
  })

  test('authorization requests per IP address: limited per minute (429 with Retry-After)', async () => {
    const url = authorizationPath({ response_type: 'code', client_id: randomUUID() })
    const ask = (remoteAddress: string) => app.server.inject({ method: 'GET', url, remoteAddress })
    for (let count = 0; count < BEGUN_PER_MINUTE; count++) assert.equal((await ask('192.0.2.1')).statusCode, 400)
    const refused = await ask('192.0.2.1')
    assert.deepEqual([refused.statusCode, refused.headers['content-type']], [429, 'text/html; charset=utf-8'])
    assert.match(String(refused.headers['retry-after']), /^[1-9]\d?$/)
    assert.equal((await ask('192.0.2.2')).statusCode, 400)
  })

  test('every authorization: requires consent, even from a signed-in user', async () => {
    const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
    const visitor = createVisitor(app)
    await authorize(app, client, { person, visitor })
    const path = authorizationPath({ response_type: 'code', client_id: client.clientId })
    assert.match((await visitor.open(path)).body, /Allow/)
  })

  describe('redirect URIs in the code flow', () => {
    test('redirect URI left out: the first registered one is used, and may be left out for the token', async () => {
      const { challenge, verifier } = pkce()
      const answer = await authorize(app, client, { parameters: challenge })
      assert.equal(`${answer.origin}${answer.pathname}`, 'https://app.example/callback')
      const form = { grant_type: 'authorization_code', code: answer.searchParams.get('code')!, code_verifier: verifier }
      granted(await sendForm(app, 'token', { ...form, client_id: client.clientId, client_secret: client.secret! }))
    })

    test('redirect URI in the request: must be the same at the token endpoint', async () => {
      for (const changed of [{ redirect_uri: '' }, { redirect_uri: 'https://app.example/other' }]) {
        const { form } = await codeFor(app, client)
        const answer = await sendForm(app, 'token', { ...form, ...changed })
        refused(answer, 400, changed.redirect_uri === '' ? 'invalid_request' : 'invalid_grant')
        granted(await sendForm(app, 'token', form))
      }
    })

    test('loopback redirect URI of a public app: may use another port', async () => {
      const elsewhere = { ...native, redirectUri: 'http://127.0.0.1:49152/callback' }
      granted(await sendForm(app, 'token', (await codeFor(app, elsewhere)).form))
    })
  })

  describe('requested scopes', () => {
    const cases: [asked: string, granted: string][] = [
      ['', 'org.read org.project.read'],
      ['org.read', 'org.read'],
      ['org.project.read org.read', 'org.read org.project.read'],
      ['org.read org.edit', 'org.read'],
      ['offline_access', 'org.read org.project.read'],
      ['openid profile org.read', 'org.read'],
    ]
    for (const [scope, expected] of cases) {
      test(`scope "${scope}": grants "${expected}"`, async () => {
        const tokens = await tokensFor(app, client, { parameters: { scope: scope } })
        assert.equal(tokens.scope, expected)
        assert.equal(claimsOf(tokens.access_token)['scope'], expected)
      })
    }
  })

  describe('refusals without a redirect', () => {
    const cases: [title: string, change: (valid: Client) => Record<string, string>][] = [
      ['without a client', () => ({ client_id: '' })],
      ['with an unknown client', () => ({ client_id: randomUUID() })],
      ['with a malformed client id', () => ({ client_id: "x' or 1=1" })],
      ['with another redirect URI', () => ({ redirect_uri: 'https://evil.example/callback' })],
      [
        'with a redirect URI that begins like a registered one',
        ({ redirectUri }) => ({ redirect_uri: `${redirectUri}2` }),
      ],
      ['with a redirect URI below a registered one', () => ({ redirect_uri: 'https://app.example/other/below' })],
      ['with a redirect URI in another case', () => ({ redirect_uri: 'https://app.example/Other' })],
      ['with another port', () => ({ redirect_uri: 'https://app.example:444/other' })],
      ['with an added query', () => ({ redirect_uri: 'https://app.example/other?x=1' })],
      ['with credentials in the redirect URI', () => ({ redirect_uri: 'https://app.example@evil.example/other' })],
      ['with a script as the redirect URI', () => ({ redirect_uri: 'javascript:alert(1)' })],
    ]
    for (const [title, change] of cases) {
      test(`authorization ${title}: refused on a page (400), without a redirect`, async () => {
        const valid = {
          response_type: 'code',
          client_id: client.clientId,
          redirect_uri: client.redirectUri,
          state: 's',
        }
        const answer = await app.server.inject({ url: authorizationPath({ ...valid, ...change(client) }) })
        assert.equal(answer.statusCode, 400)
        assert.equal(answer.headers.location, undefined)
        assert.match(String(answer.headers['content-type']), /^text\/html/)
        assert.match(String(answer.headers['content-security-policy']), /default-src 'none'.*frame-ancestors 'none'/)
        assert.equal(answer.headers['cache-control'], 'no-store')
        assert.doesNotMatch(answer.body, /evil|alert\(1\)/)
      })
    }

    test('authorization with client_id or redirect_uri sent twice: refused on a page (400), without a redirect', async () => {
      for (const name of ['client_id', 'redirect_uri']) {
        const sent: [string, string][] = [
          ['response_type', 'code'],
          ['client_id', client.clientId],
          ['redirect_uri', client.redirectUri],
        ]
        const twice = sent.filter(([one]) => one === name)
        const answer = await app.server.inject({ url: authorizationPath([...sent, ...twice]) })
        assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined], name)
      }
    })

    test('authorization for an unattended app: refused on a page (400), without a redirect', async () => {
      const { appId } = { appId: (await addClient(app)).appId }
      const unattendedApp = await app.call('POST', `/rest/orgs/${app.orgId}/apps/creations`, {
        body: { data: { type: 'app', attributes: { name: 'Alone', scopes: ['org.read'], ...unattended } } },
      })
      for (const client_id of [appId, unattendedApp.json().data.id]) {
        const answer = await app.server.inject({ url: authorizationPath({ response_type: 'code', client_id }) })
        assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined])
      }
    })
  })

  describe('refusals by redirect to the app', () => {
    const cases: [title: string, error: string, sent: Record<string, string>][] = [
      ['without a response type', 'invalid_request', { response_type: '' }],
      ['with the implicit grant', 'unsupported_response_type', { response_type: 'token' }],
      ['with an ID token', 'unsupported_response_type', { response_type: 'code id_token' }],
      ['with only scopes that the app lacks', 'invalid_scope', { scope: 'org.edit' }],
      ['with permissions that are not scopes', 'invalid_scope', { scope: 'group.read' }],
      [
        'with a plain code challenge',
        'invalid_request',
        { code_challenge: 'x'.repeat(43), code_challenge_method: 'plain' },
      ],
      ['with a code challenge without its method', 'invalid_request', { code_challenge: 'x'.repeat(43) }],
      ['with a method without a code challenge', 'invalid_request', { code_challenge_method: 'S256' }],
      [
        'with a malformed code challenge',
        'invalid_request',
        { code_challenge: 'short', code_challenge_method: 'S256' },
      ],
      ['without user interaction', 'login_required', { prompt: 'none' }],
      ['without user interaction, but with a sign-in', 'invalid_request', { prompt: 'none login' }],
      ['with a negative max_age', 'invalid_request', { max_age: '-1' }],
      ['with a max_age that is not a number', 'invalid_request', { max_age: 'an hour' }],
      ['with a request object (request)', 'request_not_supported', { request: 'eyJhbGciOiJub25lIn0.e30.' }],
      [
        'with a request object elsewhere (request_uri)',
        'request_uri_not_supported',
        { request_uri: 'https://evil.example/' },
      ],
      ['with a registration', 'registration_not_supported', { registration: '{}' }],
    ]
    for (const [title, error, sent] of cases) {
      test(`authorization ${title}: redirects to the app with ${error}`, async () => {
        const valid = {
          response_type: 'code',
          client_id: client.clientId,
          redirect_uri: client.redirectUri,
          state: 's t',
        }
        const answer = await app.server.inject({ url: authorizationPath({ ...valid, ...sent }) })
        assert.equal(answer.statusCode, 303, answer.body)
        const location = new URL(String(answer.headers.location))
        assert.equal(`${location.origin}${location.pathname}`, 'https://app.example/callback')
        const parameters = new URLSearchParams(location.hash === '' ? location.search : location.hash.slice(1))
        assert.equal(parameters.get('error'), error)
        assert.equal(parameters.get('state'), 's t')
        assert.equal(parameters.get('iss'), app.parts.services.baseUrl)
        assert.equal(parameters.get('code'), null)
      })
    }

    test('authorization of a public app without PKCE: redirects to the app with invalid_request', async () => {
      const sent = { response_type: 'code', client_id: native.clientId, redirect_uri: native.redirectUri }
      const answer = await app.server.inject({ url: authorizationPath(sent) })
      const { searchParams } = new URL(String(answer.headers.location))
      assert.equal(searchParams.get('error'), 'invalid_request')
    })

    test('authorization refused by the user: redirects to the app with access_denied', async () => {
      const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
      const visitor = createVisitor(app)
      const page = await visitor.open(
        authorizationPath({ response_type: 'code', client_id: client.clientId, state: 's' }),
      )
      const consent = await visitor.press(page, 'Sign in', { email: person.email, password: 'a password for people' })
      const { url } = await visitor.press(consent, 'Refuse')
      assert.equal(url.searchParams.get('error'), 'access_denied')
      assert.equal(url.searchParams.get('state'), 's')
    })
  })

  describe('resuming an authorization', () => {
    test('resuming without the interaction’s cookies: shows an error page (400)', async () => {
      const answer = await app.server.inject({ url: `/oauth2/authorize/${randomUUID()}` })
      assert.equal(answer.statusCode, 400)
      assert.match(answer.body, /<h1>This page has expired<\/h1>/)
      assert.match(String(answer.headers['content-security-policy']), /default-src 'none'/)
    })

    test('resuming a finished authorization again: shows an error page (400)', async () => {
      const visited: string[] = []
      const inject = async (options: InjectOptions) => {
        visited.push(String(options.url))
        return app.server.inject(options)
      }
      const visitor = createVisitor({ ...app, server: { inject } as unknown as TestApp['server'] })
      const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
      await authorize(app, client, { person, visitor })
      const resumed = visited.findLast((url) => url.startsWith('/oauth2/authorize/'))
      assert.ok(resumed)
      const again = await visitor.open(resumed)
      assert.deepEqual([again.status, again.headers['location']], [400, undefined])
    })
  })

  describe('authorization codes', () => {
    test('a code used twice: refused, and its tokens and session end with an audit event', async () => {
      const { form } = await codeFor(app, client)
      const tokens = granted(await sendForm(app, 'token', form))
      refused(await sendForm(app, 'token', form), 400, 'invalid_grant')
      assert.equal(await isAccepted(app, tokens.access_token), false)
      const { refresh_token } = tokens
      const refresh = { grant_type: 'refresh_token', refresh_token, client_id: client.clientId }
      refused(await sendForm(app, 'token', { ...refresh, client_secret: client.secret! }), 400, 'invalid_grant')
      const events = await app.parts.services.db.selectFrom('audit_events').selectAll().orderBy('id', 'desc').execute()
      const event = events.find(({ action }) => action === 'app_session.end_reused')
      assert.deepEqual([event?.group_id, event?.actor_kind, event?.address], [app.groupId, 'app', '127.0.0.1'])
    })

    test('a code sent by another client: refused (invalid_grant), and still valid for its own', async () => {
      const { form } = await codeFor(app, client)
      const other = await addClient(app, { redirect_uris: [client.redirectUri] })
      const stolen = { ...form, client_id: other.clientId, client_secret: other.secret! }
      refused(await sendForm(app, 'token', stolen), 400, 'invalid_grant')
      granted(await sendForm(app, 'token', form))
    })

    test('a code with a challenge: requires its verifier', async () => {
      for (const code_verifier of ['', 'x'.repeat(43), 'short']) {
        const { form } = await codeFor(app, client)
        refused(
          await sendForm(app, 'token', { ...form, code_verifier }),
          400,
          code_verifier === 'short' ? 'invalid_request' : 'invalid_grant',
        )
      }
    })

    test('a code without a challenge: refuses a verifier (invalid_grant)', async () => {
      const answer = await authorize(app, client, { parameters: { redirect_uri: client.redirectUri } })
      const form = {
        grant_type: 'authorization_code',
        code: answer.searchParams.get('code')!,
        redirect_uri: client.redirectUri,
        client_id: client.clientId,
        client_secret: client.secret!,
      }
      refused(await sendForm(app, 'token', { ...form, code_verifier: pkce().verifier }), 400, 'invalid_grant')
      granted(await sendForm(app, 'token', form))
    })

    test('a code: refused after its session ended (invalid_grant)', async () => {
      const { form } = await codeFor(app, client)
      await app.parts.services.db.deleteFrom('app_sessions').execute()
      refused(await sendForm(app, 'token', form), 400, 'invalid_grant')
    })
  })

  test('audit log of a session: has the code exchange and each refresh', async () => {
    const { form } = await codeFor(app, client)
    const { refresh_token } = granted(await sendForm(app, 'token', form))
    const proof = { client_id: client.clientId, client_secret: client.secret! }
    granted(await sendForm(app, 'token', { grant_type: 'refresh_token', refresh_token: refresh_token!, ...proof }))
    const events = await app.call('GET', `/rest/groups/${app.groupId}/audit_logs?action=app_session.*&limit=10`)
    const [refreshed, exchanged, begun] = events.json().data.map(({ attributes }: { attributes: object }) => attributes)
    assert.deepEqual(
      [refreshed.action, exchanged.action, begun.action],
      ['app_session.refresh', 'app_session.exchange', 'app_session.create'],
    )
    for (const event of [refreshed, exchanged]) {
      assert.deepEqual(event.target, begun.target)
      assert.deepEqual(event.actor, {
        kind: 'app',
        id: begun.after.app_id,
        name: begun.after.app_name,
        credential_id: begun.target.id,
      })
      assert.equal(event.address, '127.0.0.1')
    }
  })

  test('codes, tokens and secrets: appear neither in the database nor in the log', async () => {
    const { form } = await codeFor(app, client)
    const tokens = granted(await sendForm(app, 'token', form))
    const { db } = app.parts.services
    const records = await db.selectFrom('oauth_records').selectAll().execute()
    const stored = JSON.stringify([
      records.map((record) => ({ ...record, payload: Buffer.from(record.payload).toString('latin1') })),
      await db.selectFrom('access_tokens').selectAll().execute(),
      await db.selectFrom('audit_events').selectAll().execute(),
    ])
    assert.ok(records.length > 0)
    for (const secret of [form['code']!, tokens.access_token, tokens.refresh_token, client.secret!]) {
      assert.ok(!stored.includes(secret) && !app.log().includes(secret))
    }
  })
})
