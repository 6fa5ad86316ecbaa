import type { AppClient } from '#foundation/access/oauth-client.ts'
import type { TokenRequest } from '../token-answer.ts'

/** A token request of an app that users authorize. The client is authenticated. */
export interface GrantRequest {
  readonly form: TokenRequest
  readonly client: AppClient
  /** Arrival of the request by the monotonic clock of this process (`performance.now`). */
  readonly arrivedAt: number
  readonly address: string
  readonly requestId: string
}
