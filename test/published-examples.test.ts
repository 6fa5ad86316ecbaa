import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { openApiOf } from '#features/documentation/openapi.ts'
import { type Json, type OpenApi, operationsOf } from '#features/documentation/openapi-document.ts'
import { exampleIds, requestExamples } from '#features/documentation/request-examples.ts'
import { createAccount } from '#test/access/accounts.ts'
import { createApp, install, unattended } from '#test/access/apps.ts'
import { addPerson } from '#test/access/people.ts'
import { addProject, LODASH_ISSUE } from '#test/projects/projects.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { addWebhook } from '#test/servers/webhooks.ts'

interface Example {
  readonly name: string
  readonly method: 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly mediaType: string
  readonly body: unknown
}

/** Accepted requests whose work needs a system that this test does not have; their answers say so. */
const WITHOUT_PARTNER: Readonly<Record<string, { status: number; code: string; partner: string }>> = {
  'POST /v1/org/{orgId}/project/{projectId}/issue/{issueId}/jira-issue': {
    status: 422,
    code: 'Ticket systems are not supported',
    partner: 'a ticket system, to which Gatehouse does not connect',
  },
  'POST /v1/org/{orgId}/integrations/{integrationId}/import': {
    status: 502,
    code: 'repository-unreachable',
    partner: 'a Git server with the repository',
  },
}
/** Nothing listens here (discard protocol), and no request leaves the machine. */
const CLOSED_PORT = 'http://127.0.0.1:9'
/** Projects whose packages only a registry can resolve; without one, the part that is known is tested. */
const WITHOUT_REGISTRY = ['maven', 'sbt', 'pip', 'pyproject']

describe('published request examples', () => {
  let app: TestApp
  let examples: Example[]
  before(async () => {
    app = await startApp('sqlite', {
      GATEHOUSE_TEST_WORKERS: '1',
      GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1',
      GATEHOUSE_MAVEN_REPOSITORIES: CLOSED_PORT,
      GATEHOUSE_PYPI_INDEXES: CLOSED_PORT,
    })
    examples = examplesOf(await openApiOf(app.server))
  })
  after(() => app.close())

  test('every example of a request body is accepted by the server that publishes it', async () => {
    assert.ok(examples.length > 80, 'the document has examples')
    const wrong: string[] = []
    for (const example of examples) {
      const expected = WITHOUT_PARTNER[example.name]
      const { statusCode, body } = await send(app, example)
      const isExpected = expected === undefined ? statusCode >= 200 && statusCode < 300 : statusCode === expected.status
      if (!isExpected || (expected !== undefined && !body.includes(expected.code)))
        wrong.push(`${example.name}: ${statusCode} ${body.slice(0, 300)}`)
    }
    assert.deepEqual(wrong, [])
  })
})

function examplesOf(document: OpenApi): Example[] {
  return operationsOf(document).flatMap(({ path, method, operation }) => {
    const content = (operation.requestBody?.['content'] ?? {}) as Record<string, Json>
    return Object.entries(content).flatMap(([mediaType, { example, examples = {} }]) => {
      const shared = Object.values(examples as Record<string, Json>).map(
        (example) => resolve(document, example)['value'],
      )
      const upper = method.toUpperCase() as Example['method']
      return (example === undefined ? shared : [example]).map((body) => ({
        name: `${upper} ${path}`,
        method: upper,
        path,
        mediaType,
        body,
      }))
    })
  })
}

function resolve({ components }: OpenApi, part: Json): Json {
  const name = String(part['$ref']).split('/').at(-1)!
  return components['examples']![name] as Json
}

/** Sends an example with the ids and secrets of new resources in place of the published ones. */
async function send(app: TestApp, { method, path, mediaType, body }: Example) {
  const place: ExamplePlace = { app, orgId: await app.addOrg(), at: path.includes('group_id') ? 'groups' : 'orgs' }
  const made = new Map<string, Promise<string>>()
  const make = (kind: string) => {
    const value = made.get(kind) ?? (makers[kind] ?? assert.fail(`Nothing makes ${kind}`))(place)
    made.set(kind, value)
    return value
  }
  const parts: string[] = []
  for (const part of path.split('/')) parts.push(part.startsWith('{') ? await make(kindOf(part)) : part)
  let text = JSON.stringify(body)
  for (const [kind, published] of Object.entries({ ...exampleIds, ...publishedTexts })) {
    if (text.includes(published)) text = text.replaceAll(published, await make(kind))
  }
  const isForm = mediaType === 'application/x-www-form-urlencoded'
  return app.call(method, parts.join('/'), {
    body: isForm ? new URLSearchParams(JSON.parse(text)).toString() : text,
    headers: { 'content-type': mediaType },
    query: WITHOUT_REGISTRY.includes(parts.at(-1)!) ? { acceptPartial: 'true' } : isForm ? { version: '-' } : {},
    ...(isForm && { key: null }),
  })
}

/** `{org_id}` and `{orgId}` name the same kind. */
function kindOf(parameter: string): string {
  const name = parameter.slice(1, -1).replace(/_?id$/i, '')
  return name === 'serviceaccount' ? 'serviceAccount' : name
}

const publishedTexts = { secret: 'a-client-secret', key: 'an-api-key', slug: '"org":"payments"' }

interface ExamplePlace {
  readonly app: TestApp
  readonly orgId: string
  readonly at: 'orgs' | 'groups'
}

type Make = (place: ExamplePlace) => Promise<string>

function pathOf({ app, orgId, at }: ExamplePlace): string {
  return at === 'orgs' ? `/rest/orgs/${orgId}` : `/rest/groups/${app.groupId}`
}

async function addMember({ app, orgId, at }: ExamplePlace): Promise<{ userId: string; membershipId: string }> {
  const { id } = await addPerson(app, at === 'orgs' ? { permissions: [], orgId } : { permissions: [] })
  const { db } = app.parts.services
  const row = await db.selectFrom('memberships').select('id').where('principal_id', '=', id).executeTakeFirstOrThrow()
  return { userId: id, membershipId: row.id }
}

/** Clients by the place for which they were made. */
const clients = new WeakMap<ExamplePlace, ReturnType<typeof install>>()

function clientOf(place: ExamplePlace) {
  const client = clients.get(place) ?? install(place.app, `/rest/orgs/${place.orgId}/apps/installs`)
  clients.set(place, client)
  return client
}

const makers: Readonly<Record<string, Make>> = {
  org: async ({ orgId }) => orgId,
  otherOrg: ({ app }) => app.addOrg(),
  group: async ({ app }) => app.groupId,
  project: async ({ app, orgId }) => (await addProject(app, { orgId })).projectId,
  place: async ({ app, orgId }) => (await addProject(app, { orgId })).projectId,
  comment: async ({ app, orgId }) => {
    const { projectId } = await addProject(app, { orgId })
    const body = { data: { type: 'issue_comment', attributes: { body: 'later' } } }
    const path = `/rest/orgs/${orgId}/triage/${projectId}/${LODASH_ISSUE}/comments`
    return (await app.call('POST', path, { body })).json().data.id
  },
  user: async (place) => (await addMember(place)).userId,
  member: async ({ app }) => (await addPerson(app)).id,
  membership: async (place) => (await addMember(place)).membershipId,
  policy: async (place) => {
    const body = requestExamples['NewPolicy']
    return (await place.app.call('POST', `${pathOf(place)}/policies`, { body })).json().data.id
  },
  role: async ({ app }) => {
    const attributes = { name: randomUUID(), description: '', permissions: ['org.read'] }
    const body = { data: { type: 'role', attributes } }
    return (await app.call('POST', `/rest/groups/${app.groupId}/roles`, { body })).json().data.id
  },
  serviceAccount: async (place) =>
    (await createAccount(place.app, `${pathOf(place)}/service_accounts`, { auth_type: 'oauth_client_secret' })).id,
  app: async ({ app, orgId }) => (await createApp(app, {}, { orgId })).id,
  client: async ({ app, orgId }) => String((await createApp(app, {}, { orgId })).attributes['client_id']),
  unattendedApp: async ({ app, orgId }) => (await createApp(app, unattended, { orgId })).id,
  installedClient: async (place) => (await clientOf(place)).clientId,
  secret: async (place) => (await clientOf(place)).secret,
  install: async (place) => (await install(place.app, `${pathOf(place)}/apps/installs`)).id,
  integration: async ({ app, orgId }) => {
    const attributes = {
      kind: 'github',
      name: 'GitHub',
      base_url: CLOSED_PORT,
      credentials: { token: 'an-access-token' },
    }
    const body = { data: { type: 'integration', attributes } }
    return (await app.call('POST', `/rest/orgs/${orgId}/integrations`, { body })).json().data.id
  },
  webhook: async ({ app, orgId }) => (await addWebhook(app, { orgId, url: 'https://hooks.example/' })).id,
  issue: async () => 'GHSA-35jh-r3h4-6jhm',
  snapshot: async () => 'latest',
  packageManager: async () => 'npm',
  key: async ({ app }) => app.keyWith(['org.read']),
  slug: async ({ orgId }) => `"org":"${orgId}"`,
}
