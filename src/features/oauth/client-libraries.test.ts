import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as openid from 'openid-client'
import { AuthorizationCode, ClientCredentials } from 'simple-oauth2'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { addSigningAccount, newKey } from '#test/access/client-keys.ts'
import { addClient, authorize, type Client, claimsOf, isAccepted, publicApp } from '#test/access/oauth.ts'
import type { TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { overHttp, startListening } from '#test/servers/listening.ts'

/** Allows the test server, which has no TLS; everything else is the libraries' default. */
const insecure = { execute: [openid.allowInsecureRequests] }

onAnyEngine('client libraries', (engine) => {
  let app: TestApp
  let issuer: URL
  let client: Client
  before(async () => {
    app = await startListening(engine, { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1' })
    issuer = new URL(app.parts.services.baseUrl)
    client = await addClient(app, { scopes: ['org.read', 'org.project.read'] })
  })
  after(() => app.close())

  /** Follows the library's authorization URL in a browser; returns the redirect to the app. */
  const visit = (address: URL) =>
    authorize(overHttp(app), client, { parameters: Object.fromEntries(address.searchParams) })

  describe('openid-client', () => {
    test('openid-client: discovers, exchanges a code with PKCE, refreshes, introspects, revokes', async () => {
      const config = await openid.discovery(issuer, client.clientId, client.secret, undefined, {
        algorithm: 'oauth2',
        ...insecure,
      })
      assert.equal(config.serverMetadata().supportsPKCE(), true)
      const pkceCodeVerifier = openid.randomPKCECodeVerifier()
      const expectedState = openid.randomState()
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: client.redirectUri,
        scope: 'org.read',
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
      })
      assert.equal(address.origin, issuer.origin)
      const answered = await visit(address)
      const first = await openid.authorizationCodeGrant(config, answered, { pkceCodeVerifier, expectedState })
      assert.equal(first.token_type, 'bearer')
      assert.equal(first.scope, 'org.read')
      // One millisecond later its expiresIn() would be a second less.
      assert.equal(first.expires_in, 3600)
      assert.ok(await isAccepted(app, first.access_token))

      const second = await openid.refreshTokenGrant(config, first.refresh_token!)
      assert.notEqual(second.refresh_token, first.refresh_token)
      const introspection = await openid.tokenIntrospection(config, second.access_token)
      assert.equal(introspection.active, true)
      assert.equal(introspection.client_id, client.clientId)
      assert.equal(introspection.scope, 'org.read')

      await openid.tokenRevocation(config, second.access_token)
      assert.equal((await openid.tokenIntrospection(config, second.access_token)).active, false)
      assert.equal(await isAccepted(app, second.access_token), false)
      assert.ok(await isAccepted(app, first.access_token))
      await openid.tokenRevocation(config, second.refresh_token!, { token_type_hint: 'refresh_token' })
      assert.equal(await isAccepted(app, first.access_token), false)
      await assert.rejects(openid.refreshTokenGrant(config, second.refresh_token!), { error: 'invalid_grant' })
    })

    test('openid-client by default, which expects OpenID Connect: refused at discovery with 404', async () => {
      const discovery = openid.discovery(issuer, client.clientId, client.secret, undefined, insecure)
      await assert.rejects(discovery, /unexpected HTTP response status code/)
    })

    test('openid-client: gets tokens for client credentials with HTTP Basic', async () => {
      const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
      const { client_id, client_secret } = account.attributes
      const basic = openid.ClientSecretBasic(String(client_secret))
      const config = await openid.discovery(issuer, String(client_id), undefined, basic, {
        algorithm: 'oauth2',
        ...insecure,
      })
      const tokens = await openid.clientCredentialsGrant(config)
      assert.ok(await isAccepted(app, tokens.access_token))
      assert.equal(
        (await openid.clientCredentialsGrant(config, { scope: 'org.project.read' })).scope,
        'org.project.read',
      )
      await assert.rejects(openid.clientCredentialsGrant(config, { scope: 'org.delete' }), { error: 'invalid_scope' })
    })

    for (const alg of ['RS256', 'ES256', 'EdDSA']) {
      test(`openid-client: authenticates with private_key_jwt (${alg}), introspects and revokes`, async () => {
        await using account = await addSigningAccount(app, await newKey(alg))
        const { privateKey: key, kid } = account.key
        const signing = openid.PrivateKeyJwt({ key, kid })
        const config = await openid.discovery(issuer, account.clientId, undefined, signing, {
          algorithm: 'oauth2',
          ...insecure,
        })
        for (let count = 0; count < 2; count++) {
          const tokens = await openid.clientCredentialsGrant(config)
          assert.equal(claimsOf(tokens.access_token)['sub'], account.id)
          assert.ok(await isAccepted(app, tokens.access_token))
          assert.equal((await openid.tokenIntrospection(config, tokens.access_token)).active, true)
          await openid.tokenRevocation(config, tokens.access_token)
          assert.equal(await isAccepted(app, tokens.access_token), false)
        }
      })
    }

    test('openid-client: completes the flow of a public app without a secret', async () => {
      const native = await addClient(app, publicApp)
      const config = await openid.discovery(issuer, native.clientId, undefined, openid.None(), {
        algorithm: 'oauth2',
        ...insecure,
      })
      const pkceCodeVerifier = openid.randomPKCECodeVerifier()
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: 'http://127.0.0.1:50123/callback',
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
      })
      const answered = await authorize(overHttp(app), native, { parameters: Object.fromEntries(address.searchParams) })
      assert.equal(answered.port, '50123')
      const tokens = await openid.authorizationCodeGrant(config, answered, { pkceCodeVerifier })
      const next = await openid.refreshTokenGrant(config, tokens.refresh_token!)
      await openid.tokenRevocation(config, next.refresh_token!)
      assert.equal(await isAccepted(app, next.access_token), false)
    })

    test('openid-client: recognizes the error of a refused authorization (login_required)', async () => {
      const config = await openid.discovery(issuer, client.clientId, client.secret, undefined, {
        algorithm: 'oauth2',
        ...insecure,
      })
      const address = openid.buildAuthorizationUrl(config, { redirect_uri: client.redirectUri, prompt: 'none' })
      const answer = await fetch(address, { redirect: 'manual' })
      const location = new URL(answer.headers.get('location')!)
      await assert.rejects(openid.authorizationCodeGrant(config, location), { error: 'login_required' })
    })
  })

  describe('simple-oauth2', () => {
    const auth = () => ({ tokenHost: issuer.origin, tokenPath: '/oauth2/token', revokePath: '/oauth2/revoke' })

    for (const authorizationMethod of ['header', 'body'] as const) {
      test(`simple-oauth2: exchanges a code, refreshes and revokes, with its secret in the ${authorizationMethod}`, async () => {
        const library = new AuthorizationCode({
          client: { id: client.clientId, secret: client.secret! },
          auth: { ...auth(), authorizePath: '/oauth2/authorize' },
          options: { authorizationMethod },
        })
        const { redirectUri: redirect_uri } = client
        const address = library.authorizeURL({
          redirect_uri,
          scope: ['org.read', 'org.project.read'],
          state: 'a state',
        })
        const answered = await visit(new URL(address))
        assert.equal(answered.searchParams.get('state'), 'a state')
        const first = await library.getToken({ code: answered.searchParams.get('code')!, redirect_uri })
        assert.ok(await isAccepted(app, String(first.token['access_token'])))
        assert.equal(first.expired(), false)
        const second = await first.refresh()
        assert.notEqual(second.token['refresh_token'], first.token['refresh_token'])
        await second.revoke('access_token')
        assert.equal(await isAccepted(app, String(second.token['access_token'])), false)
        await second.revoke('refresh_token')
        assert.equal(await isAccepted(app, String(first.token['access_token'])), false)
      })

      test(`simple-oauth2: gets tokens for client credentials, with its secret in the ${authorizationMethod}`, async () => {
        const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
        const { client_id, client_secret } = account.attributes
        const library = new ClientCredentials({
          client: { id: String(client_id), secret: String(client_secret) },
          auth: auth(),
          options: { authorizationMethod },
        })
        const { token } = await library.getToken({ scope: 'org.read' })
        assert.equal(token['scope'], 'org.read')
        assert.ok(await isAccepted(app, String(token['access_token'])))
      })
    }
  })
})
