import type { Services } from '#foundation/services.ts'
import { findPasswordHash } from '../store.ts'

type Deps = Pick<Services, 'keyring'>

/** A user who signed in. */
export interface SignIn {
  readonly accountId: string
  /** The mark of the sign-in, under the name of an OpenID Connect claim in which earlier versions stored it. */
  readonly acr: string
}

/**
 * Returns a digest of the password state for the sign-in session, which ends when the password changes or the account
 * is deleted.
 */
export function signInMark({ keyring }: Deps, account: { id: string; password_hash: string | null }): string {
  return keyring.sign(`sign-in of ${account.id} with ${account.password_hash}`)
}

/** Returns true if the sign-in is still valid; queries storage each time. */
export async function isSignInCurrent(deps: Deps & Pick<Services, 'db'>, { accountId, acr }: SignIn): Promise<boolean> {
  const account = await findPasswordHash(deps.db, accountId)
  return account !== undefined && deps.keyring.verify(`sign-in of ${accountId} with ${account.password_hash}`, acr)
}
