import assert from 'node:assert/strict'
import { decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { inOrg, install } from '#test/access/apps.ts'
import { addClient, claimsOf, granted, inForm, isAccepted, sendForm, tokensFor } from '#test/access/oauth.ts'
import { addPerson } from '#test/access/people.ts'
import { holdRules } from '#test/access/rules.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'

async function verified(app: TestApp, token: string) {
  const metadata = (await app.server.inject({ url: '/.well-known/oauth-authorization-server' })).json()
  const { pathname } = new URL(metadata.jwks_uri)
  const { keys } = (await app.server.inject({ url: pathname })).json()
  const { kid } = decodeProtectedHeader(token)
  const key = keys.find((one: { kid: string }) => one.kid === kid)
  return jwtVerify(token, await importJWK(key), { issuer: metadata.issuer, audience: metadata.issuer, typ: 'at+jwt' })
}

holdRules('RFC 9068', [
  [
    '§2.1',
    'MUST',
    'access tokens are signed with keys that the metadata leads to',
    async ({ app, client }) => {
      const { protectedHeader } = await verified(app, (await tokensFor(app, client)).access_token)
      assert.notEqual(protectedHeader.alg, 'none')
    },
  ],
  [
    '§2.1',
    'MUST',
    'RS256 can be chosen',
    async ({ app: { databaseUrl } }) => {
      const app = await startApp(databaseUrl === undefined ? 'sqlite' : 'postgres', {
        GATEHOUSE_TOKEN_ALGORITHM: 'RS256',
      })
      try {
        const form = { grant_type: 'client_credentials', ...inForm(await install(app, inOrg.path(app))) }
        const { protectedHeader } = await verified(app, granted(await sendForm(app, 'token', form)).access_token)
        assert.equal(protectedHeader.alg, 'RS256')
      } finally {
        await app.close()
      }
    },
  ],
  [
    '§2.1',
    'MUST',
    'the header names the type at+jwt',
    async ({ app, client }) =>
      assert.equal(decodeProtectedHeader((await tokensFor(app, client)).access_token).typ, 'at+jwt'),
  ],
  [
    '§2.2',
    'MUST',
    'tokens have issuer, expiry, audience, subject, client, time of issue and identifier',
    async ({ app, client, baseUrl }) => {
      const claims = claimsOf((await tokensFor(app, client)).access_token)
      assert.equal(claims['iss'], baseUrl)
      assert.deepEqual(claims['aud'], [baseUrl])
      assert.equal(claims['client_id'], client.clientId)
      for (const name of ['exp', 'iat']) assert.equal(typeof claims[name], 'number')
      for (const name of ['sub', 'jti']) assert.equal(typeof claims[name], 'string')
    },
  ],
  [
    '§2.2',
    'SHOULD',
    'the subject is the user for an app in a user’s context, else an identity of the app',
    async ({ app, client, installed }) => {
      const person = await addPerson(app, { permissions: ['org.read'], orgId: app.orgId })
      const personal = await addClient(app, { context: 'user' })
      assert.equal(claimsOf((await tokensFor(app, personal, { person })).access_token)['sub'], person.id)
      const tokens = await tokensFor(app, client)
      assert.equal(claimsOf(tokens.access_token)['sub'], tokens.bot_id)
      const form = { grant_type: 'client_credentials', ...inForm(installed) }
      assert.equal(claimsOf(granted(await sendForm(app, 'token', form)).access_token)['sub'], installed.id)
    },
  ],
  [
    '§2.2.3',
    'SHOULD',
    'tokens name their scopes',
    async ({ app, client }) => {
      const { access_token, scope } = await tokensFor(app, client, { parameters: { scope: 'org.read' } })
      assert.deepEqual([claimsOf(access_token)['scope'], scope], ['org.read', 'org.read'])
    },
  ],
  [
    '§4',
    'MUST',
    'a token with an altered signature, claims or header is refused',
    async ({ app, client }) => {
      const { access_token } = await tokensFor(app, client)
      const [header = '', claims, signature] = access_token.split('.')
      const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url')
      const typ = Buffer.from(JSON.stringify({ ...decodeProtectedHeader(access_token), typ: 'JWT' })).toString(
        'base64url',
      )
      for (const parts of [
        [none, claims, ''],
        [typ, claims, signature],
        [header, claims, signature?.split('').reverse().join('')],
      ]) {
        assert.equal(await isAccepted(app, parts.join('.')), false)
      }
    },
  ],
  [
    '§6',
    'SHOULD NOT',
    'a token tells more about the user than the id',
    async ({ app, client }) => {
      const claims = Object.keys(claimsOf((await tokensFor(app, client)).access_token)).sort()
      assert.deepEqual(claims, ['aud', 'bot_id', 'client_id', 'exp', 'iat', 'iss', 'jti', 'scope', 'sub'])
    },
  ],
])
