import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { groupAdmin, groupViewer } from '#foundation/access/built-in-roles.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { createAccount } from '#test/access/accounts.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { membership } from '#test/access/members.ts'
import { assertRefusal, type BadBody, testRefusals, testRepetition } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { recordFirstGroup } from './groups-store.ts'

const PATH = '/rest/groups'

const newGroup = (name: unknown = `Group ${randomUUID()}`, more: object = {}) => ({
  data: { type: 'group', attributes: { name, ...more } },
})

const badBodies: BadBody[] = [
  ['a missing name', { data: { type: 'group', attributes: {} } }, '/data/attributes/name'],
  ['an empty name', newGroup(''), '/data/attributes/name'],
  ['a blank name', newGroup('   '), '/data/attributes/name'],
  ['a name of 61 characters', newGroup('x'.repeat(61)), '/data/attributes/name'],
  ['a name with a NUL', newGroup('a\0'), '/data/attributes/name'],
  ['a name that is a number', newGroup(7), '/data/attributes/name'],
  ['another attribute', newGroup('x', { slug: 'y' }), '/data/attributes/slug'],
  ['another type', { data: { type: 'org', attributes: { name: 'x' } } }, '/data/type'],
]

onEveryEngine('POST /rest/groups', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_BASE_URL: 'https://gatehouse.example.test' })
  })
  after(() => app.close())

  const create = (key = app.adminKey, name?: string) => app.call('POST', PATH, { key, body: newGroup(name) })
  const read = async (path: string, key = app.adminKey) => {
    const answer = await app.call('GET', path, { key })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const idsIn = async (path: string, key = app.adminKey): Promise<string[]> =>
    (await read(path, key)).data.map(({ id }: { id: string }) => id)

  /** Creates a group of the administrator with one organization. */
  async function groupWithOrg() {
    const groupId: string = (await create()).json().data.id
    const made = await app.call('POST', '/v1/org', { body: { name: 'First one', groupId } })
    assert.equal(made.statusCode, 201, made.body)
    return { groupId, orgId: made.json().id as string }
  }

  test('POST /rest/groups: creates a group, names its Location and makes the caller Group Admin', async () => {
    const answer = await create(app.adminKey, 'Größe & Co')
    assert.equal(answer.statusCode, 201, answer.body)
    const { data, links } = answer.json()
    assert.deepEqual([data.type, data.attributes.name, data.attributes.slug], ['group', 'Größe & Co', 'gro-e-co'])
    assert.equal(links.self, `/groups/${data.id}?version=2024-10-15`)
    assert.equal(answer.headers['location'], `https://gatehouse.example.test/rest${links.self}`)
    assert.deepEqual((await read(`${PATH}/${data.id}`)).data, data)
    const { data: members } = await read(`${PATH}/${data.id}/memberships`)
    const self = await read('/rest/self')
    assert.deepEqual(
      members.map((one: { relationships: Record<'user' | 'role', { data: { id: string } }> }) => [
        one.relationships.user.data.id,
        one.relationships.role.data.id,
      ]),
      [[self.data.id, groupAdmin.id]],
    )
  })

  test('audit log of a new group: has the group and its first membership', async () => {
    const { id } = (await create()).json().data
    const [event, ...others] = await auditEventsOf(app, id)
    assert.deepEqual([event?.action, event?.group_id, others.length], ['group.create', id, 0])
    const log = (await read(`${PATH}/${id}/audit_logs`)).data.map(
      (one: { attributes: { action: string } }) => one.attributes.action,
    )
    assert.deepEqual(log, ['membership.create', 'group.create'])
  })

  test('slug of a group: unique for equal names, "group" for a name without ASCII letters', async () => {
    const slugs = new Set<string>()
    for (let count = 0; count < 3; count++) {
      slugs.add((await create(app.adminKey, 'Same name')).json().data.attributes.slug)
    }
    assert.equal(slugs.size, 3)
    assert.match((await create(app.adminKey, '日本')).json().data.attributes.slug, /^group(-[0-9a-f]{8})?$/)
  })

  test('POST /rest/groups: requires group.create in the first group (403)', async () => {
    const others = permissionNames.filter((permission) => permission !== 'group.create')
    const { groupId } = await groupWithOrg()
    const keys = [
      await app.keyWith(others, { groupId: app.groupId }),
      await app.keyWith(permissionNames, { groupId }),
      await app.keyWith(permissionNames, { orgId: app.orgId }),
      await app.keyWith([]),
    ]
    for (const key of keys) {
      const answer = await create(key)
      assertRefusal(answer, { status: 403, code: 'forbidden' })
      assert.match(answer.json().errors[0].detail, /group\.create in the server's first group/)
    }
    assert.equal((await create(await app.keyWith(['group.create'], { groupId: app.groupId }))).statusCode, 201)
  })

  test('POST /rest/groups: refused to service accounts (403 in-person-only)', async () => {
    const account = await createAccount(app, `/rest/groups/${app.groupId}/service_accounts`, {
      role_id: groupAdmin.id,
    })
    assertRefusal(await create(String(account.attributes['api_key'])), { status: 403, code: 'in-person-only' })
  })

  test('first group: stays the first one although another has an older time', async () => {
    const { db } = app.parts.services
    const { groupId } = await groupWithOrg()
    await db.updateTable('groups').set({ created_at: 1 }).where('id', '=', groupId).execute()
    await recordFirstGroup(db)
    assertRefusal(await create(await app.keyWith(['group.create'], { groupId })), { status: 403, code: 'forbidden' })
    assert.equal((await create()).statusCode, 201)
  })

  test('creator of a second group: sees both groups and creates organizations in either', async () => {
    const { groupId, orgId } = await groupWithOrg()
    const groups = await idsIn(`${PATH}?limit=100`)
    assert.ok(groups.includes(groupId) && groups.includes(app.groupId))
    assert.deepEqual(await idsIn(`${PATH}/${groupId}/orgs`), [orgId])
    assert.ok((await idsIn(`${PATH}/${app.groupId}/orgs`)).includes(app.orgId))
    const roles = await idsIn(`${PATH}/${groupId}/roles`)
    assert.ok(roles.includes(groupAdmin.id) && roles.includes(groupViewer.id))
    const listed = await read(`/v1/group/${groupId}/orgs`)
    assert.deepEqual([listed.id, listed.orgs.length, listed.orgs[0].id], [groupId, 1, orgId])
    const unnamed = await app.call('POST', '/v1/org', { body: { name: 'Where?' } })
    assertRefusal(unnamed, { status: 422, code: 'unprocessable' })
    const inFirst = await app.call('POST', '/v1/org', { body: { name: 'Here', groupId: app.groupId } })
    assert.equal(inFirst.json().group.id, app.groupId)
    assert.equal((await read('/rest/self')).data.attributes.default_org_context, app.orgId)
  })

  test('members of one group: see nothing of another group (404)', async () => {
    const { groupId, orgId } = await groupWithOrg()
    const inFirst = await app.keyWith(permissionNames, { groupId: app.groupId })
    const inSecond = await app.keyWith(permissionNames, { groupId })
    await assertNothingOf({ groupId, orgId }, inFirst)
    await assertNothingOf({ groupId: app.groupId, orgId: app.orgId }, inSecond)
    assert.deepEqual(await idsIn(PATH, inSecond), [groupId])
    assert.deepEqual(await idsIn('/rest/orgs', inSecond), [orgId])
    assert.deepEqual(await idsIn(PATH, inFirst), [app.groupId])
    assert.ok(!(await idsIn('/rest/orgs?limit=100', inFirst)).includes(orgId))
    assert.equal((await read('/rest/self', inSecond)).data.attributes.default_org_context, orgId)
  })

  async function assertNothingOf({ groupId, orgId }: { groupId: string; orgId: string }, key: string) {
    const paths = [
      ...['', '/orgs', '/roles', '/memberships', '/users', '/service_accounts', '/apps/installs', '/audit_logs'].map(
        (rest) => `${PATH}/${groupId}${rest}`,
      ),
      ...['', '/memberships', '/service_accounts', '/apps/creations', '/projects', '/audit_logs'].map(
        (rest) => `/rest/orgs/${orgId}${rest}`,
      ),
      `/v1/group/${groupId}/orgs`,
    ]
    for (const path of paths) assertRefusal(await app.call('GET', path, { key }), { status: 404, code: 'not-found' })
    const made = await app.call('POST', '/v1/org', { key, body: { name: 'x', groupId } })
    assertRefusal(made, { status: 404, code: 'not-found' })
  }

  test('membership across groups: refused for a foreign user (404) and a foreign role (400)', async () => {
    const { groupId } = await groupWithOrg()
    const body = { data: { type: 'user', attributes: { name: 'Some One', email: `${randomUUID()}@example.test` } } }
    const user = (await app.call('POST', `${PATH}/${groupId}/users`, { body })).json().data.id
    const strangers = await app.keyWith(permissionNames, { groupId: app.groupId })
    const taken = await app.call('POST', `${PATH}/${app.groupId}/memberships`, {
      key: strangers,
      body: membership('group', user, groupViewer.id),
    })
    assertRefusal(taken, { status: 404, code: 'not-found' })
    const role = { data: { type: 'role', attributes: { name: 'Only here', permissions: ['group.read'] } } }
    const made = (await app.call('POST', `${PATH}/${groupId}/roles`, { body: role })).json().data.id
    const foreign = await app.call('POST', `${PATH}/${app.groupId}/memberships`, {
      body: membership('group', user, made),
    })
    assert.equal(foreign.statusCode, 400, foreign.body)
  })

  testRepetition(() => app, 'creating a group', {
    path: () => PATH,
    body: () => newGroup('Once'),
    other: () => newGroup('Other'),
  })

  testRefusals(() => app, 'POST /rest/groups', {
    method: 'POST',
    path: () => PATH,
    body: newGroup,
    since: '2024-10-15',
    badBodies,
  })
})
