import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { groupAdmin } from '#foundation/access/built-in-roles.ts'
import { actionsIn, assertPage, type Scene, setScene } from '#test/access/authorization-pages.ts'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { addApp, addPasskey, codeOf, PASSKEY_SERVER } from '#test/access/factors.ts'
import { type IdentityProvider, startIdentityProvider } from '#test/access/identity-provider.ts'
import { addPerson, PASSWORD, type Person, signIn } from '#test/access/people.ts'
import { addProvider, type Configured, PROVIDER_SERVER, signOn } from '#test/access/sign-on.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('required single sign-on', (engine) => {
  let app: TestApp
  let provider: IdentityProvider
  let configured: Configured
  let administrator: Person
  let browser: ConsoleBrowser
  let scene: Scene
  const { begin, allow, inOrg } = actionsIn(
    () => app,
    () => scene,
  )
  before(async () => {
    app = await startApp(engine, { ...PROVIDER_SERVER, ...PASSKEY_SERVER })
    provider = await startIdentityProvider()
    configured = await addProvider(app, provider)
    administrator = await addMember()
    const { db, now } = app.parts.services
    const membership = { principal_kind: 'user', principal_id: administrator.id, group_id: app.groupId, org_id: null }
    await db
      .insertInto('memberships')
      .values({ ...membership, id: randomUUID(), role_id: groupAdmin.id, created_at: now() })
      .execute()
    assert.equal((await breakGlass(administrator.id, true)).statusCode, 204)
  })
  after(async () => {
    await provider[Symbol.asyncDispose]()
    await app.close()
  })
  beforeEach(async () => {
    browser = createConsoleBrowser(app)
    await requireProvider()
  })

  const requireProvider = async (changes: object = {}) =>
    assert.equal((await configured.change({ mode: 'required', ...changes })).statusCode, 200)
  const isSignedIn = async (by = browser) => (await by.ask('GET', '/rest/self')).statusCode === 200
  const signOnAs = (person: Person, by = browser) => {
    provider.user = { sub: person.id, email: person.email, email_verified: true }
    return signOn(by, provider, person.email)
  }
  const breakGlass = (id: string, break_glass: boolean) =>
    app.call('PUT', `/console/groups/${app.groupId}/users/${id}/break-glass`, { body: { break_glass } })

  /** Adds a user of the provider's domain with a password. */
  async function addMember(...roles: { permissions: []; groupId: string }[]): Promise<Person> {
    const person = await addPerson(app, ...roles)
    const email = `${person.id}@${configured.domain}`
    await app.parts.services.db.updateTable('users').set({ email }).where('id', '=', person.id).execute()
    return { ...person, email }
  }

  test('required single sign-on: a right password gets 403 with the reason and is audited', async () => {
    const person = await addMember()
    const answer = await browser.trySignIn({ email: person.email, password: PASSWORD })
    assert.deepEqual([answer.statusCode, answer.json().errorCode], [403, 'sign-in-failed'])
    assert.match(answer.json().message, /Your group requires single sign-on/)
    assert.equal(await isSignedIn(), false)
    const query = { action: 'user.sign_in_failed', target_id: person.id, limit: '10' }
    const events = await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query })
    assert.deepEqual(events.json().data[0].attributes.after, { reason: 'single sign-on required' })
  })

  test('required single sign-on: responses do not reveal whether an account exists', async () => {
    const [existing, unknown] = [(await addMember()).email, `nobody@${configured.domain}`]
    const readAnswers = async (email: string) => {
      const stranger = createConsoleBrowser(app, `198.51.100.${email.length}`)
      const answer = await stranger.trySignIn({ email, password: 'wrong' })
      const way = await stranger.ask('POST', '/console/sign-in/way', { body: { email } })
      return [answer.statusCode, answer.json().message, way.json()]
    }
    assert.deepEqual(await readAnswers(existing), await readAnswers(unknown))
    assert.deepEqual((await readAnswers(existing))[2], { provider: 'Directory', is_required: true })
    const elsewhere = await browser.ask('POST', '/console/sign-in/way', { body: { email: 'ada@elsewhere.example' } })
    assert.deepEqual(elsewhere.json(), {})
  })

  test('required single sign-on: ends password sessions at once, keeps those of the provider', async () => {
    await configured.change({ mode: 'optional' })
    const person = await addMember()
    await browser.signIn(person)
    const other = createConsoleBrowser(app)
    await signOnAs(person, other)
    await requireProvider()
    assert.deepEqual([await isSignedIn(), await isSignedIn(other)], [false, true])
  })

  test('required single sign-on: a passkey alone gets 403', async () => {
    await configured.change({ mode: 'optional' })
    const person = await addMember()
    await browser.signIn(person)
    const authenticator = await addPasskey(app, browser)
    await requireProvider()
    const stranger = createConsoleBrowser(app)
    const offer = (await stranger.ask('POST', '/console/passkey-session/challenge')).json()
    const body = { credential: authenticator.use(offer) }
    const answer = await stranger.ask('POST', '/console/passkey-session', { body })
    assert.equal(answer.statusCode, 403)
    assert.match(answer.json().message, /requires single sign-on/)
  })

  test('required single sign-on: setting up a second factor keeps the session', async () => {
    await signOnAs(await addMember())
    await addApp(browser)
    assert.equal(await isSignedIn(), true)
  })

  test('break-glass administrator: signs in with the password', async () => {
    await browser.signIn(administrator)
    assert.equal(await isSignedIn(), true)
  })

  test('last break-glass administrator: cannot lose that state, be deleted or be disabled (409)', async () => {
    const removal = await app.call('DELETE', `/rest/groups/${app.groupId}/users/${administrator.id}`)
    const path = `/console/groups/${app.groupId}/users/${administrator.id}/disabled`
    const disabling = await app.call('PUT', path, { body: { disabled: true } })
    const answers = [await breakGlass(administrator.id, false), removal, disabling]
    for (const answer of answers) {
      assert.equal(answer.statusCode, 409, answer.body)
      assert.match(answer.body, /last break-glass administrator/)
    }
  })

  test('break glass: refused for users other than administrators (409) and by lesser callers (403)', async () => {
    const person = await addMember()
    const answer = await breakGlass(person.id, true)
    assert.equal(answer.statusCode, 409)
    assert.match(answer.json().message, /must have the role Group Admin/)
    assert.equal((await breakGlass(randomUUID(), true)).statusCode, 404)
    const key = await app.keyWith(['group.read', 'group.edit'], { groupId: app.groupId })
    const path = `/console/groups/${app.groupId}/users/${administrator.id}/break-glass`
    assert.equal((await app.call('PUT', path, { key, body: { break_glass: false } })).statusCode, 403)
  })

  test('users with roles in other groups: keep their password until they connect the provider', async () => {
    const person = await addMember({ permissions: [], groupId: await app.addGroup() })
    await browser.signIn(person)
    assert.equal((await signOnAs(person)).statusCode, 303)
    const answer = await createConsoleBrowser(app).trySignIn({ email: person.email, password: PASSWORD })
    assert.equal(answer.statusCode, 403)
  })

  test('second-factor rule: met by the provider of the own group, not of another group', async () => {
    const { db } = app.parts.services
    const rule = (groupId: string, second_factor: 'required' | null) =>
      db.updateTable('groups').set({ second_factor }).where('id', '=', groupId).execute()
    const other = await app.addGroup()
    const person = await addMember({ permissions: [], groupId: other })
    await browser.signIn(person)
    await rule(app.groupId, 'required')
    assert.equal(await isSignedIn(), false)
    await rule(app.groupId, null)
    await signOnAs(person)
    await rule(app.groupId, 'required')
    assert.equal(await isSignedIn(), true)
    await rule(other, 'required')
    assert.equal(await isSignedIn(), false)
    const answer = await signOnAs(person)
    assert.equal(answer.headers.location, '/console/second-step')
    assert.equal(await isSignedIn(), false)
    const { secret, id } = (await browser.ask('POST', '/console/sign-in/factors/app/challenge')).json()
    const body = { id, name: 'Phone', code: codeOf(secret) }
    browser.adopt(await browser.ask('POST', '/console/sign-in/factors/app', { body }))
    assert.equal(await isSignedIn(), true)
    await rule(app.groupId, null)
  })

  test('sign-in for an app: the provider signs in, a password gets 403', async () => {
    scene = await setScene(app)
    const email = `${scene.person.id}@${configured.domain}`
    await app.parts.services.db.updateTable('users').set({ email }).where('id', '=', scene.person.id).execute()
    const page = await begin()
    const refused = await signIn(scene.visitor, page, { email })
    assertPage(refused, 403, /^Sign in$/)
    assert.match(refused.body, /Your group requires single sign-on/)
    const left = await scene.visitor.press(refused, 'Single sign-on', { email, password: '' })
    assert.equal(left.url.origin, provider.issuer)
    provider.user = { sub: scene.person.id, email, email_verified: true }
    const consent = await scene.visitor.open(provider.authorize(left.url.href))
    assertPage(consent, 200, /^Authorize An app\?$/)
    const done = await allow(consent, inOrg())
    assert.equal(done.url.hostname, 'app.example')
    assert.ok(done.url.searchParams.has('code'))
  })

  test('sign-in for an app: an address without a provider gets a page that says so', async () => {
    scene = await setScene(app)
    const again = await scene.visitor.press(await begin(), 'Single sign-on', { email: 'ada@elsewhere.example' })
    assertPage(again, 400, /^Sign in$/)
    assert.match(again.body, /of a group with single sign-on/)
  })
})
