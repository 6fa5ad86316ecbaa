import type { FastifyRequest } from 'fastify'
import type { Actor, Group, Org, Principal } from '../access/caller.ts'
import type { Permission } from '../access/permissions.ts'
import type { LargeMember } from './bodies/json-shape.ts'
import type { FormerNames } from './former-names.ts'
import type { ServedVersion } from './versions.ts'

/**
 * The callers that may use a route. `in-person` admits only a user's own credential, not service accounts and not apps
 * that act for a user: the effect would outlive the app's access. `org` and `group` name permissions required in the
 * path's organization or group (`org_id`, `orgId`, `group_id`, `groupId`); `orgOfQuery` takes the organization from
 * `?org=`, or else the caller's default.
 */
export type AccessRule =
  | 'public'
  | 'signed-in'
  | 'in-person'
  | { readonly org: readonly Permission[] }
  | { readonly group: readonly Permission[] }
  | { readonly orgOfQuery: readonly Permission[] }

/** The deprecation of an operation: its start, its earliest removal and its successor. */
export interface Deprecation {
  /** RFC 3339 date-time. */
  readonly since: string
  /** YYYY-MM-DD. */
  readonly sunset: string
  readonly replacement: string
}

/** The caller of a request, admitted by the access rule. */
export interface Caller {
  readonly principal: Principal
  readonly permissions: ReadonlySet<Permission>
  readonly org?: Org
  readonly group?: Group
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: AccessRule
    /** REST only: the dated releases of the operation; none for an operation that takes no version. */
    releases?: readonly string[]
    deprecation?: Deprecation
    /** REST only: former spellings of parameters and members in earlier releases. */
    formerNames?: FormerNames
    /** A body member that is not parsed here: the route passes it to a thread (`asUnparsed`). */
    largeMember?: LargeMember
    /** Media types of bodies that the route receives as bytes (`Uint8Array`); other types of its scope are parsed as JSON. */
    bytesOf?: readonly string[]
    /** True for a body that may also be a form; its fields are the members. */
    takesForm?: boolean
    /** REST only: media types of a success besides JSON:API. */
    mediaTypes?: readonly string[]
    /** Requests per minute and address, independent of the general limit. */
    limitPerAddress?: number
  }
  interface FastifyRequest {
    caller: Caller | null
    servedVersion: ServedVersion | null
  }
}

export function callerOf(request: FastifyRequest): Caller {
  if (!request.caller) throw new Error('a public route has no caller')
  return request.caller
}

/** Returns the organization found by the access rule. */
export function orgOf(request: FastifyRequest): Org {
  const { org } = callerOf(request)
  if (!org) throw new Error('the access rule of this route names no organization')
  return org
}

/** Returns the group found by the access rule; for an organization its group. */
export function groupOf(request: FastifyRequest): Group {
  const { group } = callerOf(request)
  if (!group) throw new Error('the access rule of this route names no group')
  return group
}

export function actorOf(request: FastifyRequest): Actor {
  const { principal } = callerOf(request)
  const { delegation } = principal
  // An app in a user context has that user as principal; the log names the app too.
  const isForUser = delegation !== undefined && principal.kind === 'user'
  return {
    kind: principal.kind,
    id: principal.id,
    name: isForUser ? `${principal.name} (through ${delegation.appName})` : principal.name,
    credentialId: principal.credentialId,
    requestId: request.id,
    address: request.ip,
  }
}

/** Returns the actor of a request in which the user signs in or confirms a page, without another credential. */
export function userActor(
  { id: requestId, ip: address }: FastifyRequest,
  { id, name }: { id: string; name: string },
): Actor {
  return { kind: 'user', id, name, requestId, address }
}

/** Returns an id of the path in lower case. */
export function pathId(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name]!.toLowerCase()
}
