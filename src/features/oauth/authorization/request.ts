import { isScope } from '#foundation/access/scopes.ts'
import type { Db } from '#foundation/db/database.ts'
import { isUuid } from '#foundation/http/access.ts'
import { RefusedPage } from '#foundation/pages/web-pages.ts'
import { Problem } from '#foundation/problem.ts'
import { parseNames } from '../clients.ts'
import { faultOfPkceText } from '../pkce.ts'
import { narrowScopes, parseScopes } from '../scope-parameter.ts'
import { type AppRow, findAppByClientId } from '../store.ts'
import { isRedirectUriOf } from './is-redirect-uri-of.ts'
import { refusalSheet } from './refusal-sheet.ts'

/**
 * Supported parameters (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core §3.1.2.1). The last three are refused; all
 * others are ignored, since existing clients send many.
 */
const names = [
  'client_id',
  'response_type',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'login_hint',
  'request',
  'request_uri',
  'registration',
] as const

type Sent = Partial<Record<(typeof names)[number], string>>

/** Marks a request without `redirect_uri`, which then uses the app's first one. Codes are stored with this mark too. */
export const DEFAULTED_REDIRECT = 'gatehouse_redirect_uri_defaulted'

/** A valid request. Interactions store it in this form. */
export interface AuthorizationRequest extends Omit<Sent, 'request' | 'request_uri' | 'registration'> {
  readonly client_id: string
  readonly redirect_uri: string
  readonly scope: string
  readonly [DEFAULTED_REDIRECT]?: 'yes'
}

/** The address that receives the response, and the parameters that determine its form. */
export type Recipient = Pick<AuthorizationRequest, 'redirect_uri' | 'state' | 'response_type'>

/** An error that is returned to the app (RFC 6749 §4.1.2.1). */
export interface AuthorizationFault {
  readonly error: string
  readonly description?: string
  /** The first refused scope. */
  readonly scope?: string
}

/** An app's request before validation. A parameter that was sent twice is only in `repeated`. */
interface Asked {
  readonly app: AppRow
  readonly sent: Sent
  readonly repeated: readonly string[]
}

export type ReadRequest =
  | { readonly request: AuthorizationRequest }
  | { readonly recipient: Recipient; readonly fault: AuthorizationFault }

/**
 * Reads and validates an authorization request. Throws a page if the app or its redirect URI is unknown: nothing is
 * sent to an unregistered address (RFC 6749 §4.1.2.1, RFC 9700 §4.11.2).
 */
export async function readAuthorizationRequest(db: Db, query: URLSearchParams): Promise<ReadRequest> {
  const { sent, repeated } = collect(query)
  if (repeated.includes('client_id') || repeated.includes('redirect_uri')) throw refusal(repeatedFault(repeated))
  if (sent.client_id === undefined) throw refusal(missingFault('client_id'))
  const app = await requireApp(db, sent.client_id)
  const redirectUri = sent.redirect_uri ?? parseNames(app.redirect_uris)[0]
  if (redirectUri === undefined) throw refusal(missingFault('redirect_uri'))
  requireRedirectUri(app, redirectUri)
  const input = { app, sent, repeated }
  for (const rule of rules) {
    const fault = rule(input)
    if (fault) return { recipient: { ...sent, redirect_uri: redirectUri }, fault }
  }
  return { request: toRequest(input, redirectUri) }
}

/** Returns the app that users authorize under this client id. Throws a page if there is none. */
export async function requireApp(db: Db, clientId: string): Promise<AppRow> {
  const app = isUuid(clientId) ? await findAppByClientId(db, clientId) : undefined
  if (!app) throw refusal({ error: 'invalid_client', description: 'client is invalid' })
  return app
}

/** Throws a page unless the app registered the redirect URI. */
export function requireRedirectUri(app: AppRow, uri: string): void {
  const registered = { redirectUris: parseNames(app.redirect_uris), isConfidential: app.is_confidential === 1 }
  if (isRedirectUriOf(registered, uri)) return
  const description = "redirect_uri did not match any of the client's registered redirect_uris"
  throw refusal({ error: 'invalid_redirect_uri', description })
}

/** Collects the parameters. One without a value counts as absent, and a repeated one has no value (RFC 6749 §3.1). */
function collect(query: URLSearchParams): { sent: Sent; repeated: string[] } {
  const sent: Sent = {}
  const repeated: string[] = []
  for (const name of names) {
    const [value, ...others] = query.getAll(name).filter((one) => one !== '')
    if (others.length > 0) repeated.push(name)
    else if (value !== undefined) sent[name] = value
  }
  const prompts = promptsOf(sent)
  if (prompts.length > 0) sent.prompt = prompts.join(' ')
  else delete sent.prompt
  return { sent, repeated }
}

/** Other prompts, such as `select_account`, are ignored like unknown parameters. */
export function promptsOf({ prompt = '' }: Pick<Sent, 'prompt'>): string[] {
  return ['none', 'login', 'consent'].filter((name) => prompt.split(' ').includes(name))
}

/** The rules in the order of their evaluation. The app receives the first fault. */
const rules: readonly ((input: Asked) => AuthorizationFault | undefined)[] = [
  // RFC 6749 §3.1
  ({ repeated }) => (repeated.length > 0 ? repeatedFault(repeated) : undefined),
  // OpenID Connect Core §3.1.2.6: request objects (RFC 9101) and pushed requests (RFC 9126) are not supported.
  ({ sent }) => (sent.request === undefined ? undefined : { error: 'request_not_supported' }),
  ({ sent }) => (sent.request_uri === undefined ? undefined : { error: 'request_uri_not_supported' }),
  // RFC 6749 §3.1.1
  ({ sent }) => (sent.response_type === undefined ? missingFault('response_type') : undefined),
  // OpenID Connect Core §3.1.2.6
  ({ sent }) => (sent.registration === undefined ? undefined : { error: 'registration_not_supported' }),
  // RFC 6749 §3.1.1: a set of values in any order. RFC 9700 §2.1.2: only `code`.
  ({ sent }) =>
    sent.response_type?.split(' ').every((type) => type === 'code')
      ? undefined
      : { error: 'unsupported_response_type', description: 'unsupported response_type requested' },
  // OpenID Connect Core §3.1.2.1
  ({ sent }) => {
    const prompts = promptsOf(sent)
    return prompts.includes('none') && prompts.length > 1 ? invalid('prompt none must only be used alone') : undefined
  },
  scopeFault,
  pkceFault,
  // OpenID Connect Core §3.1.2.1
  ({ sent }) => {
    const seconds = Number(sent.max_age ?? 0)
    return Number.isSafeInteger(seconds) && seconds >= 0 ? undefined : invalid('invalid max_age parameter value')
  },
]

/** RFC 6749 §3.3. Ignores unknown scopes; refuses a request without any allowed scope. */
function scopeFault({ app, sent }: Asked): AuthorizationFault | undefined {
  const scopes = scopesOf(app)
  try {
    const requested = parseScopes(sent.scope, scopes)
    if (requested.length === 0 || requested.some((name) => scopes.includes(name))) return undefined
    return { error: 'invalid_scope', description: 'requested scope is not allowed', scope: requested[0]! }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { error: 'invalid_scope', description: error.message }
  }
}

function scopesOf(app: AppRow): string[] {
  return parseNames(app.scopes).filter(isScope)
}

/** RFC 7636 §4.3, §4.4.1: S256 only, and required for public apps. RFC 9700 §2.1.1. */
function pkceFault({ app, sent }: Asked): AuthorizationFault | undefined {
  const { code_challenge: challenge, code_challenge_method: method } = sent
  if (challenge !== undefined && method === undefined) return invalid('code_challenge_method must be provided')
  if (method !== undefined && method !== 'S256') return invalid('not supported value of code_challenge_method')
  if (challenge === undefined) {
    if (method !== undefined) return invalid('code_challenge must be provided with code_challenge_method')
    const isRequired = app.is_confidential === 0
    return isRequired ? invalid('Authorization Server policy requires PKCE to be used for this request') : undefined
  }
  const fault = faultOfPkceText('code_challenge', challenge)
  return fault === undefined ? undefined : invalid(fault)
}

function toRequest({ app, sent }: Asked, redirectUri: string): AuthorizationRequest {
  const { request: _, request_uri: __, registration: ___, max_age, ...others } = sent
  // max_age=0 means the same as prompt=login.
  const isAnew = max_age !== undefined && Number(max_age) === 0
  const prompts = isAnew ? [...new Set([...promptsOf(sent), 'login'])] : promptsOf(sent)
  return {
    ...others,
    client_id: sent.client_id!,
    redirect_uri: redirectUri,
    ...(sent.redirect_uri === undefined && { [DEFAULTED_REDIRECT]: 'yes' }),
    scope: narrowScopes(sent.scope, scopesOf(app)).join(' '),
    ...(prompts.length > 0 && { prompt: prompts.join(' ') }),
    ...(max_age !== undefined && !isAnew && { max_age }),
  }
}

function invalid(description: string): AuthorizationFault {
  return { error: 'invalid_request', description }
}

function missingFault(name: string): AuthorizationFault {
  return invalid(`missing required parameter '${name}'`)
}

function repeatedFault(repeated: readonly string[]): AuthorizationFault {
  const quoted = repeated.map((name) => `'${name}'`).join(' and ')
  return invalid(`${quoted} ${repeated.length === 1 ? 'parameter' : 'parameters'} must not be provided twice`)
}

function refusal({ error, description = '' }: AuthorizationFault): RefusedPage {
  return new RefusedPage(refusalSheet({ error, description }))
}
