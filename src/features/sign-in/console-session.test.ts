import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const scopes = ['org.read', 'org.project.read'] as const
const NEW_PASSWORD = 'a longer password than before'

onEveryEngine('sessions of the console', (engine) => {
  let app: TestApp
  let person: Person
  let browser: ConsoleBrowser
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_SESSION_IDLE_MINUTES: '60', GATEHOUSE_SESSION_HOURS: '24' })
  })
  after(() => app.close())
  beforeEach(async () => {
    person = await addPerson(app, { permissions: scopes, orgId: app.orgId })
    browser = createConsoleBrowser(app)
    await browser.signIn(person)
  })

  const self = (by = browser, headers?: Record<string, string | undefined>) => by.ask('GET', '/rest/self', { headers })
  const rowsOf = (userId: string) =>
    app.parts.services.db.selectFrom('user_sessions').selectAll().where('user_id', '=', userId).execute()

  async function actionsOf(userId: string): Promise<string[]> {
    const query = { actor_id: userId, limit: '100' }
    const answer = await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query })
    return answer.json().data.map(({ attributes }: { attributes: { action: string } }) => attributes.action)
  }

  describe('sign-in', () => {
    test('console session: acts as its user in REST and v1', async () => {
      assert.equal((await self()).json().data.id, person.id)
      assert.equal((await browser.ask('GET', '/v1/user/me')).json().id, person.id)
      assert.equal((await browser.ask('GET', `/rest/orgs/${app.orgId}/projects`)).statusCode, 200)
      const members = await browser.ask('GET', `/rest/orgs/${app.orgId}/memberships`)
      assert.equal(members.statusCode, 403)
      assert.ok((await actionsOf(person.id)).includes('user.sign_in'))
    })

    test('console session: changes are audited with the user and the session', async () => {
      const body = { data: { type: 'api_key', attributes: { name: 'Laptop' } } }
      const made = await browser.ask('POST', '/rest/self/api_keys', { body })
      assert.equal(made.statusCode, 201, made.body)
      const query = { actor_id: person.id, action: 'api_key.create' }
      const [event] = (await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query })).json().data
      assert.equal(event.attributes.actor.name, person.name)
      assert.equal(event.attributes.actor.credential_id, browser.sessionId)
    })

    test('session cookie: HttpOnly; storage holds only its digest, the log does not contain it', async () => {
      assert.match(browser.cookieLine(), /^gatehouse_session=[\w-]{43}; path=\/; samesite=lax; httponly$/)
      const [row] = await rowsOf(person.id)
      assert.equal(row!.digest, app.parts.services.keyring.digest(browser.secret))
      assert.ok(!JSON.stringify(row).includes(browser.secret))
      assert.ok(!app.log().includes(browser.secret))
    })

    test('sign-in: a wrong password and an unknown address get the same 403', async () => {
      const refused = async (email: string) => {
        const answer = await createConsoleBrowser(app).trySignIn({ email, password: 'wrong' })
        const { errorRef: _, ...body } = answer.json()
        return [answer.statusCode, answer.headers['set-cookie'], body]
      }
      const [status, cookies, body] = await refused(person.email)
      assert.deepEqual([status, cookies, body.errorCode], [403, undefined, 'sign-in-failed'])
      assert.deepEqual(await refused('nobody@example.test'), [status, cookies, body])
    })

    test('failed sign-ins: 429 after several; a known browser still signs in', async (context) => {
      // Comparing passwords may take longer than the waits.
      context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
      const stranger = createConsoleBrowser(app, '198.51.100.20')
      const statuses: number[] = []
      for (let count = 0; count < 8; count++) {
        const { email } = person
        statuses.push((await stranger.trySignIn({ email, password: 'wrong' })).statusCode)
      }
      assert.equal(statuses[0], 403)
      assert.equal(statuses.at(-1), 429)
      // A browser in which the user has signed in before has its own count.
      assert.equal((await browser.trySignIn({ email: person.email, password: PASSWORD })).statusCode, 200)
    })

    test('session fixation: each sign-in issues a new secret, whatever cookie the browser sends', async () => {
      const [planted, former] = ['x'.repeat(43), browser.secret]
      const victim = createConsoleBrowser(app)
      victim.plant(planted)
      await victim.signIn(person)
      assert.notEqual(victim.secret, planted)
      await browser.signIn(person)
      const copy = browser.copy(former)
      assert.equal((await self(copy)).statusCode, 401, 'a copy of the former secret has ended')
      assert.equal((await self()).statusCode, 200)
    })

    test('sign-in as another user: ends the session of the former user', async () => {
      const [former, secret] = [browser.copy(), browser.secret]
      const other = await addPerson(app, { permissions: scopes, orgId: app.orgId })
      await browser.signIn(other)
      assert.notEqual(browser.secret, secret)
      assert.equal((await self()).json().data.id, other.id)
      assert.equal((await self(former)).statusCode, 401)
      assert.deepEqual(await rowsOf(person.id), [])
    })

    test('open page of the former user: refused after another user signs in (401)', async () => {
      const formerId = browser.sessionId
      await browser.signIn(await addPerson(app))
      const answer = await self(browser, { 'gatehouse-session': formerId })
      assert.equal(answer.statusCode, 401)
      assert.match(answer.body, /another user has signed in/)
    })
  })

  describe('refused requests of the console', () => {
    const change = { body: { data: { type: 'api_key', attributes: { name: 'Stolen' } } } }
    const post = (headers: Record<string, string | undefined>) =>
      browser.ask('POST', '/rest/self/api_keys', { ...change, headers })

    async function assertRefused(answer: Awaited<ReturnType<typeof self>>, status: number, code: string) {
      assert.equal(answer.statusCode, status, answer.body)
      assert.equal(answer.json().errors[0].code, code)
      assert.ok(!(await actionsOf(person.id)).includes('api_key.create'))
    }

    test('console session: refused without a cookie (401)', async () => {
      const answer = await createConsoleBrowser(app).ask('GET', '/rest/self')
      await assertRefused(answer, 401, 'unauthenticated')
    })

    test('console session: reads and changes without the console header get 403', async () => {
      await assertRefused(await post({ 'gatehouse-session': undefined }), 403, 'foreign-page')
      await assertRefused(await self(browser, { 'gatehouse-session': undefined }), 403, 'foreign-page')
    })

    const foreign: Record<string, Record<string, string | undefined>> = {
      'another site': { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' },
      'another site that claims its origin only': { 'sec-fetch-site': undefined, origin: 'https://evil.example' },
      'another port of the host': { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:1' },
      'another port, over plain http': { 'sec-fetch-site': undefined, origin: 'http://127.0.0.1:1' },
      'a sandboxed page': { 'sec-fetch-site': 'cross-site', origin: 'null' },
      'a page without origin': { 'sec-fetch-site': undefined, origin: 'null' },
      'an unknown sender': { 'sec-fetch-site': undefined, origin: undefined },
      'the address bar': { 'sec-fetch-site': 'none', origin: undefined },
      'a page whose origin contradicts': { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    }
    for (const [from, headers] of Object.entries(foreign)) {
      test(`change from ${from}: refused with 403 foreign-page`, async () =>
        assertRefused(await post(headers), 403, 'foreign-page'))

      test(`sign-in, sign-out and password reset from ${from}: refused with 403`, async () => {
        const { email } = person
        const attempts = [
          ['POST', 'session', { email, password: PASSWORD }],
          ['DELETE', 'session', undefined],
          ['POST', 'password-reset', { token: 't', password: NEW_PASSWORD }],
        ] as const
        for (const [method, path, body] of attempts) {
          const answer = await browser.ask(method, `/console/${path}`, { headers, ...(body && { body }) })
          assert.equal(answer.statusCode, 403, `${method} ${path}: ${answer.body}`)
          assert.equal(answer.headers['set-cookie'], undefined)
        }
        assert.equal((await self()).statusCode, 200)
      })
    }

    test('CORS: no response allows scripts of other origins to read it', async () => {
      for (const method of ['GET', 'OPTIONS'] as const) {
        const { headers } = await browser.ask(method, '/rest/self', { headers: { origin: 'https://evil.example' } })
        assert.equal(headers['access-control-allow-origin'], undefined)
      }
    })

    test('Authorization header: overrides the session cookie', async () => {
      const withKey = (key: string) => self(browser, { authorization: `token ${key}` })
      await assertRefused(await withKey('b2a0d0de-0000-4000-8000-000000000000'), 401, 'unauthenticated')
      assert.notEqual((await withKey(app.adminKey)).json().data.id, person.id)
    })

    test('console session: expires after the idle timeout and the maximum lifetime', async () => {
      const { db, now, config } = app.parts.services
      const set = (change: object) =>
        db.updateTable('user_sessions').set(change).where('id', '=', browser.sessionId).execute()
      await set({ last_used_at: now() - config.sessionIdleMinutes * 60_000 })
      await assertRefused(await self(), 401, 'unauthenticated')
      await set({ last_used_at: now(), signed_in_at: now() - config.sessionHours * 3_600_000 })
      await assertRefused(await self(), 401, 'unauthenticated')
      await set({ signed_in_at: now() })
      assert.equal((await self()).statusCode, 200)
    })

    test('console session: ends when the account is deleted', async () => {
      await app.call('DELETE', `/rest/groups/${app.groupId}/users/${person.id}`)
      await assertRefused(await self(), 401, 'unauthenticated')
    })
  })

  describe('end of a session', () => {
    test('sign-out: ends the session on the server and removes the cookie', async () => {
      const copy = browser.copy()
      const answer = await browser.ask('DELETE', '/console/session')
      assert.equal(answer.statusCode, 204)
      assert.match(String(answer.headers['set-cookie']), /^gatehouse_session=; path=\/; expires=Thu, 01 Jan 1970/)
      assert.equal((await self(copy)).statusCode, 401)
      assert.deepEqual((await copy.ask('GET', '/console/session')).json(), {})
      assert.ok((await actionsOf(person.id)).includes('user.sign_out'))
    })

    test('session list: a user ends their own sessions; a session of another user gets 404', async () => {
      const second = createConsoleBrowser(app, '198.51.100.7')
      await second.signIn(person)
      const listed = (await browser.ask('GET', '/console/sessions')).json()
      assert.deepEqual(
        listed.map(({ id, is_current, address }: Record<string, unknown>) => ({ id, is_current, address })).sort(byId),
        [
          { id: browser.sessionId, is_current: true, address: '127.0.0.1' },
          { id: second.sessionId, is_current: false, address: '198.51.100.7' },
        ].sort(byId),
      )
      const stranger = createConsoleBrowser(app)
      await stranger.signIn(await addPerson(app))
      const end = (by: ConsoleBrowser) => by.ask('DELETE', `/console/sessions/${second.sessionId}`)
      assert.equal((await end(stranger)).statusCode, 404)
      assert.equal((await self(second)).statusCode, 200)
      assert.equal((await end(browser)).statusCode, 204)
      assert.equal((await self(second)).statusCode, 401)
      assert.equal((await self()).statusCode, 200)
      assert.ok((await actionsOf(person.id)).includes('user_session.delete'))
    })

    test('sign-out everywhere: ends all sessions of the user and no others', async () => {
      const [second, stranger] = [createConsoleBrowser(app), createConsoleBrowser(app)]
      await second.signIn(person)
      await stranger.signIn(await addPerson(app))
      assert.equal((await browser.ask('DELETE', '/console/sessions')).statusCode, 204)
      for (const ended of [browser, second]) assert.equal((await self(ended)).statusCode, 401)
      assert.equal((await self(stranger)).statusCode, 200)
      assert.ok((await actionsOf(person.id)).includes('user.sign_out_everywhere'))
    })

    test('password change: ends the other sessions and renews the secret of this one', async () => {
      const [second, copy] = [createConsoleBrowser(app), browser.copy()]
      await second.signIn(person)
      const changed = await browser.changePassword({ current_password: PASSWORD, password: NEW_PASSWORD })
      assert.equal(changed.statusCode, 204, changed.body)
      assert.equal((await self()).statusCode, 200)
      for (const ended of [second, copy]) assert.equal((await self(ended)).statusCode, 401)
      const { email } = person
      assert.equal((await second.trySignIn({ email, password: PASSWORD })).statusCode, 403)
      assert.equal((await second.trySignIn({ email, password: NEW_PASSWORD })).statusCode, 200)
      assert.ok((await actionsOf(person.id)).includes('user.password.change'))
    })

    test('password change: requires the current password (403) and a long new one (400)', async () => {
      const wrong = await browser.changePassword({ current_password: 'wrong', password: NEW_PASSWORD })
      assert.equal(wrong.statusCode, 403)
      assert.equal(wrong.json().faults[0].source.pointer, '/current_password')
      const short = await browser.changePassword({ current_password: PASSWORD, password: 'short' })
      assert.equal(short.statusCode, 400)
      assert.equal((await browser.trySignIn({ email: person.email, password: PASSWORD })).statusCode, 200)
    })

    test('password set by an administrator: ends the sessions of the user', async () => {
      const body = { data: { type: 'user', attributes: { password: NEW_PASSWORD } } }
      await app.call('PATCH', `/rest/groups/${app.groupId}/users/${person.id}`, { body })
      assert.equal((await self()).statusCode, 401)
      assert.deepEqual(await rowsOf(person.id), [])
    })
  })
})

function byId(one: { id?: unknown }, other: { id?: unknown }): number {
  return String(one.id) < String(other.id) ? -1 : 1
}
