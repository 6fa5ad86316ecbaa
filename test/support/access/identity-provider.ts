import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { serveHttp } from '../servers/local-server.ts'

export const CLIENT_ID = 'gatehouse'
export const CLIENT_SECRET = 'the secret of the client'

/** A key of the provider. */
export interface ProviderKey {
  readonly kid: string
  readonly alg: string
  readonly privateKey: CryptoKey
  readonly jwk: object
}

type Claims = Record<string, unknown>

/** The provider's attacks and faults. */
export interface Misbehavior {
  /** Changes the claims of ID tokens. */
  idToken?(claims: Claims): Claims
  /** Signs ID tokens otherwise. */
  sign?(claims: Claims): Promise<string>
  /** Changes the answer through the browser. */
  answer?(answer: URLSearchParams): void
  /** Answers refresh requests. */
  refresh?: { readonly status: number; readonly body: object }
  /** Changes the metadata. */
  metadata?: object
}

/** An OpenID provider on loopback that can be made hostile. */
export interface IdentityProvider {
  readonly issuer: string
  /** Paths of the requests that it got. */
  readonly paths: string[]
  /** Claims of the user who signs in next. */
  user: Claims
  wrong: Misbehavior
  key: ProviderKey
  /** The keys that it publishes. */
  keys: ProviderKey[]
  /** Signs the user in, and returns the address to which the browser is sent back. */
  authorize(url: string): URL
  /** Signs with its key: times, issuer and audience are right unless said otherwise. */
  sign(claims: Claims, by?: { key?: ProviderKey; header?: object }): Promise<string>
  logoutToken(claims: Claims, by?: { key?: ProviderKey; header?: object }): Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

export async function createProviderKey(alg = 'ES256'): Promise<ProviderKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  const kid = randomUUID()
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

interface Code {
  readonly redirectUri: string
  readonly challenge: string
  readonly nonce: string
  readonly user: Claims
}

export async function startIdentityProvider(): Promise<IdentityProvider> {
  const codes = new Map<string, Code>()
  const paths: string[] = []
  const key = await createProviderKey()

  const server = await serveHttp(async (request, response) => {
    paths.push(request.url!)
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.url === '/.well-known/openid-configuration')
      return send(200, { ...metadataOf(issuer), ...provider.wrong.metadata })
    if (request.url === '/keys') return send(200, { keys: provider.keys.map(({ jwk }) => jwk) })
    if (request.url === '/user') return send(200, provider.user)
    if (request.url !== '/token') return send(404, {})
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const form = new URLSearchParams(Buffer.concat(chunks).toString())
    const basic = `Basic ${Buffer.from(`${CLIENT_ID}:${encodeURIComponent(CLIENT_SECRET).replaceAll('%20', '+')}`).toString('base64')}`
    if (request.headers.authorization !== basic) return send(401, { error: 'invalid_client' })
    if (form.get('grant_type') === 'refresh_token') {
      const { refresh } = provider.wrong
      if (refresh) return send(refresh.status, refresh.body)
      return send(200, {
        access_token: 'access',
        token_type: 'Bearer',
        refresh_token: `next of ${form.get('refresh_token')}`,
      })
    }
    const code = codes.get(form.get('code') ?? '')
    codes.delete(form.get('code') ?? '')
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url')
    if (code?.challenge !== challenge || code.redirectUri !== form.get('redirect_uri')) {
      return send(400, { error: 'invalid_grant', error_description: 'the code is not known' })
    }
    const claims = provider.wrong.idToken?.({ ...code.user, nonce: code.nonce }) ?? { ...code.user, nonce: code.nonce }
    const idToken = await (provider.wrong.sign ?? provider.sign)(claims)
    const tokens = { access_token: 'access', token_type: 'Bearer', expires_in: 60, refresh_token: 'refresh' }
    return send(200, { ...tokens, id_token: idToken })
  })
  const issuer = server.url.replace(/\/$/, '')

  const provider: IdentityProvider = {
    issuer,
    paths,
    user: {},
    wrong: {},
    key,
    keys: [key],
    authorize(url) {
      const query = new URL(url).searchParams
      assert.equal(query.get('code_challenge_method'), 'S256')
      const code = randomUUID()
      codes.set(code, {
        redirectUri: query.get('redirect_uri')!,
        challenge: query.get('code_challenge')!,
        nonce: query.get('nonce')!,
        user: provider.user,
      })
      const back = new URL(query.get('redirect_uri')!)
      back.search = new URLSearchParams({ code, state: query.get('state')!, iss: issuer }).toString()
      provider.wrong.answer?.(back.searchParams)
      return back
    },
    sign(claims, by = {}) {
      const { kid, alg, privateKey } = by.key ?? provider.key
      const at = Math.floor(Date.now() / 1000)
      const usual: JWTPayload = { iss: issuer, aud: CLIENT_ID, iat: at, exp: at + 60 }
      const payload = Object.entries({ ...usual, ...claims }).filter(([, value]) => value !== undefined)
      return new SignJWT(Object.fromEntries(payload)).setProtectedHeader({ alg, kid, ...by.header }).sign(privateKey)
    },
    logoutToken(claims, by) {
      const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
      return provider.sign({ jti: randomUUID(), events, ...claims }, { header: { typ: 'logout+jwt' }, ...by })
    },
    [Symbol.asyncDispose]: async () => server[Symbol.asyncDispose](),
  }
  return provider
}

function metadataOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/user`,
    jwks_uri: `${issuer}/keys`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    scopes_supported: ['openid', 'email', 'profile', 'offline_access'],
    id_token_signing_alg_values_supported: ['ES256', 'RS256'],
    authorization_response_iss_parameter_supported: true,
  }
}
