import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { UnsecuredJWT } from 'jose'
import {
  ASSERTION_TYPE,
  addSigningAccount,
  assertion,
  type ClientKey,
  newKey,
  type SigningAccount,
} from '#test/access/client-keys.ts'
import { granted, isAccepted, refused, sendForm } from '#test/access/oauth.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'

onAnyEngine('client assertions', (engine) => {
  let app: TestApp
  let account: SigningAccount
  let audience: string
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
    account = await addSigningAccount(app, await newKey())
    audience = `${app.parts.services.baseUrl}/oauth2/token`
  })
  after(async () => {
    await account[Symbol.asyncDispose]()
    await app.close()
  })

  const send = (signed: string, more: Record<string, string> = {}) =>
    sendForm(app, 'token', {
      grant_type: 'client_credentials',
      client_assertion_type: ASSERTION_TYPE,
      client_assertion: signed,
      ...more,
    })
  const signed = async (
    changes: { claims?: object; header?: object & { crit?: string[]; kid?: string | undefined } } = {},
    by: Pick<SigningAccount, 'clientId' | 'key'> = account,
  ) => assertion(by, { audience, ...changes })

  for (const alg of ['RS256', 'ES256', 'EdDSA']) {
    test(`client assertion with ${alg}: accepted, and the token works`, async () => {
      await using other = await addSigningAccount(app, await newKey(alg))
      const tokens = granted(await send(await signed({}, other)))
      assert.ok(await isAccepted(app, tokens.access_token))
      assert.equal(tokens.bot_id, other.id)
    })
  }

  const accepted: [
    title: string,
    changes: () => { claims?: object; header?: object & { crit?: string[]; kid?: string | undefined } },
    more?: () => Record<string, string>,
  ][] = [
    ['the issuer as audience', () => ({ claims: { aud: app.parts.services.baseUrl } })],
    ['several audiences', () => ({ claims: { aud: ['https://other.example', audience] } })],
    ['no iat', () => ({ claims: { iat: undefined } })],
    ['additional claims', () => ({ claims: { more: { than: 'needed' } } })],
    ['a typ header', () => ({ header: { typ: 'client-authentication+jwt' } })],
    ['the client id in the form', () => ({}), () => ({ client_id: account.clientId })],
    ['an exp 10 seconds ago', () => ({ claims: { exp: Math.floor(Date.now() / 1000) - 10 } })],
  ]
  for (const [title, changes, more = () => ({})] of accepted) {
    test(`client assertion with ${title}: accepted`, async () =>
      void granted(await send(await signed(changes()), more())))
  }

  const now = () => Math.floor(Date.now() / 1000)
  const refusals: [
    title: string,
    changes: () => { claims?: object; header?: object & { crit?: string[]; kid?: string | undefined } },
  ][] = [
    ['another issuer', () => ({ claims: { iss: 'somebody' } })],
    ['no issuer', () => ({ claims: { iss: undefined } })],
    ['another subject', () => ({ claims: { sub: 'somebody' } })],
    ['no subject', () => ({ claims: { sub: undefined } })],
    ['another audience', () => ({ claims: { aud: 'https://other.example/oauth2/token' } })],
    ['an audience that begins like ours', () => ({ claims: { aud: `${audience}/more` } })],
    ['no audience', () => ({ claims: { aud: undefined } })],
    ['no exp', () => ({ claims: { exp: undefined } })],
    ['an exp that has passed', () => ({ claims: { exp: now() - 60 } })],
    ['an exp two days ahead', () => ({ claims: { exp: now() + 200_000 } })],
    ['an iat in the future', () => ({ claims: { iat: now() + 120 } })],
    ['an nbf in the future', () => ({ claims: { nbf: now() + 120 } })],
    ['no jti', () => ({ claims: { jti: undefined } })],
    ['a jti that is not a string', () => ({ claims: { jti: 7 } })],
    ['a critical extension', () => ({ header: { crit: ['urn:x'], 'urn:x': true } })],
    ['an unpublished key', () => ({ header: { kid: 'another' } })],
  ]
  for (const [title, changes] of refusals) {
    test(`client assertion with ${title}: refused (401 invalid_client)`, async () => {
      const answer = await send(await signed(changes()))
      refused(answer, 401, 'invalid_client')
      assert.equal(answer.headers['www-authenticate'], undefined)
    })
  }

  describe('refused client assertions', () => {
    test('client assertion with an unsupported algorithm: the refusal names it and the supported ones', async () => {
      const key = await newKey('ES384')
      await using other = await addSigningAccount(app, key)
      const answer = await send(await signed({}, other))
      refused(answer, 401, 'invalid_client')
      assert.match(answer.json().error_description, /algorithm ES384 .*RS256, ES256, EdDSA, Ed25519/)
    })

    test('client assertion used a second time: refused (401 invalid_client)', async () => {
      const once = await signed()
      granted(await send(once))
      refused(await send(once), 401, 'invalid_client')
    })

    test('client assertion sent several times at once: accepted once', async () => {
      const once = await signed()
      const answers = await Promise.all([1, 2, 3, 4].map(() => send(once)))
      assert.equal(answers.filter(({ statusCode }) => statusCode === 200).length, 1)
    })

    test('client assertion signed with another key under the same id: refused (401 invalid_client)', async () => {
      const forged: ClientKey = await newKey('RS256', account.key.kid)
      refused(await send(await signed({}, { ...account, key: forged })), 401, 'invalid_client')
    })

    test('unsigned client assertion: refused (401 invalid_client)', async () => {
      const { clientId } = account
      const text = new UnsecuredJWT({ iss: clientId, sub: clientId, aud: audience, jti: 'x', exp: now() + 60 }).encode()
      refused(await send(text), 401, 'invalid_client')
    })

    test('client assertion with another client_id in the form: refused (401 invalid_client)', async () => {
      const more = { client_id: '5f2bd75e-5a1d-4b0c-9bb8-6c54ed1f8f1a' }
      refused(await send(await signed(), more), 401, 'invalid_client')
    })

    test('client assertion of an account with another auth_type: refused (401 invalid_client)', async () => {
      const { db } = app.parts.services
      await using other = await addSigningAccount(app, account.key)
      await db
        .updateTable('service_accounts')
        .set({ auth_type: 'oauth_client_secret' })
        .where('id', '=', other.id)
        .execute()
      refused(await send(await signed({}, other)), 401, 'invalid_client')
    })

    test('client assertion beside a client secret: refused (400 invalid_request)', async () => {
      const more = { client_id: account.clientId, client_secret: 'x' }
      refused(await send(await signed(), more), 400, 'invalid_request')
    })
  })

  describe('published keys of a client', () => {
    test('published keys: cached, and fetched once more for an assertion with a new key', async () => {
      const [first, second, third] = [await newKey('ES256'), await newKey('ES256'), await newKey('ES256')]
      await using rotating = await addSigningAccount(app, first)
      for (let count = 0; count < 3; count++) granted(await send(await signed({}, rotating)))
      assert.equal(rotating.timesAsked(), 1)
      rotating.publish({ keys: [first, second] })
      granted(await send(await signed({}, { ...rotating, key: second })))
      assert.equal(rotating.timesAsked(), 2)
      // Made-up key ids must not cause a request each time.
      refused(await send(await signed({}, { ...rotating, key: third })), 401, 'invalid_client')
      assert.equal(rotating.timesAsked(), 2)
    })

    test('published key replaced under the same id: fetched once more after a failed signature', async () => {
      const first = await newKey('ES256')
      const second = await newKey('ES256', first.kid)
      await using rotating = await addSigningAccount(app, first)
      granted(await send(await signed({}, rotating)))
      rotating.publish({ keys: [second] })
      granted(await send(await signed({}, { ...rotating, key: second })))
      refused(await send(await signed({}, rotating)), 401, 'invalid_client')
      assert.equal(rotating.timesAsked(), 2)
    })

    test('client assertion without kid: each of several matching keys is tried', async () => {
      const keys = [await newKey('ES256'), await newKey('ES256')]
      await using several = await addSigningAccount(app, keys[0]!)
      several.publish({ keys })
      const header = { kid: undefined }
      for (const key of keys) granted(await send(await signed({ header }, { ...several, key })))
      const other = await newKey('ES256')
      refused(await send(await signed({ header }, { ...several, key: other })), 401, 'invalid_client')
    })

    const broken: [title: string, status: number, answer: { status: number; body: string }][] = [
      ['that is not JSON', 401, { status: 200, body: '<html>' }],
      ['that is not a key set', 401, { status: 200, body: '{"keys":"none"}' }],
      ['that is missing', 401, { status: 404, body: '' }],
      ['that is too large', 503, { status: 200, body: JSON.stringify({ keys: [], filler: 'x'.repeat(300_000) }) }],
    ]
    for (const [title, status, answer] of broken) {
      test(`key set ${title}: authenticates no client and is fetched once`, async () => {
        await using other = await addSigningAccount(app, account.key)
        other.publish(answer)
        refused(
          await send(await signed({}, other)),
          status,
          status === 503 ? 'temporarily_unavailable' : 'invalid_client',
        )
        refused(
          await send(await signed({}, other)),
          status,
          status === 503 ? 'temporarily_unavailable' : 'invalid_client',
        )
        assert.equal(other.timesAsked(), 1)
      })
    }

    const unusable: [title: string, jwk: () => object][] = [
      ['an RSA key of 1,024 bits', () => weakKey],
      ['an empty key', () => ({ kty: 'RSA', n: '', e: '' })],
      ['a truncated key', () => ({ kty: 'RSA', e: 'AQAB' })],
      ['a key with numbers for strings', () => ({ kty: 'RSA', n: 5, e: {} })],
      ['a key with its private part', () => ({ ...account.key.publicJwk, d: 'AQAB' })],
      ['a key that is not on its curve', () => ({ kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA' })],
    ]
    const weakKey = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey.export({ format: 'jwk' })
    for (const [title, jwk] of unusable) {
      test(`key set with ${title}: authenticates no client (401 invalid_client)`, async () => {
        const published = { kid: account.key.kid, ...jwk() }
        const key = 'crv' in published ? await newKey('ES256', account.key.kid) : account.key
        await using other = await addSigningAccount(app, key)
        other.publish({ status: 200, body: JSON.stringify({ keys: [published] }) })
        const answer = await send(await signed({}, other))
        refused(answer, 401, 'invalid_client')
        assert.match(answer.json().error_description, /cannot be used/)
      })
    }

    test('key set on a forbidden network: authenticates no client (401 invalid_client)', async () => {
      await using other = await addSigningAccount(app, account.key)
      const { db } = app.parts.services
      await db
        .updateTable('service_accounts')
        .set({ jwks_url: 'http://10.1.2.3/' })
        .where('id', '=', other.id)
        .execute()
      const answer = await send(await signed({}, other))
      refused(answer, 401, 'invalid_client')
      assert.match(answer.json().error_description, /jwks_url cannot be fetched/)
    })
  })
})
