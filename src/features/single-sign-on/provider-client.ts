import type { JWTPayload, JWTVerifyGetKey } from 'jose'
import type { ClientAuth, Configuration, DiscoveryRequestOptions } from 'openid-client'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import type { Services } from '#foundation/services.ts'
import { lacksClaims, mergeClaims, roleValuesOf } from './claims.ts'
import { createProviderRequests } from './provider-requests.ts'
import { clientSecretOf, type ProviderRow, redirectUriOf } from './providers-store.ts'

/** Loaded with the first sign-in: most servers have no provider, and the libraries are slow to load. */
const library = () => import('openid-client')
const joseLibrary = () => import('jose')
const verifier = () => import('#foundation/secrets/verify-jwt.ts')

/** Asymmetric only: a token signed with the client secret, or with a public key as a secret, is refused (RFC 8725 §3.1). */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
const TIMEOUT_SECONDS = 10
/** Metadata is read again after this time; keys earlier, when a token names an unknown one. */
const MAX_AGE_MS = 3_600_000
/** Minimum time between two requests for the keys, so that tokens with invented key ids cost the provider little. */
const KEYS_COOLDOWN_MS = 10_000
/** Tolerance for the clock of a provider. */
export const CLOCK_TOLERANCE_SECONDS = 60
/** Maximum number of cached providers; others are discovered again. */
const MAX_KEPT = 200

type Deps = Pick<Services, 'keyring' | 'now' | 'baseUrl'> & {
  readonly outgoing: Outgoing
  readonly keysCooldownMs?: number
}

/** Values that a sign-in sent and that the response must match. */
export interface Expected {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

export interface ProvedUser {
  readonly subject: string
  readonly claims: Readonly<Record<string, unknown>>
  /** The values of the role claim; undefined if the provider left them out. */
  readonly roleValues: ReadonlySet<string> | undefined
  /** The provider's id of its own session. */
  readonly providerSession: string | undefined
  readonly refreshToken: string | undefined
}

/** The client of one provider, with its metadata and keys. */
export interface ProviderClient {
  /** Returns the address to which a browser is sent (OpenID Connect Core §3.1.2.1). */
  authorizationUrl(expected: Expected, loginHint: string | undefined): Promise<URL>
  /** Validates a response and exchanges its code (OpenID Connect Core §3.1.3, RFC 9207). Throws for any fault. */
  finish(query: URLSearchParams, expected: Expected): Promise<ProvedUser>
  /** Returns the next refresh token, or the same one. Throws if the provider refuses or does not respond. */
  refresh(refreshToken: string, subject: string): Promise<string>
  /** Verifies signature, issuer, audience and times. Throws for any fault. */
  verify(token: string): Promise<JWTPayload>
}

export interface ProviderClients {
  /** Throws if the provider cannot be discovered. */
  get(provider: ProviderRow): Promise<ProviderClient>
  /** Discovers the provider again, for this test and for the next sign-ins, and fetches its keys. */
  probe(provider: ProviderRow): Promise<void>
}

interface Discovered {
  readonly config: Configuration
  readonly keys: JWTVerifyGetKey
}

/** Caches metadata and keys in memory, per version of a provider's configuration. */
export function createProviderClients(deps: Deps): ProviderClients {
  const kept = new Map<string, { readonly at: number; readonly discovered: Promise<Discovered> }>()

  function discoverOnce(provider: ProviderRow): Promise<Discovered> {
    const name = nameOf(provider)
    const existing = kept.get(name)
    if (existing && deps.now() - existing.at < MAX_AGE_MS) return existing.discovered
    if (kept.size >= MAX_KEPT) kept.clear()
    const discovered = discover(deps, provider)
    kept.set(name, { at: deps.now(), discovered })
    discovered.catch(() => kept.delete(name))
    return discovered
  }

  return {
    get: async (provider) => createClient(deps, provider, await discoverOnce(provider)),
    async probe(provider) {
      kept.delete(nameOf(provider))
      const { keys } = await discoverOnce(provider)
      // Fetches the keys: no key has this id.
      try {
        await keys({ alg: 'RS256', kid: 'probe' }, { payload: '', signature: '' })
      } catch (error) {
        if ((error as { code?: unknown }).code !== 'ERR_JWKS_NO_MATCHING_KEY') throw error
      }
    },
  }
}

/** Identifies the version of a configuration. */
function nameOf({ id, updated_at }: ProviderRow): string {
  return `${id} ${updated_at}`
}

async function discover({ keyring, outgoing, keysCooldownMs }: Deps, provider: ProviderRow): Promise<Discovered> {
  const { discovery, customFetch, allowInsecureRequests, clockTolerance } = await library()
  const { createRemoteJWKSet, customFetch: keysFetch } = await joseLibrary()
  const send = createProviderRequests(outgoing, provider.group_id)
  const issuer = new URL(provider.issuer)
  const options: DiscoveryRequestOptions = {
    [customFetch]: send,
    timeout: TIMEOUT_SECONDS,
    ...(issuer.protocol === 'http:' && { execute: [allowInsecureRequests] }),
  }
  const authentication = await authenticationWith(clientSecretOf(keyring, provider))
  const metadata = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS }
  const config = await discovery(issuer, provider.client_id, metadata, authentication, options)
  requireMetadata(config, provider)
  const keys = createRemoteJWKSet(new URL(config.serverMetadata().jwks_uri!), {
    [keysFetch]: send,
    cooldownDuration: keysCooldownMs ?? KEYS_COOLDOWN_MS,
    cacheMaxAge: MAX_AGE_MS,
  })
  return { config, keys }
}

/** Returns the client's authentication method: HTTP Basic by default (OpenID Connect Discovery §3). */
async function authenticationWith(secret: string | undefined): Promise<ClientAuth> {
  const { None, ClientSecretBasic, ClientSecretPost } = await library()
  if (secret === undefined) return None()
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)]
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const isBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post')
    return (isBasic ? basic : post)(server, ...rest)
  }
}

/** Compares the issuer exactly, as each ID token's (OpenID Connect Discovery §4.3); the library ignores a last slash. */
function requireMetadata(config: Configuration, { issuer }: ProviderRow): void {
  const metadata = config.serverMetadata()
  if (metadata.issuer !== issuer) {
    throw new Error(`the provider names itself ${metadata.issuer}, not ${issuer}. Enter its issuer exactly.`)
  }
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (metadata[name] === undefined) throw new Error(`the metadata names no ${name}`)
  }
}

function createClient(deps: Deps, provider: ProviderRow, { config, keys }: Discovered): ProviderClient {
  const redirectUri = redirectUriOf(deps.baseUrl, provider.id)

  async function verify(token: string): Promise<JWTPayload> {
    const { verifyJwt } = await verifier()
    return await verifyJwt(token, keys, {
      issuer: provider.issuer,
      audience: provider.client_id,
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_TOLERANCE_SECONDS,
      requiredClaims: ['iat', 'exp'],
      currentDate: new Date(deps.now()),
    })
  }

  return {
    async authorizationUrl({ state, nonce, verifier }, loginHint) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library()
      return buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopesOf(config),
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(loginHint !== undefined && { login_hint: loginHint }),
      })
    },

    async finish(query, { state, nonce, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await library()
      const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const idToken = await verify(tokens.id_token!)
      const subject = idToken.sub!
      const hasMore = lacksClaims(idToken, provider) && config.serverMetadata().userinfo_endpoint !== undefined
      const userInfo = hasMore ? await fetchUserInfo(config, tokens.access_token, subject) : {}
      return {
        subject,
        claims: mergeClaims(idToken, userInfo),
        roleValues: roleValuesOf([idToken, userInfo], provider.role_claim),
        providerSession: typeof idToken['sid'] === 'string' ? idToken['sid'] : undefined,
        // Other refresh tokens expire with the provider's session, so their refusal says nothing about the account.
        refreshToken: scopesOf(config).includes('offline_access') ? tokens.refresh_token : undefined,
      }
    },

    async refresh(refreshToken, subject) {
      const { refreshTokenGrant } = await library()
      const tokens = await refreshTokenGrant(config, refreshToken)
      // OpenID Connect Core §12.2
      if (tokens.id_token !== undefined && (await verify(tokens.id_token)).sub !== subject) {
        throw new Error('the refreshed ID token is of another user')
      }
      return tokens.refresh_token ?? refreshToken
    },

    verify,
  }
}

function scopesOf(config: Configuration): string {
  const supported = config.serverMetadata().scopes_supported ?? []
  const scopes = ['openid', 'email', 'profile']
  return (supported.includes('offline_access') ? [...scopes, 'offline_access'] : scopes).join(' ')
}
