import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { assertRefusal, type BadBody, testRefusals } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { openCredentials } from './credentials.ts'
import { getIntegration } from './store.ts'

const github = (token = 'first-token') => ({ type: 'github', credentials: { token } })

onEveryEngine('integrations through v1', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const path = (orgId: string, more = '') => `/v1/org/${orgId}/integrations${more}`

  async function ok(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) {
    const answer = await app.call(method, url, body === undefined ? {} : { body })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }

  async function credentialsOf(orgId: string, id: string) {
    const { db, keyring } = app.parts.services
    return openCredentials(keyring, await getIntegration(db, orgId, id))
  }

  test('v1 integration: created, read, changed, disconnected and deleted as by a declarative client', async () => {
    const orgId = await app.addOrg()
    assert.deepEqual(await ok('GET', path(orgId)), {})
    // the client sends every member for every kind, empty where it does not apply
    const empty = { username: '', password: '', registryBase: '', url: '', region: '', roleArn: '' }
    const { id } = await ok('POST', path(orgId), {
      type: 'github',
      credentials: { ...empty, token: 'first-token' },
      broker: { enabled: false },
    })
    assert.deepEqual(await ok('GET', path(orgId)), { github: id })
    assert.deepEqual(await ok('GET', path(orgId, '/github')), { id })
    assert.deepEqual(await ok('GET', path(orgId, `/${id.toUpperCase()}`)), { id })
    assert.deepEqual(await credentialsOf(orgId, id), { token: 'first-token' })

    assertRefusal(await app.call('POST', path(orgId), { body: github() }), { status: 409, code: 'name-taken' })
    assert.deepEqual(await ok('PUT', path(orgId, `/${id}`), github('second-token')), { id })
    assert.deepEqual(await credentialsOf(orgId, id), { token: 'second-token' })
    await ok('PUT', path(orgId, `/${id}`), { type: 'github', credentials: { token: '' } })
    assert.deepEqual(await credentialsOf(orgId, id), { token: 'second-token' })

    assert.deepEqual(await ok('DELETE', path(orgId, `/${id}/authentication`)), {})
    assert.equal(await credentialsOf(orgId, id), undefined)
    assert.deepEqual(await ok('GET', path(orgId)), { github: id })
    assert.deepEqual(await ok('POST', path(orgId), github('third-token')), { id })
    assert.deepEqual(await credentialsOf(orgId, id), { token: 'third-token' })

    assert.deepEqual(await ok('DELETE', path(orgId, `/${id}`)), {})
    assert.deepEqual(await ok('GET', path(orgId)), {})
  })

  test('v1 credentials: stored in the form that each kind uses', async () => {
    const orgId = await app.addOrg()
    const login = { username: 'u', password: 'p' }
    const cases: [type: string, credentials: object, stored: object, baseUrl: string | null][] = [
      ['github-enterprise', { token: 't', url: 'https://ghe.example/' }, { token: 't' }, 'https://ghe.example'],
      ['gitlab', { token: 't' }, { token: 't' }, null],
      [
        'azure-repos',
        { token: 't', url: 'https://dev.azure.example/org' },
        { token: 't' },
        'https://dev.azure.example/org',
      ],
      ['bitbucket-cloud', login, login, null],
      ['bitbucket-server', { ...login, url: 'bitbucket.example' }, login, 'https://bitbucket.example'],
      ['github', login, { token: 'p' }, null],
    ]
    for (const [type, credentials, stored, baseUrl] of cases) {
      const { id } = await ok('POST', path(orgId), { type, credentials })
      assert.deepEqual(await credentialsOf(orgId, id), stored, type)
      assert.equal((await getIntegration(app.parts.services.db, orgId, id)).baseUrl, baseUrl, type)
    }
    assert.deepEqual(Object.keys(await ok('GET', path(orgId))).sort(), cases.map(([type]) => type).sort())
    const { gitlab } = await ok('GET', path(orgId))
    await ok('PUT', path(orgId, `/${gitlab}`), {
      type: 'gitlab',
      credentials: { token: 'n', url: 'https://gitlab.com' },
    })
    assert.equal((await getIntegration(app.parts.services.db, orgId, gitlab)).baseUrl, null)
  })

  test('v1 list of integrations: names the oldest one of each kind', async () => {
    const orgId = await app.addOrg()
    const rest = `/rest/orgs/${orgId}/integrations`
    const create = async (name: string) => {
      const body = { data: { type: 'integration', attributes: { kind: 'git', name } } }
      const { data } = (await app.call('POST', rest, { body })).json()
      return data.id as string
    }
    const first = await create('a')
    await create('b')
    assert.deepEqual(await ok('GET', path(orgId)), { git: first })
  })

  test('v1 integration settings: values without effect are refused by name (422), echoed defaults accepted', async () => {
    const orgId = await app.addOrg()
    const { id } = await ok('POST', path(orgId), github())
    const at = path(orgId, `/${id}/settings`)
    const settings = await ok('GET', at)
    const put = (body: object) => app.call('PUT', at, { body })
    const on: [pointer: string, body: object][] = [
      ['/pullRequestTestEnabled', { pullRequestTestEnabled: true }],
      ['/pullRequestFailOnAnyVulns', { pullRequestFailOnAnyVulns: true }],
      ['/pullRequestFailOnlyForHighSeverity', { pullRequestFailOnlyForHighSeverity: true }],
      ['/autoDepUpgradeEnabled', { autoDepUpgradeEnabled: true }],
      ['/dockerfileSCMEnabled', { dockerfileSCMEnabled: true }],
      ['/autoDepUpgradeLimit', { autoDepUpgradeLimit: 5 }],
      ['/autoDepUpgradeMinAge', { autoDepUpgradeMinAge: 3 }],
      ['/autoDepUpgradeIgnoredDependencies', { autoDepUpgradeIgnoredDependencies: ['x'] }],
      ['/autoRemediationPrs/backlogPrStrategy', { autoRemediationPrs: { backlogPrStrategy: 'dependency' } }],
      ['/autoRemediationPrs/freshPrsEnabled', { autoRemediationPrs: { freshPrsEnabled: true } }],
      ['/autoRemediationPrs/backlogPrsEnabled', { autoRemediationPrs: { backlogPrsEnabled: true } }],
      ['/autoRemediationPrs/usePatchRemediation', { autoRemediationPrs: { usePatchRemediation: true } }],
      ['/manualRemediationPrs/usePatchRemediation', { manualRemediationPrs: { usePatchRemediation: true } }],
      ['/pullRequestAssignment', { pullRequestAssignment: { enabled: true, type: 'auto' } }],
    ]
    for (const [pointer, body] of on) {
      const refused = await put({ ...settings, ...body })
      assert.equal(refused.statusCode, 422, pointer)
      assert.match(refused.body, new RegExp(`${pointer.slice(1).replace('/', '.')}: this server`))
    }
    assert.deepEqual(await ok('PUT', at, { ...settings, unknown: 1 }), settings)
    const nothing = { autoDepUpgradeLimit: 0, autoDepUpgradeMinAge: 0, autoDepUpgradeIgnoredDependencies: [] }
    const unassigned = { pullRequestAssignment: { enabled: false, type: 'auto', assignees: [] } }
    assert.deepEqual(await ok('PUT', at, { ...nothing, ...unassigned }), settings)
    assert.deepEqual(await ok('GET', at), settings)
  })

  test('v1 integration settings: values that an older version stored read as the defaults', async () => {
    const orgId = await app.addOrg()
    const { id } = await ok('POST', path(orgId), github())
    const before = await ok('GET', path(orgId, `/${id}/settings`))
    const stored = JSON.stringify({
      pullRequestTestEnabled: true,
      autoDepUpgradeLimit: 7,
      autoRemediationPrs: { freshPrsEnabled: true },
    })
    await app.parts.services.db.updateTable('integrations').set({ settings: stored }).where('id', '=', id).execute()
    assert.deepEqual(await ok('GET', path(orgId, `/${id}/settings`)), before)
  })

  test('v1 clone of an integration: copies it with its credentials within the group only', async () => {
    const [from, to] = [await app.addOrg(), await app.addOrg()]
    const stranger = await app.addOrg({ groupId: await app.addGroup() })
    const { id } = await ok('POST', path(from), github())
    const clone = (destinationOrgPublicId: string, key?: string) =>
      app.call('POST', path(from, `/${id}/clone`), { body: { destinationOrgPublicId }, ...(key && { key }) })
    const copy = await clone(to)
    assert.equal(copy.statusCode, 200, copy.body)
    const { newIntegrationId } = copy.json()
    assert.deepEqual(await ok('GET', path(to)), { github: newIntegrationId })
    assert.deepEqual(await credentialsOf(to, newIntegrationId), { token: 'first-token' })
    await ok('DELETE', path(from, `/${id}/authentication`))
    assert.deepEqual(await credentialsOf(to, newIntegrationId), { token: 'first-token' })

    assertRefusal(await clone(to), { status: 409, code: 'name-taken' })
    assertRefusal(await clone(stranger), { status: 404, code: 'not-found' })
    assertRefusal(await clone(randomUUID()), { status: 404, code: 'not-found' })
    const reader = await app.keyWith(['org.read', 'org.edit'], { orgId: from })
    assertRefusal(await clone(to, reader), { status: 404, code: 'not-found' })
  })

  test('v1 integration of an unsupported kind or with a broker: refused (422 integration-unsupported)', async () => {
    const orgId = await app.addOrg()
    for (const type of ['ecr', 'docker-hub', 'nexus-cr', 'aws-lambda']) {
      const answer = await app.call('POST', path(orgId), {
        body: { type, credentials: { username: 'u', password: 'p' } },
      })
      assertRefusal(answer, { status: 422, code: 'integration-unsupported' })
      assert.match(answer.json().message, /Supported: github, .*bitbucket-server/)
    }
    const brokered = await app.call('POST', path(orgId), { body: { type: 'github', broker: { enabled: true } } })
    assertRefusal(brokered, { status: 422, code: 'integration-unsupported' })
  })

  test('v1 integrations of another organization: return 404', async () => {
    const [mine, other] = [await app.addOrg(), await app.addOrg()]
    const { id } = await ok('POST', path(mine), github())
    const calls = [
      app.call('GET', path(other, `/${id}`)),
      app.call('GET', path(other, '/github')),
      app.call('GET', path(other, `/${id}/settings`)),
      app.call('PUT', path(other, `/${id}/settings`), { body: {} }),
      app.call('PUT', path(other, `/${id}`), { body: github() }),
      app.call('DELETE', path(other, `/${id}`)),
      app.call('DELETE', path(other, `/${id}/authentication`)),
      app.call('POST', path(other, `/${id}/clone`), { body: { destinationOrgPublicId: mine } }),
    ]
    for (const answer of await Promise.all(calls)) assertRefusal(answer, { status: 404, code: 'not-found' })
  })

  const needs = { permission: 'org.edit', in: 'org' } as const
  const badBodies: BadBody[] = [
    ['a missing type', { credentials: { token: 't' } }, '/type'],
    ['an unknown type', { type: 'svn', credentials: { token: 't' } }, '/type'],
    ['a token that is a number', { type: 'github', credentials: { token: 1 } }, '/credentials/token'],
    ['half a login', { type: 'bitbucket-cloud', credentials: { username: 'u' } }, '/credentials'],
    [
      'a kind that needs a URL, without one',
      { type: 'github-enterprise', credentials: { token: 't' } },
      '/credentials/url',
    ],
    [
      'a URL at a private address',
      { type: 'gitlab', credentials: { token: 't', url: 'http://10.0.0.1' } },
      '/credentials/url',
    ],
  ]
  let existing: string
  before(async () => {
    existing = (await ok('POST', path(app.orgId), github())).id
  })
  testRefusals(() => app, 'listing v1 integrations by kind', { method: 'GET', path: () => path(app.orgId), needs })
  testRefusals(() => app, 'finding a v1 integration by kind', {
    method: 'GET',
    path: () => path(app.orgId, '/github'),
    needs,
  })
  testRefusals(() => app, 'connecting a v1 integration', {
    method: 'POST',
    path: () => path(app.orgId),
    body: () => ({ type: 'gitlab', credentials: { token: 't' } }),
    needs,
    badBodies,
  })
  testRefusals(() => app, 'replacing credentials of a v1 integration', {
    method: 'PUT',
    path: () => path(app.orgId, `/${existing}`),
    body: () => github(),
    needs,
    badBodies: [['another kind', { type: 'gitlab', credentials: { token: 't' } }, '/type']],
  })
  testRefusals(() => app, 'deleting credentials of a v1 integration', {
    method: 'DELETE',
    path: () => path(app.orgId, `/${existing}/authentication`),
    needs,
  })
  testRefusals(() => app, 'reading settings of a v1 integration', {
    method: 'GET',
    path: () => path(app.orgId, `/${existing}/settings`),
    needs,
  })
  testRefusals(() => app, 'changing settings of a v1 integration', {
    method: 'PUT',
    path: () => path(app.orgId, `/${existing}/settings`),
    body: () => ({}),
    needs,
    badBodies: [['a limit that is a string', { autoDepUpgradeLimit: 'x' }, '/autoDepUpgradeLimit']],
  })
  testRefusals(() => app, 'cloning a v1 integration', {
    method: 'POST',
    path: () => path(app.orgId, `/${existing}/clone`),
    body: () => ({ destinationOrgPublicId: app.orgId }),
    needs,
    badBodies: [['a missing destination', {}, '/destinationOrgPublicId']],
  })
  testRefusals(() => app, 'deleting a v1 integration', {
    method: 'DELETE',
    path: () => path(app.orgId, `/${existing}`),
    needs,
  })
})
