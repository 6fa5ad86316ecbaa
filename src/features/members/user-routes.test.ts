import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { groupAdmin, groupViewer, orgAdmin, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { isPassword } from '#foundation/secrets/password.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { membership } from '#test/access/members.ts'
import { assertRefusal, type BadBody, testRefusals, testRepetition } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const user = (attributes: object = {}) => ({
  data: { type: 'user', attributes: { name: 'Some One', email: `${randomUUID()}@example.test`, ...attributes } },
})
const changed = (attributes: object, more: object = {}) => ({ data: { type: 'user', ...more, attributes } })

const badAttributes: BadBody[] = [
  ['an empty name', user({ name: '' }), '/data/attributes/name'],
  ['a blank name', user({ name: '  ' }), '/data/attributes/name'],
  ['a name with a NUL', user({ name: 'a\0' }), '/data/attributes/name'],
  ['a name of 101 characters', user({ name: 'x'.repeat(101) }), '/data/attributes/name'],
  ['an empty user name', user({ username: '' }), '/data/attributes/username'],
  ['a short password', user({ password: 'eleven char' }), '/data/attributes/password'],
  ['a password of 1025 characters', user({ password: 'x'.repeat(1025) }), '/data/attributes/password'],
  ['an unknown attribute', user({ active: false }), '/data/attributes/active'],
  ['another type', { data: { ...user().data, type: 'users' } }, '/data/type'],
]

onEveryEngine('users', (engine) => {
  let app: TestApp
  let kept: string
  before(async () => {
    app = await startApp(engine)
    kept = await created()
  })
  after(() => app.close())

  const users = () => `/rest/groups/${app.groupId}/users`
  const create = (attributes: object = {}, key = app.adminKey) =>
    app.call('POST', users(), { key, body: user(attributes) })
  const created = async (attributes: object = {}): Promise<string> => {
    const answer = await create(attributes)
    assert.equal(answer.statusCode, 201, answer.body)
    return answer.json().data.id
  }
  const rowOf = async (id: string) =>
    app.parts.services.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()
  const meOf = async (key: string): Promise<string> => (await app.call('GET', '/rest/self', { key })).json().data.id
  const join = async (word: 'org' | 'group', userId: string, roleId: string) =>
    app.call('POST', `/rest/${word}s/${word === 'org' ? app.orgId : app.groupId}/memberships`, {
      body: membership(word, userId, roleId),
    })

  test('a user: created, found by filters and read; the email is stored in lower case', async () => {
    const email = `${randomUUID()}@Example.Test`
    const answer = await create({ email, name: 'Ada 100%_Lovelace' })
    assert.equal(answer.statusCode, 201)
    const { data, links } = answer.json()
    const { created_at, updated_at, ...attributes } = data.attributes
    assert.equal(created_at, updated_at)
    assert.deepEqual(attributes, {
      name: 'Ada 100%_Lovelace',
      username: email.toLowerCase(),
      email: email.toLowerCase(),
      has_password: false,
      disabled: false,
      org_memberships: 0,
    })
    assert.equal(answer.headers['location'], `${app.parts.services.baseUrl}/rest${links.self}`)
    assert.deepEqual((await app.call('GET', links.self)).json().data, data)
    const part = email.slice(3, -5).toUpperCase()
    for (const query of [{ email }, { name: 'da 100%_lOVE' }, { q: 'da 100%_lOVE' }, { q: part }]) {
      const response = await app.call('GET', users(), { query: query as Record<string, string> })
      assert.deepEqual(response.json().data, [data])
    }
    assert.deepEqual((await app.call('GET', users(), { query: { name: 'Ada%' } })).json().data, [])
  })

  test('a user: shows the role in this group and the number of organization memberships', async () => {
    const id = await created()
    const other = await created()
    await join('group', id, groupViewer.id)
    await join('org', id, orgCollaborator.id)
    const listed: { id: string; attributes: object }[] = (await app.call('GET', users(), { query: { limit: '100' } }))
      .json()
      .data.filter((user: { id: string }) => [id, other].includes(user.id))
    const summaries = new Map(listed.map((user) => [user.id, user.attributes as Record<string, unknown>]))
    assert.equal(summaries.get(id)!['group_role'], 'Group Viewer')
    assert.equal(summaries.get(id)!['org_memberships'], 1)
    assert.equal(summaries.get(other)!['group_role'], undefined)
    assert.equal(summaries.get(other)!['org_memberships'], 0)
    const { attributes } = (await app.call('GET', `${users()}/${id}`)).json().data
    assert.deepEqual(attributes, summaries.get(id))
    const elsewhere = await app.addGroup()
    await app.parts.services.db
      .updateTable('memberships')
      .set({ group_id: elsewhere, org_id: null })
      .where('principal_id', '=', id)
      .where('org_id', 'is', null)
      .execute()
    const after = (await app.call('GET', `${users()}/${id}`)).json().data.attributes
    assert.deepEqual([after.group_role, after.org_memberships], [undefined, 1])
  })

  test('a new user: has no memberships', async () => {
    const id = await created()
    const { db } = app.parts.services
    assert.deepEqual(await db.selectFrom('memberships').select('id').where('principal_id', '=', id).execute(), [])
  })

  test('a password: stored as argon2id, and not in answers, audit events or logs', async () => {
    const password = `secret ${randomUUID()}`
    const answer = await create({ password })
    assert.equal(answer.json().data.attributes.has_password, true)
    const { id } = answer.json().data
    assert.ok(await isPassword(password, (await rowOf(id))!.password_hash!))
    const other = `other ${randomUUID()}`
    const again = await app.call('PATCH', `${users()}/${id}`, { body: changed({ password: other }) })
    assert.equal(again.statusCode, 200, again.body)
    assert.ok(await isPassword(other, (await rowOf(id))!.password_hash!))
    const events = await auditEventsOf(app, id)
    assert.deepEqual(
      events.map(({ action }) => action),
      ['user.create', 'user.update'],
    )
    assert.equal(JSON.parse(events[1]!.after!).password, 'changed')
    for (const text of [app.log(), JSON.stringify(events), answer.body, again.body]) {
      assert.ok(!text.includes(password) && !text.includes(other) && !text.includes('argon2'))
    }
  })

  test('an email: unique on the whole server in any case (409)', async () => {
    const email = `${randomUUID()}@example.test`
    await created({ email })
    assertRefusal(await create({ email: email.toUpperCase() }), { status: 409, code: 'name-taken' })
    const groupId = await app.addGroup()
    const key = await app.keyWith(permissionNames, { groupId })
    const answer = await app.call('POST', `/rest/groups/${groupId}/users`, { key, body: user({ email }) })
    assertRefusal(answer, { status: 409, code: 'name-taken' })
  })

  test('renaming a user: keeps the attributes that are not sent', async () => {
    const id = await created({ username: 'before' })
    const answer = await app.call('PATCH', `${users()}/${id.toUpperCase()}`, {
      body: changed({ name: 'After' }, { id }),
    })
    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.json().data.attributes.name, 'After')
    assert.equal(answer.json().data.attributes.username, 'before')
  })

  test('deleting a user: deletes memberships and keys at once, and is audited', async () => {
    const { db } = app.parts.services
    const key = await app.keyWith(['org.read'])
    const id = await meOf(key)
    assert.equal((await app.call('DELETE', `${users()}/${id}`)).statusCode, 204)
    assertRefusal(await app.call('GET', '/rest/self', { key }), { status: 401, code: 'unauthenticated' })
    assertRefusal(await app.call('GET', `${users()}/${id}`), { status: 404, code: 'not-found' })
    assert.equal(await rowOf(id), undefined)
    assert.deepEqual(await db.selectFrom('memberships').select('id').where('principal_id', '=', id).execute(), [])
    assert.deepEqual(await db.selectFrom('credentials').select('id').where('owner_id', '=', id).execute(), [])
    const event = await db.selectFrom('audit_events').selectAll().where('target_id', '=', id).executeTakeFirstOrThrow()
    assert.equal(event.action, 'user.delete')
    assert.match(JSON.parse(event.before!).email, /@example\.test$/)
  })

  test('a user deleted while being added as a member: has no membership afterward', async () => {
    const { db } = app.parts.services
    for (let round = 0; round < 5; round++) {
      const id = await created()
      const answers = await Promise.all([
        join('org', id, orgCollaborator.id),
        app.call('DELETE', `${users()}/${id}`),
        join('group', id, groupViewer.id),
      ])
      assert.equal(answers[1].statusCode, 204, answers[1].body)
      assert.ok([201, 404].includes(answers[0].statusCode), answers[0].body)
      assert.deepEqual(await db.selectFrom('memberships').select('id').where('principal_id', '=', id).execute(), [])
    }
  })

  describe('setting passwords of users', () => {
    const password = 'a password that I know'
    const set = (id: string, key: string) => app.call('PATCH', `${users()}/${id}`, { key, body: changed({ password }) })

    test('setting a password: refused for a user with more permissions (403)', async () => {
      const key = await app.keyWith(['group.user.edit', 'group.user.read'], { groupId: app.groupId })
      const weak = await created()
      assert.equal((await set(weak, key)).statusCode, 200)
      await join('org', weak, orgAdmin.id)
      assertRefusal(await set(weak, key), { status: 403, code: 'forbidden' })
      const strong = await created()
      await join('group', strong, groupAdmin.id)
      assertRefusal(await set(strong, key), { status: 403, code: 'forbidden' })
      assert.equal((await rowOf(strong))!.password_hash, null)
      assert.equal(
        (await app.call('PATCH', `${users()}/${strong}`, { key, body: changed({ name: 'Renamed' }) })).statusCode,
        200,
      )
      assert.equal((await set(strong, app.adminKey)).statusCode, 200)
    })

    test('setting a password: refused for a member of another group (403)', async () => {
      const id = await created()
      const { db } = app.parts.services
      await db
        .insertInto('memberships')
        .values({
          id: randomUUID(),
          principal_kind: 'user',
          principal_id: id,
          group_id: await app.addGroup(),
          org_id: null,
          role_id: groupViewer.id,
          created_at: 1,
        })
        .execute()
      assertRefusal(await set(id, app.adminKey), { status: 403, code: 'forbidden' })
    })

    test('setting one’s own password: always allowed', async () => {
      const key = await app.keyWith(['group.user.edit'], { groupId: app.groupId })
      const id = await meOf(key)
      await join('org', id, orgAdmin.id)
      assert.equal((await set(id, key)).statusCode, 200)
    })
  })

  test('a user of another group: returns 404, even if a member of the caller’s group', async () => {
    const groupId = await app.addGroup()
    const key = await app.keyWith(permissionNames, { groupId })
    const there = `/rest/groups/${groupId}/users/${kept}`
    await app.parts.services.db
      .insertInto('memberships')
      .values({
        id: randomUUID(),
        principal_kind: 'user',
        principal_id: kept,
        group_id: groupId,
        org_id: null,
        role_id: groupViewer.id,
        created_at: 1,
      })
      .execute()
    assertRefusal(await app.call('GET', there, { key }), { status: 404, code: 'not-found' })
    assertRefusal(await app.call('DELETE', there, { key }), { status: 404, code: 'not-found' })
    const renamed = await app.call('PATCH', there, { key, body: changed({ name: 'Mine' }) })
    assertRefusal(renamed, { status: 404, code: 'not-found' })
  })

  test('reading a user of an organization: tells direct from indirect members; others return 404', async () => {
    const [direct, indirect, neither] = [await created({ name: 'Direct' }), await created(), await created()]
    await join('org', direct, orgCollaborator.id)
    await join('group', direct, groupViewer.id)
    await join('group', indirect, groupViewer.id)
    const read = (id: string, key = app.adminKey) =>
      app.call('GET', `/rest/orgs/${app.orgId}/users/${id}`, { key, query: { version: '2023-05-29~beta' } })
    const { data } = (await read(direct.toUpperCase())).json()
    assert.equal(data.id, direct)
    assert.equal(data.type, 'user')
    assert.equal(data.attributes.name, 'Direct')
    assert.equal(data.attributes.active, true)
    assert.equal(data.attributes.membership.strategy, 'direct')
    assert.equal((await read(indirect)).json().data.attributes.membership.strategy, 'indirect')
    for (const id of [neither, randomUUID()]) assertRefusal(await read(id), { status: 404, code: 'not-found' })
    assertRefusal(await read('me'), { status: 400, code: 'invalid-request' })
  })

  test('v1 members of an organization: direct ones, on request with those of the group', async () => {
    const orgId = await app.addOrg()
    const key = await app.keyWith([], { orgId })
    const id = await meOf(key)
    const read = async (query: Record<string, string>) => {
      const answer = await app.call('GET', `/v1/org/org-${orgId}/members`, { query })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json() as { id: string; role: string; email: string }[]
    }
    const direct = await read({})
    assert.deepEqual(
      direct.map((member) => member.id),
      [id],
    )
    assert.deepEqual(Object.keys(direct[0]!).sort(), ['email', 'id', 'name', 'role', 'username'])
    const all = await read({ includeGroupAdmins: 'true' })
    assert.ok(all.some((member) => member.role === 'Group Admin' && member.email === 'admin@example.test'))
    assert.equal(new Set(all.map((member) => member.id)).size, all.length)
  })

  test('v1 members of a group: with their organizations and roles', async () => {
    const groupId = await app.addGroup()
    const orgId = await app.addOrg({ groupId })
    const member = await app.keyWith([], { orgId })
    const key = await app.keyWith(['group.user.read'], { groupId })
    const answer = await app.call('GET', `/v1/group/${groupId}/members`, { key })
    assert.equal(answer.statusCode, 200, answer.body)
    const members: { id: string; orgs: { name: string }[]; groupRole?: string }[] = answer.json()
    const memberId = await meOf(member)
    const ofOrg = members.find(({ id }) => id === memberId)
    assert.equal(members.length, 2)
    assert.deepEqual([ofOrg?.orgs.length, ofOrg?.groupRole], [1, undefined])
    assert.equal(members.filter(({ groupRole }) => groupRole !== undefined).length, 1)
  })

  describe('v1 invitation', () => {
    const invite = (body: object, key = app.adminKey) => app.call('POST', `/v1/org/${app.orgId}/invite`, { body, key })
    const membersOf = async () => {
      const answer = await app.call('GET', `/v1/org/${app.orgId}/members`)
      return new Map<string, string>(
        answer.json().map((member: { email: string; role: string }) => [member.email, member.role]),
      )
    }

    test('invitation of an unknown address: creates the user and the membership, once', async () => {
      const email = `${randomUUID()}@example.test`
      for (let repeat = 0; repeat < 2; repeat++) {
        const answer = await invite({ email: email.toUpperCase(), isAdmin: repeat === 1 })
        assert.deepEqual([answer.statusCode, answer.json()], [200, {}])
      }
      assert.equal((await membersOf()).get(email), 'Org Collaborator')
    })

    test('invitation of a user of the group: adds the membership, as an administrator with isAdmin', async () => {
      const email = `${randomUUID()}@example.test`
      const body = { data: { type: 'user', attributes: { name: 'Known', email } } }
      assert.equal((await app.call('POST', users(), { body })).statusCode, 201)
      const all = permissionNames.filter((name) => name.startsWith('org.'))
      assert.equal((await invite({ email, isAdmin: true }, await app.keyWith(all))).statusCode, 200)
      assert.equal((await membersOf()).get(email), 'Org Admin')
    })

    test('invitation by a caller who may create no accounts or lacks permissions of the role: refused', async () => {
      const email = `${randomUUID()}@example.test`
      const key = await app.keyWith(['org.user.add'])
      const answer = await invite({ email }, key)
      assertRefusal(answer, { status: 403, code: 'forbidden' })
      assert.match(answer.json().message, /group\.user\.create/)
      const body = { data: { type: 'user', attributes: { name: 'Known', email } } }
      await app.call('POST', users(), { body })
      assertRefusal(await invite({ email }, key), { status: 403, code: 'forbidden' })
      assert.equal((await membersOf()).get(email), undefined)
      assertRefusal(await invite({ email: 'no address' }), { status: 400, code: 'invalid-request' })
    })
  })

  const pair = { ...user().data.attributes }
  testRepetition(() => app, 'creating a user', {
    path: users,
    body: () => ({ data: { type: 'user', attributes: pair } }),
    other: user,
  })
  testPages(() => app, 'list of users', {
    path: users,
    add: () => created(),
    remove: (id) => app.call('DELETE', `${users()}/${id}`),
  })

  const since = '2024-10-15'
  const inGroup = (permission: `group.user.${'read' | 'create' | 'edit' | 'delete'}`) =>
    ({ permission, in: 'group' }) as const
  const one = () => `${users()}/${kept}`
  testRefusals(() => app, 'listing users', {
    method: 'GET',
    path: users,
    since,
    isList: true,
    needs: inGroup('group.user.read'),
  })
  testRefusals(() => app, 'creating a user', {
    method: 'POST',
    path: users,
    since,
    body: () => user(),
    needs: inGroup('group.user.create'),
    badBodies: [
      ...badAttributes,
      ['a missing email', changed({ name: 'x' }), '/data/attributes/email'],
      ['a malformed email', user({ email: 'somebody' }), '/data/attributes/email'],
      ['an email with a NUL', user({ email: 'a\0@example.test' }), '/data/attributes/email'],
    ],
  })
  testRefusals(() => app, 'reading a user', { method: 'GET', path: one, since, needs: inGroup('group.user.read') })
  testRefusals(() => app, 'changing a user', {
    method: 'PATCH',
    path: one,
    since,
    body: () => changed({ name: 'x' }),
    needs: inGroup('group.user.edit'),
    badBodies: [
      ...badAttributes,
      ['an empty change', changed({}), '/data/attributes'],
      ['another email', changed({ email: 'x@example.test' }), '/data/attributes/email'],
      ['an id that is not the path’s', changed({ name: 'x' }, { id: randomUUID() }), '/data/id'],
    ],
  })
  testRefusals(() => app, 'deleting a user', {
    method: 'DELETE',
    path: one,
    since,
    needs: inGroup('group.user.delete'),
  })
  testRefusals(() => app, 'reading a user of an organization', {
    method: 'GET',
    path: () => `/rest/orgs/${app.orgId}/users/${kept}`,
    since: '2021-09-13',
    needs: { permission: 'org.user.read', in: 'org' },
  })
  testRefusals(() => app, 'listing v1 members', {
    method: 'GET',
    path: () => `/v1/org/${app.orgId}/members`,
    needs: { permission: 'org.user.read', in: 'org' },
  })
})
