import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { groupAdmin, groupViewer, orgAdmin, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { another, membership } from '#test/access/members.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('administrators of a group', (engine) => {
  let app: TestApp
  let first: string
  before(async () => {
    app = await startApp(engine)
    const [only] = await admins()
    first = only!.id
  })
  after(() => app.close())

  const path = () => `/rest/groups/${app.groupId}/memberships`
  const admins = async (): Promise<{ id: string; userId: string }[]> => {
    const { data } = (await app.call('GET', path(), { query: { role_name: groupAdmin.name } })).json()
    return data.map((one: { id: string; relationships: { user: { data: { id: string } } } }) => ({
      id: one.id,
      userId: one.relationships.user.data.id,
    }))
  }
  const demote = (id: string, roleId = groupViewer.id, key = app.adminKey) =>
    app.call('PATCH', `${path()}/${id}`, {
      key,
      body: another('group', roleId),
    })
  const addUser = async (): Promise<string> => {
    const body = { data: { type: 'user', attributes: { name: 'Some One', email: `${randomUUID()}@example.test` } } }
    return (await app.call('POST', `/rest/groups/${app.groupId}/users`, { body })).json().data.id
  }
  const join = async (word: 'org' | 'group', userId: string, roleId: string) =>
    app.call('POST', `/rest/${word}s/${word === 'org' ? app.orgId : app.groupId}/memberships`, {
      body: membership(word, userId, roleId),
    })

  test('last Group Admin: cannot be demoted, removed or deleted (409)', async () => {
    const { userId } = (await admins())[0]!
    const refusals = [
      await demote(first),
      await app.call('DELETE', `${path()}/${first}`),
      await app.call('DELETE', `${path()}/${first}`, { query: { cascade: 'true' } }),
      await app.call('DELETE', `/rest/groups/${app.groupId}/users/${userId}`),
    ]
    for (const answer of refusals) assertRefusal(answer, { status: 409, code: 'conflict' })
    assert.equal((await demote(first, groupAdmin.id)).statusCode, 204, 'the same role again is no loss')
    assert.equal((await admins()).length, 1)
  })

  test('last Group Admin: a service account with the role does not count as another one (409)', async () => {
    const made = await app.call('POST', `/rest/groups/${app.groupId}/service_accounts`, {
      body: {
        data: {
          type: 'service_account',
          attributes: { name: 'admin', auth_type: 'api_key', role_id: groupAdmin.id },
        },
      },
    })
    assert.equal(made.statusCode, 201, made.body)
    assertRefusal(await demote(first), { status: 409, code: 'conflict' })
  })

  test('last Group Admin: an administrator of another group does not count as another one (409)', async () => {
    const groupId = await app.addGroup()
    const { db } = app.parts.services
    const admin = await db.selectFrom('memberships').selectAll().where('id', '=', first).executeTakeFirstOrThrow()
    const id = randomUUID()
    await db
      .insertInto('memberships')
      .values({ ...admin, id, group_id: groupId })
      .execute()
    assertRefusal(await demote(first), { status: 409, code: 'conflict' })
    await db.deleteFrom('memberships').where('id', '=', id).execute()
  })

  test('second Group Admin: may be removed; the first one is the last again', async () => {
    const joined = await join('group', await addUser(), groupAdmin.id)
    assert.equal(joined.statusCode, 201, joined.body)
    const second = joined.json().data.id
    assert.equal((await app.call('DELETE', `${path()}/${second}`)).statusCode, 204)
    assertRefusal(await demote(first), { status: 409, code: 'conflict' })
  })

  test('two Group Admins removed concurrently: one of them stays', async () => {
    for (let round = 0; round < 5; round++) {
      const second = (await join('group', await addUser(), groupAdmin.id)).json().data
      const ends = [
        () => demote(second.id, groupViewer.id),
        () => app.call('DELETE', `${path()}/${second.id}`),
        () => app.call('DELETE', `/rest/groups/${app.groupId}/users/${second.relationships.user.data.id}`),
      ]
      const answers = await Promise.all([ends[round % ends.length]!(), demote(first)])
      assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [204, 409])
      const [left, ...more] = await admins()
      assert.deepEqual(more, [])
      // Restores the administrator of the tests where the other one stayed.
      const { db } = app.parts.services
      await db.updateTable('memberships').set({ role_id: groupAdmin.id }).where('id', '=', first).execute()
      if (left!.id !== first) await db.deleteFrom('memberships').where('id', '=', left!.id).execute()
    }
  })

  test('a group role: refused for a membership of an organization (400)', async () => {
    const userId = await addUser()
    for (const roleId of [groupAdmin.id, groupViewer.id]) {
      assertRefusal(await join('org', userId, roleId), { status: 400, code: 'invalid-request' })
    }
    const joined = await join('org', userId, orgAdmin.id)
    assert.equal(joined.statusCode, 201)
    const answer = await app.call('PATCH', `/rest/orgs/${app.orgId}/memberships/${joined.json().data.id}`, {
      body: another('org', groupAdmin.id),
    })
    assertRefusal(answer, { status: 400, code: 'invalid-request' })
  })

  test('an Org Admin: adds members to the organization, not to the group (404)', async () => {
    const key = await app.keyWith(orgAdmin.permissions)
    const userId = await addUser()
    const inOrg = `/rest/orgs/${app.orgId}/memberships`
    assert.equal((await app.call('POST', inOrg, { key, body: membership('org', userId, orgAdmin.id) })).statusCode, 201)
    const inGroup = await app.call('POST', path(), { key, body: membership('group', userId, groupAdmin.id) })
    assertRefusal(inGroup, { status: 404, code: 'not-found' })
  })

  for (const cascade of ['true', 'false', '-']) {
    test(`removing a group member with cascade=${cascade} ${cascade === 'true' ? 'ends' : 'leaves'} memberships of organizations`, async () => {
      const userId = await addUser()
      const wide = (await join('group', userId, groupViewer.id)).json().data.id
      const narrow = (await join('org', userId, orgCollaborator.id)).json().data.id
      const answer = await app.call('DELETE', `${path()}/${wide}`, { query: { cascade } })
      assert.equal(answer.statusCode, 204, answer.body)
      const left = await app.call('GET', `/rest/orgs/${app.orgId}/memberships/${narrow}`)
      assert.equal(left.statusCode, cascade === 'true' ? 404 : 200)
      const events = await auditEventsOf(app, narrow)
      assert.deepEqual(
        events.map(({ action }) => action),
        cascade === 'true' ? ['membership.create', 'membership.delete'] : ['membership.create'],
      )
      assert.ok(events.every((event) => event.org_id === app.orgId))
    })
  }
})
