import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { parseAuthorization } from '../access/authorization-header.ts'
import type { AccessStore, OrgReference, Principal, Standing } from '../access/caller.ts'
import type { Permission } from '../access/permissions.ts'
import { Problem } from '../problem.ts'
import { andThen, type Soon } from '../soon.ts'
import type { AccessRule, Caller } from './request-context.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: string): boolean {
  return uuid.test(text)
}

/** Refuses to start with a route that does not say who may call it, or whose rule has nothing to hold on to. */
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

/** The principal behind the request's credential. Throws 401. */
export function authenticate(request: FastifyRequest, store: AccessStore): Soon<Principal> {
  const header = request.headers.authorization
  if (header === undefined) throw unauthenticated('Not authorised: no Authorization header was sent')
  const secret = parseAuthorization(header)
  if (secret === undefined) throw unauthenticated(`Not authorised: ${describeForm(header)}`)
  return andThen(store.authenticate(secret, request.ip), (principal) => {
    if (!principal) throw unauthenticated('Invalid auth token provided', { error: 'invalid_token' })
    return principal
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

/** What is wrong with a token that was shown (RFC 6750 §3.1); of one that was not, nothing is said. */
function toChallenge(attributes: Readonly<Record<string, string>>): Record<string, string> {
  const written = Object.entries({ realm: 'gatehouse', ...attributes }).map(([name, value]) => `${name}="${value}"`)
  return { 'www-authenticate': `Bearer ${written.join(', ')}` }
}

const nothing: ReadonlySet<Permission> = new Set()

/**
 * Applies the route's rule. What the caller has nothing to do with answers 404, as if it did not exist; what it may see
 * but not do answers 403 and names the permission.
 */
export function admit(request: FastifyRequest, principal: Principal, store: AccessStore): Soon<Caller> {
  const rule = request.routeOptions.config.access!
  if (rule === 'in-person') requirePerson(principal)
  if (typeof rule === 'string') return { principal, permissions: nothing }
  const needed = 'org' in rule ? rule.org : 'group' in rule ? rule.group : rule.orgOfQuery
  return andThen(standingFor(request, principal, store), (standing) => {
    const missing = needed.filter((permission) => !standing.permissions.has(permission))
    if (missing.length > 0) {
      throw new Problem(
        'forbidden',
        `This needs the permission ${missing.join(', ')}, which the credential's role does not have`,
        principal.scopes && { headers: toChallenge({ error: 'insufficient_scope', scope: needed.join(' ') }) },
      )
    }
    return { principal, ...standing }
  })
}

function requirePerson({ kind, delegation }: Principal): void {
  if (kind === 'user' && !delegation) return
  throw new Problem(
    'in-person-only',
    'This is for people with a credential of their own, not for apps and service accounts',
  )
}

function standingFor(request: FastifyRequest, principal: Principal, store: AccessStore): Soon<Standing> {
  const rule = request.routeOptions.config.access as Exclude<AccessRule, string>
  const params = request.params as Record<string, string>
  if ('group' in rule) {
    const id = params['group_id'] ?? params['groupId'] ?? ''
    const found = isUuid(id) ? store.standingInGroup(principal, id.toLowerCase()) : undefined
    return andThen(found, (standing) => standingOrNotFound(standing, `Group ${id}`, requiredId(id, 'groups')))
  }
  const name = 'org' in rule ? (params['org_id'] ?? params['orgId']) : (request.query as Record<string, unknown>)['org']
  if (name !== undefined && typeof name !== 'string') {
    throw new Problem('invalid-request', 'org was given more than once', { source: { parameter: 'org' } })
  }
  const idOnly = params['org_id'] !== undefined
  const reference = toReference(name, idOnly)
  const noun = name === undefined || name === '' ? 'an organisation' : `Org ${name}`
  const remedy = idOnly ? requiredId(name ?? '', 'orgs') : ''
  return andThen(reference && store.standingInOrg(principal, reference), (standing) =>
    standingOrNotFound(standing, noun, remedy),
  )
}

/** REST paths hold ids only; v1 also takes slugs. */
function toReference(name: string | undefined, idOnly: boolean): OrgReference | undefined {
  if (name === undefined || name === '') return 'default'
  if (isUuid(name)) return { id: name.toLowerCase() }
  return idOnly ? undefined : { slug: name }
}

function standingOrNotFound(standing: Standing | undefined, noun: string, remedy = ''): Standing {
  if (standing) return standing
  throw new Problem(
    'not-found',
    `${noun} was not found or you may not have the correct permissions to access it.${remedy}`,
  )
}

/** What to do about a slug where a path takes an id. */
function requiredId(name: string, list: 'orgs' | 'groups'): string {
  if (isUuid(name)) return ''
  const search = list === 'orgs' ? `?slug=${encodeURIComponent(name)}` : ''
  return ` Paths under /rest take the id (a UUID), not the slug; GET /rest/${list}${search} lists it.`
}
