import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { addApp, codeOf, forgetUsedCodes } from '#test/access/factors.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const NEW_PASSWORD = 'a longer password than before'

onEveryEngine('second step of the sign-in', (engine) => {
  let app: TestApp
  let person: Person
  /** The browser in which the authenticator app was set up. */
  let former: ConsoleBrowser
  let browser: ConsoleBrowser
  let secret: string
  let codes: string[]
  let setUpCode: string
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())
  beforeEach(async () => {
    person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
    former = createConsoleBrowser(app)
    await former.signIn(person)
    ;({ secret, codes, code: setUpCode } = await addApp(former))
    browser = createConsoleBrowser(app)
  })

  const sendPassword = (by = browser, password = PASSWORD) => by.trySignIn({ email: person.email, password })
  const sendCode = (code: string, by = browser) => by.ask('POST', '/console/sign-in/code', { body: { code } })
  const isSignedIn = async (by = browser) => (await by.ask('GET', '/rest/self')).statusCode === 200

  async function verify(code: string, by = browser) {
    await sendPassword(by)
    const answer = await sendCode(code, by)
    by.adopt(answer)
    return answer
  }

  async function eventsOf(query: Record<string, string>) {
    const answer = await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, {
      query: { ...query, limit: '100' },
    })
    return answer.json().data.map(({ attributes }: { attributes: object }) => attributes)
  }

  const change = (set: object) =>
    app.parts.services.db.updateTable('pending_sign_ins').set(set).where('user_id', '=', person.id).execute()

  test('password alone: begins no session, only a pending sign-in', async () => {
    const answer = await sendPassword()
    assert.equal(answer.statusCode, 200)
    const { step, has_app, has_passkey } = answer.json()
    assert.deepEqual({ step, has_app, has_passkey }, { step: 'verify', has_app: true, has_passkey: false })
    const cookies = [answer.headers['set-cookie'] ?? []].flat().map(String)
    assert.equal(cookies.length, 1)
    assert.match(cookies[0]!, /^gatehouse_sign_in=[\w-]{43}; path=\/console; expires=.*; samesite=lax; httponly$/)
    assert.equal(await isSignedIn(), false)
    assert.deepEqual((await browser.ask('GET', '/console/session')).json(), {})
    const signIns = await eventsOf({ actor_id: person.id, action: 'user.sign_in' })
    assert.equal(signIns.length, 1, 'only the one before the authenticator app')
  })

  test('current code: begins the session and is audited as totp', async () => {
    const answer = await verify(codeOf(secret, 1))
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(await isSignedIn(), true)
    const [event] = await eventsOf({ actor_id: person.id, action: 'user.sign_in' })
    assert.deepEqual(event.after, { second_factor: 'totp' })
  })

  test('second step: the browser gets a new session secret, whatever cookie it sends', async () => {
    browser.plant('x'.repeat(43))
    await verify(codeOf(secret, 1))
    assert.match(browser.secret, /^[\w-]{43}$/)
    assert.notEqual(browser.secret, 'x'.repeat(43))
    assert.equal(await isSignedIn(former), true, 'another browser stays signed in')
  })

  test('code: a second use gets 403', async () => {
    const code = codeOf(secret, 1)
    assert.equal((await verify(code)).statusCode, 200)
    const again = await verify(code, createConsoleBrowser(app))
    assert.deepEqual([again.statusCode, again.json().errorCode], [403, 'sign-in-failed'])
  })

  test('code of the setup: does not sign in', async () => {
    assert.equal((await verify(setUpCode)).statusCode, 403)
  })

  test('code of an earlier step than the last used one: refused', async () => {
    await forgetUsedCodes(app, person.id)
    const [earlier, later] = [codeOf(secret), codeOf(secret, 1)]
    assert.equal((await verify(later)).statusCode, 200)
    assert.equal((await verify(earlier, createConsoleBrowser(app))).statusCode, 403)
  })

  test('code used twice at once: only one use succeeds', async () => {
    const browsers = [createConsoleBrowser(app), createConsoleBrowser(app)]
    for (const browser of browsers) await sendPassword(browser)
    const code = codeOf(secret, 1)
    const answers = await Promise.all(browsers.map((browser) => sendCode(code, browser)))
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 403])
  })

  test('pending sign-in: five wrong codes end it', async () => {
    const stranger = createConsoleBrowser(app, '198.51.100.31')
    await sendPassword(stranger)
    for (let count = 0; count < 5; count++) assert.equal((await sendCode('000000', stranger)).statusCode, 403)
    assert.equal((await sendCode(codeOf(secret, 1), stranger)).statusCode, 404)
    assert.deepEqual((await stranger.ask('GET', '/console/sign-in/pending')).json(), {})
  })

  test('wrong codes: throttle the account from every address, except in known browsers', async (context) => {
    // Comparing passwords may take longer than the waits.
    context.mock.timers.enable({ apis: ['Date'], now: Date.now() })
    const statuses: number[] = []
    for (let count = 0; count < 8; count++) {
      const stranger = createConsoleBrowser(app, `198.51.100.${40 + count}`)
      await sendPassword(stranger)
      const answer = await sendCode('000000', stranger)
      statuses.push(answer.statusCode)
      if (answer.statusCode === 429) assert.ok(Number(answer.headers['retry-after']) > 0)
    }
    assert.equal(statuses[0], 403)
    assert.equal(statuses.at(-1), 429)
    assert.equal((await verify(codeOf(secret, 1), former)).statusCode, 200)
  })

  test('wrong code: audited and logged without the code', async () => {
    await sendPassword()
    await sendCode('123456')
    const [event] = await eventsOf({ action: 'user.second_factor_failed' })
    assert.equal(event.actor.kind, 'anonymous')
    assert.deepEqual(event.after, { reason: 'wrong code' })
    assert.ok(!app.log().includes('"123456"'))
  })

  test('pending sign-in: bound to the browser that sent the password', async () => {
    await sendPassword()
    const other = createConsoleBrowser(app)
    assert.equal((await sendCode(codeOf(secret, 1), other)).statusCode, 404)
    await other.signIn(await addPerson(app))
    assert.equal((await sendCode(codeOf(secret, 1), other)).statusCode, 404)
  })

  test('pending sign-in: works once', async () => {
    await sendPassword()
    const cookie = browser.cookieHeader()
    assert.equal((await sendCode(codeOf(secret, 1))).statusCode, 200)
    await forgetUsedCodes(app, person.id)
    const body = { code: codeOf(secret, 1) }
    const again = await browser.ask('POST', '/console/sign-in/code', { body, headers: { cookie } })
    assert.equal(again.statusCode, 404)
  })

  test('pending sign-in: expires', async () => {
    await sendPassword()
    await change({ expires_at: app.parts.services.now() })
    assert.equal((await sendCode(codeOf(secret, 1))).statusCode, 404)
  })

  test('pending sign-in: canceling ends it on the server', async () => {
    await sendPassword()
    const cookie = browser.cookieHeader()
    assert.equal((await browser.ask('DELETE', '/console/sign-in/pending')).statusCode, 204)
    const body = { code: codeOf(secret, 1) }
    assert.equal((await browser.ask('POST', '/console/sign-in/code', { body, headers: { cookie } })).statusCode, 404)
  })

  test('pending sign-in: a changed password ends it', async () => {
    await sendPassword()
    const body = { data: { type: 'user', attributes: { password: NEW_PASSWORD } } }
    await app.call('PATCH', `/rest/groups/${app.groupId}/users/${person.id}`, { body })
    assert.equal((await sendCode(codeOf(secret, 1))).statusCode, 404)
  })

  test('pending sign-in: a change of the second factors ends it', async () => {
    await sendPassword()
    await former.ask('POST', '/console/recovery-codes')
    assert.equal((await sendCode(codeOf(secret, 1))).statusCode, 404)
  })

  test('pending sign-in: deleting the account ends it', async () => {
    await sendPassword()
    await app.call('DELETE', `/rest/groups/${app.groupId}/users/${person.id}`)
    assert.equal((await sendCode(codeOf(secret, 1))).statusCode, 404)
  })

  test('pending sign-in: storage holds a digest of its cookie', async () => {
    await sendPassword()
    const secretOfStep = /gatehouse_sign_in=([\w-]+)/.exec(browser.cookieHeader())![1]!
    const { db, keyring } = app.parts.services
    const rows = await db.selectFrom('pending_sign_ins').selectAll().where('user_id', '=', person.id).execute()
    assert.deepEqual(
      rows.map(({ digest }) => digest),
      [keyring.digest(secretOfStep)],
    )
    assert.ok(!app.log().includes(secretOfStep))
  })

  test('recovery code: works once, in any spelling', async () => {
    const typed = codes[3]!.toUpperCase().replaceAll('-', ' ')
    assert.equal((await verify(typed)).statusCode, 200)
    assert.equal((await verify(typed, createConsoleBrowser(app))).statusCode, 403)
    assert.equal((await verify(codes[4]!, createConsoleBrowser(app))).statusCode, 200)
    assert.equal((await browser.ask('GET', '/console/factors')).json().recovery_codes, 8)
    const [, event] = await eventsOf({ actor_id: person.id, action: 'user.sign_in' })
    assert.deepEqual(event.after, { second_factor: 'recovery_code' })
  })

  test('recovery code of another user: refused with 403', async () => {
    const other = await addPerson(app)
    const theirs = createConsoleBrowser(app)
    await theirs.signIn(other)
    const added = await addApp(theirs)
    assert.equal((await verify(added.codes[0]!)).statusCode, 403)
  })

  test('pending sign-in: a user with a second factor cannot set up another one', async () => {
    await sendPassword()
    for (const kind of ['app', 'passkey']) {
      assert.equal((await browser.ask('POST', `/console/sign-in/factors/${kind}/challenge`)).statusCode, 404)
    }
  })

  test('second step: requests of other sites get 403 foreign-page', async () => {
    await sendPassword()
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    const requests = [
      ['GET', 'sign-in/pending', undefined],
      ['DELETE', 'sign-in/pending', undefined],
      ['POST', 'sign-in/code', { code: codeOf(secret, 1) }],
      ['POST', 'sign-in/passkey/challenge', undefined],
      ['POST', 'sign-in/factors/app/challenge', undefined],
      ['POST', 'passkey-session/challenge', undefined],
    ] as const
    for (const [method, path, body] of requests) {
      const answer = await browser.ask(method, `/console/${path}`, { headers, ...(body && { body }) })
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [403, 'foreign-page'], path)
      assert.equal(answer.headers['set-cookie'], undefined)
    }
    assert.equal((await sendCode(codeOf(secret, 1))).statusCode, 200)
  })

  describe('second factors outside of the sign-in', () => {
    test('API keys: need no second factor', async () => {
      const made = await former.ask('POST', '/rest/self/api_keys', {
        body: { data: { type: 'api_key', attributes: { name: 'CI' } } },
      })
      const key = made.json().data.attributes.api_key
      assert.equal((await app.call('GET', '/rest/self', { key })).statusCode, 200)
    })

    test('password reset: does not replace the second factor', async () => {
      const link = await app.call('POST', `/console/groups/${app.groupId}/users/${person.id}/password-reset`)
      const token = new URL(link.json().url).hash.slice(1)
      const body = { token, password: NEW_PASSWORD }
      assert.equal((await browser.ask('POST', '/console/password-reset', { body })).statusCode, 204)
      assert.equal((await sendPassword(browser, NEW_PASSWORD)).json().step, 'verify')
      assert.equal(await isSignedIn(), false)
    })
  })
})
