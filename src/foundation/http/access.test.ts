import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import Fastify, { type FastifyRequest } from 'fastify'
import type { AccessStore, EffectivePermissions, Group, Org, OrgReference, Principal } from '../access/caller.ts'
import type { Permission } from '../access/permissions.ts'
import { Problem } from '../problem.ts'
import { admit, authenticate, requireAccessRules } from './access.ts'
import { SESSION_HEADER } from './browser/own-pages.ts'
import type { AccessRule, Caller } from './request-context.ts'

/** Declares a route on a new server; the server refuses it by throwing. */
function declare(url: string, access: AccessRule | undefined): void {
  const server = Fastify()
  requireAccessRules(server)
  server.route({ method: 'GET', url, config: access === undefined ? {} : { access }, handler: async () => 'ok' })
}

describe('access rules of refused routes', () => {
  const refused: [why: string, url: string, rule: AccessRule | undefined, fault: RegExp][] = [
    ['without an access rule', '/things', undefined, /GET \/things declares no access rule/],
    ['with a rule for an organization that its path does not name', '/things', { org: ['org.read'] }, /org_id/],
    ['with a rule for an organization and a group in its path', '/g/:group_id', { org: ['org.read'] }, /org_id/],
    ['with a rule for a group that its path does not name', '/orgs/:org_id', { group: ['group.read'] }, /group_id/],
    ['with a parameter that only begins alike', '/orgs/:org_identity', { org: ['org.read'] }, /org_id/],
  ]
  for (const [why, url, rule, fault] of refused)
    test(`startup refuses a route ${why}`, () => assert.throws(() => declare(url, rule), fault))
})

describe('access rules of accepted routes', () => {
  const accepted: [why: string, url: string, rule: AccessRule][] = [
    ['for any signed-in caller', '/things', 'signed-in'],
    ['for people', '/things', 'in-person'],
    ['for the organization in its path', '/orgs/:org_id/things', { org: ['org.read'] }],
    ['for the organization in a path of v1', '/org/:orgId/things', { org: ['org.read'] }],
    ['for the group in its path', '/groups/:group_id', { group: ['group.read'] }],
    ['for the group in a path of v1', '/group/:groupId', { group: ['group.read'] }],
    ['for the organization of the query', '/things', { orgOfQuery: ['org.read'] }],
  ]
  for (const [why, url, rule] of accepted)
    test(`startup accepts a route ${why}`, () => assert.doesNotThrow(() => declare(url, rule)))
})

describe('credentials of requests', () => {
  const person: Principal = { kind: 'user', id: 'u', name: 'A', credentialId: 'k' }
  const store: AccessStore = {
    authenticate: (secret) => (secret === 'known' ? person : undefined),
    authenticateSession: () => undefined,
    permissionsInOrg: () => undefined,
    permissionsInGroup: () => undefined,
  }
  const callWith = (authorization: string | undefined) =>
    authenticate(
      { headers: { authorization }, ip: '192.0.2.1' } as unknown as FastifyRequest,
      store,
      'http://127.0.0.1',
    )
  const refusalOf = (authorization: string | undefined): Problem => {
    try {
      callWith(authorization)
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
    return assert.fail('it was accepted')
  }

  test('a known token, with either scheme: its principal is returned', () => {
    assert.equal(callWith('token known'), person)
    assert.equal(callWith('Bearer known'), person)
  })

  const refused: [why: string, header: string | undefined, detail: RegExp, challenge: string][] = [
    ['no Authorization header', undefined, /no Authorization header was sent/, 'Bearer realm="gatehouse"'],
    ['HTTP Basic', ' basic dTpw', /HTTP Basic authentication is not supported/, 'Bearer realm="gatehouse"'],
    ['an unknown scheme', 'Digest a b c', /no known form.*Send "Authorization: token/, 'Bearer realm="gatehouse"'],
    ['an unknown token', 'token other', /Invalid auth token/, 'Bearer realm="gatehouse", error="invalid_token"'],
  ]
  for (const [why, header, detail, challenge] of refused) {
    test(`${why}: refused with 401 and a challenge`, () => {
      const { code, message, faults, headers } = refusalOf(header)
      assert.equal(code, 'unauthenticated')
      assert.match(message, detail)
      assert.deepEqual(faults[0]!.source, { header: 'authorization' })
      assert.deepEqual(headers, { 'www-authenticate': challenge, 'snyk-auth-failed': 'true' })
    })
  }
})

describe('session cookies of requests', () => {
  const person: Principal = { kind: 'user', id: 'u', name: 'A', credentialId: 'session 1' }
  const store: AccessStore = {
    authenticate: () => undefined,
    authenticateSession: (cookie, address) => (cookie === 'known' && address === '192.0.2.1' ? person : undefined),
    permissionsInOrg: () => undefined,
    permissionsInGroup: () => undefined,
  }
  const OWN_PAGE = { 'sec-fetch-site': 'same-origin', [SESSION_HEADER]: 'session 1' }
  const send = (headers: Record<string, string>) =>
    authenticate({ method: 'GET', headers, ip: '192.0.2.1' } as unknown as FastifyRequest, store, 'http://127.0.0.1')

  test('session cookie: accepted for a page of this server that names its session', () => {
    assert.equal(send({ cookie: 'gatehouse_session=known', ...OWN_PAGE }), person)
  })

  test('session cookie: ignored beside an Authorization header', () => {
    const headers = { cookie: 'gatehouse_session=known', authorization: 'token other', ...OWN_PAGE }
    assert.throws(() => send(headers), { code: 'unauthenticated', message: /Invalid auth token/ })
  })

  const ownCookie = 'gatehouse_session=known'
  const refused: [why: string, headers: Record<string, string>, code: string, message: RegExp][] = [
    [
      'page of another site',
      { cookie: ownCookie, ...OWN_PAGE, 'sec-fetch-site': 'cross-site' },
      'foreign-page',
      /own pages/,
    ],
    ['no session header', { cookie: ownCookie, 'sec-fetch-site': 'same-origin' }, 'foreign-page', /needs the header/],
    ['other session', { cookie: ownCookie, ...OWN_PAGE, [SESSION_HEADER]: '2' }, 'unauthenticated', /another user has/],
    ['unknown cookie', { cookie: 'gatehouse_session=x', ...OWN_PAGE }, 'unauthenticated', /session has ended/],
    ['cookie of another name', { cookie: 'session=known', ...OWN_PAGE }, 'unauthenticated', /no Authorization header/],
  ]
  for (const [why, headers, code, message] of refused) {
    test(`session cookie: refused, ${why}`, () => assert.throws(() => send(headers), { code, message }))
  }
})

describe('access rules of routes', () => {
  const person: Principal = { kind: 'user', id: 'u', name: 'A', credentialId: 'k' }
  const group: Group = { id: '00000000-0000-4000-8000-00000000000a', name: 'Group', slug: 'group' }
  const org: Org = { id: '00000000-0000-4000-8000-00000000000b', name: 'Org', slug: 'org', groupId: group.id }
  const unknown = '00000000-0000-4000-8000-00000000000c'
  const isOrg = (reference: OrgReference) =>
    reference === 'default' || ('id' in reference ? reference.id === org.id : reference.slug === org.slug)

  interface Asked {
    readonly principal?: Principal
    readonly permissions?: readonly Permission[]
    readonly params?: Readonly<Record<string, string>>
    readonly query?: Readonly<Record<string, unknown>>
  }

  /** Applies a rule for a caller who holds these permissions in one group and one organization. */
  function apply(access: AccessRule, { principal = person, permissions = [], params = {}, query = {} }: Asked): Caller {
    const inGroup: EffectivePermissions = { permissions: new Set(permissions), group }
    const store: AccessStore = {
      authenticate: () => undefined,
      authenticateSession: () => undefined,
      permissionsInOrg: (_, reference) => (isOrg(reference) ? { ...inGroup, org } : undefined),
      permissionsInGroup(_, id) {
        assert.match(id, /^[0-9a-f-]{36}$/, 'storage is asked for ids only')
        return id === group.id ? inGroup : undefined
      },
    }
    const request = { routeOptions: { config: { access } }, params, query } as unknown as FastifyRequest
    return admit(request, principal, store) as Caller
  }

  function refusalOf(access: AccessRule, request: Asked): Problem {
    try {
      apply(access, request)
    } catch (error) {
      if (error instanceof Problem) return error
      throw error
    }
    return assert.fail('it was admitted')
  }

  const needed = { org: ['org.read', 'org.edit'] } as const
  const inPath = { org_id: org.id }

  test('rule "signed-in": admits an app without permissions', () => {
    const app: Principal = { ...person, kind: 'app' }
    assert.deepEqual(apply('signed-in', { principal: app }), { principal: app, permissions: new Set() })
  })

  test('rule "in-person": refuses service accounts, apps and access tokens of users', () => {
    assert.equal(apply('in-person', {}).principal, person)
    const delegation = { appId: 'a', appName: 'A', botId: 'b', userId: person.id }
    const others: Principal[] = [
      { ...person, kind: 'service_account' },
      { ...person, kind: 'app' },
      { ...person, delegation },
    ]
    for (const principal of others) assert.equal(refusalOf('in-person', { principal }).code, 'in-person-only')
  })

  test('a caller with all needed permissions is admitted with those held in the organization or group', () => {
    const permissions: Permission[] = ['org.edit', 'org.read', 'org.delete']
    const caller = apply(needed, { permissions, params: inPath })
    assert.deepEqual(caller, { principal: person, permissions: new Set(permissions), group, org })
    const ofGroup = apply({ group: ['group.read'] }, { permissions: ['group.read'], params: { group_id: group.id } })
    assert.deepEqual(ofGroup, { principal: person, permissions: new Set(['group.read']), group })
  })

  test('a missing permission: 403 that names it', () => {
    const { code, message, headers } = refusalOf(needed, { permissions: ['org.read'], params: inPath })
    assert.equal(code, 'forbidden')
    assert.match(message, /needs the permission org\.edit,/)
    assert.equal(headers?.['www-authenticate'], undefined)
    assert.match(refusalOf(needed, { params: inPath }).message, /needs the permission org\.read, org\.edit,/)
  })

  test('a permission outside the token’s scopes: 403 with a challenge that names the scopes (RFC 6750 §3.1)', () => {
    const narrowed: Principal = { ...person, scopes: new Set<Permission>(['org.read']) }
    const { headers } = refusalOf(needed, { principal: narrowed, permissions: ['org.read'], params: inPath })
    assert.deepEqual(headers, {
      'www-authenticate': 'Bearer realm="gatehouse", error="insufficient_scope", scope="org.read org.edit"',
    })
  })

  const read = { org: ['org.read'] } as const
  const readGroup = { group: ['group.read'] } as const
  const ofQuery = { orgOfQuery: ['org.read'] } as const
  const refusals: [how: string, rule: AccessRule, asked: Asked][] = [
    ['a group by its id', readGroup, { params: { group_id: group.id } }],
    ['a group by its id in capitals', readGroup, { params: { group_id: group.id.toUpperCase() } }],
    ['a group by its id, in version 1', readGroup, { params: { groupId: group.id } }],
    ['an organization by its id', read, { params: inPath }],
    ['an organization by its id in capitals', read, { params: { org_id: org.id.toUpperCase() } }],
    ['an organization by its id, in version 1', read, { params: { orgId: org.id } }],
    ['an organization by its slug, in version 1', read, { params: { orgId: org.slug } }],
    ['an organization by the query’s id', ofQuery, { query: { org: org.id } }],
    ['an organization by the query’s slug', ofQuery, { query: { org: org.slug } }],
    ['the default organization without a query', ofQuery, {}],
    ['the default organization for an empty query', ofQuery, { query: { org: '' } }],
  ]
  for (const [how, rule, request] of refusals) {
    test(`an access rule finds ${how}`, () =>
      assert.equal(apply(rule, { permissions: ['org.read', 'group.read'], ...request }).group, group))
  }

  const remedy = (list: string) => new RegExp(`the id \\(a UUID\\), not the slug; GET /rest/${list} lists it\\.$`)
  const end = /permissions to access it\.$/
  const missing: [what: string, rule: AccessRule, asked: Asked, start: RegExp, end: RegExp][] = [
    ['a group', readGroup, { params: { group_id: unknown } }, /^Group 0{8}-\S+c was not found/, end],
    ['a group by its slug', readGroup, { params: { group_id: 'group' } }, /^Group group was/, remedy('groups')],
    ['an organization', read, { params: { org_id: unknown } }, /^Org 0{8}-\S+c was not found/, end],
    ['an organization by its slug', read, { params: { org_id: 'a b' } }, /^Org a b was/, remedy('orgs\\?slug=a%20b')],
    [
      'an organization by its slug where its path takes ids',
      read,
      { params: { org_id: 'org' } },
      /^Org org was/,
      /lists it/,
    ],
    ['a slug, in version 1', read, { params: { orgId: 'other' } }, /^Org other was not found/, end],
    ['the organization of the query', ofQuery, { query: { org: 'other' } }, /^Org other was not found/, end],
  ]
  for (const [what, rule, request, start, last] of missing) {
    test(`an access rule does not find ${what}: 404`, () => {
      const { code, message } = refusalOf(rule, request)
      assert.equal(code, 'not-found')
      assert.match(message, start)
      assert.match(message, last)
    })
  }

  test('no default organization: 404', () => {
    const request = {
      routeOptions: { config: { access: ofQuery } },
      params: {},
      query: {},
    } as unknown as FastifyRequest
    const store: AccessStore = {
      authenticate: () => undefined,
      authenticateSession: () => undefined,
      permissionsInOrg: () => undefined,
      permissionsInGroup: () => undefined,
    }
    assert.throws(() => admit(request, person, store), /an organization was not found/)
  })

  test('an organization named twice in the query: 400', () => {
    const { code, faults } = refusalOf(ofQuery, { query: { org: [org.id, org.id] } })
    assert.equal(code, 'invalid-request')
    assert.deepEqual(faults[0]!.source, { parameter: 'org' })
  })
})
