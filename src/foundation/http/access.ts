import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { andThen, type MaybePromise } from '#foundation/maybe-promise.ts'
import { parseAuthorization } from '../access/authorization-header.ts'
import type { AccessStore, EffectivePermissions, OrgReference, Principal } from '../access/caller.ts'
import type { Permission } from '../access/permissions.ts'
import { Problem } from '../problem.ts'
import { cookieOf, sessionCookieName } from './browser/cookies.ts'
import { requireOwnPage, SESSION_HEADER } from './browser/own-pages.ts'
import type { AccessRule, Caller } from './request-context.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** Refuses to start with a route without an access rule, or with one that does not fit its path. */
export function requireAccessRules(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    const rule = route.config?.access
    if (rule === undefined) throw new Error(`${String(route.method)} ${route.url} declares no access rule`)
    const names = parametersNeeded(rule)
    if (names.length > 0 && !names.some((name) => hasParameter(route, name))) {
      throw new Error(`${String(route.method)} ${route.url} has an access rule for ${names[0]}, but no such parameter`)
    }
  })
}

function parametersNeeded(rule: AccessRule): string[] {
  if (typeof rule === 'string' || 'orgOfQuery' in rule) return []
  return 'org' in rule ? ['org_id', 'orgId'] : ['group_id', 'groupId']
}

function hasParameter(route: RouteOptions, name: string): boolean {
  return route.url.split('/').includes(`:${name}`)
}

/**
 * Returns the principal of the request's credential. Throws 401. Uses the `Authorization` header if there is one,
 * otherwise the session cookie in requests of this server's own pages.
 */
export function authenticate(request: FastifyRequest, store: AccessStore, baseUrl: string): MaybePromise<Principal> {
  const header = request.headers.authorization
  if (header === undefined) {
    const cookie = cookieOf(request, sessionCookieName(baseUrl))
    if (cookie === undefined) throw unauthenticated('Not authorized: no Authorization header was sent')
    return authenticateSession(request, { store, baseUrl, cookie })
  }
  const secret = parseAuthorization(header)
  if (secret === undefined) throw unauthenticated(`Not authorized: ${describeForm(header)}`)
  return andThen(store.authenticate(secret, request.ip), (principal) => {
    if (!principal) throw unauthenticated('Invalid auth token provided', { error: 'invalid_token' })
    return principal
  })
}

interface BySession {
  readonly store: AccessStore
  readonly baseUrl: string
  readonly cookie: string
}

function authenticateSession(request: FastifyRequest, { store, baseUrl, cookie }: BySession): MaybePromise<Principal> {
  requireOwnPage(request, baseUrl)
  const sessionId = request.headers[SESSION_HEADER]
  if (sessionId === undefined) {
    throw new Problem('foreign-page', `A request with the session cookie needs the header ${SESSION_HEADER}`)
  }
  return andThen(store.authenticateSession(cookie, request.ip), (principal) => {
    if (principal?.credentialId === sessionId) return principal
    throw unauthenticated('The session has ended, or another user has signed in with this browser. Sign in again.')
  })
}

const FORMS = 'Send "Authorization: token API_KEY" or "Authorization: Bearer ACCESS_TOKEN"'

function describeForm(header: string): string {
  if (/^\s*basic\s/i.test(header)) return `HTTP Basic authentication is not supported here. ${FORMS}`
  return `the Authorization header has no known form. ${FORMS}`
}

function unauthenticated(detail: string, challenge: Readonly<Record<string, string>> = {}): Problem {
  return new Problem('unauthenticated', detail, {
    source: { header: 'authorization' },
    headers: { ...toChallenge(challenge), 'snyk-auth-failed': 'true' },
  })
}

/** Describes a rejected token (RFC 6750 §3.1); says nothing if none was sent. */
function toChallenge(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const written = Object.entries({ realm: 'gatehouse', ...attributes }).map(([name, value]) => `${name}="${value}"`)
  return { 'www-authenticate': `Bearer ${written.join(', ')}` }
}

const nothing: ReadonlySet<Permission> = new Set()

/**
 * Applies the route's rule. Answers 404 for places with no relation to the caller, as if they did not exist, and 403
 * with the missing permission for places the caller can see.
 */
export function admit(request: FastifyRequest, principal: Principal, store: AccessStore): MaybePromise<Caller> {
  const rule = request.routeOptions.config.access!
  if (rule === 'in-person') requirePerson(principal)
  if (typeof rule === 'string') return { principal, permissions: nothing }
  const needed = 'org' in rule ? rule.org : 'group' in rule ? rule.group : rule.orgOfQuery
  return andThen(findEffectivePermissions(request, principal, store), (effective) => {
    const missing = needed.filter((permission) => !effective.permissions.has(permission))
    if (missing.length > 0) {
      throw new Problem(
        'forbidden',
        `This needs the permission ${missing.join(', ')}, which the credential's role does not have`,
        principal.scopes && { headers: toChallenge({ error: 'insufficient_scope', scope: needed.join(' ') }) },
      )
    }
    return { principal, ...effective }
  })
}

function requirePerson({ kind, delegation }: Principal): void {
  if (kind === 'user' && !delegation) return
  throw new Problem('in-person-only', 'Only users with their own credential can do this, not apps or service accounts')
}

function findEffectivePermissions(
  request: FastifyRequest,
  principal: Principal,
  store: AccessStore,
): MaybePromise<EffectivePermissions> {
  const rule = request.routeOptions.config.access as Exclude<AccessRule, string>
  const params = request.params as Record<string, string>
  if ('group' in rule) {
    const id = params['group_id'] ?? params['groupId'] ?? ''
    const permissions = isUuid(id) ? store.permissionsInGroup(principal, id.toLowerCase()) : undefined
    return andThen(permissions, (effective) =>
      requireEffectivePermissions(effective, `Group ${id}`, requiredId(id, 'groups')),
    )
  }
  const name = 'org' in rule ? (params['org_id'] ?? params['orgId']) : (request.query as Record<string, unknown>)['org']
  if (name !== undefined && typeof name !== 'string') {
    throw new Problem('invalid-request', 'org was given more than once', { source: { parameter: 'org' } })
  }
  const idOnly = params['org_id'] !== undefined
  const reference = toReference(name, idOnly)
  const noun = name === undefined || name === '' ? 'an organization' : `Org ${name}`
  const remedy = idOnly ? requiredId(name ?? '', 'orgs') : ''
  return andThen(reference && store.permissionsInOrg(principal, reference), (effective) =>
    requireEffectivePermissions(effective, noun, remedy),
  )
}

/** Converts a path parameter: REST paths contain only ids; v1 also accepts slugs. */
function toReference(name: string | undefined, idOnly: boolean): OrgReference | undefined {
  if (name === undefined || name === '') return 'default'
  if (isUuid(name)) return { id: name.toLowerCase() }
  return idOnly ? undefined : { slug: name }
}

function requireEffectivePermissions(
  effective: EffectivePermissions | undefined,
  noun: string,
  remedy = '',
): EffectivePermissions {
  if (effective) return effective
  throw new Problem(
    'not-found',
    `${noun} was not found or you may not have the correct permissions to access it.${remedy}`,
  )
}

/** Suggests the list to look up an id for a slug, where a path takes only ids. */
function requiredId(name: string, list: 'orgs' | 'groups'): string {
  if (isUuid(name)) return ''
  const search = list === 'orgs' ? `?slug=${encodeURIComponent(name)}` : ''
  return ` Paths under /rest take the id (a UUID), not the slug; GET /rest/${list}${search} lists it.`
}
