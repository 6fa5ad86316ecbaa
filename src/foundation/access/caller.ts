import type { MaybePromise } from '#foundation/maybe-promise.ts'
import type { Permission } from './permissions.ts'

/** The actor and its credential. */
export interface Principal {
  readonly kind: 'user' | 'service_account' | 'app'
  readonly id: string
  readonly name: string
  /** Users only. */
  readonly email?: string
  /** Users only. */
  readonly username?: string
  /** Id of the API key or browser session, or of the session or client secret on which an access token is based. */
  readonly credentialId: string
  /** Present if the credential is limited to the scopes of its access token. */
  readonly scopes?: ReadonlySet<Permission>
  /** Present if an app acts: it is limited to the places where it is installed. */
  readonly delegation?: Delegation
}

/**
 * The limits under which an app acts. An app in a user context has that user as principal; one in a tenant context is
 * the principal itself.
 */
export interface Delegation {
  readonly appId: string
  readonly appName: string
  /** The installs under which it acts (`app_installs.bot_id`). */
  readonly botId: string
  /** The user whose current permissions limit the app; undefined for an unattended app. */
  readonly userId?: string
}

export interface Org {
  readonly id: string
  readonly name: string
  readonly slug: string
  readonly groupId: string
}

export interface Group {
  readonly id: string
  readonly name: string
  readonly slug: string
}

export interface EffectivePermissions {
  readonly permissions: ReadonlySet<Permission>
  readonly group: Group
  /** Present when the place is an organization. */
  readonly org?: Org
}

/** The storage behind access decisions. Read on every request, so that a revocation takes effect immediately. */
export interface AccessStore {
  /** Returns undefined for a secret that is unknown, expired, retired, or used from a network that is not allowed. */
  authenticate(secret: string, address: string): MaybePromise<Principal | undefined>
  /** Returns the user of a session cookie; `credentialId` is the session's id. */
  authenticateSession(cookie: string, address: string): MaybePromise<Principal | undefined>
  /** Returns undefined if the organization does not exist or the principal has no relation to it. */
  permissionsInOrg(principal: Principal, org: OrgReference): MaybePromise<EffectivePermissions | undefined>
  /** Returns undefined if the group does not exist or the principal is no member of it. */
  permissionsInGroup(principal: Principal, groupId: string): MaybePromise<EffectivePermissions | undefined>
}

/** An organization as a request names it; `default` is the one that the principal joined first. */
export type OrgReference = { readonly id: string } | { readonly slug: string } | 'default'

/** The actor that the audit log holds accountable for a change. */
export interface Actor {
  /** `anonymous`: a caller without a credential or with a wrong one. `server`: background work. */
  readonly kind: Principal['kind'] | 'operator' | 'anonymous' | 'server'
  readonly id?: string
  readonly name: string
  readonly credentialId?: string
  readonly requestId?: string
  readonly address?: string
}

export const operator: Actor = { kind: 'operator', name: 'operator' }

/** The actor of changes that no principal asked for. */
export const systemActor: Actor = { kind: 'server', name: 'server' }
