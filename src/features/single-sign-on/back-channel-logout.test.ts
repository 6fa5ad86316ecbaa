import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import { createProviderKey, type IdentityProvider, startIdentityProvider } from '#test/access/identity-provider.ts'
import { addProvider, type Configured, signOn, startWithProvider } from '#test/access/sign-on.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('back-channel logout', (engine) => {
  let app: TestApp
  let provider: IdentityProvider
  let configured: Configured
  let close: () => Promise<void>
  let browser: ConsoleBrowser
  before(async () => {
    ;({ app, provider, configured, close } = await startWithProvider(engine))
  })
  after(() => close())
  beforeEach(async () => {
    const sub = randomUUID()
    provider.user = { sub, email: `${sub}@${configured.domain}`, email_verified: true, sid: `session of ${sub}` }
    browser = await signedIn()
  })

  const sub = () => provider.user['sub']
  const isSignedIn = async (by = browser) => (await by.ask('GET', '/rest/self')).statusCode === 200

  async function signedIn(): Promise<ConsoleBrowser> {
    const by = createConsoleBrowser(app)
    assert.equal((await signOn(by, provider, provider.user['email'] as string)).statusCode, 303)
    assert.equal(await isSignedIn(by), true)
    return by
  }

  async function send(token: string, id = configured.id) {
    const form = new URLSearchParams({ logout_token: token })
    return post(form, id)
  }

  const post = (form: URLSearchParams, id = configured.id) =>
    app.server.inject({
      method: 'POST',
      url: `/oauth2/single-sign-on/${id}/logout`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: form.toString(),
    })

  async function assertRefused(token: string, reason: RegExp): Promise<void> {
    const answer = await send(token)
    assert.equal(answer.statusCode, 400, answer.body)
    assert.equal(answer.json().error, 'invalid_request')
    assert.match(answer.json().error_description, reason)
    assert.equal(answer.headers['cache-control'], 'no-store')
    assert.equal(await isSignedIn(), true)
  }

  test('logout token with sub and sid: ends the sessions of that sid only', async () => {
    provider.user = { ...provider.user, sid: 'another session' }
    const other = await signedIn()
    const answer = await send(await provider.logoutToken({ sub: sub(), sid: 'another session' }))
    assert.deepEqual([answer.statusCode, answer.headers['cache-control']], [200, 'no-store'])
    assert.deepEqual([await isSignedIn(other), await isSignedIn()], [false, true])
  })

  test('logout token with a sub: ends all sessions of the user and is audited', async () => {
    const other = await signedIn()
    assert.equal((await send(await provider.logoutToken({ sub: sub() }))).statusCode, 200)
    assert.deepEqual([await isSignedIn(other), await isSignedIn()], [false, false])
    const query = { action: 'user.sign_out_by_provider', limit: '10' }
    const events = (await app.call('GET', `/rest/groups/${app.groupId}/audit_logs`, { query })).json().data
    assert.deepEqual(events[0].attributes.after, { ended: 2 })
  })

  test('logout token with a sid alone: ends its session', async () => {
    assert.equal((await send(await provider.logoutToken({ sid: provider.user['sid'] }))).statusCode, 200)
    assert.equal(await isSignedIn(), false)
  })

  test('logout token: a second use gets 400', async () => {
    const token = await provider.logoutToken({ sub: 'another user' })
    assert.equal((await send(token)).statusCode, 200)
    await assertRefused(token, /already used/)
  })

  test('logout token signed with an unpublished key: refused with 400', async () => {
    const key = await createProviderKey()
    await assertRefused(await provider.logoutToken({ sub: sub() }, { key }), /Signature/)
    await assertRefused(await provider.logoutToken({ sub: sub() }, { key: { ...key, kid: provider.key.kid } }), /Sign/)
  })

  test('logout token of another issuer or for another client: refused with 400', async () => {
    await assertRefused(await provider.logoutToken({ sub: sub(), iss: 'https://issuer.example' }), /issuer/)
    await assertRefused(await provider.logoutToken({ sub: sub(), aud: 'another client' }), /audience/)
  })

  test('logout token that is expired, old, from the future or without times: refused with 400', async () => {
    const at = Math.floor(Date.now() / 1000)
    await assertRefused(await provider.logoutToken({ sub: sub(), iat: at - 300, exp: at - 200 }), /times/)
    await assertRefused(await provider.logoutToken({ sub: sub(), iat: at - 3600, exp: at + 60 }), /10 minutes/)
    await assertRefused(await provider.logoutToken({ sub: sub(), iat: at + 600, exp: at + 900 }), /10 minutes|times/)
    await assertRefused(await provider.logoutToken({ sub: sub(), iat: undefined }), /times/)
    await assertRefused(await provider.logoutToken({ sub: sub(), exp: undefined }), /times/)
  })

  test('ID token as a logout token: refused with 400', async () => {
    await assertRefused(await provider.sign({ sub: sub(), jti: 'x' }), /not a logout token/)
    await assertRefused(await provider.logoutToken({ sub: sub(), nonce: 'x' }), /nonce/)
    await assertRefused(
      await provider.logoutToken({ sub: sub(), events: { 'http://other.example': {} } }),
      /not a logout token/,
    )
    await assertRefused(await provider.logoutToken({ sub: sub(), events: ['x'] }), /not a logout token/)
  })

  test('logout token without sub and sid, or without jti: refused with 400', async () => {
    await assertRefused(await provider.logoutToken({}), /neither/)
    await assertRefused(await provider.logoutToken({ sub: sub(), jti: undefined }), /jti/)
    await assertRefused(await provider.logoutToken({ sub: sub(), sid: 1 }), /sid/)
  })

  test('logout token of another provider: ends no session of the same user', async () => {
    await using other = await startIdentityProvider()
    const theirs = await addProvider(app, other)
    assert.equal((await send(await other.logoutToken({ sub: sub() }), theirs.id)).statusCode, 200)
    assert.equal(await isSignedIn(), true)
    assert.equal((await send(await other.logoutToken({ sub: sub() }))).statusCode, 400)
  })

  test('logout request without a single token, or for an unknown provider: refused with 400', async () => {
    const token = await provider.logoutToken({ sub: sub() })
    assert.equal((await post(new URLSearchParams())).statusCode, 400)
    const twice = new URLSearchParams([
      ['logout_token', token],
      ['logout_token', token],
    ])
    assert.equal((await post(twice)).statusCode, 400)
    assert.equal((await send('no token')).statusCode, 400)
    assert.equal((await send('x'.repeat(20_000))).statusCode, 400)
    assert.equal((await send(token, randomUUID())).statusCode, 400)
    assert.equal((await send(token, 'no-uuid')).statusCode, 400)
    assert.equal(await isSignedIn(), true)
  })
})
