import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import { groupAdmin, groupViewer, orgAdmin, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { createAccount, ofGroup } from '#test/access/accounts.ts'
import { createApp, letIn } from '#test/access/apps.ts'
import { another, membership, type Word } from '#test/access/members.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

/** An attempt of a less privileged caller to change a privileged user's access. */
interface Attempt {
  readonly permissions: readonly Permission[]
  readonly at: Word
  send(key: string): ReturnType<TestApp['call']>
}

onEveryEngine('callers with fewer permissions than their target', (engine) => {
  let app: TestApp
  let adminId: string
  let adminKeyId: string
  let membershipIds: Record<Word, string>
  before(async () => {
    app = await startApp(engine)
    adminId = await addUser()
    membershipIds = { group: await join('group', adminId, groupAdmin.id), org: await join('org', adminId, orgAdmin.id) }
    const { services } = app.parts
    const owner = { kind: 'user', id: adminId } as const
    adminKeyId = (await issueCredential(services, services.db, { kind: 'api_key', owner, name: 'k' })).row.id
  })
  after(() => app.close())

  const group = () => `/rest/groups/${app.groupId}`
  const org = () => `/rest/orgs/${app.orgId}`

  async function addUser(): Promise<string> {
    const attributes = { name: 'Some One', email: `${randomUUID()}@example.test` }
    const answer = await app.call('POST', `${group()}/users`, { body: { data: { type: 'user', attributes } } })
    return answer.json().data.id
  }
  async function join(word: Word, userId: string, roleId: string): Promise<string> {
    const path = `${word === 'org' ? org() : group()}/memberships`
    const answer = await app.call('POST', path, { body: membership(word, userId, roleId) })
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().data.id
  }
  const keyFor = ({ permissions, at }: Attempt) =>
    app.keyWith(permissions, at === 'org' ? { orgId: app.orgId } : { groupId: app.groupId })

  const attempts: Record<string, () => Promise<Attempt>> = {
    'delete the API key of a Group Admin': async () => ({
      permissions: ['group.user.edit', 'group.user.read'],
      at: 'group',
      send: (key) => app.call('DELETE', `${group()}/users/${adminId}/api_keys/${adminKeyId}`, { key }),
    }),
    'delete the account of a Group Admin': async () => ({
      permissions: ['group.user.delete', 'group.user.read'],
      at: 'group',
      send: (key) => app.call('DELETE', `${group()}/users/${adminId}`, { key }),
    }),
    'demote a Group Admin': async () => ({
      permissions: [...groupViewer.permissions, 'group.user.edit'],
      at: 'group',
      send: (key) =>
        app.call('PATCH', `${group()}/memberships/${membershipIds.group}`, {
          key,
          body: another('group', groupViewer.id),
        }),
    }),
    'remove a Group Admin from the group': async () => ({
      permissions: [...groupViewer.permissions, 'group.user.delete'],
      at: 'group',
      send: (key) => app.call('DELETE', `${group()}/memberships/${membershipIds.group}`, { key }),
    }),
    'remove a viewer of the group who is an Org Admin, with cascade': async () => {
      const userId = await addUser()
      await join('org', userId, orgAdmin.id)
      const id = await join('group', userId, groupViewer.id)
      return {
        permissions: [...groupViewer.permissions, 'group.user.delete'],
        at: 'group',
        send: (key) => app.call('DELETE', `${group()}/memberships/${id}`, { key, query: { cascade: 'true' } }),
      }
    },
    'demote an Org Admin': async () => ({
      permissions: [...orgCollaborator.permissions, 'org.user.edit'],
      at: 'org',
      send: (key) =>
        app.call('PATCH', `${org()}/memberships/${membershipIds.org}`, {
          key,
          body: another('org', orgCollaborator.id),
        }),
    }),
    'remove an Org Admin from the organization': async () => ({
      permissions: [...orgCollaborator.permissions, 'org.user.delete'],
      at: 'org',
      send: (key) => app.call('DELETE', `${org()}/memberships/${membershipIds.org}`, { key }),
    }),
    'take permissions from a custom role': async () => {
      const attributes = { name: randomUUID(), permissions: ['org.read', 'org.delete'] }
      const made = await app.call('POST', `${group()}/roles`, { body: { data: { type: 'role', attributes } } })
      assert.equal(made.statusCode, 201, made.body)
      const { id, type } = made.json().data
      const body = { data: { id, type, attributes: { permissions: ['org.read'] } } }
      return {
        permissions: ['group.read', 'group.role.read', 'group.role.edit', 'org.read'],
        at: 'group',
        send: (key) => app.call('PATCH', `${group()}/roles/${id}`, { key, body }),
      }
    },
  }
  for (const [what, prepare] of Object.entries(attempts)) {
    test(`a caller with fewer permissions: cannot ${what} (403)`, async () => {
      const attempt = await prepare()
      const refused = await attempt.send(await keyFor(attempt))
      assertRefusal(refused, { status: 403, code: 'forbidden' })
      assert.match(refused.body, /permissions that the calling credential lacks/)
      // Keep the rows that other attempts need.
      if (!/Group Admin|Org Admin/.test(what)) {
        const done = await attempt.send(app.adminKey)
        assert.ok(done.statusCode < 300, done.body)
      }
    })
  }

  test('a caller with only group.user.edit: cannot change memberships, accounts or installs (403)', async () => {
    const client = await createApp(app)
    const places = [{ groupId: app.groupId, orgId: null }]
    const { installIds, sessionId } = await letIn(app, { appId: client.id, userId: adminId, places })
    const key = await app.keyWith(['group.user.edit'], { groupId: app.groupId })
    const body = { data: { id: adminId, type: 'user', attributes: { password: 'a password for an admin' } } }
    const attempts = [
      app.call('DELETE', `${group()}/users/${adminId}/api_keys/${adminKeyId}`, { key }),
      app.call('PATCH', `${group()}/users/${adminId}`, { key, body }),
      app.call('DELETE', `${group()}/users/${adminId}`, { key }),
      app.call('DELETE', `${group()}/memberships/${membershipIds.group}`, { key }),
      app.call('PATCH', `${group()}/memberships/${membershipIds.group}`, {
        key,
        body: another('group', groupViewer.id),
      }),
      app.call('DELETE', `${org()}/memberships/${membershipIds.org}`, { key }),
      app.call('PATCH', `${org()}/memberships/${membershipIds.org}`, { key, body: another('org', orgCollaborator.id) }),
      app.call('DELETE', `${group()}/apps/installs/${installIds[0]}`, { key }),
    ]
    for (const answer of await Promise.all(attempts)) assertRefusal(answer, { status: 403, code: 'forbidden' })
    // Sessions belong to the calling user; those of others are not found.
    const session = await app.call('DELETE', `/rest/self/apps/${client.id}/sessions/${sessionId}`, { key })
    assertRefusal(session, { status: 404, code: 'not-found' })
    const install = await app.call('DELETE', `/rest/self/apps/installs/${installIds[0]}`, { key })
    assertRefusal(install, { status: 404, code: 'not-found' })
  })

  test('an Org Admin: gets 404 for API keys, accounts and memberships of the group', async () => {
    const key = await app.keyWith(orgAdmin.permissions, { orgId: app.orgId })
    const body = { data: { id: adminId, type: 'user', attributes: { name: 'Renamed' } } }
    const attempts = [
      app.call('DELETE', `${group()}/users/${adminId}/api_keys/${adminKeyId}`, { key }),
      app.call('GET', `${group()}/users/${adminId}/api_keys`, { key }),
      app.call('PATCH', `${group()}/users/${adminId}`, { key, body }),
      app.call('DELETE', `${group()}/users/${adminId}`, { key }),
      app.call('DELETE', `${group()}/memberships/${membershipIds.group}`, { key }),
    ]
    for (const answer of await Promise.all(attempts)) assertRefusal(answer, { status: 404, code: 'not-found' })
    // The path of the organization does not find it either.
    const crossed = await app.call('DELETE', `${org()}/memberships/${membershipIds.group}`, { key })
    assertRefusal(crossed, { status: 404, code: 'not-found' })
  })

  test('membership of a service account: not changeable through the operations on members (404)', async () => {
    const { id } = await createAccount(app, ofGroup.path(app), { role_id: orgCollaborator.id })
    const { db } = app.parts.services
    const row = await db.selectFrom('memberships').select('id').where('principal_id', '=', id).executeTakeFirstOrThrow()
    const path = `${group()}/memberships/${row.id}`
    for (const answer of [
      await app.call('PATCH', path, { body: another('group', groupAdmin.id) }),
      await app.call('DELETE', path),
    ]) {
      assertRefusal(answer, { status: 404, code: 'not-found' })
    }
    const attributes = { name: 'x', role_id: groupAdmin.id }
    const body = { data: { id, type: 'service_account', attributes } }
    const changed = await app.call('PATCH', `${ofGroup.path(app)}/${id}`, { body })
    assertRefusal(changed, { status: 400, code: 'invalid-request' })
  })

  test('a caller with org.app.install: may revoke an install of a more privileged member', async () => {
    const client = await createApp(app)
    const places = [{ groupId: app.groupId, orgId: app.orgId }]
    const { installIds } = await letIn(app, { appId: client.id, userId: adminId, places })
    const key = await app.keyWith(['org.app.install'])
    const answer = await app.call('DELETE', `${org()}/apps/installs/${installIds[0]}`, { key })
    assert.equal(answer.statusCode, 204, answer.body)
  })

  test('a caller with the user permissions: may remove and delete users with no more permissions', async () => {
    const permissions: Permission[] = [...groupViewer.permissions, 'group.user.edit', 'group.user.delete']
    const key = await app.keyWith(permissions, { groupId: app.groupId })
    const userId = await addUser()
    const id = await join('group', userId, groupViewer.id)
    const removed = await app.call('DELETE', `${group()}/memberships/${id}`, { key })
    assert.equal(removed.statusCode, 204, removed.body)
    const deleted = await app.call('DELETE', `${group()}/users/${userId}`, { key })
    assert.equal(deleted.statusCode, 204, deleted.body)
  })
})
