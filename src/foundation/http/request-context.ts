import type { FastifyRequest } from 'fastify'
import type { Actor, Group, Org, Principal } from '../access/caller.ts'
import type { Permission } from '../access/permissions.ts'
import type { FormerNames } from './former-names.ts'
import type { LargeMember } from './json-shape.ts'
import type { ServedVersion } from './versions.ts'

/**
 * Who may use a route. `in-person` lets in people with a credential of their own, no program and no app that acts for
 * them: what it guards would outlive the app's access. `org` and `group` name permissions that the caller must hold in the organisation or group of
 * the path (`org_id`, `orgId`, `group_id`, `groupId`); `orgOfQuery` takes the organisation from `?org=`, else the
 * caller's default one.
 */
export type AccessRule =
  | 'public'
  | 'signed-in'
  | 'in-person'
  | { readonly org: readonly Permission[] }
  | { readonly group: readonly Permission[] }
  | { readonly orgOfQuery: readonly Permission[] }

/** A deprecated operation: since when, until when at least, and what replaces it. */
export interface Deprecation {
  /** RFC 3339 date-time. */
  readonly since: string
  /** YYYY-MM-DD. */
  readonly sunset: string
  readonly replacement: string
}

/** The caller of a request, after the access rule let it in. */
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
    /** REST only: how earlier releases of the operation spell parameters and members. */
    formerNames?: FormerNames
    /** A member of the body that is not parsed here: the route hands it to a thread (`asUnparsed`). */
    largeMember?: LargeMember
    /** REST only: what a success is served as, where that is no JSON document. */
    mediaType?: string
    /** Requests a minute that one address may make of the route, whatever the general limit is. */
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

/** The organisation that the route's access rule found. */
export function orgOf(request: FastifyRequest): Org {
  const { org } = callerOf(request)
  if (!org) throw new Error('the access rule of this route names no organisation')
  return org
}

/** The group that the route's access rule found; for an organisation, its group. */
export function groupOf(request: FastifyRequest): Group {
  const { group } = callerOf(request)
  if (!group) throw new Error('the access rule of this route names no group')
  return group
}

export function actorOf(request: FastifyRequest): Actor {
  const { principal } = callerOf(request)
  const { delegation } = principal
  // An app in a user's own context has that user as principal; the log says that it was not the user in person.
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
