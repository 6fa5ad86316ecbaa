import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { addApp, addPasskey, codeOf, PASSKEY_SERVER } from '#test/access/factors.ts'
import { addPerson, PASSWORD, type Person } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('changes of second factors', (engine) => {
  let app: TestApp
  let person: Person
  let browser: ConsoleBrowser
  before(async () => {
    app = await startApp(engine, PASSKEY_SERVER)
  })
  after(() => app.close())
  beforeEach(async () => {
    person = await addPerson(app)
    browser = createConsoleBrowser(app)
    await browser.signIn(person)
  })

  const read = async (by = browser) => (await by.ask('GET', '/console/factors')).json()
  const isSignedIn = async (by: ConsoleBrowser) => (await by.ask('GET', '/rest/self')).statusCode === 200
  const reset = (userId: string, key = app.adminKey) =>
    app.call('DELETE', `/console/groups/${app.groupId}/users/${userId}/factors`, { key })

  async function assertAudited(action: string) {
    const query = { action, target_id: person.id }
    const { data } = (await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query })).json()
    assert.equal(data.length, 1)
  }

  async function signInBefore(minutes: number) {
    const { db, now } = app.parts.services
    const set = { signed_in_at: now() - minutes * 60_000 }
    await db.updateTable('user_sessions').set(set).where('user_id', '=', person.id).execute()
  }

  test('first factor: creates ten recovery codes, renews the session and ends the others', async () => {
    const second = createConsoleBrowser(app)
    await second.signIn(person)
    const copy = browser.copy()
    const { codes } = await addApp(browser)
    assert.equal(new Set(codes).size, 10)
    for (const code of codes) assert.match(code, /^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
    assert.deepEqual(
      [await isSignedIn(browser), await isSignedIn(second), await isSignedIn(copy)],
      [true, false, false],
    )
    const { factors, recovery_codes } = await read()
    assert.equal(recovery_codes, 10)
    assert.deepEqual(
      factors.map(({ kind, name }: { kind: string; name: string }) => [kind, name]),
      [['totp', 'Phone']],
    )
    await assertAudited('user.second_factor.create')
  })

  test('second factor: creates no further recovery codes', async () => {
    await addApp(browser)
    await addPasskey(app, browser)
    const { factors, recovery_codes } = await read()
    assert.deepEqual([factors.length, recovery_codes], [2, 10])
  })

  test('new authenticator app: a wrong code gets 403 and can be corrected; the challenge works once', async () => {
    const { id, secret } = (await browser.ask('POST', '/console/factors/app/challenge')).json()
    const send = (code: string) => browser.ask('POST', '/console/factors/app', { body: { id, name: 'Phone', code } })
    const wrong = await send('000000')
    assert.deepEqual([wrong.statusCode, wrong.json().faults[0].source.pointer], [403, '/code'])
    assert.deepEqual((await read()).factors, [])
    assert.equal((await send(codeOf(secret))).statusCode, 200)
    assert.equal((await send(codeOf(secret, 1))).statusCode, 404, 'the QR code works once')
  })

  test('new authenticator app: the challenge of another session gets 404', async () => {
    const { id, secret } = (await browser.ask('POST', '/console/factors/app/challenge')).json()
    const theirs = createConsoleBrowser(app)
    await theirs.signIn(await addPerson(app))
    const body = { id, name: 'Phone', code: codeOf(secret) }
    assert.equal((await theirs.ask('POST', '/console/factors/app', { body })).statusCode, 404)
  })

  test('factor storage: secrets are encrypted, recovery codes are digests; neither is logged', async () => {
    const { secret, codes } = await addApp(browser)
    const { db } = app.parts.services
    const factors = await db.selectFrom('second_factors').selectAll().where('user_id', '=', person.id).execute()
    const stored = await db.selectFrom('recovery_codes').selectAll().where('user_id', '=', person.id).execute()
    const events = await db.selectFrom('audit_events').selectAll().where('target_id', '=', person.id).execute()
    const all = JSON.stringify([stored, events]) + app.log()
    assert.ok(!Buffer.from(factors[0]!.secret!).includes(secret))
    for (const text of [secret, ...codes, codes[0]!.replaceAll('-', '')]) assert.ok(!all.includes(text))
  })

  test('factor changes: refused with 403 when the sign-in is older than ten minutes', async () => {
    await addApp(browser)
    const [{ id }] = (await read()).factors
    await signInBefore(11)
    const requests = [
      ['POST', 'factors/app/challenge'],
      ['POST', 'factors/passkey/challenge'],
      ['DELETE', `factors/${id}`],
      ['POST', 'recovery-codes'],
    ] as const
    for (const [method, path] of requests) {
      const answer = await browser.ask(method, `/console/${path}`)
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [403, 'recent-sign-in-required'], path)
    }
    assert.equal((await read()).can_change, false)
    await signInBefore(9)
    assert.equal((await browser.ask('DELETE', `/console/factors/${id}`)).statusCode, 200)
  })

  test('factor changes: do not renew the time of the sign-in', async () => {
    await signInBefore(9)
    await addApp(browser)
    const { db, now } = app.parts.services
    const [session] = await db.selectFrom('user_sessions').selectAll().where('user_id', '=', person.id).execute()
    assert.ok(now() - session!.signed_in_at >= 9 * 60_000)
  })

  test('factor changes: refused for API keys (403)', async () => {
    const body = { data: { type: 'api_key', attributes: { name: 'CI' } } }
    const key = (await browser.ask('POST', '/rest/self/api_keys', { body })).json().data.attributes.api_key
    for (const path of ['factors/app/challenge', 'recovery-codes']) {
      const answer = await app.call('POST', `/console/${path}`, { key })
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [403, 'recent-sign-in-required'])
    }
  })

  test('factor removal: ends the other sessions; the last factor takes the recovery codes along', async () => {
    const { secret } = await addApp(browser)
    const second = createConsoleBrowser(app)
    await second.trySignIn({ email: person.email, password: PASSWORD })
    second.adopt(await second.ask('POST', '/console/sign-in/code', { body: { code: codeOf(secret, 1) } }))
    assert.equal(await isSignedIn(second), true)
    const [{ id }] = (await read()).factors
    assert.equal((await browser.ask('DELETE', `/console/factors/${id}`)).statusCode, 200)
    assert.deepEqual([await isSignedIn(browser), await isSignedIn(second)], [true, false])
    const { factors, recovery_codes } = await read()
    assert.deepEqual([factors, recovery_codes], [[], 0])
    await assertAudited('user.second_factor.delete')
    assert.equal(
      (await createConsoleBrowser(app).trySignIn({ email: person.email, password: PASSWORD })).json().step,
      undefined,
    )
  })

  test('factor removal: the factor of another user gets 404', async () => {
    await addApp(browser)
    const [{ id }] = (await read()).factors
    const theirs = createConsoleBrowser(app)
    await theirs.signIn(await addPerson(app))
    assert.equal((await theirs.ask('DELETE', `/console/factors/${id}`)).statusCode, 404)
    assert.equal((await read()).factors.length, 1)
  })

  test('new recovery codes: replace the former ones', async () => {
    const { codes } = await addApp(browser)
    const answer = await browser.ask('POST', '/console/recovery-codes')
    assert.equal(answer.json().recovery_codes.length, 10)
    assert.equal((await read()).recovery_codes, 10)
    const other = createConsoleBrowser(app)
    await other.trySignIn({ email: person.email, password: PASSWORD })
    const send = (code: string) => other.ask('POST', '/console/sign-in/code', { body: { code } })
    assert.equal((await send(codes[0]!)).statusCode, 403)
    assert.equal((await send(answer.json().recovery_codes[0])).statusCode, 200)
    await assertAudited('user.recovery_codes.create')
  })

  test('new recovery codes: refused without a factor (409)', async () => {
    assert.equal((await browser.ask('POST', '/console/recovery-codes')).statusCode, 409)
  })

  test('factors: the eleventh is refused with 409', async () => {
    for (let count = 0; count < 10; count++) await addApp(browser, `Phone ${count}`)
    const { id, secret } = (await browser.ask('POST', '/console/factors/app/challenge')).json()
    const body = { id, name: 'One more', code: codeOf(secret) }
    assert.equal((await browser.ask('POST', '/console/factors/app', { body })).statusCode, 409)
  })

  test('factor reset by an administrator: ends the sessions; the password signs in again', async () => {
    await addApp(browser)
    assert.equal((await reset(person.id)).statusCode, 204)
    assert.equal(await isSignedIn(browser), false)
    await browser.signIn(person)
    assert.deepEqual((await read()).factors, [])
    await assertAudited('user.second_factors.reset')
  })

  test('factor reset: requires group.user.edit and every permission of the user', async () => {
    await addApp(browser)
    const reader = await app.keyWith(['group.read', 'group.user.read'], { groupId: app.groupId })
    assert.equal((await reset(person.id, reader)).statusCode, 403)
    const administrator = await addPerson(app, { permissions: ['group.edit'] })
    const lesser = await app.keyWith(['group.user.edit'], { groupId: app.groupId })
    assert.equal((await reset(administrator.id, lesser)).statusCode, 403)
    assert.equal((await reset('b2a0d0de-0000-4000-8000-000000000000')).statusCode, 404)
    assert.equal((await read()).factors.length, 1)
  })

  test('factor reset: administrators cannot reset their own factors (409)', async () => {
    const self = (await app.call('GET', '/rest/self')).json().data.id
    assert.equal((await reset(self)).statusCode, 409)
  })
})
