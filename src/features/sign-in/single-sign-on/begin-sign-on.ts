import type { ProviderClients } from '#features/single-sign-on/provider-client.ts'
import { type ProviderRow, redirectUriOf } from '#features/single-sign-on/providers-store.ts'
import { insertSignOn, type SignOnRow } from '#features/single-sign-on/sign-ons-store.ts'
import { newId } from '#features/user-sessions/browser-session.ts'
import { basePathOf } from '#foundation/http/base-path.ts'
import { cookieLine } from '#foundation/http/browser/cookies.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import type { Services } from '#foundation/services.ts'

export type SignOnDeps = Pick<Services, 'db' | 'keyring' | 'now' | 'baseUrl' | 'config' | 'attempts'> & {
  readonly providers: ProviderClients
}

/** Time for the user to sign in at the provider. */
const LIFETIME_MS = 10 * 60_000

/** The values of a sign-on that are stored until the browser returns. */
export interface SignOnSecrets {
  readonly nonce: string
  readonly verifier: string
  /** A path on this server. */
  readonly returnTo: string
}

interface Start {
  readonly provider: ProviderRow
  readonly returnTo: string
  readonly email: string | undefined
}

/** Returns the address at the provider, and the cookie that binds its answer to this browser. Throws if it fails. */
export async function beginSignOn(
  { db, keyring, now, baseUrl, providers }: SignOnDeps,
  { provider, returnTo, email }: Start,
): Promise<{ url: string; cookie: string }> {
  const client = await providers.get(provider)
  const [state, nonce, verifier, browser] = [newId(), newId(), newId(), newId()]
  const url = await client.authorizationUrl({ state, nonce, verifier }, email)
  const [digest, expiresAt] = [keyring.digest(state), now() + LIFETIME_MS]
  const secrets: SignOnSecrets = { nonce, verifier, returnTo }
  await insertSignOn(db, {
    digest,
    provider_id: provider.id,
    browser: keyring.digest(browser),
    secrets: keyring.seal(JSON.stringify(secrets), sealContext(digest)),
    expires_at: expiresAt,
  })
  return { url: url.href, cookie: signOnCookie(baseUrl, { provider, state, value: browser, expiresAt }) }
}

interface SignOnCookie {
  readonly provider: Pick<ProviderRow, 'id'>
  readonly state: string
  readonly value: string
  readonly expiresAt: number
}

/** Returns the cookie of a sign-on. Each sign-on has its own, so that several tabs can sign in. */
export function signOnCookie(baseUrl: string, { provider, state, value, expiresAt }: SignOnCookie): string {
  const path = new URL(redirectUriOf(baseUrl, provider.id)).pathname
  return cookieLine(baseUrl, { name: cookieNameOf(state), value, path, expiresAt })
}

export function cookieNameOf(state: string): string {
  return `gatehouse_sign_on_${state.slice(0, 12)}`
}

export const sealedSignOns: SealedPlace = {
  table: 'single_sign_ons',
  key: ['digest'],
  column: 'secrets',
  context: ({ digest }) => sealContext(digest!),
}

/** Returns undefined if the row was encrypted with another key. */
export function openSecrets({ keyring }: Pick<SignOnDeps, 'keyring'>, row: SignOnRow): SignOnSecrets | undefined {
  const opened = keyring.open(row.secrets, sealContext(row.digest))
  return opened === undefined ? undefined : (JSON.parse(opened) as SignOnSecrets)
}

function sealContext(digest: string): string {
  return `sign-on ${digest}`
}

/** Returns a path of the console, by default its first page; never an address on another server. */
export function toReturnPath(baseUrl: string, requested: string | undefined): string {
  const base = basePathOf(baseUrl)
  const home = `${base}/console/`
  const url = requested === undefined ? null : URL.parse(requested, baseUrl)
  if (!url || url.origin !== new URL(baseUrl).origin || !url.pathname.startsWith(home)) return home
  return `${url.pathname}${url.search}`
}
