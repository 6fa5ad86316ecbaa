import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { builtInRoles, groupAdmin, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, type BadBody, testRefusals, testRepetition } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const role = (attributes: object = {}) => ({
  data: { type: 'role', attributes: { name: `Role ${randomUUID()}`, permissions: ['org.read'], ...attributes } },
})
const changed = (attributes: object, id?: string) => ({ data: { type: 'role', ...(id && { id }), attributes } })

const badAttributes: BadBody[] = [
  ['an empty name', role({ name: '' }), '/data/attributes/name'],
  ['a blank name', role({ name: ' \t' }), '/data/attributes/name'],
  ['a name with a NUL', role({ name: 'a\0b' }), '/data/attributes/name'],
  ['a name of 101 characters', role({ name: 'x'.repeat(101) }), '/data/attributes/name'],
  ['a description with a NUL', role({ description: '\0' }), '/data/attributes/description'],
  ['an unknown permission', role({ permissions: ['org.everything'] }), '/data/attributes/permissions/0'],
  ['a repeated permission', role({ permissions: ['org.read', 'org.read'] }), '/data/attributes/permissions'],
  ['an unknown attribute', role({ level: 'Group' }), '/data/attributes/level'],
  ['another type', { data: { type: 'rôle', attributes: {} } }, '/data/type'],
]

onEveryEngine('roles', (engine) => {
  let app: TestApp
  let custom: string
  const roles = () => `/rest/groups/${app.groupId}/roles`
  const create = async (attributes: object = {}, key = app.adminKey) =>
    app.call('POST', roles(), { body: role(attributes), key })
  const created = async (attributes: object = {}): Promise<string> => (await create(attributes)).json().data.id
  before(async () => {
    app = await startApp(engine)
    custom = await created()
  })
  after(() => app.close())

  test('roles: a group has the built-in roles and its own', async () => {
    const mine = await created({
      name: 'Tester',
      description: 'Tests\npackages',
      permissions: ['org.read', 'org.package.test'],
    })
    const { data } = (await app.call('GET', roles(), { query: { limit: '100' } })).json()
    for (const builtIn of builtInRoles) {
      const role = data.find((one: { id: string }) => one.id === builtIn.id)
      assert.equal(role.attributes.name, builtIn.name)
      assert.equal(role.attributes.is_custom, false)
      assert.deepEqual(role.attributes.permissions, builtIn.permissions)
    }
    const role = data.find((one: { id: string }) => one.id === mine)
    assert.equal(role.attributes.is_custom, true)
    assert.equal(role.attributes.description, 'Tests\npackages')
    assert.deepEqual(role.attributes.permissions, ['org.package.test', 'org.read'])
  })

  test('role creation: the Location header leads to the role', async () => {
    const answer = await create()
    assert.equal(answer.statusCode, 201)
    const { data, links } = answer.json()
    assert.equal(answer.headers['location'], `${app.parts.services.baseUrl}/rest${links.self}`)
    assert.deepEqual((await app.call('GET', links.self)).json().data, data)
  })

  test('role update: applies to members at once', async () => {
    const id = await created({ permissions: ['org.read'] })
    const key = await keyWithRole(id)
    assert.equal((await app.call('GET', `/rest/orgs/${app.orgId}`, { key })).statusCode, 200)
    const answer = await app.call('PATCH', `${roles()}/${id}`, { body: changed({ permissions: [] }, id) })
    assert.equal(answer.statusCode, 200)
    assert.deepEqual(answer.json().data.attributes.permissions, [])
    assert.equal((await app.call('GET', `/rest/orgs/${app.orgId}`, { key })).statusCode, 403)
  })

  test('role update: keeps attributes that are not sent', async () => {
    const id = await created({ description: 'before', permissions: ['org.read'] })
    const name = `Renamed ${id}`
    const { data } = (await app.call('PATCH', `${roles()}/${id.toUpperCase()}`, { body: changed({ name }) })).json()
    const { created_at: _created, updated_at: _updated, ...attributes } = data.attributes
    assert.deepEqual(attributes, { name, description: 'before', permissions: ['org.read'], is_custom: true })
  })

  test('role deletion: 409 for a role in use, 204 for an unused one', async () => {
    const id = await created()
    await keyWithRole(id)
    assertRefusal(await app.call('DELETE', `${roles()}/${id}`), { status: 409, code: 'in-use' })
    await app.parts.services.db.deleteFrom('memberships').where('role_id', '=', id).execute()
    assert.equal((await app.call('DELETE', `${roles()}/${id}`)).statusCode, 204)
    assertRefusal(await app.call('GET', `${roles()}/${id}`), { status: 404, code: 'not-found' })
  })

  test('built-in roles: refuse updates and deletion with 409; their names are taken', async () => {
    const path = `${roles()}/${orgCollaborator.id}`
    assertRefusal(await app.call('PATCH', path, { body: changed({ permissions: [] }) }), {
      status: 409,
      code: 'conflict',
    })
    assertRefusal(await app.call('DELETE', path), { status: 409, code: 'conflict' })
    for (const name of ['group admin', ' group\u200b admin']) {
      assertRefusal(await create({ name }), { status: 409, code: 'name-taken' })
    }
  })

  test('role name: unique within its group only (409 name-taken)', async () => {
    const name = `Taken ${randomUUID()}`
    await created({ name })
    assertRefusal(await create({ name }), { status: 409, code: 'name-taken' })
    assertRefusal(await app.call('PATCH', `${roles()}/${custom}`, { body: changed({ name: `\u2067${name}` }) }), {
      status: 409,
      code: 'name-taken',
    })
    const groupId = await app.addGroup()
    const key = await app.keyWith(permissionNames, { groupId })
    const answer = await app.call('POST', `/rest/groups/${groupId}/roles`, { key, body: role({ name }) })
    assert.equal(answer.statusCode, 201)
  })

  test('role creation: refuses permissions that the caller lacks (403)', async () => {
    const key = await app.keyWith(['group.role.create', 'org.read'], { groupId: app.groupId })
    assert.equal((await create({ permissions: ['org.read', 'group.role.create'] }, key)).statusCode, 201)
    const answer = await create({ permissions: ['org.read', 'org.edit'] }, key)
    assertRefusal(answer, { status: 403, code: 'forbidden' })
    assert.match(answer.json().errors[0].detail, /: org\.edit$/)
  })

  test('role update: refuses to add permissions that the caller lacks (403); other changes work', async () => {
    const id = await created({ permissions: ['group.role.edit', 'group.role.read', 'org.read'] })
    const key = await keyWithRole(id, app.groupId)
    const path = `${roles()}/${id}`
    const more = { permissions: ['group.role.edit', 'group.role.read', 'org.read', 'group.user.edit'] }
    assertRefusal(await app.call('PATCH', path, { key, body: changed(more) }), { status: 403, code: 'forbidden' })
    assertRefusal(await app.call('PATCH', path, { key, body: changed({ permissions: groupAdmin.permissions }) }), {
      status: 403,
      code: 'forbidden',
    })
    const mighty = await created({ permissions: ['org.delete'] })
    const answer = await app.call('PATCH', `${roles()}/${mighty}`, { key, body: changed({ description: 'new' }) })
    assert.equal(answer.statusCode, 200)
  })

  test('role update: a role of organization members refuses group permissions (409)', async () => {
    const id = await created()
    await keyWithRole(id)
    const answer = await app.call('PATCH', `${roles()}/${id}`, { body: changed({ permissions: ['group.read'] }) })
    assertRefusal(answer, { status: 409, code: 'in-use' })
  })

  test('roles: a role of another group gets 404', async () => {
    const groupId = await app.addGroup()
    const key = await app.keyWith(permissionNames, { groupId })
    const there = `/rest/groups/${groupId}/roles/${custom}`
    for (const method of ['GET', 'DELETE'] as const) {
      assertRefusal(await app.call(method, there, { key }), { status: 404, code: 'not-found' })
    }
    assertRefusal(await app.call('PATCH', there, { key, body: changed({ name: 'mine' }) }), {
      status: 404,
      code: 'not-found',
    })
  })

  test('roles: a malformed id and a mismatched id in the body get 400', async () => {
    assertRefusal(await app.call('GET', `${roles()}/admin`), { status: 400, code: 'invalid-request' })
    assertRefusal(await app.call('PATCH', `${roles()}/${custom}`, { body: changed({ name: 'x' }, randomUUID()) }), {
      status: 400,
      code: 'invalid-request',
    })
  })

  test('audit log: records each role change with before and after', async () => {
    const id = await created({ name: 'Audited', permissions: ['org.read'] })
    await app.call('PATCH', `${roles()}/${id}`, { body: changed({ permissions: [] }) })
    await app.call('DELETE', `${roles()}/${id}`)
    const events = await auditEventsOf(app, id)
    assert.deepEqual(
      events.map(({ action }) => action),
      ['role.create', 'role.update', 'role.delete'],
    )
    assert.deepEqual(JSON.parse(events[1]!.before!).permissions, ['org.read'])
    assert.deepEqual(JSON.parse(events[1]!.after!).permissions, [])
    assert.ok(events.every((event) => event.group_id === app.groupId && event.credential_id !== null))
  })

  test('v1 roles: lists all roles of the group with their ids', async () => {
    for (const path of [`/v1/group/${app.groupId}/roles`, `/api/v1/group/${app.groupId}/roles`]) {
      const answer = await app.call('GET', path)
      assert.equal(answer.statusCode, 200)
      const admin = answer.json().find((one: { publicId: string }) => one.publicId === groupAdmin.id)
      assert.equal(admin.name, 'Group Admin')
      assert.equal(admin.customRole, false)
      assert.ok(answer.json().some((one: { publicId: string }) => one.publicId === custom))
    }
  })

  testRepetition(() => app, 'role creation', { path: roles, body: () => role({ name: 'Once' }), other: () => role() })
  testPages(() => app, 'role list', {
    path: roles,
    add: () => created(),
    remove: (id) => app.call('DELETE', `${roles()}/${id}`),
  })

  const since = '2024-10-15'
  const inGroup = (permission: `group.role.${'read' | 'create' | 'edit' | 'delete'}`) =>
    ({ permission, in: 'group' }) as const
  testRefusals(() => app, 'role list', {
    method: 'GET',
    path: roles,
    since,
    isList: true,
    needs: inGroup('group.role.read'),
  })
  testRefusals(() => app, 'role creation', {
    method: 'POST',
    path: roles,
    since,
    body: () => role(),
    needs: inGroup('group.role.create'),
    badBodies: [...badAttributes, ['missing permissions', changed({ name: 'x' }), '/data/attributes/permissions']],
  })
  testRefusals(() => app, 'single role', {
    method: 'GET',
    path: () => `${roles()}/${custom}`,
    since,
    needs: inGroup('group.role.read'),
  })
  testRefusals(() => app, 'role update', {
    method: 'PATCH',
    path: () => `${roles()}/${custom}`,
    since,
    body: () => changed({ description: 'x' }),
    needs: inGroup('group.role.edit'),
    badBodies: [...badAttributes, ['empty attributes', changed({}), '/data/attributes']],
  })
  testRefusals(() => app, 'role deletion', {
    method: 'DELETE',
    path: () => `${roles()}/${custom}`,
    since,
    needs: inGroup('group.role.delete'),
  })
  testRefusals(() => app, 'v1 role list', {
    method: 'GET',
    path: () => `/v1/group/${app.groupId}/roles`,
    needs: inGroup('group.role.read'),
  })

  /** Returns the key of a user with only that role, in the organization or in the group. */
  async function keyWithRole(roleId: string, groupId?: string): Promise<string> {
    const { db } = app.parts.services
    const key = await app.keyWith([], groupId === undefined ? {} : { groupId })
    const { id } = (await app.call('GET', '/rest/self', { key })).json().data
    await db.updateTable('memberships').set({ role_id: roleId }).where('principal_id', '=', id).execute()
    return key
  }
})
