import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { Authenticator, Deviations } from '#test/access/authenticator.ts'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { addPasskey, PASSKEY_SERVER } from '#test/access/factors.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('passkeys', (engine) => {
  let app: TestApp
  let person: Person
  let former: ConsoleBrowser
  let browser: ConsoleBrowser
  let authenticator: Authenticator
  before(async () => {
    app = await startApp(engine, PASSKEY_SERVER)
  })
  after(() => app.close())
  beforeEach(async () => {
    person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
    former = createConsoleBrowser(app)
    await former.signIn(person)
    authenticator = await addPasskey(app, former)
    browser = createConsoleBrowser(app)
  })

  /** The sign-ins with a passkey alone and after a password. */
  const ways = ['passkey-session', 'sign-in/passkey'] as const
  type Way = (typeof ways)[number]

  async function challenge(way: Way, by = browser) {
    if (way === 'sign-in/passkey') await by.trySignIn({ email: person.email, password: PASSWORD })
    const answer = await by.ask('POST', `/console/${way}/challenge`)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }

  const send = (way: Way, credential: object, by = browser) =>
    by.ask('POST', `/console/${way}`, { body: { credential } })

  async function signIn(way: Way, deviations: Deviations = {}) {
    const answer = await send(way, authenticator.use(await challenge(way), deviations))
    browser.adopt(answer)
    return answer
  }

  async function assertRefused(way: Way, deviations: Deviations, reason: RegExp) {
    const answer = await signIn(way, deviations)
    assert.deepEqual([answer.statusCode, answer.json().errorCode], [403, 'sign-in-failed'], answer.body)
    assert.match(answer.json().message, reason)
    assert.equal(answer.headers['set-cookie'], undefined)
    assert.equal((await browser.ask('GET', '/rest/self')).statusCode, 401)
  }

  test('passkey: signs in without a password and as the second step', async () => {
    for (const way of ways) {
      browser = createConsoleBrowser(app)
      assert.equal((await signIn(way)).statusCode, 200)
      assert.equal((await browser.ask('GET', '/rest/self')).json().data.id, person.id)
    }
  })

  test('passkey challenge: requires user verification at the domain of the server', async () => {
    const alone = await challenge('passkey-session')
    assert.deepEqual([alone.userVerification, alone.rpId, alone.allowCredentials], ['required', 'localhost', []])
    const second = await challenge('sign-in/passkey')
    assert.equal(second.userVerification, 'required')
    assert.deepEqual(
      second.allowCredentials.map(({ transports }: { transports: string[] }) => transports),
      [['internal']],
    )
  })

  test('passkey response from another origin: refused with 403', async () => {
    for (const way of ways) await assertRefused(way, { origin: 'https://evil.example' }, /origin/)
    await assertRefused('passkey-session', { origin: 'http://localhost:1' }, /origin/)
  })

  test('passkey response for another relying party: refused with 403', async () => {
    for (const way of ways) await assertRefused(way, { rpId: 'evil.example' }, /RP ID/)
  })

  test('passkey response without user verification: refused with 403', async () => {
    for (const way of ways) await assertRefused(way, { isVerified: false }, /user verification/i)
  })

  test('passkey response to another challenge: refused with 403', async () => {
    for (const way of ways) await assertRefused(way, { challenge: 'x'.repeat(43) }, /took too long, or was sent twice/)
  })

  test('passkey response with a wrong signature: refused with 403', async () => {
    for (const way of ways) await assertRefused(way, { isForged: true }, /signature/)
  })

  test('passkey response that names another user: refused with 403', async () => {
    const userHandle = Buffer.from('another user').toString('base64url')
    for (const way of ways) await assertRefused(way, { userHandle }, /not registered/)
  })

  test('passkey counter that does not increase: refused and audited', async () => {
    assert.equal((await signIn('passkey-session', { counter: 7 })).statusCode, 200)
    browser = createConsoleBrowser(app)
    await assertRefused('passkey-session', { counter: 7 }, /counter/)
    await assertRefused('sign-in/passkey', { counter: 6 }, /counter/)
    const query = { action: 'user.second_factor_failed', target_id: person.id }
    const { data } = (await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query })).json()
    assert.match(data[0].attributes.after.reason, /counter/)
    assert.equal((await signIn('passkey-session', { counter: 8 })).statusCode, 200)
  })

  test('passkey challenge: works once, even after a refused response', async () => {
    const options = await challenge('passkey-session')
    const response = authenticator.use(options)
    assert.equal((await send('passkey-session', response)).statusCode, 200)
    const other = createConsoleBrowser(app)
    assert.equal((await send('passkey-session', response, other)).statusCode, 403)
    assert.equal((await send('passkey-session', authenticator.use(options), other)).statusCode, 403)
    const next = await challenge('passkey-session', other)
    await send('passkey-session', authenticator.use(next, { isForged: true }), other)
    assert.equal((await send('passkey-session', authenticator.use(next), other)).statusCode, 403)
  })

  test('passkey challenge: expires', async () => {
    const options = await challenge('passkey-session')
    const { db, now } = app.parts.services
    await db.updateTable('factor_challenges').set({ expires_at: now() }).execute()
    assert.equal((await send('passkey-session', authenticator.use(options))).statusCode, 403)
  })

  test('passkey challenge: bound to its purpose and its sign-in', async () => {
    const alone = await challenge('passkey-session')
    await challenge('sign-in/passkey')
    assert.equal((await send('sign-in/passkey', authenticator.use(alone))).statusCode, 403)
    const [mine, theirs] = [browser, createConsoleBrowser(app)]
    const options = await challenge('sign-in/passkey', mine)
    await challenge('sign-in/passkey', theirs)
    assert.equal((await send('sign-in/passkey', authenticator.use(options), theirs)).statusCode, 403)
  })

  test('passkey of another user: does not complete a sign-in', async () => {
    const theirs = createConsoleBrowser(app)
    await theirs.signIn(await addPerson(app))
    const other = await addPasskey(app, theirs)
    const answer = await send('sign-in/passkey', other.use(await challenge('sign-in/passkey')))
    assert.deepEqual([answer.statusCode, /not registered/.test(answer.body)], [403, true])
  })

  test('removed passkey: refused with 403', async () => {
    const [{ id }] = (await former.ask('GET', '/console/factors')).json().factors
    assert.equal((await former.ask('DELETE', `/console/factors/${id}`)).statusCode, 200)
    await assertRefused('passkey-session', {}, /not registered here, or was removed/)
  })

  test('passkey of a deleted account: refused with 403', async () => {
    await app.call('DELETE', `/rest/groups/${app.groupId}/users/${person.id}`)
    await assertRefused('passkey-session', {}, /not registered here, or was removed/)
  })

  test('passkey response without a readable challenge: refused with 403', async () => {
    for (const text of ['', 'not JSON', 'null', '{}']) {
      const credential = authenticator.use(await challenge('passkey-session')) as { response: object }
      const response = { ...credential.response, clientDataJSON: Buffer.from(text).toString('base64url') }
      assert.equal((await send('passkey-session', { ...credential, response })).statusCode, 403)
    }
  })

  describe('passkey registration', () => {
    const attempts: [what: string, deviations: Deviations][] = [
      ['another origin', { origin: 'https://evil.example' }],
      ['another relying party', { rpId: 'evil.example' }],
      ['no user verification', { isVerified: false }],
      ['another challenge', { challenge: 'x'.repeat(43) }],
    ]

    async function register(deviations: Deviations = {}) {
      const options = (await former.ask('POST', '/console/factors/passkey/challenge')).json()
      const credential = authenticator.create(options, deviations)
      return { credential, answer: await sendNew(credential) }
    }

    const sendNew = (credential: object, by = former) =>
      by.ask('POST', '/console/factors/passkey', { body: { name: 'Key', credential } })

    test('passkey registration: checks origin, relying party, user verification and challenge', async () => {
      for (const [what, deviations] of attempts) {
        const { answer } = await register(deviations)
        assert.deepEqual([answer.statusCode, answer.json().errorCode], [403, 'sign-in-failed'], what)
      }
      assert.equal((await former.ask('GET', '/console/factors')).json().factors.length, 1)
    })

    test('passkey registration: a passkey is registered once; its challenge works once', async () => {
      const { credential, answer } = await register()
      assert.equal(answer.statusCode, 409, answer.body)
      assert.equal((await sendNew(credential)).statusCode, 403)
      const theirs = createConsoleBrowser(app)
      await theirs.signIn(await addPerson(app))
      const options = (await theirs.ask('POST', '/console/factors/passkey/challenge')).json()
      assert.equal((await sendNew(authenticator.create(options), theirs)).statusCode, 409)
    })

    test('passkey registration: the challenge of another session gets 403', async () => {
      const theirs = createConsoleBrowser(app)
      await theirs.signIn(await addPerson(app))
      const options = (await theirs.ask('POST', '/console/factors/passkey/challenge')).json()
      assert.equal((await sendNew(authenticator.create(options))).statusCode, 403)
    })
  })
})

onEveryEngine('passkeys at an address without a domain', (engine) => {
  test('passkeys at an IP address: refused with 422 that names GATEHOUSE_BASE_URL', async () => {
    const app = await startApp(engine, { GATEHOUSE_BASE_URL: 'http://127.0.0.1:7331' })
    const answer = await createConsoleBrowser(app).ask('POST', '/console/passkey-session/challenge')
    assert.equal(answer.statusCode, 422)
    assert.match(answer.json().message, /GATEHOUSE_BASE_URL/)
    await app.close()
  })
})
