import type { MaybePromise } from '#foundation/maybe-promise.ts'

/** An authenticated client of the authorization server, or a public one that only sent its id. */
export type AuthenticatedClient = AppClient | InstallClient | AccountClient

interface Client {
  readonly clientId: string
  /** Id of the app, the install or the service account. */
  readonly id: string
  readonly name: string
  /** The place that registered the app or owns the account. */
  readonly owner: { readonly groupId: string; readonly orgId: string | null }
  readonly method: 'client_secret' | 'private_key_jwt' | 'none'
  /** The client secret used. Revoking it revokes the tokens obtained with it. `endsAt` is null for never. */
  readonly credential?: { readonly id: string; readonly endsAt: number | null }
  readonly ttlSeconds: number
}

/** An app that users authorize. */
export interface AppClient extends Client {
  readonly kind: 'app'
  readonly scopes: readonly string[]
}

/** An install of an unattended app. */
export interface InstallClient extends Client {
  readonly kind: 'app_install'
  readonly appId: string
  readonly scopes: readonly string[]
}

export interface AccountClient extends Client {
  readonly kind: 'service_account'
  /** Expiry of authentication with its own keys; null for never. */
  readonly endsAt?: number | null
  readonly permissions: readonly string[]
}

/** The address, headers and form of a request, from which its client is authenticated. */
export interface ClientRequest {
  readonly address: string
  readonly authorization: string | undefined
  readonly form: Readonly<Record<string, string | undefined>>
}

/** Authenticates a client. Throws or rejects with the error of RFC 6749 §5.2 on failure. */
export type AuthenticateClient = (request: ClientRequest) => MaybePromise<AuthenticatedClient>
