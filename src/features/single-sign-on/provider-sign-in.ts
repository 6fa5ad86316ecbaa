import type { Actor } from '#foundation/access/caller.ts'
import type { Db } from '#foundation/db/database.ts'
import type { ProvedUser } from './provider-client.ts'
import type { ProviderRow } from './providers-store.ts'

/** The sign-in of a user whom the provider verified. */
export interface ProviderSignIn {
  readonly tx: Db
  readonly provider: ProviderRow
  readonly proved: ProvedUser
  /** The account that is signed in with this browser. */
  readonly signedInId: string | undefined
  readonly at: number
  /** The request, for the audit log. */
  readonly from: Pick<Actor, 'requestId' | 'address'>
}
