import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import type { IdentityProvider } from '#test/access/identity-provider.ts'
import { addPerson, PASSWORD } from '#test/access/people.ts'
import { type Configured, signOn, startWithProvider } from '#test/access/sign-on.ts'
import { addApp, consentTo } from '#test/access/tokens.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { checkIdentities } from './check-identities.job.ts'

const DAY_MS = 86_400_000

onEveryEngine('disabled users', (engine) => {
  let app: TestApp
  let provider: IdentityProvider
  let configured: Configured
  let close: () => Promise<void>
  let browser: ConsoleBrowser
  let user: { id: string; email: string }
  let key: string
  let token: string
  before(async () => {
    ;({ app, provider, configured, close } = await startWithProvider(engine))
  })
  after(() => close())
  beforeEach(async () => {
    provider.wrong = {}
    provider.paths.length = 0
    browser = createConsoleBrowser(app)
    const { db } = app.parts.services
    const person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
    user = { id: person.id, email: `${person.id}@${configured.domain}` }
    await db.updateTable('users').set({ email: user.email }).where('id', '=', user.id).execute()
    provider.user = { sub: user.id, email: user.email, email_verified: true }
    await signOn(browser, provider, user.email)
    const owner = { kind: 'user', id: user.id } as const
    key = (await issueCredential(app.parts.services, db, { kind: 'api_key', owner, name: 'test' })).secret
    token = (await consentTo(app, { app: await addApp(app, { context: 'user' }), userId: user.id })).token
    assert.deepEqual(await working(), { session: true, key: true, token: true })
  })

  const status = async (authorization: string) =>
    (await app.call('GET', '/rest/self', { key: null, headers: { authorization } })).statusCode
  const working = async () => ({
    session: (await browser.ask('GET', '/rest/self')).statusCode === 200,
    key: (await status(`token ${key}`)) === 200,
    token: (await status(`Bearer ${token}`)) === 200,
  })
  const nothing = { session: false, key: false, token: false }
  const disable = (disabled: boolean, id = user.id, by = app.adminKey) =>
    app.call('PUT', `/console/groups/${app.groupId}/users/${id}/disabled`, { key: by, body: { disabled } })
  const eventsOf = async (action: string) => {
    const query = { action, target_id: user.id, limit: '10' }
    const answer = await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query })
    return answer.json().data.map(({ attributes }: { attributes: { after: object } }) => attributes.after)
  }

  /** Runs the job as if it were that many milliseconds later. */
  async function check(laterMs = 16 * 60_000): Promise<void> {
    const { services, providers } = app.parts
    const job = checkIdentities({ ...services, providers, now: () => Date.now() + laterMs })
    await job.run({}, { log: services.log, attempt: 1, signal: new AbortController().signal })
  }

  test('user disabled by an administrator: sessions, keys and grants end for good', async () => {
    assert.equal((await disable(true)).statusCode, 204)
    assert.deepEqual(await working(), nothing)
    const attributes = (await app.call('GET', `/rest/groups/${app.groupId}/users/${user.id}`)).json().data.attributes
    assert.equal(attributes.disabled, true)
    const member = await app.call('GET', `/rest/orgs/${app.orgId}/users/${user.id}`, {
      query: { version: '2024-10-15~beta' },
    })
    assert.equal(member.json().data.attributes.active, false)
    assert.deepEqual(await eventsOf('user.disable'), [{ reason: 'administrator' }])
    const list = await app.call('GET', configured.path.replace(/\/[^/]+$/, ''), { query: { version: '-' } })
    const [shown] = list.json().disabled_users
    assert.deepEqual([shown.id, shown.disabled_by], [user.id, 'administrator'])
    const byPassword = await createConsoleBrowser(app).trySignIn({ email: user.email, password: PASSWORD })
    assert.equal(byPassword.statusCode, 403)
    assert.match(byPassword.json().message, /This account is disabled/)
    assert.equal((await signOn(createConsoleBrowser(app), provider, user.email)).statusCode, 403)
    assert.equal((await disable(false)).statusCode, 204)
    assert.deepEqual(await working(), nothing)
    assert.equal((await signOn(browser, provider, user.email)).statusCode, 303)
    assert.deepEqual(await working(), { ...nothing, session: true })
  })

  test('disabling: refused for oneself (409), foreign users (404) and by lesser callers (403)', async () => {
    const { db } = app.parts.services
    const admin = await db.selectFrom('users').select('id').orderBy('created_at').limit(1).executeTakeFirstOrThrow()
    assert.equal((await disable(true, admin.id)).statusCode, 409)
    assert.equal((await disable(true, randomUUID())).statusCode, 404)
    const lesser = await app.keyWith(['group.user.edit'], { groupId: app.groupId })
    assert.equal((await disable(true, admin.id, lesser)).statusCode, 403)
    const stranger = await addPerson(app)
    await db
      .updateTable('users')
      .set({ group_id: await app.addGroup() })
      .where('id', '=', stranger.id)
      .execute()
    assert.equal((await disable(true, stranger.id)).statusCode, 404)
    const path = `/console/groups/${app.groupId}/users/${user.id}/disabled`
    assert.equal((await app.call('PUT', path, { body: { disabled: 'yes' } })).statusCode, 400)
  })

  test('user refused by the provider: the next check suspends sessions, keys and grants', async () => {
    provider.wrong = { refresh: { status: 400, body: { error: 'invalid_grant', error_description: 'disabled' } } }
    await check(14 * 60_000)
    assert.deepEqual(await working(), { session: true, key: true, token: true })
    await check()
    assert.deepEqual(await working(), nothing)
    assert.deepEqual(await eventsOf('user.disable'), [{ reason: 'identity provider' }])
  })

  test('suspended user: a sign-in at the provider restores sessions, keys and grants', async () => {
    provider.wrong = { refresh: { status: 400, body: { error: 'invalid_grant' } } }
    await check()
    const byPassword = await browser.trySignIn({ email: user.email, password: PASSWORD })
    assert.equal(byPassword.statusCode, 403)
    await signOn(browser, provider, user.email)
    assert.deepEqual(await working(), { session: true, key: true, token: true })
  })

  test('suspended user: after seven days, keys and grants end for good', async () => {
    provider.wrong = { refresh: { status: 400, body: { error: 'invalid_grant' } } }
    await check()
    await check(8 * DAY_MS)
    await signOn(browser, provider, user.email)
    assert.deepEqual(await working(), { ...nothing, session: true })
  })

  test('failing provider: suspends no user', async () => {
    provider.wrong = { refresh: { status: 500, body: {} } }
    await check()
    provider.wrong = { refresh: { status: 401, body: { error: 'invalid_client' } } }
    await check(40 * 60_000)
    assert.ok(provider.paths.includes('/token'))
    assert.deepEqual(await working(), { session: true, key: true, token: true })
  })

  test('refresh token of the provider: each check uses the latest one', async () => {
    await check()
    await check(40 * 60_000)
    const { refresh_token, id } = await app.parts.services.db
      .selectFrom('identities')
      .selectAll()
      .where('user_id', '=', user.id)
      .executeTakeFirstOrThrow()
    const opened = app.parts.services.keyring.open(refresh_token!, `refresh token of identity ${id}`)
    assert.equal(opened, 'next of next of refresh')
  })

  test('logout by the provider: the next run checks the user', async () => {
    provider.wrong = { refresh: { status: 400, body: { error: 'invalid_grant' } } }
    const payload = new URLSearchParams({ logout_token: await provider.logoutToken({ sub: user.id }) }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const url = `/oauth2/single-sign-on/${configured.id}/logout`
    assert.equal((await app.server.inject({ method: 'POST', url, headers, payload })).statusCode, 200)
    assert.deepEqual(await working(), { session: false, key: true, token: true })
    await check(0)
    assert.deepEqual(await working(), nothing)
  })

  test('break-glass administrators: not checked', async () => {
    await app.parts.services.db.updateTable('users').set({ break_glass: 1 }).where('id', '=', user.id).execute()
    provider.wrong = { refresh: { status: 400, body: { error: 'invalid_grant' } } }
    await check()
    assert.equal((await working()).key, true)
  })
})
