import type { Change } from '#foundation/audit/record.ts'
import type { ProvedUser } from './provider-client.ts'
import type { ProviderRow } from './providers-store.ts'

/** The sign-in of a user whom the provider verified. */
export interface ProviderSignIn extends Change {
  readonly provider: ProviderRow
  readonly proved: ProvedUser
  /** The account that is signed in with this browser. */
  readonly signedInId: string | undefined
}
