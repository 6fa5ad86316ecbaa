import type { Services } from '#foundation/services.ts'
import { findPasswordHash } from './store.ts'

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
}

/**
 * Returns a digest of the password state for the sign-in session, which ends when the password changes or the account
 * is deleted.
 */
export function signInMark({ keyring }: Deps, account: Account): string {
  return keyring.sign(spell(account))
}

export function isMarkOf({ keyring }: Deps, account: Account, mark: string): boolean {
  return keyring.verify(spell(account), mark)
}

function spell({ id, password_hash }: Account): string {
  return `sign-in of ${id} with ${password_hash}`
}

/** Returns true if the sign-in is still valid; queries storage each time. */
export async function isSignInCurrent(
  { db, keyring }: Deps & Pick<Services, 'db'>,
  { accountId, acr }: SignIn,
): Promise<boolean> {
  const account = await findPasswordHash(db, accountId)
  return account !== undefined && isMarkOf({ keyring }, { id: accountId, ...account }, acr)
}
