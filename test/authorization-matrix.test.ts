import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { LightMyRequestResponse, RouteOptions } from 'fastify'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import { routesOf } from '#features/documentation/openapi.ts'
import { type Permission, permissionNames, permissionsWithoutEffect } from '#foundation/access/permissions.ts'
import type { AccessRule } from '#foundation/http/request-context.ts'
import { addAccount, type CallerKind, callerKinds, type Tenancy } from '#test/access/callers.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onAnyEngine } from '#test/servers/engines.ts'
import { isFullVolume } from '#test/volume.ts'

/** The access rule of every route, one per line. A new route needs a deliberate line. */
const written = readFileSync(new URL('authorization-matrix.txt', import.meta.url), 'utf8')
const rows = written
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  // Every format has a route of its own, with the same rule.
  .flatMap((line) => (line.includes('{format}') ? ecosystems.map(({ id }) => line.replace('{format}', id)) : line))

const SHARERS = 5
const MANY = 25

/** The outcome of a request: one of these refusals, or access to the route. */
type Outcome = 'unauthenticated' | 'not-found' | 'forbidden' | 'in-person-only' | 'admitted'

const statuses: Record<Exclude<Outcome, 'admitted'>, number> = {
  unauthenticated: 401,
  'not-found': 404,
  forbidden: 403,
  'in-person-only': 403,
}

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly url: string
  readonly rule: AccessRule
  readonly version: string | undefined
}

test('permissions without effect: exactly those that no operation needs, and those of tickets', () => {
  // Their routes are for signed-in callers, who need them in another place than that of the path.
  const checkedByHandlers = ['group.create', 'group.org.create', 'group.org.delete']
  // The operations of tickets answer with an empty list or 422.
  const needed = new Set(written.split(/[\s,]+/))
  assert.deepEqual(
    permissionNames.filter(
      (name) => name.includes('.jira.') || (!needed.has(name) && !checkedByHandlers.includes(name)),
    ),
    [...permissionsWithoutEffect],
  )
})

onAnyEngine('the authorization matrix', (engine) => {
  let app: TestApp
  let routes: Route[]
  let places: Record<'org' | 'otherOrg' | 'group' | 'otherTenant' | 'otherTenantGroup', Tenancy>
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_FAILED_SECRETS_PER_MINUTE: '0' }, (server) => {
      // Admitted requests get this response; only reading operations continue, so that nothing changes.
      server.addHook('preValidation', async (request, reply) => {
        if (request.routeOptions.config.access === 'public') return
        reply.header('x-admitted', 'yes')
        if (request.method !== 'GET' || request.url.startsWith('/v1/test/')) return reply.code(202).send()
      })
    })
    routes = routesOf(app.server).map(toRoute)
    const stranger = await app.addGroup()
    places = {
      org: { groupId: app.groupId, orgId: app.orgId },
      otherOrg: { groupId: app.groupId, orgId: await app.addOrg() },
      group: { groupId: app.groupId, orgId: null },
      otherTenant: { groupId: stranger, orgId: await app.addOrg({ groupId: stranger }) },
      otherTenantGroup: { groupId: stranger, orgId: null },
    }
  })
  after(() => app.close())

  const made = new Map<string, Promise<string>>()

  function credential(kind: CallerKind, place: Tenancy, permissions: readonly Permission[]): Promise<string> {
    const key = [kind.name, place.groupId, place.orgId, ...permissions].join(' ')
    const credentialOfKey = made.get(key) ?? kind.credentialFor(app, place, permissions)
    made.set(key, credentialOfKey)
    return credentialOfKey
  }

  async function call({ method, url, rule, version }: Route, authorization: string | undefined) {
    const path = url
      .replace(/:(org_id|orgId)/, app.orgId)
      .replace(/:(group_id|groupId)/, app.groupId)
      .replace(/:\w+/g, () => randomUUID())
    const hasBody = method !== 'GET' && method !== 'DELETE'
    return app.call(method, path, {
      key: null,
      headers: { ...(authorization !== undefined && { authorization }) },
      query: { version: version ?? '-', ...(typeof rule === 'object' && 'orgOfQuery' in rule && { org: app.orgId }) },
      ...(hasBody && !url.startsWith('/oauth2') && { body: {} }),
    })
  }

  let turns = 0

  /** Below full volume, each kind of credential tries a different fifth of a long list. */
  function inTurn<T>(list: readonly T[]): readonly T[] {
    const turn = turns++ % SHARERS
    return isFullVolume || list.length < MANY ? list : list.filter((_, at) => at % SHARERS === turn)
  }

  /** Requests every route with an expected outcome and reports those with another one. */
  async function expectEverywhere(
    authorization: string | undefined,
    expected: (rule: Exclude<AccessRule, 'public'>) => Outcome | undefined,
  ): Promise<void> {
    const wrong: string[] = []
    const concerned = routes.flatMap((route) => {
      const outcome = route.rule === 'public' ? undefined : expected(route.rule)
      return outcome === undefined ? [] : [{ route, outcome }]
    })
    for (const { route, outcome } of inTurn(concerned)) {
      const answer = await call(route, authorization)
      if (!isOutcome(answer, outcome)) {
        wrong.push(`${toRow(route)}: not ${outcome} but ${answer.statusCode} ${answer.body.slice(0, 300)}`)
      }
    }
    assert.deepEqual(wrong, [])
  }

  test('the matrix has a row for every route and no other', () => {
    const served = routes.map(toRow).toSorted()
    assert.deepEqual(
      served.filter((row) => !rows.includes(row)),
      [],
      'routes without a row in test/authorization-matrix.txt',
    )
    assert.deepEqual(
      rows.filter((row) => !served.includes(row)),
      [],
      'rows without a route',
    )
  })

  test('public routes give the same status with and without any credential', async () => {
    const account = await addAccount(app, places.org, permissionNames)
    const [key, token] = [account.key, await account.token(null)]
    for (const route of routes.filter(({ rule }) => rule === 'public')) {
      const { statusCode } = await call(route, undefined)
      assert.ok(statusCode < 500 || statusCode === 503, `${toRow(route)}: ${statusCode}`)
      // The endpoints of the authorization server read this header as that of a client.
      if (route.url.startsWith('/oauth2/')) continue
      for (const authorization of ['nonsense', `token ${randomUUID()}`, `token ${key}`, `Bearer ${token}`]) {
        assert.equal((await call(route, authorization)).statusCode, statusCode, `${toRow(route)}: ${authorization}`)
      }
    }
  })

  describe('credentials that are refused everywhere', () => {
    const bad: [why: string, authorization: () => Promise<string | undefined>][] = [
      ['no credential', async () => undefined],
      ['a header of another scheme', async () => `Basic ${Buffer.from('a:b').toString('base64')}`],
      ['a header of two credentials', async () => `token ${randomUUID()} ${randomUUID()}`],
      ['an empty token', async () => 'Bearer '],
      ['an unknown key', async () => `token ${randomUUID()}`],
      ['an unknown token', async () => 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.'],
      ['a client secret instead of a token', async () => `Bearer ${(await account()).secret}`],
      ['a key that has expired', ended('key', { expires_at: 1 })],
      ['a key that has retired', ended('key', { retires_at: 1 })],
      ['a key used from elsewhere', ended('key', { allowed_networks: '["192.0.2.0/24"]' })],
      ['a key that was deleted', ended('key', undefined)],
      ['a token whose secret has expired', ended('token', { expires_at: 1 })],
      ['a token whose secret has retired', ended('token', { retires_at: 1 })],
      ['a token used from elsewhere than its secret may be', ended('token', { allowed_networks: '["192.0.2.0/24"]' })],
      ['a token whose secret was deleted', ended('token', undefined)],
      [
        'a token that has expired',
        async () => {
          const token = await (await account()).token(null)
          await rowOf(token, (row) => row.set({ expires_at: 1 }))
          return `Bearer ${token}`
        },
      ],
      [
        'a token that was revoked',
        async () => {
          const token = await (await account()).token(null)
          const { db, keyring } = app.parts.services
          await db.deleteFrom('access_tokens').where('digest', '=', keyring.digest(token)).execute()
          return `Bearer ${token}`
        },
      ],
      [
        'a token of a deleted account',
        async () => {
          const { id, token } = await account()
          const shown = await token(null)
          await app.parts.services.db.deleteFrom('service_accounts').where('id', '=', id).execute()
          return `Bearer ${shown}`
        },
      ],
    ]
    for (const [why, authorization] of bad) {
      test(`every protected route answers 401 to ${why}`, async () =>
        expectEverywhere(await authorization(), () => 'unauthenticated'))
    }

    function account() {
      return addAccount(app, places.group, permissionNames)
    }

    /** A credential that worked before this change or deletion of its row. */
    function ended(what: 'key' | 'token', change: object | undefined) {
      return async () => {
        const made = await account()
        const shown = what === 'key' ? made.key : await made.token(null)
        const id = what === 'key' ? made.keyId : made.secretId
        const { db } = app.parts.services
        assert.equal((await app.call('GET', '/rest/self', { key: shown })).statusCode, 200)
        if (change) await db.updateTable('credentials').set(change).where('id', '=', id).execute()
        else await db.deleteFrom('credentials').where('id', '=', id).execute()
        return `Bearer ${shown}`
      }
    }

    async function rowOf(
      token: string,
      change: (query: ReturnType<typeof tokens>) => { execute(): Promise<unknown> },
    ): Promise<void> {
      await change(tokens(token)).execute()
    }

    function tokens(token: string) {
      const { db, keyring } = app.parts.services
      return db.updateTable('access_tokens').where('digest', '=', keyring.digest(token))
    }
  })

  for (const kind of callerKinds) {
    describe(kind.name, () => {
      test('a valid credential is accepted everywhere; rules "in-person" accept only users', async () => {
        const shown = await credential(kind, places.org, ['org.read'])
        await expectEverywhere(`Bearer ${shown}`, (rule) => {
          if (rule === 'signed-in') return 'admitted'
          if (rule === 'in-person') return kind.isPerson ? 'admitted' : 'in-person-only'
          return undefined
        })
      })

      test('the needed permissions admit the caller, all others do not', async () => {
        for (const permissions of inTurn(permissionSets())) {
          const others = permissionNames.filter((name) => !permissions.includes(name))
          const isSame = (rule: AccessRule) => neededBy(rule)?.permissions.join() === permissions.join()
          for (const where of ['org', 'group'] as const) {
            const isHere = (rule: AccessRule) => isSame(rule) && neededBy(rule)?.in === where
            if (!routes.some(({ rule }) => isHere(rule))) continue
            const here = where === 'org' ? places.org : places.group
            const holder = await credential(kind, here, permissions)
            await expectEverywhere(`Bearer ${holder}`, (rule) => (isHere(rule) ? 'admitted' : undefined))
            const other = await credential(kind, here, others)
            await expectEverywhere(`Bearer ${other}`, (rule) => (isHere(rule) ? 'forbidden' : undefined))
          }
        }
      })

      test('each missing one of several permissions: 403', async () => {
        for (const permissions of inTurn(permissionSets().filter(({ length }) => length > 1))) {
          for (const missing of permissions) {
            const others = permissionNames.filter((name) => name !== missing)
            const shown = await credential(kind, places.org, others)
            await expectEverywhere(`Bearer ${shown}`, (rule) =>
              neededBy(rule)?.permissions.includes(missing) && neededBy(rule)?.in === 'org' ? 'forbidden' : undefined,
            )
          }
        }
      })

      test('permissions in the group admit the caller to its organizations', async () => {
        const shown = await credential(kind, places.group, permissionNames)
        await expectEverywhere(`Bearer ${shown}`, (rule) => (neededBy(rule) ? 'admitted' : undefined))
      })

      test('permissions in another organization: 404 in the organization and its group', async () => {
        const shown = await credential(kind, places.otherOrg, permissionNames)
        await expectEverywhere(`Bearer ${shown}`, (rule) => (neededBy(rule) ? 'not-found' : undefined))
      })

      test('permissions in another tenant: 404', async () => {
        for (const place of [places.otherTenant, places.otherTenantGroup]) {
          const shown = await credential(kind, place, permissionNames)
          await expectEverywhere(`Bearer ${shown}`, (rule) => (neededBy(rule) ? 'not-found' : undefined))
        }
      })
    })
  }

  /** Returns every set of permissions that a rule requires. */
  function permissionSets(): (readonly Permission[])[] {
    const sets = routes.flatMap(({ rule }) => (neededBy(rule) ? [neededBy(rule)!.permissions] : []))
    return [...new Map(sets.map((permissions) => [permissions.join(), permissions])).values()]
  }
})

function toRoute({ method, url, config }: RouteOptions): Route {
  const release = config?.releases?.at(-1)
  return { method: method as Route['method'], url, rule: config!.access!, version: release }
}

function toRow({ method, url, rule }: Route): string {
  return `${method} ${url} ${typeof rule === 'string' ? rule : Object.entries(rule).map(([place, names]) => `${place}: ${names.join(' ')}`)}`
}

/** Returns the permission that a rule requires, and where. Throws for an unknown kind of rule. */
function neededBy(rule: AccessRule): { in: 'org' | 'group'; permissions: readonly Permission[] } | undefined {
  if (rule === 'public' || rule === 'signed-in' || rule === 'in-person') return undefined
  if ('org' in rule) return { in: 'org', permissions: rule.org }
  if ('orgOfQuery' in rule) return { in: 'org', permissions: rule.orgOfQuery }
  if ('group' in rule) return { in: 'group', permissions: rule.group }
  throw new Error(`no expectation for the rule ${JSON.stringify(rule)}`)
}

function isOutcome({ statusCode, headers, body }: LightMyRequestResponse, outcome: Outcome): boolean {
  const isAdmitted = headers['x-admitted'] === 'yes'
  if (outcome === 'admitted') return isAdmitted && statusCode !== 401 && statusCode !== 403 && statusCode < 500
  if (isAdmitted || statusCode !== statuses[outcome]) return false
  const answer = JSON.parse(body) as { errors?: { code: string }[]; errorCode?: string }
  return (answer.errors?.[0]?.code ?? answer.errorCode) === outcome
}
