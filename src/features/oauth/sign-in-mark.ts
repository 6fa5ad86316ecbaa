import type { Services } from '#foundation/services.ts'
import { findPasswordHash } from './store.ts'

type Needs = Pick<Services, 'keyring'>

/** What a sign-in session keeps of the password that began it: the session ends when the account has another, or is gone. */
export function signInMark({ keyring }: Needs, account: { id: string; password_hash: string | null }): string {
  return keyring.sign(`sign-in of ${account.id} with ${account.password_hash}`)
}

export interface SignedIn {
  readonly accountId?: string | undefined
  /** Where the provider's session keeps the mark: nothing else reads it, since no ID tokens are issued. */
  readonly acr?: string | undefined
}

/** Whether a session still stands for somebody. Asked of storage each time. */
export async function isSignInCurrent(
  needs: Needs & Pick<Services, 'db'>,
  { accountId, acr }: SignedIn,
): Promise<boolean> {
  if (accountId === undefined || acr === undefined) return false
  const account = await findPasswordHash(needs.db, accountId)
  return account !== undefined && needs.keyring.verify(`sign-in of ${accountId} with ${account.password_hash}`, acr)
}
