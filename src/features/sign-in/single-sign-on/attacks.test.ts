import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { SignJWT, UnsecuredJWT } from 'jose'
import { type ConsoleBrowser, createConsoleBrowser } from '#test/access/console-browser.ts'
import {
  CLIENT_SECRET,
  createProviderKey,
  type IdentityProvider,
  type Misbehavior,
  startIdentityProvider,
} from '#test/access/identity-provider.ts'
import { addPerson } from '#test/access/people.ts'
import { addProvider, type Configured, comeBack, signOn, startSignOn, startWithProvider } from '#test/access/sign-on.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const FAILED = /Not signed in/

onEveryEngine('attacks on single sign-on', (engine) => {
  let app: TestApp
  let provider: IdentityProvider
  let configured: Configured
  let close: () => Promise<void>
  let browser: ConsoleBrowser
  before(async () => {
    ;({ app, provider, configured, close } = await startWithProvider(engine))
  })
  after(() => close())
  beforeEach(() => {
    browser = createConsoleBrowser(app)
    provider.wrong = {}
    provider.user = { sub: randomUUID(), email: `${randomUUID()}@${configured.domain}`, email_verified: true }
  })

  const email = () => provider.user['email'] as string
  const start = (by = browser) => startSignOn(by, email())
  const isSignedIn = async (by = browser) => (await by.ask('GET', '/rest/self')).statusCode === 200
  const failureOf = async ({ path, id }: Configured) => {
    const { providers } = (await app.call('GET', path.replace(/\/[^/]+$/, ''), { query: { version: '-' } })).json()
    return providers.find((one: { id: string }) => one.id === id).last_failure as string
  }

  async function assertRefused(back: URL, status = 403, by = browser): Promise<void> {
    const answer = await comeBack(by, back)
    assert.equal(answer.statusCode, status, answer.body)
    assert.match(answer.body, FAILED)
    assert.equal(await isSignedIn(by), false)
  }

  /** Signs in with a misbehaving provider and asserts a refusal with the reason. */
  async function assertWrong(wrong: Misbehavior, reason: RegExp): Promise<void> {
    const url = await start()
    provider.wrong = wrong
    await assertRefused(provider.authorize(url))
    assert.match(await failureOf(configured), reason)
  }

  const accountsWith = async (address: string) =>
    (await app.parts.services.db.selectFrom('users').select('id').where('email', '=', address).execute()).length

  test('callback with another state: refused with 400', async () => {
    const back = provider.authorize(await start())
    back.searchParams.set('state', 'x'.repeat(43))
    await assertRefused(back, 400)
  })

  test('callback without a state or with two: refused with 400', async () => {
    const back = provider.authorize(await start())
    const twice = new URL(back)
    twice.searchParams.append('state', back.searchParams.get('state')!)
    await assertRefused(twice, 400)
    back.searchParams.delete('state')
    await assertRefused(back, 400)
  })

  test('callback with the state of another browser: refused; stays usable in its own', async () => {
    const back = provider.authorize(await start())
    await assertRefused(back, 400, createConsoleBrowser(app))
    assert.equal((await comeBack(browser, back)).statusCode, 303)
  })

  test('callback: works once', async () => {
    const back = provider.authorize(await start())
    const copy = browser.copy('none')
    const cookies = browser.cookieHeader()
    assert.equal((await comeBack(browser, back)).statusCode, 303)
    const again = await copy.ask('GET', `${back.pathname}${back.search}`, { headers: { cookie: cookies } })
    assert.equal(again.statusCode, 400)
  })

  test('callback after ten minutes: refused with 400', async () => {
    const back = provider.authorize(await start())
    const { db, now } = app.parts.services
    await db.updateTable('single_sign_ons').set({ expires_at: now() }).execute()
    await assertRefused(back, 400)
  })

  test('code of another sign-on: refused with invalid_grant', async () => {
    const other = createConsoleBrowser(app)
    const [mine, theirs] = [provider.authorize(await start()), provider.authorize(await start(other))]
    mine.searchParams.set('code', theirs.searchParams.get('code')!)
    await assertRefused(mine)
    assert.match(await failureOf(configured), /invalid_grant/)
  })

  test('ID token with another nonce or none: refused', async () => {
    await assertWrong({ idToken: (claims) => ({ ...claims, nonce: 'another' }) }, /nonce|claim/i)
    await assertWrong({ idToken: ({ nonce: _nonce, ...claims }) => claims }, /nonce|claim/i)
  })

  test('ID token of another issuer: refused', async () => {
    await assertWrong({ idToken: (claims) => ({ ...claims, iss: 'https://issuer.example' }) }, /claim/i)
  })

  test('ID token for another client: refused', async () => {
    await assertWrong({ idToken: (claims) => ({ ...claims, aud: 'another client' }) }, /claim/i)
    const several = { aud: ['gatehouse', 'another client'], azp: 'another client' }
    await assertWrong({ idToken: (claims) => ({ ...claims, ...several }) }, /claim/i)
  })

  test('expired ID token: refused', async () => {
    const at = Math.floor(Date.now() / 1000)
    await assertWrong({ idToken: (claims) => ({ ...claims, iat: at - 7200, exp: at - 3600 }) }, /timestamp|exp/i)
  })

  /** Asserts a refusal although the provider's metadata offer algorithms that clients must refuse. */
  async function assertAlgorithmRefused(sign: (claims: object, issuer: string) => Promise<string>): Promise<void> {
    await using lax = await startIdentityProvider()
    lax.wrong = {
      metadata: { id_token_signing_alg_values_supported: ['none', 'HS256', 'ES256'] },
      sign: (claims) => sign(claims, lax.issuer),
    }
    const { domain } = await addProvider(app, lax)
    lax.user = { ...provider.user, email: `ada@${domain}` }
    await assertRefused(lax.authorize(await startSignOn(browser, `ada@${domain}`)))
    assert.ok(lax.paths.includes('/token'))
    lax.wrong = {}
    assert.equal((await signOn(createConsoleBrowser(app), lax, `ada@${domain}`)).statusCode, 303)
  }

  test('unsigned ID token: refused', async () => {
    await assertAlgorithmRefused(async (claims, iss) =>
      new UnsecuredJWT({ ...claims, iss, aud: 'gatehouse' }).setIssuedAt().setExpirationTime('1m').encode(),
    )
  })

  test('ID token signed with the client secret or the public key as HMAC secret: refused', async () => {
    for (const secret of [CLIENT_SECRET, JSON.stringify(provider.key.jwk)]) {
      await assertAlgorithmRefused(async (claims, iss) =>
        new SignJWT({ ...claims, iss, aud: 'gatehouse' })
          .setProtectedHeader({ alg: 'HS256' })
          .setIssuedAt()
          .setExpirationTime('1m')
          .sign(new TextEncoder().encode(secret.padEnd(32))),
      )
    }
  })

  test('ID token signed with an unpublished key: refused', async () => {
    const key = await createProviderKey()
    await assertWrong({ sign: (claims) => provider.sign(claims, { key }) }, /key/i)
    const sameName = { ...key, kid: provider.key.kid }
    await assertWrong({ sign: (claims) => provider.sign(claims, { key: sameName }) }, /signature/i)
  })

  test('unknown key ids: the keys of the provider are fetched once per ten seconds', async () => {
    const countRequests = () => provider.paths.filter((path) => path === '/keys').length
    const count = countRequests()
    const key = await createProviderKey()
    const begun = Date.now()
    for (let attempt = 0; attempt < 3; attempt++) {
      provider.wrong = { sign: (claims) => provider.sign(claims, { key }) }
      await assertRefused(provider.authorize(await start()))
    }
    assert.ok(countRequests() - count <= 1 + Math.floor((Date.now() - begun) / 10_000))
  })

  test('mix-up: the callback of another provider or issuer is refused; no code leaks', async () => {
    await using attacker = await startIdentityProvider()
    const theirs = await addProvider(app, attacker, { groupId: await app.addGroup() })
    const url = await start()
    // The honest provider answers, and the attacker passes the answer on to its own address.
    const back = provider.authorize(url)
    const mixed = new URL(back)
    mixed.pathname = back.pathname.replace(configured.id, theirs.id)
    await assertRefused(mixed, 400)
    // An answer that names another issuer (RFC 9207), or none although the provider always does.
    for (const change of [
      (query: URLSearchParams) => query.set('iss', attacker.issuer),
      (query: URLSearchParams) => query.delete('iss'),
    ]) {
      provider.wrong = { answer: change }
      await assertRefused(provider.authorize(await start()))
    }
    assert.ok(!attacker.paths.includes('/token'), 'the attacker gets no code')
  })

  test('provider with the issuer of another provider: refused with 503', async () => {
    await using attacker = await startIdentityProvider()
    attacker.wrong = { metadata: { issuer: provider.issuer } }
    const { domain } = await addProvider(app, attacker, { groupId: await app.addGroup() })
    const body = { email: `ada@${domain}` }
    assert.equal((await browser.ask('POST', '/console/sign-in/single-sign-on', { body })).statusCode, 503)
  })

  test('error from the provider: begins no session; its description is not shown', async () => {
    const back = provider.authorize(await start())
    back.searchParams.delete('code')
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', '<b>call 555-0100</b>')
    const answer = await comeBack(browser, back)
    assert.equal(answer.statusCode, 403)
    assert.ok(!answer.body.includes('555-0100'))
    assert.match(await failureOf(configured), /access_denied/)
  })

  test('return path: stays on this server', async () => {
    const targets = [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      '/console/..//evil.example',
      'javascript:1',
      '/oauth2/sign-out',
    ]
    for (const target of targets) {
      const back = provider.authorize(await startSignOn(browser, email(), target))
      const answer = await browser.ask('GET', `${back.pathname}${back.search}`)
      assert.equal(answer.headers.location, '/console/', target)
    }
  })

  test('sign-on started by another site: 403 foreign-page', async () => {
    const headers = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    for (const path of ['way', 'single-sign-on']) {
      const answer = await browser.ask('POST', `/console/sign-in/${path}`, { body: { email: email() }, headers })
      assert.deepEqual([answer.statusCode, answer.json().errorCode], [403, 'foreign-page'])
    }
  })

  test('unverified e-mail address: refused', async () => {
    for (const verified of [false, undefined, 'no']) {
      provider.user = { ...provider.user, email_verified: verified }
      await assertRefused(provider.authorize(await start()))
    }
    assert.match(await failureOf(configured), /has not verified/)
    assert.equal(await accountsWith(email()), 0)
  })

  test('e-mail address of a foreign domain: refused', async () => {
    const url = await start()
    for (const address of [
      `ada@sub.${configured.domain}`,
      `ada@x${configured.domain}`,
      `ada@${configured.domain}@evil.example`,
    ]) {
      provider.user = { ...provider.user, email: address }
      await assertRefused(
        provider.authorize(address.startsWith('ada@sub') ? url : await startSignOn(browser, `a@${configured.domain}`)),
      )
      assert.equal(await accountsWith(address), 0)
    }
  })

  test('account managed by another group: not taken over', async () => {
    const person = await addPerson(app)
    const groupId = await app.addGroup()
    const { db } = app.parts.services
    await db.updateTable('users').set({ group_id: groupId, email: email() }).where('id', '=', person.id).execute()
    await assertRefused(provider.authorize(await start()))
    assert.match(await failureOf(configured), /managed by another group/)
  })

  test('account with roles in other groups: connected only in its signed-in browser', async () => {
    const groupId = await app.addGroup()
    const person = await addPerson(app, { permissions: ['group.read'], groupId })
    const { db } = app.parts.services
    await db.updateTable('users').set({ email: email() }).where('id', '=', person.id).execute()
    await assertRefused(provider.authorize(await start()))
    const owned = createConsoleBrowser(app)
    await owned.signIn({ email: email() })
    assert.equal((await signOn(owned, provider, email())).statusCode, 303)
  })

  test('another subject with the same address: does not get the account', async () => {
    await signOn(browser, provider, email())
    browser = createConsoleBrowser(app)
    provider.user = { ...provider.user, sub: 'another user' }
    await assertRefused(provider.authorize(await start()))
    assert.match(await failureOf(configured), /connected to another user/)
  })

  test('domain removed from the provider: its sign-ins are refused', async () => {
    const { path, id, domain } = await addProvider(app, provider)
    provider.user = { ...provider.user, email: `ada@${domain}` }
    assert.equal((await signOn(browser, provider, email())).statusCode, 303)
    const other = createConsoleBrowser(app)
    const back = provider.authorize(await startSignOn(other, email()))
    const { db } = app.parts.services
    await db
      .updateTable('identity_provider_domains')
      .set({ domain: `no-${domain}` })
      .where('provider_id', '=', id)
      .execute()
    await assertRefused(back, 403, other)
    assert.equal((await app.call('DELETE', path, { query: { version: '-' } })).statusCode, 204)
    assert.equal(await isSignedIn(), false, 'its sessions end with the provider')
  })

  test('single sign-on: renews the session secret and ends the session of another user', async () => {
    const before = createConsoleBrowser(app)
    await before.signIn(await addPerson(app))
    const secret = before.secret
    await signOn(before, provider, email())
    assert.notEqual(before.secret, secret)
    const planted = createConsoleBrowser(app)
    planted.plant(secret)
    assert.deepEqual((await planted.ask('GET', '/console/session')).json(), {})
  })

  test('secrets, codes and tokens: stored encrypted or as digests, never logged', async () => {
    const url = await start()
    const back = provider.authorize(url)
    const state = back.searchParams.get('state')!
    const pending = await app.parts.services.db.selectFrom('single_sign_ons').selectAll().execute()
    await comeBack(browser, back)
    const identities = await app.parts.services.db.selectFrom('identities').selectAll().execute()
    const rows = await app.parts.services.db.selectFrom('identity_providers').selectAll().execute()
    const readable = (value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value)
    const stored = JSON.stringify([pending, identities, rows], (_name, value) => readable(value))
    for (const secret of [state, back.searchParams.get('code')!, CLIENT_SECRET, '"refresh"']) {
      assert.ok(!stored.includes(secret), 'not stored')
      assert.ok(!app.log().includes(secret), 'not logged')
    }
    const shown = await app.call('GET', configured.path.replace(/\/[^/]+$/, ''), { query: { version: '-' } })
    assert.ok(!shown.body.includes(CLIENT_SECRET))
  })
})
