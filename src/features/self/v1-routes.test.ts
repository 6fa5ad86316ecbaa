import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Permission } from '#foundation/access/permissions.ts'
import { newAccount } from '#test/access/accounts.ts'
import { assertRefusal, testRefusals } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('v1 self', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  test('v1 user/me: shows a person and the organizations that they see', async () => {
    const answer = await app.call('GET', '/v1/user/me')
    assert.equal(answer.statusCode, 200)
    const { id, ...rest } = answer.json()
    assert.equal(id, (await app.call('GET', '/rest/self')).json().data.id)
    assert.deepEqual(rest, {
      username: 'admin@example.test',
      email: 'admin@example.test',
      orgs: [{ id: app.orgId, name: 'Default organization', group: { id: app.groupId, name: 'Default group' } }],
    })
  })

  test('v1 user/me: a service account has its name as username and no e-mail address', async () => {
    const made = await app.call('POST', `/rest/orgs/${app.orgId}/service_accounts`, {
      body: newAccount({ name: 'ci' }),
    })
    const { data } = made.json()
    const answer = await app.call('GET', '/api/v1/user/me', { key: data.attributes.api_key })
    assert.equal(answer.statusCode, 200)
    const { id, username, email, orgs } = answer.json()
    assert.deepEqual({ id, username, email }, { id: data.id, username: 'ci', email: '' })
    assert.equal(orgs[0].id, app.orgId)
  })

  test('v1 cliIgnore: allowed with any key', async () => {
    const answer = await app.call('GET', '/api/v1/authorization/cliIgnore')
    assert.deepEqual(answer.json(), { result: { allowed: true } })
  })
  testRefusals(() => app, 'v1 cliIgnore', { method: 'GET', path: () => '/v1/authorization/cliIgnore' })

  test('v1 user/me: omits organizations in which the user lacks org.read', async () => {
    const key = await app.keyWith([])
    assert.deepEqual((await app.call('GET', '/v1/user/me', { key })).json().orgs, [])
  })

  const places: [path: string, reads: Permission | undefined, changes: Permission | undefined][] = [
    ['user/me/notification-settings', undefined, undefined],
    ['user/me/notification-settings/org/default-org', 'org.read', 'org.read'],
    [`user/me/notification-settings/org/default-org/project/${randomUUID()}`, 'org.project.read', 'org.project.read'],
    ['org/default-org/notification-settings', 'org.read', 'org.edit'],
  ]
  for (const [place, reads, changes] of places) {
    const path = `/v1/${place}`
    test(`${place}: shows every notification as disabled; enabling one gets 422`, async () => {
      const answer = await app.call('GET', path)
      assert.equal(answer.statusCode, 200)
      const settings = Object.values(answer.json()) as { enabled: boolean; inherited: boolean }[]
      assert.equal(settings.length, 6)
      assert.ok(settings.every(({ enabled, inherited }) => !enabled && inherited))
      const body = {
        'new-issues-remediations': { enabled: false, issueType: 'none', issueSeverity: 'high' },
        'weekly-report': { enabled: false },
      }
      const changed = await app.call('PUT', path, { body })
      assert.deepEqual([changed.statusCode, changed.json()], [200, answer.json()])
      const refused = await app.call('PUT', path, { body: { ...body, 'test-limit': { enabled: true } } })
      assertRefusal(refused, { status: 422, code: 'unprocessable' })
      assert.equal(refused.json().faults[0].source.pointer, '/test-limit/enabled')
      assert.deepEqual((await app.call('PUT', path, { body: answer.json() })).json(), answer.json(), 'echoed')
      for (const [member, value] of Object.entries({ issueType: 'vuln', issueSeverity: 'high' })) {
        const refined = await app.call('PUT', path, { body: { 'new-issues-remediations': { [member]: value } } })
        assertRefusal(refined, { status: 422, code: 'unprocessable' })
        assert.equal(refined.json().faults[0].source.pointer, `/new-issues-remediations/${member}`)
      }
    })
    testRefusals(() => app, `GET ${place}`, {
      method: 'GET',
      path: () => path,
      ...(reads && { needs: { permission: reads, in: 'org' } }),
    })
    testRefusals(() => app, `PUT ${place}`, {
      method: 'PUT',
      path: () => path,
      body: () => ({}),
      badBodies: [
        ['a string as a boolean', { 'test-limit': { enabled: 'no' } }, '/test-limit/enabled'],
        ['an unknown severity', { 'test-limit': { issueSeverity: 'low' } }, '/test-limit/issueSeverity'],
        ['an unknown type of issue', { 'test-limit': { issueType: 'x' } }, '/test-limit/issueType'],
      ],
      ...(changes && { needs: { permission: changes, in: 'org' } }),
    })
  }

  test('v1 verify/token: accepts a valid key, refuses others with 401 and never logs a key', async () => {
    const answer = await app.call('POST', '/v1/verify/token', { key: null, body: { api: app.adminKey } })
    assert.deepEqual([answer.statusCode, answer.json()], [200, { ok: true, api: app.adminKey }])
    for (const api of [randomUUID(), 'not a key', `${app.adminKey} `]) {
      const refused = await app.call('POST', '/v1/verify/token', { key: null, body: { api } })
      assertRefusal(refused, { status: 401, code: 'unauthenticated' })
      assert.ok(!refused.body.includes(api))
    }
    for (const body of [{}, { api: '' }, { api: 1 }]) {
      const refused = await app.call('POST', '/v1/verify/token', { key: null, body })
      assertRefusal(refused, { status: 400, code: 'invalid-request' })
    }
    assert.ok(!app.log().includes(app.adminKey))
  })

  testRefusals(() => app, 'v1 user/me', { method: 'GET', path: () => '/v1/user/me' })
})
