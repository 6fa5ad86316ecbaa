import type { Services } from '#foundation/services.ts'
import { findSignInState } from './store.ts'

type Deps = Pick<Services, 'keyring'>

/** A user who signed in. */
export interface SignIn {
  readonly accountId: string
  /** The mark of the sign-in, under the name of an OpenID Connect claim in which earlier versions stored it. */
  readonly acr: string
}

interface Account {
  readonly id: string
  readonly password_hash: string | null
  readonly factors_changed_at: number | null
}

/**
 * Returns a digest of the password and of the state of the second factors for the sign-in session, which ends when one of
 * them changes or the account is deleted.
 */
export function signInMark({ keyring }: Deps, account: Account): string {
  return keyring.sign(spell(account))
}

export function isMarkOf({ keyring }: Deps, account: Account, mark: string): boolean {
  return keyring.verify(spell(account), mark)
}

/** Sessions of users without second factors keep the mark that earlier versions stored. */
function spell({ id, password_hash, factors_changed_at }: Account): string {
  const password = `sign-in of ${id} with ${password_hash}`
  return factors_changed_at === null ? password : `${password} and the factors of ${factors_changed_at}`
}

/**
 * Returns true if the sign-in is still valid, and no group has begun to require a second factor that it lacks; queries
 * storage each time.
 */
export async function isSignInCurrent(
  { db, keyring }: Deps & Pick<Services, 'db'>,
  { accountId, acr }: SignIn,
): Promise<boolean> {
  const state = await findSignInState(db, accountId)
  return state !== undefined && state.must_enroll === 0 && isMarkOf({ keyring }, { id: accountId, ...state }, acr)
}
