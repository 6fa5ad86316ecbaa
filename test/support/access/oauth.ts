import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import type { LightMyRequestResponse } from 'fastify'
import type { TestApp } from '../servers/app.ts'
import { createApp } from './apps.ts'
import { addPerson, type Person, signIn } from './people.ts'
import { createVisitor, type Shown, type Visitor } from './visitor.ts'

/** An app that users authorize, as it knows itself. */
export interface Client {
  readonly appId: string
  readonly clientId: string
  /** Undefined for a public app. */
  readonly secret: string | undefined
  readonly redirectUri: string
}

export async function addClient(app: TestApp, attributes: Record<string, unknown> = {}): Promise<Client> {
  const { id, attributes: shown } = await createApp(app, attributes)
  return {
    appId: id,
    clientId: String(shown['client_id']),
    secret: shown['client_secret'] as string | undefined,
    redirectUri: (shown['redirect_uris'] as string[])[0]!,
  }
}

export const publicApp = { is_confidential: false, redirect_uris: ['http://127.0.0.1:8080/callback'] } as const

/** Client id and secret as a form has them. */
export function inForm({ clientId, secret }: Pick<Client, 'clientId' | 'secret'>): Record<string, string> {
  return { client_id: clientId, ...(secret !== undefined && { client_secret: secret }) }
}

/** An Authorization header of HTTP Basic, its parts form-encoded (RFC 6749 §2.3.1). */
export function basic(clientId: string, secret: string): { authorization: string } {
  const encoded = [clientId, secret].map((text) => new URLSearchParams({ x: text }).toString().slice(2)).join(':')
  return { authorization: `Basic ${Buffer.from(encoded).toString('base64')}` }
}

/** A PKCE verifier with its challenge (RFC 7636 §4). */
export function pkce(): { verifier: string; challenge: { code_challenge: string; code_challenge_method: string } } {
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  return { verifier, challenge: { code_challenge, code_challenge_method: 'S256' } }
}

type Parameters = Record<string, string> | [string, string][]

export function authorizationPath(parameters: Parameters): string {
  return `/oauth2/authorize?${new URLSearchParams(parameters)}`
}

/** Sends a form to `/oauth2/…`. */
export async function sendForm(
  app: Pick<TestApp, 'server'>,
  path: 'token' | 'revoke' | 'introspect',
  form: Parameters,
  headers: Record<string, string> = {},
): Promise<LightMyRequestResponse> {
  return app.server.inject({
    method: 'POST',
    url: `/oauth2/${path}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })
}

export interface Visit {
  /** Further parameters of the authorization request, and others than usual. */
  readonly parameters?: Record<string, string>
  /** The user and browser that sign in; by default a user shared by all tests of the app. */
  readonly person?: Person
  readonly visitor?: Visitor
}

const regulars = new WeakMap<TestApp, Promise<{ person: Person; visitor: Visitor }>>()

/** Returns a user who may see the first organization and its projects, in a browser that stays signed in. */
function regular(app: TestApp): Promise<{ person: Person; visitor: Visitor }> {
  const existing = regulars.get(app)
  if (existing) return existing
  const made = addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId }).then((person) => ({
    person,
    visitor: createVisitor(app),
  }))
  regulars.set(app, made)
  return made
}

/** Goes through sign-in and consent in a browser, to where the app gets its answer. */
export async function authorize(app: TestApp, client: Client, visit: Visit = {}): Promise<URL> {
  const { person, visitor } = visit.person
    ? { person: visit.person, visitor: visit.visitor ?? createVisitor(app) }
    : await regular(app)
  const parameters = { response_type: 'code', client_id: client.clientId, ...visit.parameters }
  const first = await visitor.open(authorizationPath(parameters))
  const page = first.body.includes('name="password"') ? await signIn(visitor, first, person) : first
  const shown = await visitor.press(page, 'Allow', { place: `org:${app.orgId}` })
  assert.ok(isElsewhere(app, shown), `no answer for the app, but ${shown.status} at ${shown.url}: ${shown.body}`)
  return shown.url
}

function isElsewhere(app: TestApp, { url }: Shown): boolean {
  return url.origin !== new URL(app.parts.services.baseUrl).origin
}

export interface Tokens {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
  readonly bot_id: string
  readonly refresh_token: string
  readonly refresh_expires_in: number
}

/** A code, and the form that gets tokens for it. */
export async function codeFor(
  app: TestApp,
  client: Client,
  visit: Visit = {},
): Promise<{ code: string; form: Record<string, string> }> {
  const { verifier, challenge } = pkce()
  const answer = await authorize(app, client, {
    ...visit,
    parameters: { ...challenge, redirect_uri: client.redirectUri, ...visit.parameters },
  })
  const code = answer.searchParams.get('code')
  assert.ok(code, `no code at ${answer}`)
  const { redirectUri } = client
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...inForm(client),
  }
  return { code, form }
}

/** Tokens of a new session. */
export async function tokensFor(app: TestApp, client: Client, visit: Visit = {}): Promise<Tokens> {
  return granted(await sendForm(app, 'token', (await codeFor(app, client, visit)).form))
}

export async function refresh(app: TestApp, client: Client, refreshToken: string): Promise<LightMyRequestResponse> {
  return sendForm(app, 'token', { grant_type: 'refresh_token', refresh_token: refreshToken, ...inForm(client) })
}

export function granted(answer: LightMyRequestResponse): Tokens {
  assert.equal(answer.statusCode, 200, answer.body)
  return JSON.parse(answer.body)
}

/** A refusal of the form of RFC 6749 §5.2. */
export function refused(answer: LightMyRequestResponse, status: number, error: string): void {
  assert.deepEqual([answer.statusCode, answer.json().error], [status, error], answer.body)
  assert.match(answer.json().error_description, /^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
  assert.equal(answer.headers['cache-control'], 'no-store')
}

/** Returns true if the API accepts an access token. */
export async function isAccepted(app: TestApp, accessToken: string): Promise<boolean> {
  const answer = await app.call('GET', `/rest/orgs/${app.orgId}`, { key: accessToken })
  return answer.statusCode === 200
}

export function claimsOf(jwt: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(jwt.split('.')[1]!, 'base64url').toString('utf8'))
}
