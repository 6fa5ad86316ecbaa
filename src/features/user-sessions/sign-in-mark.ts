import type { Services } from '#foundation/services.ts'
import { findSignInState } from './store.ts'

type Deps = Pick<Services, 'keyring'>

export interface SignIn {
  readonly accountId: string
  /** The mark of the sign-in, named like the OpenID Connect claim in which earlier versions stored it. */
  readonly acr: string
  /** The provider's id of its own session (`sid`), if it began this sign-in. */
  readonly providerSession?: string | undefined
}

interface Account {
  readonly id: string
  readonly password_hash: string | null
  readonly factors_changed_at: number | null
}

/**
 * Returns a digest of the password and of the state of the second factors. A browser session is valid only while its
 * mark matches, so it ends when one of them changes or the account is deleted.
 */
export function signInMark({ keyring }: Deps, account: Account): string {
  return keyring.sign(spell(account))
}

export function isMarkOf({ keyring }: Deps, account: Account, mark: string): boolean {
  const [own = '', identityId, signature = ''] = mark.split('.', 3)
  if (!keyring.verify(spell(account), own)) return false
  return identityId === undefined || keyring.verify(spellIdentity(own, identityId), signature)
}

/** Returns the mark of a sign-in by an identity provider, which checked the user instead of the password. */
export function bindToIdentity({ keyring }: Deps, mark: string, identityId: string | null): string {
  if (identityId === null) return mark
  return `${mark}.${identityId}.${keyring.sign(spellIdentity(mark, identityId))}`
}

/** Returns the identity of a verified mark; null for a sign-in with a password or passkey. */
export function identityOf(mark: string): string | null {
  return mark.split('.', 3)[1] ?? null
}

function spellIdentity(mark: string, identityId: string): string {
  return `sign-in ${mark} with the identity ${identityId}`
}

/** Sessions of users without second factors keep the mark that earlier versions stored. */
function spell({ id, password_hash, factors_changed_at }: Account): string {
  const password = `sign-in of ${id} with ${password_hash}`
  return factors_changed_at === null ? password : `${password} and the factors of ${factors_changed_at}`
}

/** The rules of a user's groups; 1 for those that apply. */
export interface SignInRules {
  readonly disabled_at: number | null
  /** A second factor is required, which the user lacks. */
  readonly must_enroll: number
  /** The same, by a group other than the one that manages the account and trusts the factors of its provider. */
  readonly must_enroll_elsewhere: number
  readonly must_use_provider: number
}

/** Returns true if a user may use a sign-in with this mark. */
export function isAllowed(rules: SignInRules, mark: string): boolean {
  if (rules.disabled_at !== null) return false
  if (identityOf(mark) !== null) return rules.must_enroll_elsewhere === 0
  return rules.must_enroll === 0 && rules.must_use_provider === 0
}

/**
 * Returns true if the sign-in is still valid, and no group now requires a second factor or an identity provider that it
 * lacks. Reads storage each time.
 */
export async function isSignInCurrent(
  { db, keyring }: Deps & Pick<Services, 'db'>,
  { accountId, acr }: SignIn,
): Promise<boolean> {
  const state = await findSignInState(db, accountId)
  return state !== undefined && isAllowed(state, acr) && isMarkOf({ keyring }, { id: accountId, ...state }, acr)
}
