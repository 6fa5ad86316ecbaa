import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { openApiOf } from '#features/documentation/openapi.ts'
import { problemCodes } from '#foundation/problem-codes.ts'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import { createApp, install, installsOf, unattended } from '#test/access/apps.ts'
import { requestsFor, type Target, targetsOf } from '#test/documents/hostile-requests.ts'
import type { KnownIds } from '#test/documents/schema-samples.ts'
import { startNpmRegistry } from '#test/registries/npm-registry.ts'
import { ADMIN_KEY, startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { volume } from '#test/volume.ts'

const SEED = 20240915
const REQUESTS_PER_ROUTE = volume(60)
const ANONYMOUS_PER_ROUTE = volume(12, { atLeast: 3 })
const AT_ONCE = 8
/** Has the format of a key, so that it is looked up; must appear in no response. */
const GUESSED_KEY = '5ecde7ab-90b1-4c3d-8e5f-0123456789ab'

const pages = [
  '/docs/errors/{code}',
  '/docs/assets/{name}',
  '/docs/operations/{name}',
  '/assets/{name}',
  '/console/{name}',
  '/oauth2/interactions/{code}',
  '/oauth2/sign-out',
  '/oauth2/{code}',
  '/{code}',
  '/rest/{code}',
  '/v1/{code}',
]
const aliases = ['/rest/rest/orgs/{org_id}', '/orgs/{org_id}', '/api/v1/group/{groupId}/orgs', '/api/{code}']

onEveryEngine('hostile requests', (engine) => {
  let app: TestApp
  let registry: Awaited<ReturnType<typeof startNpmRegistry>>
  let targets: Target[]
  let ids: KnownIds
  before(async () => {
    registry = await startNpmRegistry({ known: { '1.0.0': {} } })
    app = await startApp(engine, {
      GATEHOUSE_NPM_REGISTRY: registry.url,
      GATEHOUSE_TEST_WORKERS: '1',
      GATEHOUSE_BODY_LIMIT_BYTES: String(2 * 1024 * 1024),
    })
    targets = [...targetsOf(await openApiOf(app.server)), ...[...pages, ...aliases].map(toPage)]
    ids = await thingsIn(app)
  })
  after(async () => {
    await app.close()
    await registry.close()
  })

  const callers: [who: string, runs: number, authorization: (index: number) => string | undefined][] = [
    ['an administrator', REQUESTS_PER_ROUTE, () => `token ${ADMIN_KEY}`],
    ['nobody', ANONYMOUS_PER_ROUTE, (index) => [undefined, `token ${GUESSED_KEY}`, `Basic ${GUESSED_KEY}`][index % 3]],
  ]
  for (const [who, runs, authorization] of callers) {
    test(`requests of ${who} to every operation are answered or refused in its API style`, async () => {
      const complaints: string[] = []
      const requests = targets.flatMap((target, place) =>
        fc
          .sample(requestsFor(target, ids), { seed: SEED + place, numRuns: runs })
          .map((request, index) => ({ target, request: withKey(request, authorization(index)) })),
      )
      await eachOf(requests, async ({ target, request }) => {
        const answer = await app.server.inject(request)
        const fault = faultOf(answer, request)
        if (fault !== undefined) complaints.push(`${target.method} ${target.path}: ${fault}\n    ${shown(request)}`)
      })
      assert.deepEqual(complaints.slice(0, 20), [], `${complaints.length} of ${requests.length} requests`)
    })
  }

  test('the server still answers, and its log has no keys and no internal errors', async () => {
    assert.equal((await app.call('GET', '/healthz')).statusCode, 200)
    assert.equal((await app.call('GET', '/rest/self')).statusCode, 200)
    assert.equal((await app.call('GET', '/rest/orgs')).statusCode, 200)
    const log = app.log().toLowerCase()
    assert.ok(log.includes('"status":400') && log.includes('"status":401'))
    for (const secret of [ADMIN_KEY, GUESSED_KEY]) assert.ok(!log.includes(secret), 'a key is in the log')
    assert.ok(!/"level":(50|60)/.test(log), 'the server logged a failure of its own')
  })
})

function toPage(path: string): Target {
  return { method: 'GET', path, queries: [], isDated: /rest|^\/orgs/.test(path) }
}

/** Existing resources, so that requests pass the first lookup; the administrator is not among them. */
async function thingsIn(app: TestApp): Promise<KnownIds> {
  const { db } = app.parts.services
  const spare = await Promise.all(Array.from({ length: 3 }, () => app.addOrg()))
  const accounts = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      createAccount(app, ofOrg.path(app), { auth_type: index % 2 === 0 ? 'oauth_client_secret' : 'api_key' }),
    ),
  )
  await Promise.all(Array.from({ length: 40 }, () => app.keyWith(['org.read'])))
  const users = await db.selectFrom('users').select('id').where('email', '!=', 'admin@example.test').execute()
  const userIds = users.map(({ id }) => id)
  const memberships = await db.selectFrom('memberships').select('id').where('principal_id', 'in', userIds).execute()
  const roles = await db.selectFrom('roles').select('id').execute()
  const keys = await db.selectFrom('credentials').select('id').where('owner_id', 'in', userIds).execute()
  const programs = accounts.map(({ id }) => id)
  const secrets = await db.selectFrom('credentials').select('id').where('owner_id', 'in', programs).execute()
  const groups = [app.groupId]
  const apps = [await createApp(app), ...(await Promise.all(spare.map(() => createApp(app, unattended))))]
  const installs = await Promise.all(spare.map((orgId) => install(app, installsOf(orgId))))
  const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)
  return {
    org_id: [app.orgId, app.orgId, app.orgId, ...spare],
    orgId: [app.orgId],
    spareOrg: spare,
    group_id: groups,
    groupId: groups,
    user_id: userIds,
    id: userIds,
    membership_id: idsOf(memberships),
    role_id: idsOf(roles),
    key_id: idsOf(keys),
    secret_id: idsOf(secrets),
    serviceaccount_id: accounts.map(({ id }) => id),
    app_id: apps.map(({ id }) => id),
    client_id: apps.map(({ attributes }) => String(attributes['client_id'])),
    install_id: installs.map(({ id }) => id),
    bot_id: installs.map(({ id }) => id),
    version: ['2024-10-15', '1.0.0', 'latest'],
    packageName: ['known', '%40scope%2Fname', 'unknown'],
    code: ['not-found', 'missing', 'rest', 'v1'],
    name: ['docs.css', 'index.html', 'icon.svg', '..%2f..%2fpackage.json', '%2e%2e/%2e%2e/package.json'],
    other: [...spare, ...userIds, ...idsOf(roles), app.groupId],
  }
}

function withKey(request: InjectOptions, authorization: string | undefined): InjectOptions {
  return { ...request, headers: { ...request.headers, ...(authorization !== undefined && { authorization }) } }
}

/** Returns the fault of an answer; undefined for none. */
function faultOf(answer: LightMyRequestResponse, request: InjectOptions): string | undefined {
  const { statusCode, headers, body } = answer
  const requestId = headers['snyk-request-id']
  if (typeof requestId !== 'string' || requestId === '') return 'no request id'
  const said = `${JSON.stringify(headers)} ${body}`.toLowerCase()
  if (said.includes(ADMIN_KEY) || said.includes(GUESSED_KEY)) return 'the key is in the answer'
  if (statusCode < 400 || body === '') return undefined
  if (/^\/(docs|console|oauth2)/.test(pathOf(request)) && headers['content-type'] === 'text/html; charset=utf-8') {
    // The response if the console was not built.
    return statusCode < 500 || statusCode === 503 ? undefined : `status ${statusCode}`
  }
  const { code, status, id } = refusalIn(answer, pathOf(request))
  if (code === undefined) return `no error of its API style: ${statusCode} ${body.slice(0, 200)}`
  if (problemCodes[code as keyof typeof problemCodes]?.status !== statusCode) return `${statusCode} with code ${code}`
  if (status !== statusCode || id !== requestId) return `status ${status}, id ${id} in ${body.slice(0, 200)}`
  const isOurs = statusCode < 500 || code === 'registry-unreachable' || code === 'unavailable'
  return isOurs ? undefined : `status ${statusCode}`
}

interface Refusal {
  readonly code?: unknown
  readonly status?: unknown
  readonly id?: unknown
}

function refusalIn(answer: LightMyRequestResponse, path: string): Refusal {
  if (/^\/(rest|orgs|groups|self)(\/|$)/.test(path)) return readErrorDocument(answer.body)
  return path.startsWith('/oauth2/') ? readOAuthError(answer) : readPlainError(answer.body)
}

/** Its members are those of RFC 6749 §5.2; the address of the page that explains it ends in our code. */
function readOAuthError({ body, statusCode, headers }: LightMyRequestResponse): Refusal {
  const { error, error_description, error_uri } = parsed(body) as Record<string, unknown>
  if (typeof error !== 'string' || typeof error_description !== 'string') return {}
  return { code: String(error_uri).split('/').at(-1), status: statusCode, id: headers['snyk-request-id'] }
}

function readErrorDocument(body: string): Refusal {
  const { jsonapi, errors } = parsed(body) as { jsonapi?: { version?: string }; errors?: Record<string, string>[] }
  const [first] = errors ?? []
  if (jsonapi?.version !== '1.0' || !first || !errors!.every(({ detail, title }) => detail && title)) return {}
  return { code: first['code'], status: Number(first['status']), id: first['id'] }
}

function readPlainError(body: string): Refusal {
  const { code, message, error, errorRef, errorCode } = parsed(body) as Record<string, unknown>
  if (typeof message !== 'string' || message === '' || message !== error) return {}
  return { code: errorCode, status: code, id: errorRef }
}

function parsed(body: string): object {
  try {
    return (JSON.parse(body) as object | null) ?? {}
  } catch {
    return {}
  }
}

function pathOf({ url }: InjectOptions): string {
  return String(url).split('?', 1)[0]!
}

function shown({ method, url, headers, payload }: InjectOptions): string {
  const { authorization: _authorization, ...others } = headers ?? {}
  return `${method} ${String(url).slice(0, 300)} ${JSON.stringify(others).slice(0, 300)} ${String(payload).slice(0, 400)}`
}

async function eachOf<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values()
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of queue) await work(item)
    }),
  )
}
