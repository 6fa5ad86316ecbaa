import type { Soon } from '../soon.ts'

/** A client of the authorization server that proved who it is, or a public one that said so. */
export type AuthenticatedClient = AppClient | InstallClient | AccountClient

interface Client {
  readonly clientId: string
  /** Id of the app, the install or the service account. */
  readonly id: string
  readonly name: string
  /** Whom it belongs to: the place that registered the app or owns the account. */
  readonly owner: { readonly groupId: string; readonly orgId: string | null }
  readonly method: 'client_secret' | 'private_key_jwt' | 'none'
  /** The client secret that was shown; it ends what is obtained with it. `endsAt` is null for never. */
  readonly credential?: { readonly id: string; readonly endsAt: number | null }
  readonly ttlSeconds: number
}

/** An app that users authorize. */
export interface AppClient extends Client {
  readonly kind: 'app'
  readonly scopes: readonly string[]
}

/** An app that acts unattended where it was installed. */
export interface InstallClient extends Client {
  readonly kind: 'app_install'
  readonly appId: string
  readonly scopes: readonly string[]
}

export interface AccountClient extends Client {
  readonly kind: 'service_account'
  /** When it can no longer prove itself with keys of its own; null for never. */
  readonly endsAt?: number | null
  /** What its role holds now. */
  readonly permissions: readonly string[]
}

/** What a request says of its client: where it came from, its headers and its form. */
export interface ClientRequest {
  readonly address: string
  readonly authorization: string | undefined
  readonly form: Readonly<Record<string, string | undefined>>
}

/** Throws the refusal of RFC 6749 §5.2 when the client is not who it says, at once or later. */
export type AuthenticateClient = (request: ClientRequest) => Soon<AuthenticatedClient>
