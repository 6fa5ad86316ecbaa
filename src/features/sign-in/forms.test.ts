import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
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
import { addPerson, PASSWORD, type Person, signIn } from '#test/access/people.ts'
import { addApp } from '#test/access/tokens.ts'
import { createVisitor, type Fields, filledIn, type Shown, type Visitor } from '#test/access/visitor.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

onAnyEngine('forms and interactions of the sign-in pages', (engine) => {
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
  const { inOrg, begin, ask, allow, installsOf, sessionsOf } = actionsIn(
    () => app,
    () => ({ client, person, visitor }),
  )

  /** Sends a form without following the redirect. */
  const post = (page: Shown, button: string, fields: Fields) =>
    app.server.inject({
      method: 'POST',
      url: page.url.pathname,
      headers: { 'content-type': 'application/x-www-form-urlencoded', cookie: visitor.cookieHeader(page.url) },
      payload: filledIn(page, button, fields).toString(),
    })

  /** Opens all paths at the same time and asserts that each leads back to the app. */
  async function endTogether(paths: readonly string[]): Promise<void> {
    for (const shown of await Promise.all(paths.map((path) => visitor.open(path)))) {
      assertLeft(shown, { error: undefined, state: 'the state' })
      assert.ok(shown.url.searchParams.has('code'))
    }
  }

  describe('form checks', () => {
    const forgeries: [why: string, change: (form: URLSearchParams) => void, headers?: Record<string, string>][] = [
      ['without its token', (form) => form.delete('token')],
      ['with another token', (form) => form.set('token', 'AAAAAAAAAAAAAAAAAAAAAA')],
      ['sent by another site', () => {}, { 'sec-fetch-site': 'cross-site' }],
      ['sent by another origin of the same site', () => {}, { 'sec-fetch-site': 'same-site' }],
    ]
    for (const [why, change, headers] of forgeries) {
      test(`form ${why}: refused with 403`, async () => {
        const login = await begin()
        const filled = filledIn(login, 'Sign in', { email: person.email, password: PASSWORD })
        change(filled)
        assertPage(await visitor.send(login.url, filled, headers), 403, /not sent from its page/)
        const page = await signIn(visitor, login, person)
        const consent = filledIn(page, 'Allow', { place: inOrg() })
        change(consent)
        assertPage(await visitor.send(page.url, consent, headers), 403, /not sent from its page/)
        assert.deepEqual(await sessionsOf(person.id), [])
      })
    }

    test('form sent by the page itself: accepted', async () => {
      const page = await ask()
      const form = filledIn(page, 'Allow', { place: inOrg() })
      assertLeft(await visitor.send(page.url, form, { 'sec-fetch-site': 'same-origin' }), { error: undefined })
    })

    test('form with the token of another interaction: refused with 403', async () => {
      const [first, second] = [await ask(), await begin()]
      const token = filledIn(second, 'Allow', {}).get('token')!
      const form = filledIn(first, 'Allow', { place: inOrg(), token })
      assertPage(await visitor.send(first.url, form), 403, /not sent from its page/)
    })

    test("form without the browser's cookies: refused with 400", async () => {
      const page = await ask()
      const other = createVisitor(app)
      assertPage(await other.open(page.url), 400, /has expired/)
      assertPage(await other.press(page, 'Allow', { place: inOrg() }), 400, /has expired/)
      await ask(other, client, await addPerson(app))
      assertPage(await other.press(page, 'Allow', { place: inOrg() }), 400, /has expired/)
      assert.deepEqual(await sessionsOf(person.id), [])
    })

    const unreadable: [why: string, type: string, body: string, status: number][] = [
      ['JSON', 'application/json', '{}', 415],
      ['another type', 'text/plain', 'decision=allow', 415],
      ['a NUL', 'application/x-www-form-urlencoded', 'decision=%00', 400],
      ['1.1 MB', 'application/x-www-form-urlencoded', 'x'.repeat(1_100_000), 413],
    ]
    for (const [why, type, payload, status] of unreadable) {
      test(`form of ${why}: gets a page with status ${status}`, async () => {
        const page = await ask()
        const cookie = visitor.cookieHeader(page.url)
        const headers = { 'content-type': type, cookie }
        const answer = await app.server.inject({ method: 'POST', url: page.url.pathname, headers, payload })
        assert.equal(answer.statusCode, status)
        assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
        assert.match(answer.body, /<h1>The form could not be read<\/h1>/)
      })
    }

    test('form with a missing or unknown decision: refused with 400', async () => {
      const page = await ask()
      const { token } = Object.fromEntries(filledIn(page, 'Allow', {}))
      for (const decision of [{}, { decision: 'maybe' }]) {
        const form = new URLSearchParams({ token: token!, place: inOrg(), ...decision })
        assertPage(await visitor.send(page.url, form), 400, /could not be read/)
      }
      assert.deepEqual(await sessionsOf(person.id), [])
    })
  })

  describe('interactions', () => {
    test('answered interaction: expired', async () => {
      const page = await ask()
      await allow(page, inOrg())
      assertPage(await allow(page, inOrg()), 400, /has expired/)
      assertPage(await visitor.open(page.url), 400, /has expired/)
      assert.equal((await sessionsOf(person.id)).length, 1)
    })

    test('interaction answered three times at once: begins one session and leads back to the app', async () => {
      const page = await ask()
      const form = filledIn(page, 'Allow', { place: inOrg() }).toString()
      const cookie = visitor.cookieHeader(page.url)
      const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie }
      const send = () => app.server.inject({ method: 'POST', url: page.url.pathname, headers, payload: form })
      const answers = await Promise.all([send(), send(), send()])
      assert.equal(new Set(answers.map(nextOf)).size, 1)
      assert.equal((await sessionsOf(person.id)).length, 1)
      assert.equal((await installsOf(person.id)).length, 1)
      const left = await visitor.open(nextOf(answers[0]!))
      assertLeft(left, { error: undefined })
    })

    test('interaction answered with yes, then no: keeps the first answer', async () => {
      const page = await ask()
      const cookie = visitor.cookieHeader(page.url)
      const headers = { 'content-type': 'application/x-www-form-urlencoded', cookie }
      const send = (form: URLSearchParams) =>
        app.server.inject({ method: 'POST', url: page.url.pathname, headers, payload: form.toString() })
      await send(filledIn(page, 'Allow', { place: inOrg() }))
      const answer = await send(filledIn(page, 'Refuse', {}))
      assertLeft(await visitor.open(nextOf(answer)), { error: undefined })
    })

    test('two consents at once: the places of one of them remain', async () => {
      const other = await app.addOrg()
      person = await addPerson(app, ...[app.orgId, other].map((orgId) => ({ permissions: scopes, orgId })))
      const [first, second] = [await ask(), await begin()]
      const answers = await Promise.all([
        post(first, 'Allow', { place: inOrg() }),
        post(second, 'Allow', { place: inOrg(other) }),
      ])
      for (const answer of answers) assertLeft(await visitor.open(nextOf(answer)), { error: undefined })
      assert.equal((await installsOf(person.id)).length, 1)
      assert.equal((await sessionsOf(person.id)).length, 2)
    })

    test('two tabs that finish at once: both return to the app and the browser stays signed in', async () => {
      const tabs = [await ask(), await begin()]
      const next = []
      for (const page of tabs) next.push(nextOf(await post(page, 'Allow', { place: inOrg() })))
      await endTogether(next)
      assert.match((await begin()).body, /Authorize An app/)
    })

    test('two tabs with simultaneous sign-ins: both return to the app', async () => {
      const tabs = [await begin(), await begin()]
      const fields = { email: person.email, password: PASSWORD }
      const next = []
      for (const page of tabs) next.push(nextOf(await post(page, 'Sign in', fields)))
      const shown = await Promise.all(next.map((path) => visitor.open(path)))
      for (const page of shown) assertPage(page, 200, /^Authorize An app\?$/)
      const ends = []
      for (const page of shown) ends.push(nextOf(await post(page, 'Allow', { place: inOrg() })))
      await endTogether(ends)
      assert.match((await begin()).body, /Authorize An app/)
    })

    test('consent given before a new sign-in of the browser: continues', async () => {
      const [page, late] = [await ask(), await visitor.open(authorizeUrl(client, { prompt: 'login' }))]
      const next = nextOf(await post(page, 'Allow', { place: inOrg() }))
      assertPage(await signIn(visitor, late, person), 200, /^Authorize An app\?$/)
      assertLeft(await visitor.open(next), { error: undefined, state: 'the state' })
    })

    test('session cookie: changes at each sign-in only', async () => {
      const name = () =>
        /gatehouse_session=([^;]*)/.exec(visitor.cookieHeader(new URL(app.parts.services.baseUrl)))?.[1]
      const page = await ask()
      const before = name()
      assert.ok(before)
      assertLeft(await allow(page, inOrg()), { error: undefined })
      assert.equal(name(), before)
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      await signIn(visitor, await visitor.open(authorizeUrl(client, { prompt: 'login' })), other)
      assert.notEqual(name(), before)
    })

    test('expired or unknown interaction: 400 with a page that says so', async () => {
      const page = await ask()
      await app.parts.services.db.deleteFrom('oauth_records').where('model', '=', 'Interaction').execute()
      assertPage(await visitor.open(page.url), 400, /has expired/)
      assertPage(await allow(page, inOrg()), 400, /has expired/)
      assertPage(await visitor.open('/oauth2/interactions/nothing'), 400, /has expired/)
    })

    test('interaction of another account than the signed-in one: refused', async () => {
      const page = await ask()
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      const elsewhere = await visitor.press(await begin(), 'Not you? Use another account')
      await signIn(visitor, elsewhere, other)
      assertPage(await visitor.open(page.url), 400, /has expired|another account/i)
      await allow(page, inOrg())
      assert.deepEqual([await sessionsOf(person.id), await sessionsOf(other.id)], [[], []])
    })

    test('interaction of a deleted app: 410 with a page that says so', async () => {
      const page = await ask()
      const gone = await app.call('DELETE', `/rest/orgs/${app.orgId}/apps/creations/${client.id}`)
      assert.equal(gone.statusCode, 204, gone.body)
      assertPage(await visitor.open(page.url), 410, /app no longer exists/)
      assertPage(await allow(page, inOrg()), 410, /app no longer exists/)
    })

    const refused: [why: string, change: (query: URLSearchParams) => void, title: RegExp][] = [
      ['an unknown app', (query) => query.set('client_id', randomUUID()), /Unknown app/],
      ['a missing app', (query) => query.delete('client_id'), /sent an invalid request|Unknown app/],
      [
        'another redirect URI',
        (query) => query.set('redirect_uri', 'https://evil.example/callback'),
        /unregistered redirect address/,
      ],
    ]
    for (const [why, change, title] of refused) {
      test(`authorization request with ${why}: 400 without a redirect`, async () => {
        const url = new URL(authorizeUrl(client), 'http://test')
        change(url.searchParams)
        const page = await visitor.open(`${url.pathname}${url.search}`)
        assert.equal(page.status, 400)
        assertPage(page, 400, title)
        assert.doesNotMatch(page.body, /href="https:\/\/evil/)
      })
    }

    test('consent page: escapes the name of the app', async () => {
      client = await addApp(app, { scopes, name: '<img src=x onerror=alert(1)>' })
      const page = await ask()
      assertPage(page, 200, /^Authorize <img src=x onerror=alert\(1\)>\?$/)
      assert.doesNotMatch(page.body, /<img src=x/)
    })
  })
})
