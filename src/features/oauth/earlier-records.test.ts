// cspell:ignore iiat
import assert from 'node:assert/strict'
import { createHmac, randomBytes, randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { newSecret } from '#foundation/secrets/typed-secret.ts'
import {
  addClient,
  authorizationPath,
  type Client,
  claimsOf,
  granted,
  inForm,
  pkce,
  refused,
  sendForm,
} from '#test/access/oauth.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { decoded, filledIn } from '#test/access/visitor.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const scopes = ['org.read', 'org.project.read']
const scope = scopes.join(' ')
const newId = () => randomBytes(32).toString('base64url')

// Versions until 2026-11 stored the state of the authorization server with the library oidc-provider. These rows have
// all members that they had.
onEveryEngine('records of the authorization server of earlier versions', (engine) => {
  let app: TestApp
  let client: Client
  let person: Person
  /** The browser's session. */
  let browser: { id: string; uid: string; acr: string }
  before(async () => {
    app = await startApp(engine)
    client = await addClient(app, { scopes })
  })
  after(() => app.close())
  beforeEach(async () => {
    person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
    const { db, keyring } = app.parts.services
    const { password_hash } = await db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow()
    browser = { id: newId(), uid: newId(), acr: keyring.sign(`sign-in of ${person.id} with ${password_hash}`) }
  })

  const seconds = () => Math.floor(app.parts.services.now() / 1000)

  interface Row {
    readonly model: string
    readonly id: string
    readonly lifetime: number
    readonly consumed?: boolean
  }

  async function store(
    { model, id, lifetime, consumed = false }: Row,
    payload: Record<string, unknown>,
  ): Promise<void> {
    const { db, keyring, now } = app.parts.services
    const [iat, digest] = [seconds(), keyring.digest(id)]
    const text = JSON.stringify({ iat, exp: iat + lifetime, ...payload, kind: model })
    await db
      .insertInto('oauth_records')
      .values({
        model,
        id: digest,
        payload: keyring.seal(text, `oauth record ${model} ${digest}`),
        uid: (payload['uid'] as string | undefined) ?? null,
        session_id: (payload['grantId'] as string | undefined) ?? null,
        consumed_at: consumed ? now() - 1000 : null,
        expires_at: (iat + lifetime) * 1000,
      })
      .execute()
  }

  /** Stores a session of the app. Returns its id. */
  async function addGrant(): Promise<string> {
    const { db, now } = app.parts.services
    const [id, botId] = [randomUUID(), randomUUID()]
    await db
      .insertInto('app_sessions')
      .values({
        id,
        app_id: client.appId,
        user_id: person.id,
        bot_id: botId,
        scopes: JSON.stringify(scopes),
        created_at: now(),
        last_used_at: null,
      })
      .execute()
    return id
  }

  /** Stores a new browser session: sessions of earlier versions ended with the upgrade. */
  async function storeSession(): Promise<void> {
    const { db, keyring, now } = app.parts.services
    const at = now()
    await db
      .insertInto('user_sessions')
      .values({
        id: browser.uid,
        user_id: person.id,
        digest: keyring.digest(browser.id),
        mark: browser.acr,
        user_agent: '',
        address: '127.0.0.1',
        created_at: at,
        signed_in_at: at,
        last_used_at: at,
      })
      .execute()
  }

  const { verifier, challenge } = pkce()

  async function storeInteraction(name: 'login' | 'consent', further: Record<string, unknown> = {}): Promise<string> {
    const uid = newId()
    const login = { accountId: person.id, remember: false, acr: browser.acr }
    const { id: cookie, acr } = browser
    await store(
      { model: 'Interaction', id: uid, lifetime: 3600 },
      {
        returnTo: `${app.parts.services.baseUrl}/oauth2/authorize/${uid}`,
        prompt: { name, reasons: [name === 'login' ? 'no_session' : 'consent_missing'], details: {} },
        params: {
          client_id: client.clientId,
          ...challenge,
          max_age: '500',
          nonce: 'a nonce',
          redirect_uri: client.redirectUri,
          response_type: 'code',
          scope: `openid ${scope}`,
          state: 'a state',
          gatehouse_redirect_uri_defaulted: 'yes',
        },
        ...(name === 'consent' && {
          lastSubmission: { login },
          trusted: [],
          session: { accountId: person.id, uid: browser.uid, cookie, acr },
        }),
        cid: newId(),
        ...further,
      },
    )
    return uid
  }

  /** Returns cookies as a browser has them: earlier versions also signed them. */
  function cookies(interaction?: string): string {
    const key = 'a key that only they knew'
    const signed = (name: string, value: string) =>
      `${name}=${value}; ${name}.sig=${createHmac('sha1', key).update(`${name}=${value}`).digest('base64url')}`
    const ofInteraction = ['gatehouse_interaction', 'gatehouse_resume'].map((name) => signed(name, interaction ?? ''))
    return [signed('gatehouse_session', browser.id), ...(interaction ? ofInteraction : [])].join('; ')
  }

  async function open(path: string, interaction?: string, form?: URLSearchParams) {
    const answer = await app.server.inject({
      method: form ? 'POST' : 'GET',
      url: path,
      headers: { cookie: cookies(interaction), 'content-type': 'application/x-www-form-urlencoded' },
      ...(form && { payload: form.toString() }),
    })
    const url = new URL(path, app.parts.services.baseUrl)
    return { url, status: answer.statusCode, headers: answer.headers, body: answer.body }
  }

  async function tokensAt(location: unknown): Promise<Record<string, unknown>> {
    const parameters = new URL(String(location)).searchParams
    assert.equal(parameters.get('state'), 'a state', String(location))
    const form = { grant_type: 'authorization_code', code: parameters.get('code')!, code_verifier: verifier }
    // The redirect URI may be left out, as in the authorization request.
    const tokens = granted(await sendForm(app, 'token', { ...form, ...inForm(client) }))
    assert.equal(tokens.scope, scope)
    return claimsOf(tokens.access_token)
  }

  const ask = () => open(authorizationPath({ response_type: 'code', client_id: client.clientId, prompt: 'none' }))
  const errorAt = ({ headers }: { headers: object }) =>
    new URL(String((headers as { location?: string }).location)).searchParams.get('error')

  test('earlier sign-in session: the user has to sign in again', async () => {
    const payload = { uid: browser.uid, accountId: person.id, loginTs: seconds(), acr: browser.acr }
    await store({ model: 'Session', id: browser.id, lifetime: 43_200 }, payload)
    assert.equal(errorAt(await ask()), 'login_required')
  })

  describe('earlier interactions', () => {
    test('earlier interaction that waits for a sign-in: continues with consent', async () => {
      const uid = await storeInteraction('login')
      const page = await open(`/oauth2/interactions/${uid}`, uid)
      const fields = { email: person.email, password: PASSWORD }
      const answered = await open(page.url.pathname, uid, filledIn(page, 'Sign in', fields))
      assert.match(answered.body, new RegExp(`url=/oauth2/authorize/${uid}"`))
      const resumed = await open(`/oauth2/authorize/${uid}`, uid)
      assert.match(String(resumed.headers['location']), /^\/oauth2\/interactions\//)
      assert.match(String(resumed.headers['set-cookie']), /gatehouse_session=/)
    })

    test('earlier interaction that waits for consent: leads to a code with all requested parameters', async () => {
      await storeSession()
      const uid = await storeInteraction('consent')
      const page = await open(`/oauth2/interactions/${uid}`, uid)
      assert.ok(decoded(page.body).includes(person.email))
      const fields = { place: `org:${app.orgId}` }
      assert.equal((await open(page.url.pathname, uid, filledIn(page, 'Allow', fields))).status, 200)
      const claims = await tokensAt((await open(`/oauth2/authorize/${uid}`, uid)).headers['location'])
      assert.equal(claims['nonce'], 'a nonce')
    })

    test('earlier interaction with a stored consent: leads to a code', async () => {
      await storeSession()
      const grantId = await addGrant()
      const login = { accountId: person.id, remember: false, acr: browser.acr }
      const uid = await storeInteraction('consent', { result: { login, consent: { grantId } } })
      await tokensAt((await open(`/oauth2/authorize/${uid}`, uid)).headers['location'])
    })

    test('earlier interaction with a stored refusal: redirects to the app with access_denied', async () => {
      await storeSession()
      const result = { error: 'access_denied', error_description: 'The user refused' }
      const uid = await storeInteraction('consent', { result })
      assert.equal(errorAt(await open(`/oauth2/authorize/${uid}`, uid)), 'access_denied')
    })
  })

  const ofGrant = (grantId: string) => ({
    accountId: person.id,
    acr: browser.acr,
    authTime: seconds(),
    grantId,
    nonce: 'a nonce',
    scope,
    sessionUid: browser.uid,
    clientId: client.clientId,
  })

  test('earlier authorization code: grants tokens once, for its verifier only', async () => {
    const [code, grantId] = [newSecret('authorization_code'), await addGrant()]
    const { code_challenge: codeChallenge, code_challenge_method: codeChallengeMethod } = challenge
    const bound = { codeChallenge, codeChallengeMethod, redirectUri: client.redirectUri }
    await store({ model: 'AuthorizationCode', id: code, lifetime: 60 }, { ...ofGrant(grantId), ...bound })
    const form = { grant_type: 'authorization_code', code, redirect_uri: client.redirectUri, ...inForm(client) }
    refused(await sendForm(app, 'token', { ...form, code_verifier: pkce().verifier }), 400, 'invalid_grant')
    const tokens = granted(await sendForm(app, 'token', { ...form, code_verifier: verifier }))
    assert.deepEqual([tokens.scope, claimsOf(tokens.access_token)['nonce']], [scope, 'a nonce'])
    refused(await sendForm(app, 'token', { ...form, code_verifier: verifier }), 400, 'invalid_grant')
  })

  const further = { gty: 'authorization_code', rotations: 0, iiat: 1_795_383_074 }
  const refreshForm = (token: string) => ({ grant_type: 'refresh_token', refresh_token: token, ...inForm(client) })

  test('earlier refresh token: works, and its successor too', async () => {
    const [token, grantId] = [newSecret('refresh_token'), await addGrant()]
    await store({ model: 'RefreshToken', id: token, lifetime: 15_552_000 }, { ...ofGrant(grantId), ...further })
    const next = granted(await sendForm(app, 'token', refreshForm(token)))
    assert.deepEqual([next.scope, claimsOf(next.access_token)['nonce']], [scope, 'a nonce'])
    granted(await sendForm(app, 'token', refreshForm(next.refresh_token)))
  })

  test('earlier used refresh token: ends its session', async () => {
    const [used, live, grantId] = [newSecret('refresh_token'), newSecret('refresh_token'), await addGrant()]
    const row = { model: 'RefreshToken', lifetime: 15_552_000 }
    await store({ ...row, id: used, consumed: true }, { ...ofGrant(grantId), ...further })
    await store({ ...row, id: live }, { ...ofGrant(grantId), ...further, gty: 'authorization_code refresh_token' })
    refused(await sendForm(app, 'token', refreshForm(used)), 400, 'invalid_grant')
    refused(await sendForm(app, 'token', refreshForm(live)), 400, 'invalid_grant')
  })
})
