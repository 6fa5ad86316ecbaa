import { randomUUID } from 'node:crypto'
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, type JWTHeaderParameters, SignJWT } from 'jose'
import type { TestApp } from '../servers/app.ts'
import { type LocalServer, serveHttp } from '../servers/local-server.ts'
import { createAccount, ofOrg } from './accounts.ts'

export const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'

export interface ClientKey {
  readonly alg: string
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicJwk: JWK
}

export async function newKey(alg = 'RS256', kid: string = randomUUID()): Promise<ClientKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { alg, kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } }
}

/** A service account that signs assertions, and the server where it publishes its keys. */
export interface SigningAccount extends AsyncDisposable {
  readonly id: string
  readonly clientId: string
  readonly key: ClientKey
  /** Changes the published content. */
  publish(answer: { keys: readonly ClientKey[] } | { status: number; body: string }): void
  /** Returns how often the keys were fetched. */
  timesAsked(): number
}

/**
 * The app must be allowed to reach loopback. Keys are published over plain HTTP, which creation refuses and storage
 * takes.
 */
export async function addSigningAccount(
  app: TestApp,
  key: ClientKey,
  limits: Record<string, unknown> = {},
): Promise<SigningAccount> {
  let published = toAnswer([key])
  let requests = 0
  const server: LocalServer = await serveHttp((_request, response) => {
    requests++
    response.writeHead(published.status, { 'content-type': 'application/json' }).end(published.body)
  })
  const attributes = { auth_type: 'oauth_private_key_jwt', jwks_url: 'https://keys.example/jwks.json', ...limits }
  const account = await createAccount(app, ofOrg.path(app), attributes)
  const jwks_url = `${server.url}/jwks.json`
  await app.parts.services.db.updateTable('service_accounts').set({ jwks_url }).where('id', '=', account.id).execute()
  return {
    id: account.id,
    clientId: String(account.attributes['client_id']),
    key,
    publish(answer) {
      published = 'keys' in answer ? toAnswer(answer.keys) : answer
    },
    timesAsked: () => requests,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function toAnswer(keys: readonly ClientKey[]): { status: number; body: string } {
  return { status: 200, body: JSON.stringify({ keys: keys.map(({ publicJwk }) => publicJwk) }) }
}

/**
 * An assertion (RFC 7523 §3) that would be accepted, but for what is changed; a claim that is undefined is left out.
 */
export async function assertion(
  { clientId, key }: Pick<SigningAccount, 'clientId' | 'key'>,
  {
    audience,
    claims = {},
    header = {},
  }: { audience: string; claims?: object; header?: { crit?: string[]; kid?: string | undefined } },
): Promise<string> {
  const seconds = Math.floor(Date.now() / 1000)
  const payload = { iss: clientId, sub: clientId, aud: audience, jti: randomUUID(), iat: seconds, exp: seconds + 300 }
  const payloadEntries = Object.entries({ ...payload, ...claims }).filter(([, value]) => value !== undefined)
  return new SignJWT(Object.fromEntries(payloadEntries))
    .setProtectedHeader({ alg: key.alg, kid: key.kid, ...header } as JWTHeaderParameters)
    .sign(key.privateKey, { crit: Object.fromEntries((header.crit ?? []).map((name) => [name, true])) })
}
