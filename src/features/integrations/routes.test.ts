import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertRefusal, type BadBody, testRefusals, testRepetition } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { bareRepository } from '#test/repositories/git-repository.ts'
import { serveGit } from '#test/repositories/git-server.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { serveHttp } from '#test/servers/local-server.ts'
import { MAX_INTEGRATIONS } from './change-integration.ts'
import { openCredentials } from './credentials.ts'
import { getIntegration } from './store.ts'

const SECRET = 'a-secret-token-of-4711'
const body = (attributes: object, more: object = {}) => ({ data: { type: 'integration', attributes, ...more } })
const at = (member: string) => `/data/attributes/${member}`
const git = (more: object = {}) => body({ kind: 'git', name: `g-${randomUUID()}`, ...more })
const aToken = { token: SECRET }

const badCommon: BadBody[] = [
  ['an empty name', git({ name: ' ' }), at('name')],
  ['a base URL of another scheme', git({ base_url: 'ssh://git.example' }), at('base_url')],
  ['a base URL with credentials', git({ base_url: 'https://u:p@git.example' }), at('base_url')],
  ['a base URL at a private address', git({ base_url: 'http://10.0.0.1' }), at('base_url')],
  ['a base URL at a private address in other characters', git({ base_url: 'http://１０.0.0%2e1' }), at('base_url')],
  ['a base URL with an empty label', git({ base_url: 'http://10.0.0.1..' }), at('base_url')],
  ['a base URL that is a number', git({ base_url: 4 }), at('base_url')],
  ['incomplete credentials', git({ credentials: { username: 'u' } }), at('credentials')],
  ['credentials of both forms', git({ credentials: { token: 't', username: 'u', password: 'p' } }), at('credentials')],
  ['empty credentials', git({ credentials: {} }), at('credentials')],
  ['a line feed in a token', git({ credentials: { token: 'a\nb' } }), at('credentials/token')],
  ['unknown credentials', git({ credentials: { key: 'x' } }), at('credentials/key')],
]

const badNew: BadBody[] = [
  ...badCommon,
  ['an unknown kind', body({ kind: 'svn', name: 'x' }), at('kind')],
  ['a missing name', body({ kind: 'git' }), at('name')],
  ['credentials without a base URL', git({ credentials: aToken }), at('base_url')],
  ['a kind that needs a base URL, without one', body({ kind: 'github-enterprise', name: 'x' }), at('base_url')],
  [
    'a base URL for a kind without one',
    body({ kind: 'archive', name: 'x', base_url: 'https://a.example' }),
    at('base_url'),
  ],
  ['credentials for a kind without any', body({ kind: 'archive', name: 'x', credentials: aToken }), at('credentials')],
  [
    'a login for a kind that takes tokens',
    body({ kind: 'github', name: 'x', credentials: { username: 'u', password: 'p' } }),
    at('credentials'),
  ],
]

onEveryEngine('integrations', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_OUTGOING_ALLOW: '127.0.0.1', GATEHOUSE_LOG_LEVEL: 'debug' })
  })
  after(() => app.close())

  const path = (orgId = app.orgId) => `/rest/orgs/${orgId}/integrations`

  async function create(sent: object = git(), orgId = app.orgId) {
    const answer = await app.call('POST', path(orgId), { body: sent })
    assert.equal(answer.statusCode, 201, answer.body)
    assert.ok(String(answer.headers['location']).endsWith(`${path(orgId)}/${answer.json().data.id}?version=2024-10-15`))
    return answer.json().data
  }

  async function change(id: string, attributes: object, status = 200) {
    const answer = await app.call('PATCH', `${path()}/${id}`, { body: body(attributes) })
    assert.equal(answer.statusCode, status, answer.body)
    return answer.json()
  }

  const credentialsOf = async (id: string) => {
    const { db, keyring } = app.parts.services
    return openCredentials(keyring, await getIntegration(db, app.orgId, id))
  }

  async function connection(id: string, attributes: object = {}) {
    const sent = { data: { type: 'integration_test', attributes } }
    const answer = await app.call('POST', `${path()}/${id}/test`, { body: sent })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.attributes
  }

  test('an integration: created, read, changed and deleted; its credentials are never shown', async () => {
    const credentials = { username: 'user', password: SECRET }
    const made = await create(git({ name: ' Ours ', base_url: 'git.example/team/?x#y', credentials }))
    const { created_at, updated_at, ...attributes } = made.attributes
    assert.deepEqual(attributes, {
      kind: 'git',
      name: 'Ours',
      base_url: 'https://git.example/team',
      has_credentials: true,
    })
    assert.deepEqual((await app.call('GET', `${path()}/${made.id}`)).json().data, made)
    assert.deepEqual(await credentialsOf(made.id), credentials)

    const renamed = await change(made.id, { name: 'Theirs' })
    assert.deepEqual([renamed.data.attributes.name, renamed.data.attributes.has_credentials], ['Theirs', true])
    assert.deepEqual(await credentialsOf(made.id), credentials)
    await change(made.id, { credentials: aToken })
    assert.deepEqual(await credentialsOf(made.id), aToken)
    assert.equal((await change(made.id, { credentials: null })).data.attributes.has_credentials, false)
    assert.equal(await credentialsOf(made.id), undefined)

    assert.equal((await app.call('DELETE', `${path()}/${made.id}`)).statusCode, 204)
    for (const method of ['GET', 'DELETE'] as const)
      assertRefusal(await app.call(method, `${path()}/${made.id}`), { status: 404, code: 'not-found' })
  })

  test('credentials of an integration: encrypted for their own row, and not in logs', async () => {
    const { id } = await create(git({ base_url: 'https://git.example', credentials: aToken }))
    const other = await create(git({ base_url: 'https://git.example', credentials: { token: 'another' } }))
    const { db, keyring } = app.parts.services
    const [row, otherRow] = [await getIntegration(db, app.orgId, id), await getIntegration(db, app.orgId, other.id)]
    assert.ok(!Buffer.from(row.sealedCredentials!).includes(SECRET))
    assert.throws(() => openCredentials(keyring, { ...otherRow, sealedCredentials: row.sealedCredentials }))
    const logs = await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs?limit=100`)
    assert.ok(logs.body.includes('integration.create'))
    assert.ok(!logs.body.includes(SECRET) && !app.log().includes(SECRET))
  })

  test('base URL of an integration: normalized; another spelling keeps the credentials', async () => {
    const { id } = await create(git({ base_url: 'https://Git.Bücher.example./team', credentials: aToken }))
    for (const base_url of ['git.b%C3%BCcher.example/team/', 'https://git.xn--bcher-kva.example.:443/team']) {
      const { data } = await change(id, { base_url })
      assert.equal(data.attributes.base_url, 'https://git.xn--bcher-kva.example/team')
    }
    assert.deepEqual(await credentialsOf(id), aToken)
  })

  test('base URL of an integration: cannot change while credentials stay (422)', async () => {
    const { id } = await create(git({ base_url: 'https://git.example', credentials: aToken }))
    const refusal = await change(id, { base_url: 'https://elsewhere.example' }, 422)
    assert.equal(refusal.errors[0].source.pointer, at('base_url'))
    assert.deepEqual(await credentialsOf(id), aToken)
    await change(id, { base_url: null }, 422)
    await change(id, { base_url: 'https://git.example/' })
    await change(id, { base_url: 'https://elsewhere.example', credentials: { token: 'new' } })
    assert.deepEqual(await credentialsOf(id), { token: 'new' })
    const moved = await change(id, { base_url: 'https://third.example', credentials: null })
    assert.deepEqual(
      [moved.data.attributes.base_url, moved.data.attributes.has_credentials],
      ['https://third.example', false],
    )
  })

  test('integrations: names are unique per organization (409); unsupported kinds get 422', async () => {
    const { id } = await create(git({ name: 'one' }))
    await create(git({ name: 'two' }))
    await create(git({ name: 'one' }), await app.addOrg())
    const taken = await app.call('POST', path(), { body: git({ name: 'one' }) })
    assertRefusal(taken, { status: 409, code: 'name-taken' })
    const renamed = await app.call('PATCH', `${path()}/${id}`, { body: body({ name: 'two' }) })
    assertRefusal(renamed, { status: 409, code: 'name-taken' })
    for (const kind of ['docker-hub', 'ecr', 'heroku', 'github-cloud-app']) {
      const answer = await app.call('POST', path(), { body: body({ kind, name: 'x' }) })
      assertRefusal(answer, { status: 422, code: 'integration-unsupported' })
      assert.match(answer.json().errors[0].detail, /Supported: github, github-enterprise, gitlab, .*archive\.$/)
    }
  })

  test('audit log of integrations: has each successful change, none for refused ones', async () => {
    const orgId = await app.addOrg()
    const { id } = await create(git({ name: 'one', base_url: 'https://git.example', credentials: aToken }), orgId)
    const patch = (attributes: object) => app.call('PATCH', `${path(orgId)}/${id}`, { body: body(attributes) })
    await patch({ credentials: { token: 'next' } })
    await patch({ name: 'two', base_url: 'https://other.example' })
    await app.call('DELETE', `${path(orgId)}/${id}`)
    const { data } = (await app.call('GET', `/rest/orgs/${orgId}/audit_logs`)).json()
    assert.deepEqual(
      data.map(({ attributes }: { attributes: { action: string } }) => attributes.action),
      ['integration.delete', 'integration.update', 'integration.create'],
    )
    const [deleted, updated, created] = data.map(({ attributes }: { attributes: object }) => attributes)
    const state = { kind: 'git', name: 'one', base_url: 'https://git.example', settings: {}, has_credentials: true }
    assert.deepEqual(created.after, state)
    assert.deepEqual(updated.after, { ...state, credentials_replaced: true })
    assert.deepEqual(deleted.before, state)
  })

  test('integrations of another organization: return 404', async () => {
    const { id } = await create()
    const other = await app.addOrg()
    const sent = { data: { type: 'integration_test', attributes: {} } }
    const calls = [
      app.call('GET', `${path(other)}/${id}`),
      app.call('PATCH', `${path(other)}/${id}`, { body: body({ name: 'x' }) }),
      app.call('DELETE', `${path(other)}/${id}`),
      app.call('POST', `${path(other)}/${id}/test`, { body: sent }),
      app.call('GET', `${path(other)}/${id}/archives`),
      app.call('DELETE', `${path(other)}/${id}/archives/${randomUUID()}`),
    ]
    for (const answer of await Promise.all(calls)) assertRefusal(answer, { status: 404, code: 'not-found' })
    assert.deepEqual((await app.call('GET', path(other))).json().data, [])
  })

  test('testing a connection: uses the credentials and reports what is wrong', async () => {
    await using source = await serveHttp((request, response) => {
      const isKnown = request.headers.authorization === `Bearer ${SECRET}`
      response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ login: 'octo' }))
    })
    const enterprise = (credentials?: object) =>
      body({ kind: 'github-enterprise', name: randomUUID(), base_url: source.url, ...(credentials && { credentials }) })
    const good = await create(enterprise(aToken))
    const server = new URL(source.url).host
    assert.deepEqual(await connection(good.id), { ok: true, message: `Connected to ${server} as octo` })
    const bad = await create(enterprise({ token: 'wrong' }))
    assert.deepEqual(await connection(bad.id), {
      ok: false,
      code: 'repository-unreadable',
      message:
        'The source refused the integration’s credentials for the user of the token (HTTP 401). Replace the credentials',
    })
    const closed = await create(git({ base_url: 'http://127.0.0.1:1' }))
    assert.equal((await connection(closed.id)).code, 'repository-unreachable')
    const bare = await create()
    assert.deepEqual(await connection(bare.id), {
      ok: false,
      code: 'unprocessable',
      message: 'The integration has no base URL. Name a target to test the connection.',
    })
  })

  test('testing a connection with a target: finds it as an import would', async () => {
    using repository = bareRepository()
    const commit = repository.commit([{ path: 'pom.xml', content: 'x' }])
    await using server = await serveGit(repository.path, { login: `u:${SECRET}` })
    const credentials = { username: 'u', password: SECRET }
    const { id } = await create(git({ base_url: server.url, credentials }))
    const url = `${server.url}/repository.git`
    assert.deepEqual(await connection(id, { target: { url } }), {
      ok: true,
      message: 'repository can be read',
      reference: 'main',
      revision: commit,
      is_private: true,
    })
    const gone = await connection(id, { target: { url, branch: 'gone' } })
    assert.deepEqual([gone.ok, gone.code], [false, 'repository-unreadable'])
    const sent = { data: { type: 'integration_test', attributes: { target: { owner: 'a', name: 'b' } } } }
    const misfit = await app.call('POST', `${path()}/${id}/test`, { body: sent })
    assertRefusal(misfit, { status: 400, code: 'invalid-request' })
    assert.equal(misfit.json().errors[0].source.pointer, '/target/url')
  })

  const needs = { permission: 'org.edit', in: 'org' } as const
  let existing: string
  before(async () => {
    existing = (await create()).id
  })
  const since = '2024-10-15'
  testPages(() => app, 'list of integrations', {
    path: () => path(),
    add: async () => (await create()).id,
    remove: (id) => app.call('DELETE', `${path()}/${id}`),
  })
  testRepetition(() => app, 'creating an integration', { path: () => path(), body: () => git(), other: () => git() })
  testRefusals(() => app, 'listing integrations', { method: 'GET', path: () => path(), needs, since, isList: true })
  testRefusals(() => app, 'reading an integration', {
    method: 'GET',
    path: () => `${path()}/${existing}`,
    needs,
    since,
  })
  testRefusals(() => app, 'creating an integration', {
    method: 'POST',
    path: () => path(),
    body: () => git(),
    needs,
    since,
    badBodies: badNew,
  })
  testRefusals(() => app, 'changing an integration', {
    method: 'PATCH',
    path: () => `${path()}/${existing}`,
    body: () => body({ name: 'x' }),
    needs,
    since,
    badBodies: [
      ...badCommon.map(([why, bad, pointer]): BadBody => [why, withoutKind(bad), pointer]),
      ['an empty change', body({}), '/data/attributes'],
      ['another kind', body({ kind: 'github' }), at('kind')],
      ['another id', body({ name: 'x' }, { id: randomUUID() }), '/data/id'],
    ],
  })
  testRefusals(() => app, 'testing a connection', {
    method: 'POST',
    path: () => `${path()}/${existing}/test`,
    body: () => ({ data: { type: 'integration_test', attributes: {} } }),
    needs,
    since,
    badBodies: [
      ['a target that is a string', { data: { type: 'integration_test', attributes: { target: 'x' } } }, at('target')],
    ],
  })
  testRefusals(() => app, 'deleting an integration', {
    method: 'DELETE',
    path: () => `${path()}/${existing}`,
    needs,
    since,
  })

  test(`limit of ${MAX_INTEGRATIONS} integrations per organization: holds for concurrent creations (409)`, async () => {
    const orgId = await app.addOrg()
    const { db } = app.parts.services
    const plain = { kind: 'archive', base_url: null, settings: '{}', credentials: null, created_at: 1, updated_at: 1 }
    const names = Array.from({ length: MAX_INTEGRATIONS - 2 }, () => randomUUID())
    const rows = names.map((name) => ({ id: name, org_id: orgId, name, ...plain }))
    await db.insertInto('integrations').values(rows).execute()
    const create = () => {
      const attributes = { kind: 'archive', name: randomUUID() }
      return app.call('POST', `/rest/orgs/${orgId}/integrations`, {
        body: { data: { type: 'integration', attributes } },
      })
    }
    const answers = await Promise.all(Array.from({ length: 5 }, create))
    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    assert.equal(refused.length, 3)
    for (const answer of refused) assertRefusal(answer, { status: 409, code: 'conflict' })
  })
})

function withoutKind(sent: unknown): unknown {
  const { kind: _kind, ...attributes } = (sent as ReturnType<typeof git>).data.attributes as { kind?: string }
  return body(attributes)
}
