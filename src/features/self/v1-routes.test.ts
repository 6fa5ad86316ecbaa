import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { newAccount } from '#test/accounts.ts'
import { startApp, type TestApp } from '#test/app.ts'
import { onEveryEngine } from '#test/engines.ts'
import { testRefusals } from '#test/refusals.ts'

onEveryEngine('v1 self', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  test('a person is told who they are and which organisations they see', async () => {
    const answer = await app.call('GET', '/v1/user/me')
    assert.equal(answer.statusCode, 200)
    const { id, ...rest } = answer.json()
    assert.equal(id, (await app.call('GET', '/rest/self')).json().data.id)
    assert.deepEqual(rest, {
      username: 'admin@example.test',
      email: 'admin@example.test',
      orgs: [{ id: app.orgId, name: 'Default organisation', group: { id: app.groupId, name: 'Default group' } }],
    })
  })

  test('a program has its name for a user name, and no address', async () => {
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

  test('a member without org.read in an organisation does not see it', async () => {
    const key = await app.keyWith([])
    assert.deepEqual((await app.call('GET', '/v1/user/me', { key })).json().orgs, [])
  })

  for (const path of ['notification-settings', 'notification-settings/org/default-org']) {
    test(`${path} says that nothing is sent`, async () => {
      const answer = await app.call('GET', `/v1/user/me/${path}`)
      assert.equal(answer.statusCode, 200)
      const settings = Object.values(answer.json()) as { enabled: boolean; inherited: boolean }[]
      assert.equal(settings.length, 6)
      assert.ok(settings.every(({ enabled, inherited }) => !enabled && inherited))
    })
  }

  testRefusals(() => app, 'user/me', { method: 'GET', path: () => '/v1/user/me' })
  testRefusals(() => app, 'settings', { method: 'GET', path: () => '/v1/user/me/notification-settings' })
  testRefusals(() => app, 'settings of an organisation', {
    method: 'GET',
    path: () => `/v1/user/me/notification-settings/org/${app.orgId}`,
    needs: { permission: 'org.read', in: 'org' },
  })
})
