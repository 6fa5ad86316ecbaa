import { generateKeyPairSync } from 'node:crypto'
import type { Provider, ProviderContext, ProviderError } from 'oidc-provider'
import { issueAccessToken } from '#features/access-tokens/issue-access-token.ts'
import { scopeNames } from '#foundation/access/scopes.ts'
import { basePathOf } from '#foundation/http/base-path.ts'
import { newSecret } from '#foundation/secrets/typed-secret.ts'
import type { Services } from '#foundation/services.ts'
import { createAdapters } from './adapter.ts'
import { keepNamesOfSessions } from './browser-session.ts'
import { DEFAULTED_REDIRECT, endpoints } from './endpoints.ts'
import { isRedirectUriOf } from './is-redirect-uri-of.ts'
import { currentWork } from './provider-call.ts'
import { isSignInCurrent } from './sign-in-mark.ts'
import { isUser, noteSessionUse } from './store.ts'

export type ProviderNeeds = Pick<Services, 'db' | 'keyring' | 'now' | 'config' | 'baseUrl' | 'log'>

/** Makes the HTML of a refusal that cannot be sent back to the app. */
export type RenderRefusal = (refusal: { readonly error: string; readonly description: string }) => string

export const CODE_SECONDS = 60
export const REFRESH_SECONDS = 180 * 86_400
/** How long somebody may take to sign in and to consent. */
export const INTERACTION_SECONDS = 3_600
/** How long a browser stays signed in without being used. */
export const SIGN_IN_SECONDS = 12 * 3_600

/**
 * oidc-provider over our storage. It carries authorization requests, codes and refresh tokens; clients were authenticated
 * before it is asked, and access tokens are ours. Loaded when first needed: it is a fifth of a second and 30 MB.
 */
export async function createProvider(needs: ProviderNeeds, renderRefusal: RenderRefusal): Promise<Provider> {
  const { Provider: ProviderClass, interactionPolicy, errors } = await import('oidc-provider')
  const { keyring, baseUrl, log } = needs
  const policy = interactionPolicy.base()
  policy.remove('consent')
  policy.add(
    new interactionPolicy.Prompt(
      { name: 'consent', requestable: true },
      // Each authorization is consented to: the app may ask on behalf of whoever sits at the browser (RFC 8252 §8.6).
      new interactionPolicy.Check('consent_missing', 'consent is required', (ctx) => !ctx.oidc.result?.consent),
    ),
  )
  policy
    .get('login')!
    .checks.add(
      new interactionPolicy.Check(
        'sign_in_ended',
        'sign-in is required',
        async ({ oidc }) => !(await isSignInCurrent({ db: currentWork()?.tx ?? needs.db, keyring }, oidc.session)),
      ),
    )
  const [isHttps, basePath] = [baseUrl.startsWith('https:'), basePathOf(baseUrl)]
  // A host that is shared with others has no cookies of ours beyond our path; `__Host-` would want all of it.
  const prefix = !isHttps ? '' : basePath === '' ? '__Host-' : '__Secure-'
  const provider = new ProviderClass(baseUrl, {
    adapter: createAdapters(needs, {
      InvalidGrant: errors.InvalidGrant,
      params: () => ProviderClass.ctx?.oidc.params,
    }),
    allowOmittingSingleRegisteredRedirectUri: false,
    clientAuthMethods: ['none'],
    cookies: {
      keys: [keyring.derive('cookies of the authorization server').toString('base64url')],
      names: {
        session: `${prefix}gatehouse_session`,
        interaction: 'gatehouse_interaction',
        resume: 'gatehouse_resume',
      },
      long: { signed: true, httpOnly: true, sameSite: 'lax', path: basePath || '/' },
      short: { signed: true, httpOnly: true, sameSite: 'lax' },
    },
    expiresWithSession: () => false,
    extraClientMetadata: { properties: ['is_confidential', 'access_token_ttl_seconds'] },
    extraParams: [DEFAULTED_REDIRECT],
    features: {
      claimsParameter: { enabled: false },
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    findAccount: async (_ctx: ProviderContext, id: string) => {
      if (!(await isUser(currentWork()?.tx ?? needs.db, id))) return undefined
      return { accountId: id, claims: () => ({ sub: id }) }
    },
    interactions: { policy, url: (_ctx: ProviderContext, { uid }: { uid: string }) => interactionPath(baseUrl, uid) },
    issueRefreshToken: () => true,
    jwks: { keys: [signsNothing()] },
    clientDefaults: { grant_types: ['authorization_code', 'refresh_token'], id_token_signed_response_alg: 'ES256' },
    loadExistingGrant: (ctx: ProviderContext & { oidc: { provider: { Grant: { find(id: string): unknown } } } }) => {
      const id = ctx.oidc.result?.consent?.grantId
      return id === undefined ? undefined : ctx.oidc.provider.Grant.find(id)
    },
    pkce: { required: (_ctx: ProviderContext, client: { is_confidential: boolean }) => !client.is_confidential },
    renderError: (ctx: ProviderContext, out: { error: string; error_description?: string }, error: Error) => {
      ctx.type = 'html'
      const isOver = error instanceof errors.SessionNotFound
      ctx.body = renderRefusal({ error: isOver ? 'over' : out.error, description: out.error_description ?? '' })
    },
    responseTypes: ['code'],
    rotateRefreshToken: true,
    routes: { authorization: endpoints.authorization, token: endpoints.token, jwks: endpoints.jwks },
    // `openid` is added to every request: without it the provider refuses `nonce`. Nobody is ever granted it.
    scopes: ['openid', ...scopeNames],
    ttl: {
      AccessToken: (_ctx: unknown, _token: unknown, client: { access_token_ttl_seconds: number }) =>
        client.access_token_ttl_seconds,
      AuthorizationCode: CODE_SECONDS,
      Grant: REFRESH_SECONDS,
      IdToken: CODE_SECONDS,
      Interaction: INTERACTION_SECONDS,
      RefreshToken: REFRESH_SECONDS,
      Session: SIGN_IN_SECONDS,
    },
  })
  provider.proxy = true
  keepNamesOfSessions(provider)
  issueOurTokens(provider, needs)
  // They were checked by our own rules when the app was registered.
  provider.Client.Schema.prototype.redirectUris = () => {}
  provider.Client.prototype.redirectUriAllowed = function (uri) {
    return isRedirectUriOf({ redirectUris: this.redirectUris, isConfidential: this.is_confidential }, uri)
  }
  provider.on('grant.error', (_ctx: ProviderContext, error: ProviderError) => note({ refusal: error }))
  provider.on('authorization.error', (_ctx: ProviderContext, error: ProviderError) => note({ refusal: error }))
  provider.on('server_error', (_ctx: ProviderContext, error: Error) => note({ failure: error }))
  provider.on('error', (error: Error) => log.error({ err: error }, 'the authorization server failed'))
  return provider
}

function interactionPath(baseUrl: string, uid: string): string {
  return `${basePathOf(baseUrl)}${endpoints.interactions}/${uid}`
}

function note(found: { refusal: ProviderError } | { failure: Error }): void {
  const work = currentWork()
  if (work) Object.assign(work, found)
}

/** The provider insists on a key of its own. It would sign ID tokens, which are never issued. */
function signsNothing(): object {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { ...privateKey.export({ format: 'jwk' }), alg: 'ES256', use: 'sig' }
}

/** Codes and refresh tokens of our form, and access tokens that live in our storage. */
function issueOurTokens(provider: Provider, needs: ProviderNeeds): void {
  provider.AuthorizationCode.prototype.generateTokenId = () => newSecret('authorization_code')
  provider.RefreshToken.prototype.generateTokenId = () => newSecret('refresh_token')
  provider.AccessToken.prototype.save = async function () {
    const work = currentWork()
    const { oidc } = contextNow(provider)
    const session = work?.session
    if (!session?.client_id) throw new Error('an access token was asked for outside of a session')
    const issued = await issueAccessToken(needs, work!.tx, {
      basis: { sessionId: session.id },
      clientId: session.client_id,
      subject: session.context === 'user' ? session.user_id : session.bot_id,
      botId: session.bot_id,
      scopes: [...this.scopes],
      ttlSeconds: oidc.client!.access_token_ttl_seconds,
      nonce: oidc.entities.AuthorizationCode?.nonce ?? oidc.entities.RefreshToken?.nonce,
    })
    await noteSessionUse(work!.tx, session.id, needs.now())
    this.expiresIn = issued.expiresInSeconds
    return issued.token
  }
}

function contextNow(provider: Provider): ProviderContext {
  const { ctx } = provider.constructor as typeof Provider
  if (!ctx) throw new Error('the provider works on no request')
  return ctx
}
