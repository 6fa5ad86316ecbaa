import { parseLimits } from '#features/credentials/limits.ts'
import type { CredentialLimits } from '#features/credentials/store.ts'
import { toStoredName } from '#foundation/http/text.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { OutgoingRefused } from '#foundation/outgoing/outgoing-errors.ts'
import { type Fault, Problem } from '#foundation/problem.ts'
import { type AuthType, DEFAULT_TTL_SECONDS, type NewAttributes } from './resource.ts'

export interface AccountInput {
  readonly name: string
  readonly authType: AuthType
  readonly roleId: string
  readonly jwksUrl: string | null
  readonly ttlSeconds: number | null
  /** Limits of its first credential, or of the account itself if it authenticates with its own keys. */
  readonly limits: CredentialLimits
}

/** Checks the rules beyond the schema: members that depend on `auth_type`. Refuses members without effect. */
export function parseAttributes(attributes: NewAttributes, now: number): AccountInput {
  const faults = [
    faultOfJwksUrl(attributes),
    attributes.auth_type === 'api_key' && attributes.access_token_ttl_seconds !== undefined
      ? at('access_token_ttl_seconds', 'has no effect on an api_key account, which issues no access tokens; omit it')
      : undefined,
  ].filter((fault) => fault !== undefined)
  if (faults.length > 0) throw new Problem('invalid-request', faults)
  const isOauth = attributes.auth_type !== 'api_key'
  return {
    // Names that differ only in surrounding space would look the same.
    name: toStoredName(attributes.name),
    authType: attributes.auth_type,
    roleId: attributes.role_id.toLowerCase(),
    jwksUrl: attributes.jwks_url ?? null,
    limits: parseLimits(attributes, now),
    ttlSeconds: isOauth ? (attributes.access_token_ttl_seconds ?? DEFAULT_TTL_SECONDS) : null,
  }
}

function faultOfJwksUrl({ auth_type, jwks_url }: NewAttributes): Fault | undefined {
  if (auth_type !== 'oauth_private_key_jwt') {
    return jwks_url === undefined ? undefined : at('jwks_url', `has no effect with auth_type ${auth_type}; omit it`)
  }
  if (jwks_url === undefined) return at('jwks_url', 'is missing; oauth_private_key_jwt needs it')
  return isHttpsUrl(jwks_url) ? undefined : at('jwks_url', 'must be an https URL without user, password or fragment')
}

function isHttpsUrl(text: string): boolean {
  if (/[\s\p{Cc}\p{Cs}]/u.test(text) || !/^https:\/\/[^/]/i.test(text)) return false
  const url = URL.parse(text)
  return url !== null && url.username === '' && url.password === '' && !text.includes('#')
}

/** Refuses a jwks_url to which the server would not send requests. */
export function requireReachable(outgoing: Pick<Outgoing, 'judge'>, jwksUrl: string): void {
  try {
    outgoing.judge(jwksUrl)
  } catch (error) {
    if (!(error instanceof OutgoingRefused)) throw error
    throw new Problem('invalid-request', [at('jwks_url', `cannot be used: ${error.message}`)], { cause: error })
  }
}

function at(member: string, said: string): Fault {
  const pointer = `/data/attributes/${member}`
  return { detail: `${pointer} ${said}`, source: { pointer } }
}
