import type { Soon } from '../soon.ts'
import type { Permission } from './permissions.ts'

/** Who acts, and with which credential. */
export interface Principal {
  readonly kind: 'user' | 'service_account' | 'app'
  readonly id: string
  readonly name: string
  /** Users only. */
  readonly email?: string
  /** Users only. */
  readonly username?: string
  /** What was shown: an API key, or the session or client secret that an access token descends from. */
  readonly credentialId: string
  /** Present when the credential may do less than its holder: what its access token was issued for. */
  readonly scopes?: ReadonlySet<Permission>
  /** Present when an app acts: it may enter only where it is installed. */
  readonly delegation?: Delegation
}

/** For whom an app acts. An app in a user's own context has that user as principal, one in a tenant's context itself. */
export interface Delegation {
  readonly appId: string
  readonly appName: string
  /** The installs under which it acts (`app_installs.bot_id`). */
  readonly botId: string
  /** Whose permissions bound it, now; undefined for an app that acts unattended. */
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

/** What a principal may do in one place. */
export interface Standing {
  readonly permissions: ReadonlySet<Permission>
  readonly group: Group
  /** Present when the place is an organisation. */
  readonly org?: Org
}

/** The storage behind access decisions; asked on every request, so that what was revoked is dead at once. */
export interface AccessStore {
  /** Undefined for a secret that is not known, has expired or retired, or is used from a network that is not allowed. */
  authenticate(secret: string, address: string): Soon<Principal | undefined>
  /** Undefined when there is no such organisation or the principal has nothing to do with it. */
  standingInOrg(principal: Principal, org: OrgReference): Soon<Standing | undefined>
  /** Undefined when there is no such group or the principal is no member of it. */
  standingInGroup(principal: Principal, groupId: string): Soon<Standing | undefined>
}

/** How a request names an organisation; `default` is the one the principal joined first. */
export type OrgReference = { readonly id: string } | { readonly slug: string } | 'default'

/** Who is answerable for a change: written into the audit log. */
export interface Actor {
  /** `anonymous` is somebody whose credential was wrong, or who needed none; `server` is background work. */
  readonly kind: Principal['kind'] | 'operator' | 'anonymous' | 'server'
  readonly id?: string
  readonly name: string
  readonly credentialId?: string
  readonly requestId?: string
  readonly address?: string
}

/** The person at the command line. */
export const operator: Actor = { kind: 'operator', name: 'operator' }

/** What nobody asked for: the server does it by itself. */
export const byItself: Actor = { kind: 'server', name: 'server' }
