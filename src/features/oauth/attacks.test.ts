import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import fc from 'fast-check'
import type { AppRow } from '#features/apps/store.ts'
import {
  actionsIn,
  assertLeft,
  assertPage,
  authorizeUrl,
  nextOf,
  scopes,
  setScene,
} from '#test/access/authorization-pages.ts'
import { authorizationPath, granted, isAccepted, pkce, refused, sendForm } from '#test/access/oauth.ts'
import { addPerson, type Person, signIn } from '#test/access/people.ts'
import { createVisitor, filledIn, type Shown, type Visitor } from '#test/access/visitor.ts'
import { hostileText } from '#test/documents/hostile-values.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { volume } from '#test/volume.ts'

const parameters = [
  'client_id',
  'response_type',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'request',
  'request_uri',
  'registration',
]
const SESSION = /gatehouse_session=([^;]*)/

// Attacks of RFC 9700 §4 and RFC 6819 §4 that the tables in `rfc/` do not hold.
onEveryEngine('attacks on an authorization', (engine) => {
  let app: TestApp
  let client: AppRow
  let person: Person
  let visitor: Visitor
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())
  beforeEach(async () => {
    ;({ client, person, visitor } = await setScene(app))
  })
  const { inOrg, begin, ask, allow, sessionsOf } = actionsIn(
    () => app,
    () => ({ client, person, visitor }),
  )

  const redirectUri = () => (JSON.parse(client.redirect_uris) as string[])[0]!
  const records = async (model: string) =>
    (await app.parts.services.db.selectFrom('oauth_records').select('id').where('model', '=', model).execute()).length

  /** Submits a form without following the answer. */
  const post = (page: Shown, button: string, fields: Record<string, string> = {}) =>
    app.server.inject({
      method: 'POST',
      url: page.url.pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: visitor.cookieHeader(page.url) },
      payload: filledIn(page, button, fields).toString(),
    })

  /** Returns the path to which the browser continues after consent. */
  const consented = async () => nextOf(await post(await ask(), 'Allow', { place: inOrg() }))

  const resumeWith = (path: string, cookie: string) => app.server.inject({ url: path, headers: { cookie } })
  const cookiesAt = (path: string, of = visitor) => of.cookieHeader(new URL(path, app.parts.services.baseUrl))

  describe('the authorization request', () => {
    for (const name of parameters) {
      test(`authorization request: refuses ${name} sent twice, even with equal values`, async () => {
        const sent = [...new URL(authorizeUrl(client), 'http://test').searchParams].filter(([one]) => one !== name)
        const value = new URL(authorizeUrl(client), 'http://test').searchParams.get(name) ?? 'x'
        for (const other of [value, 'https://evil.example/']) {
          const url = authorizationPath([...sent, [name, value], [name, other]])
          const answer = await app.server.inject({ url })
          if (name === 'client_id' || name === 'redirect_uri') {
            assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined])
            assert.match(answer.body, /must not be provided twice/)
          } else {
            const location = new URL(String(answer.headers.location))
            assert.equal(location.searchParams.get('error'), 'invalid_request')
            assert.equal(location.searchParams.get('state'), name === 'state' ? null : 'the state')
          }
          assert.equal(answer.headers['set-cookie'], undefined)
        }
      })
    }

    test('authorization request: no response_mode changes how the error is returned', async () => {
      for (const response_mode of ['fragment', 'form_post', 'web_message', 'query.jwt', 'x']) {
        const url = authorizeUrl(client, { response_mode, prompt: 'none' })
        const { headers, statusCode } = await app.server.inject({ url })
        const location = new URL(String(headers.location))
        assert.deepEqual([statusCode, location.hash, location.searchParams.get('error')], [303, '', 'login_required'])
      }
    })

    test('authorization request: refuses other spellings of a registered redirect URI (400)', async () => {
      const uri = redirectUri()
      for (const redirect_uri of [
        ` ${uri}`,
        `${uri} `,
        `${uri}\r\nset-cookie: x=y`,
        `${uri}\t`,
        `${uri}%00`,
        `${uri}/..`,
        `${uri}%2f`,
        `${uri}?`,
        `${uri}#`,
        uri.replace('//', '/\\'),
        uri.replace('//', '///'),
        uri.replace('app.example', 'app.example.'),
        uri.replace('app.example', 'app.example\\@evil.example'),
        uri.replace('app.example', 'ａpp.example'),
        uri.replace('https:', 'HTTPS:'),
        encodeURIComponent(uri),
        `data:text/html,${uri}`,
        '//app.example/callback',
      ]) {
        const answer = await app.server.inject({ url: authorizeUrl(client, { redirect_uri }) })
        assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined], redirect_uri)
        assert.equal(answer.headers['set-cookie'], undefined)
      }
    })

    test('authorization request as a form: refused (405)', async () => {
      const [url, payload] = authorizeUrl(client).split('?')
      const headers = { 'content-type': 'application/x-www-form-urlencoded' }
      const answer = await app.server.inject({ method: 'POST', url: url!, headers, payload: payload! })
      assert.deepEqual([answer.statusCode, answer.headers['allow']], [405, 'GET, HEAD'])
    })

    test('authorization request with hostile values: leads only to a page of this server or back to the app', async () => {
      const field = fc.tuple(fc.constantFrom(...parameters), hostileText)
      const changes = fc.array(field, { minLength: 1, maxLength: 4 })
      for (const sent of fc.sample(changes, { seed: 20_261_122, numRuns: volume(150) })) {
        const query = new URLSearchParams(authorizeUrl(client).split('?')[1])
        for (const [name, text] of sent) query.set(name, text.toWellFormed())
        const answer = await app.server.inject({ url: `/oauth2/authorize?${query}`, remoteAddress: '10.200.0.1' })
        const { location } = answer.headers
        if (answer.statusCode === 400) assert.equal(location, undefined)
        else assert.equal(answer.statusCode, 303, answer.body)
        if (location === undefined || String(location).startsWith('/oauth2/interactions/')) continue
        assert.ok(String(location).startsWith(`${redirectUri()}?`) || String(location).startsWith(`${redirectUri()}#`))
        const parameters = new URLSearchParams(
          new URL(String(location)).search || new URL(String(location)).hash.slice(1),
        )
        assert.match(parameters.get('error') ?? '', /^[a-z_]+$/)
        assert.match(parameters.get('error_description') ?? '', /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/)
      }
      assert.doesNotMatch(app.log(), /"level":(50|60)/)
    })

    test('authorization request: cannot pretend that its redirect URI was left out', async () => {
      const left = await allow(
        await signIn(
          visitor,
          await visitor.open(authorizeUrl(client, { gatehouse_redirect_uri_defaulted: 'yes' })),
          person,
        ),
        inOrg(),
      )
      const { db } = app.parts.services
      await db.updateTable('apps').set({ is_confidential: 0 }).where('id', '=', client.id).execute()
      const form = {
        grant_type: 'authorization_code',
        code: left.url.searchParams.get('code')!,
        client_id: client.client_id!,
      }
      refused(await sendForm(app, 'token', form), 400, 'invalid_request')
      granted(await sendForm(app, 'token', { ...form, redirect_uri: redirectUri() }))
    })

    test('authorization request: returns a long state unchanged', async () => {
      const state = 'é/?#&'.repeat(1000)
      assertLeft(await visitor.open(authorizeUrl(client, { state, prompt: 'none' })), {
        error: 'login_required',
        state,
      })
      const page = await visitor.open(
        authorizeUrl(client, { state, login_hint: 'x'.repeat(5000), nonce: 'n'.repeat(2000) }),
      )
      assertLeft(await allow(await signIn(visitor, page, person), inOrg()), { error: undefined, state })
    })

    test('refused authorization request: stores no interaction', async () => {
      const before = await records('Interaction')
      for (const change of [{ response_type: 'token' }, { scope: 'org.edit' }, { max_age: '-1' }, { prompt: 'none' }]) {
        await app.server.inject({ url: authorizeUrl(client, change) })
      }
      assert.equal(await records('Interaction'), before)
    })
  })

  describe('sign-in parameters of an authorization request', () => {
    test('max_age=0: asks for the password each time', async () => {
      await visitor.press(await ask(), 'Refuse')
      assertPage(await visitor.open(authorizeUrl(client, { max_age: '0' })), 200, /^Sign in$/)
      const left = await visitor.open(authorizeUrl(client, { max_age: '0', prompt: 'none' }))
      assertLeft(left, { error: 'login_required' })
    })

    test('max_age: asks for the password after that many seconds; consent follows the sign-in', async () => {
      await visitor.press(await ask(), 'Refuse')
      const url = authorizeUrl(client, { max_age: '600' })
      assertPage(await visitor.open(url), 200, /^Authorize An app\?$/)
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 601_000 })
      try {
        assertLeft(await visitor.open(authorizeUrl(client, { max_age: '600', prompt: 'none' })), {
          error: 'login_required',
        })
        const page = await visitor.open(url)
        assertPage(page, 200, /^Sign in$/)
        const consent = await signIn(visitor, page, person)
        assertPage(await visitor.open(url), 200, /^Authorize An app\?$/)
        // The sign-in of this authorization stays fresh enough for it, however long the user takes.
        mock.timers.setTime(Date.now() + 700_000)
        assertLeft(await allow(consent, inOrg()), { error: undefined })
      } finally {
        mock.timers.reset()
      }
    })

    test('login_hint: neither signs in nor hides the account in use', async () => {
      await visitor.press(await ask(), 'Refuse')
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      const page = await visitor.open(authorizeUrl(client, { login_hint: other.email }))
      assert.ok(page.body.includes(person.email) && !page.body.includes(other.email))
    })
  })

  describe('browsers in an authorization', () => {
    test('a browser with a planted session id: gets a new one at sign-in', async () => {
      const chosen = 'A'.repeat(43)
      const page = await begin()
      const filled = filledIn(page, 'Sign in', { email: person.email, password: 'a password for people' })
      const planted = (path: string) => `gatehouse_session=${chosen}; ${cookiesAt(path)}`
      const answered = await app.server.inject({
        method: 'POST',
        url: page.url.pathname,
        headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: planted(page.url.pathname) },
        payload: filled.toString(),
      })
      const next = nextOf(answered)
      const resumed = await resumeWith(next, planted(next))
      const id = SESSION.exec(String(resumed.headers['set-cookie']))?.[1]
      assert.ok(id !== undefined && id !== chosen)
      const url = authorizeUrl(client, { prompt: 'none' })
      const again = await resumeWith(url, `gatehouse_session=${chosen}`)
      assert.match(String(again.headers.location), /error=login_required/)
    })

    test('a browser of another user: gets no code for a consent, even with the interaction’s cookie (400)', async () => {
      const next = await consented()
      const thief = createVisitor(app, '10.77.0.1')
      await ask(thief, client, await addPerson(app, { permissions: scopes, orgId: app.orgId }))
      const stolen = /gatehouse_resume=[^;]*/.exec(cookiesAt(next))![0]
      for (const cookie of ['', cookiesAt(next, thief), `${cookiesAt('/', thief)}; ${stolen}`, stolen]) {
        const answer = await resumeWith(next, cookie)
        assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined], cookie)
      }
      assertLeft(await visitor.open(next), { error: undefined })
    })

    test('a browser without the cookie of an answered sign-in: is not signed in by it (400)', async () => {
      const page = await begin()
      const next = nextOf(await post(page, 'Sign in', { email: person.email, password: 'a password for people' }))
      const answer = await resumeWith(next, '')
      assert.deepEqual([answer.statusCode, answer.headers.location], [400, undefined])
      assert.equal(answer.headers['set-cookie'], undefined)
      assertPage(await visitor.open(next), 200, /^Authorize An app\?$/)
    })

    test('a browser with another user’s session: is shown no page of this user (409)', async () => {
      const page = await ask()
      const other = createVisitor(app, '10.77.0.2')
      await ask(other, client, await addPerson(app, { permissions: scopes, orgId: app.orgId }))
      const ofPage = /gatehouse_interaction=[^;]*/.exec(cookiesAt(page.url.pathname))![0]
      const answer = await resumeWith(page.url.pathname, `${cookiesAt('/', other)}; ${ofPage}`)
      assert.equal(answer.statusCode, 409)
      assert.ok(!answer.body.includes(person.email))
    })

    test('a browser that returns after an hour: finds neither the page nor a code (400)', async () => {
      const [next, page] = [await consented(), await begin()]
      mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_601_000 })
      try {
        assertPage(await visitor.open(page.url), 400, /has expired/)
        assertPage(await visitor.open(next), 400, /has expired/)
      } finally {
        mock.timers.reset()
      }
    })

    test('a browser that skips the consent page: gets no code', async () => {
      const page = await ask()
      const path = page.url.pathname.replace('interactions', 'authorize')
      assertPage(await visitor.open(path), 200, /^Authorize An app\?$/)
      assert.deepEqual(await sessionsOf(person.id), [])
    })

    test('a browser that continues several times at once: gets one code, the others 400', async () => {
      const next = await consented()
      const before = await records('AuthorizationCode')
      const cookie = cookiesAt(next)
      const answers = await Promise.all([1, 2, 3, 4].map(() => resumeWith(next, cookie)))
      assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [303, 400, 400, 400])
      assert.equal(await records('AuthorizationCode'), before + 1)
    })
  })

  describe('changes between consent and code', () => {
    const continueAfter = async (change: () => Promise<unknown>) => {
      const next = await consented()
      await change()
      return visitor.open(next)
    }

    test('redirect URI withdrawn after consent: not used (400)', async () => {
      const body = { data: { type: 'app', attributes: { redirect_uris: ['https://app.example/new'] } } }
      const shown = await continueAfter(async () => {
        const path = `/rest/orgs/${app.orgId}/apps/creations/${client.id}`
        assert.equal((await app.call('PATCH', path, { body })).statusCode, 200)
      })
      assertPage(shown, 400, /unregistered redirect address/)
    })

    test('app deleted after consent: gets no code (400)', async () => {
      const shown = await continueAfter(async () => {
        await app.call('DELETE', `/rest/orgs/${app.orgId}/apps/creations/${client.id}`)
      })
      assertPage(shown, 400, /Unknown app/)
    })

    test('consent revoked before the code is issued: access_denied', async () => {
      const { db } = app.parts.services
      const shown = await continueAfter(() => db.deleteFrom('app_sessions').where('user_id', '=', person.id).execute())
      assertLeft(shown, { error: 'access_denied', state: 'the state', code: undefined })
    })

    test('password changed after consent: ends the authorization (400)', async () => {
      const body = { data: { type: 'user', attributes: { password: 'quite another one' } } }
      const page = await continueAfter(() =>
        app.call('PATCH', `/rest/groups/${app.groupId}/users/${person.id}`, { body }),
      )
      assertPage(page, 400, /has expired/)
    })

    test('sign-out after consent: ends the authorization (400)', async () => {
      const next = await consented()
      await visitor.press(await visitor.open('/oauth2/sign-out'), 'Sign out')
      assertPage(await visitor.open(next), 400, /has expired/)
    })

    test('sign-in with another account in another tab: ends the authorization (400)', async () => {
      const page = await begin()
      const late = await visitor.open(authorizeUrl(client, { prompt: 'login' }))
      const next = nextOf(await post(page, 'Sign in', { email: person.email, password: 'a password for people' }))
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      assertPage(await signIn(visitor, late, other), 200, /^Authorize An app\?$/)
      assertPage(await visitor.open(next), 400, /has expired/)
    })
  })

  describe('attacks on authorization codes', () => {
    async function codeForm(challenge: Record<string, string> = {}): Promise<Record<string, string>> {
      const page = await visitor.open(authorizeUrl(client, challenge))
      const consentPage = page.body.includes('name="password"') ? await signIn(visitor, page, person) : page
      const left = await allow(consentPage, inOrg())
      const code = left.url.searchParams.get('code')!
      return { grant_type: 'authorization_code', code, redirect_uri: redirectUri(), client_id: client.client_id! }
    }

    beforeEach(async () => {
      const { db } = app.parts.services
      await db.updateTable('apps').set({ is_confidential: 0 }).where('id', '=', client.id).execute()
    })

    test('a code exchanged several times at once: grants tokens once, and revokes them', async () => {
      const { verifier: code_verifier, challenge } = pkce()
      const form = { ...(await codeForm(challenge)), code_verifier }
      const answers = await Promise.all([1, 2, 3, 4].map(() => sendForm(app, 'token', form)))
      const winners = answers.filter(({ statusCode }) => statusCode === 200)
      assert.equal(winners.length, 1, answers.map(({ body }) => body).join())
      for (const answer of answers) if (answer.statusCode !== 200) refused(answer, 400, 'invalid_grant')
      assert.equal(await isAccepted(app, granted(winners[0]!).access_token), false)
    })

    test('a used code sent without its verifier: does not revoke the tokens of its owner', async () => {
      const { verifier: code_verifier, challenge } = pkce()
      const form = await codeForm(challenge)
      const tokens = granted(await sendForm(app, 'token', { ...form, code_verifier }))
      for (const guess of ['', pkce().verifier]) {
        refused(await sendForm(app, 'token', { ...form, code_verifier: guess }), 400, 'invalid_grant')
      }
      assert.ok(await isAccepted(app, tokens.access_token))
    })

    test('a code: refused as a refresh token, like a refresh token as a code', async () => {
      const { verifier: code_verifier, challenge } = pkce()
      const form = await codeForm(challenge)
      const { client_id } = form as { client_id: string }
      const swapped = { grant_type: 'refresh_token', refresh_token: form['code']!, client_id }
      refused(await sendForm(app, 'token', swapped), 400, 'invalid_grant')
      const { refresh_token } = granted(await sendForm(app, 'token', { ...form, code_verifier }))
      refused(await sendForm(app, 'token', { ...form, code_verifier, code: refresh_token }), 400, 'invalid_grant')
    })

    test('a code: refuses a verifier of more than 128 characters (invalid_request)', async () => {
      const form = await codeForm(pkce().challenge)
      for (const length of [129, 60_000]) {
        refused(await sendForm(app, 'token', { ...form, code_verifier: 'a'.repeat(length) }), 400, 'invalid_request')
      }
    })
  })
})
