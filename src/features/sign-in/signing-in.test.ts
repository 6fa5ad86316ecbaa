import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import type { AppRow } from '#features/apps/store.ts'
import { actionsIn, assertLeft, assertPage, authorizeUrl, scopes, setScene } from '#test/access/authorization-pages.ts'
import { addPerson, PASSWORD, type Person, signIn } from '#test/access/people.ts'
import { createVisitor, filledIn, type Visitor } from '#test/access/visitor.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('sign-in page', (engine) => {
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
  const { inOrg, begin, ask, allow, sessionsOf, eventsOf } = actionsIn(
    () => app,
    () => ({ client, person, visitor }),
  )

  describe('sign-in', () => {
    const wrong: [why: string, fields: () => Record<string, string>, words: RegExp][] = [
      [
        'a wrong password',
        () => ({ email: person.email, password: 'wrong' }),
        /e-mail address or the password is wrong/,
      ],
      [
        'an unknown account',
        () => ({ email: 'no@example.test', password: PASSWORD }),
        /e-mail address or the password is wrong/,
      ],
      ['an empty address', () => ({ email: ' ', password: PASSWORD }), /Enter your e-mail address/],
      ['an empty password', () => ({ email: person.email, password: '' }), /Enter your password/],
      [
        'too long an address',
        () => ({ email: `${'x'.repeat(330)}@example.test`, password: 'x' }),
        /address is too long/,
      ],
      ['too long a password', () => ({ email: person.email, password: 'x'.repeat(1025) }), /password is too long/],
    ]
    for (const [why, fields, words] of wrong) {
      test(`sign-in with ${why}: shows the form again with the reason (400)`, async () => {
        const page = await visitor.press(await begin(), 'Sign in', fields())
        assertPage(page, 400, /^Sign in$/)
        assert.match(page.body, words)
        const field = /<a href="#(email|password)">/.exec(page.body)?.[1]
        assert.match(page.body, new RegExp(`id="${field}"[^>]* aria-invalid="true" aria-describedby="${field}-wrong"`))
        assert.doesNotMatch(page.body, /value="(wrong|a password)/)
        assertPage(await signIn(visitor, page, person), 200, /^Authorize An app\?$/)
      })
    }

    test('failed sign-in: existing and unknown accounts get the same page', async () => {
      const page = await begin()
      const bodies = []
      for (const email of [person.email, `${randomUUID()}@example.test`]) {
        const again = await visitor.press(page, 'Sign in', { email, password: 'wrong' })
        bodies.push(again.body.replaceAll(email, 'EMAIL'))
      }
      assert.equal(bodies[0], bodies[1])
    })

    test('repeated failures: 429 with the wait; a known browser still signs in', async () => {
      await visitor.press(await ask(), 'Refuse')
      await visitor.press(await visitor.open('/oauth2/sign-out'), 'Sign out')
      const stranger = createVisitor(app, '10.9.9.9')
      const page = await begin(stranger)
      await stranger.press(page, 'Sign in', { email: person.email, password: 'wrong' })
      const { db, now } = app.parts.services
      const latest = db.selectFrom('sign_in_failures').select(({ fn }) => fn.max('last_at').as('at'))
      const changed = await db
        .updateTable('sign_in_failures')
        .set({ blocked_until: now() + 100_000 })
        .where('last_at', '=', latest)
        .returning('id')
        .execute()
      assert.equal(changed.length, 3)
      const blocked = await signIn(stranger, page, person)
      assertPage(blocked, 429, /^Sign in$/)
      assert.match(String(blocked.headers['retry-after']), /^(9\d|100)$/)
      assert.match(blocked.body, /Wait 2 minutes, then try again; this attempt was not checked/)
      assertPage(await ask(), 200, /^Authorize An app\?$/)
    })

    test('login_hint: fills in the e-mail address, escaped', async () => {
      const page = await visitor.open(authorizeUrl(client, { login_hint: 'ada@"example".test' }))
      assert.match(page.body, /id="email"[^>]*value="ada@&quot;example&quot;\.test"/)
    })

    test('prompt=login: asks for a new sign-in; prompt=none without one gets login_required', async () => {
      await visitor.press(await ask(), 'Refuse')
      assertPage(await visitor.open(authorizeUrl(client, { prompt: 'login' })), 200, /^Sign in$/)
      const left = await createVisitor(app).open(authorizeUrl(client, { prompt: 'none' }))
      assertLeft(left, { error: 'login_required', state: 'the state' })
      assertLeft(await visitor.open(authorizeUrl(client, { prompt: 'none' })), { error: 'consent_required' })
    })

    test('prompt=login with another account: replaces the session of the first account', async () => {
      await visitor.press(await ask(), 'Refuse')
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      const page = await signIn(visitor, await visitor.open(authorizeUrl(client, { prompt: 'login' })), other)
      assert.ok(page.body.includes(other.email))
      assertLeft(await allow(page, inOrg()), { error: undefined })
    })

    test('sign-in on a page opened before another sign-in of the browser: counts', async () => {
      const early = await begin()
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      await visitor.press(await ask(visitor, client, other), 'Refuse')
      const page = await signIn(visitor, early, person)
      assert.ok(page.body.includes(person.email))
      assertLeft(await allow(page, inOrg()), { error: undefined })
    })

    test('console session: expires 12 hours after its last use', async () => {
      const start = Date.now()
      const atHour = async <T>(hours: number, work: () => Promise<T>): Promise<T> => {
        mock.timers.enable({ apis: ['Date'], now: start + hours * 3_600_000 })
        try {
          return await work()
        } finally {
          mock.timers.reset()
        }
      }
      await visitor.press(await ask(), 'Refuse')
      const page = await atHour(11, () => begin())
      assertPage(page, 200, /^Authorize An app\?$/)
      await atHour(11.9, () => visitor.press(page, 'Refuse'))
      assertPage(await atHour(23.5, () => begin()), 200, /^Authorize An app\?$/)
      assertPage(await atHour(35, () => begin()), 200, /^Authorize An app\?$/)
      assertPage(await atHour(47.1, () => begin()), 200, /^Sign in$/)
    })

    test('sign-in: ends when the password changes', async () => {
      const page = await ask()
      const body = { data: { type: 'user', attributes: { password: 'quite another one' } } }
      const changed = await app.call('PATCH', `/rest/groups/${app.groupId}/users/${person.id}`, { body })
      assert.equal(changed.statusCode, 200, changed.body)
      assertPage(await allow(page, inOrg()), 400, /has expired/)
      assertPage(await begin(), 200, /^Sign in$/)
      assert.deepEqual(await sessionsOf(person.id), [])
    })

    test('sign-in: ends when the account is deleted', async () => {
      const page = await ask()
      const gone = await app.call('DELETE', `/rest/groups/${app.groupId}/users/${person.id}`)
      assert.equal(gone.statusCode, 204, gone.body)
      assertPage(await allow(page, inOrg()), 400, /has expired/)
      assertPage(await begin(), 200, /^Sign in$/)
    })

    test('sign-in: ends with the sign-out, which requires its form', async () => {
      await visitor.press(await ask(), 'Refuse')
      const page = await visitor.open('/oauth2/sign-out')
      assertPage(page, 200, /^Sign out$/)
      assert.ok(page.body.includes(person.email))
      assertPage(await visitor.send(page.url, new URLSearchParams()), 403, /not sent from its page/)
      assertPage(await visitor.press(page, 'Sign out'), 200, /^You are signed out$/)
      assertPage(await visitor.open('/oauth2/sign-out'), 200, /^You are signed out$/)
      assertPage(await visitor.send(page.url, new URLSearchParams()), 200, /^You are signed out$/)
      assertPage(await begin(), 200, /^Sign in$/)
    })

    test('sign-in cookies: HttpOnly and SameSite=Lax', async () => {
      const headers = (await app.server.inject(authorizeUrl(client))).headers['set-cookie'] as string[]
      const posted: string[] = []
      const page = await begin()
      const answer = await app.server.inject({
        method: 'POST',
        url: page.url.pathname,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          cookie: visitor.cookieHeader(page.url),
        },
        payload: filledIn(page, 'Sign in', { email: person.email, password: PASSWORD }).toString(),
      })
      posted.push(...([answer.headers['set-cookie']].flat() as string[]))
      assert.ok(posted.some((line) => line.startsWith('gatehouse_known=')))
      for (const line of [...headers, ...posted]) {
        assert.match(line, /; httponly/i, line)
        assert.match(line, /; samesite=lax/i, line)
        assert.doesNotMatch(line, /; secure/i)
      }
    })
  })

  describe('users who do not consent', () => {
    test('refused consent: the app gets access_denied', async () => {
      assertLeft(await visitor.press(await ask(), 'Refuse'), {
        error: 'access_denied',
        state: 'the state',
        iss: app.parts.services.baseUrl,
        code: undefined,
      })
      assert.deepEqual(await sessionsOf(person.id), [])
    })

    test('canceled sign-in: the app gets access_denied', async () => {
      const left = await visitor.press(await begin(), 'Cancel', { email: '', password: '' })
      assertLeft(left, { error: 'access_denied', state: 'the state', code: undefined })
    })

    test('switch of accounts: the other account signs in and gets the session', async () => {
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      const login = await visitor.press(await ask(), 'Not you? Use another account')
      assertPage(login, 200, /^Sign in$/)
      const page = await signIn(visitor, login, other)
      assert.ok(page.body.includes(other.email) && !page.body.includes(person.email))
      assertLeft(await allow(page, inOrg()), { state: 'the state', error: undefined })
      assert.deepEqual(await sessionsOf(person.id), [])
      assert.equal((await sessionsOf(other.id)).length, 1)
      assert.ok((await eventsOf(person.id)).includes('user.sign_out'))
    })
  })

  test('user created with a password: signs in on the page', async () => {
    const email = `${randomUUID()}@example.test`
    const body = { data: { type: 'user', attributes: { name: 'New', email, password: PASSWORD } } }
    assert.equal((await app.call('POST', `/rest/groups/${app.groupId}/users`, { body })).statusCode, 201)
    assertPage(await signIn(visitor, await begin(), { email }), 200, /^Authorize An app\?$/)
  })

  test('log: contains neither passwords nor tokens of the sign-in', async () => {
    const page = await ask()
    await allow(page, inOrg())
    await visitor.press(await createVisitor(app).open(authorizeUrl(client)), 'Sign in', {
      email: 'x@y',
      password: 'secret-in-form',
    })
    for (const secret of [PASSWORD, 'secret-in-form', filledIn(page, 'Allow', {}).get('token')!]) {
      assert.ok(!app.log().includes(secret))
    }
  })

  test('page after a sign-in of a program: says that it can be closed', async () => {
    assertPage(await visitor.open('/authenticated?type=oauth'), 200, /^You can close this page$/)
  })
})
