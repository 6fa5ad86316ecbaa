import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { groupAdmin, orgAdmin, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, type BadBody, testRefusals } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

interface Org {
  id: string
  attributes: { name: string; slug: string }
  relationships?: { member_role: { data: object } }
}

const renamed = (name: unknown, more: object = {}) => ({ data: { type: 'org', attributes: { name }, ...more } })

const badBodies: BadBody[] = [
  ['an empty name', renamed(''), '/data/attributes/name'],
  ['a blank name', renamed('   '), '/data/attributes/name'],
  ['a name of 61 characters', renamed('x'.repeat(61)), '/data/attributes/name'],
  ['a name with a NUL', renamed('a\0'), '/data/attributes/name'],
  ['a name that is a number', renamed(7), '/data/attributes/name'],
  ['an id that is not the path’s', renamed('x', { id: randomUUID() }), '/data/id'],
  ['another attribute', { data: { type: 'org', attributes: { name: 'x', slug: 'y' } } }, '/data/attributes/slug'],
  ['another type', { data: { type: 'group', attributes: { name: 'x' } } }, '/data/type'],
]

onEveryEngine('organizations and groups', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const list = async (query: Record<string, string> = {}, key = app.adminKey): Promise<Org[]> => {
    const answer = await app.call('GET', '/rest/orgs', { key, query: { limit: '100', ...query } })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data
  }
  const ids = (orgs: Org[]) => orgs.map(({ id }) => id)
  const rename = (id: string, name: string) => app.call('PATCH', `/rest/orgs/${id}`, { body: renamed(name) })

  test('an organization: has the attributes that clients read', async () => {
    const answer = await app.call('GET', `/rest/orgs/${app.orgId}`, { query: { expand: 'tenant' } })
    assert.equal(answer.statusCode, 200)
    const { data, links } = answer.json()
    assert.equal(links.self, `/orgs/${app.orgId}?version=2024-10-15`)
    const { created_at, updated_at, ...attributes } = data.attributes
    assert.deepEqual(attributes, {
      name: 'Default organization',
      slug: 'default-org',
      is_personal: false,
      group_id: app.groupId,
    })
    assert.ok(Date.parse(created_at) <= Date.parse(updated_at))
  })

  test('list of organizations: has those that the caller can see, nothing else', async () => {
    const [mine, other] = [await app.addOrg(), await app.addOrg()]
    const foreign = await app.addOrg({ groupId: await app.addGroup() })
    const key = await app.keyWith(['org.read'], { orgId: mine })
    assert.deepEqual(ids(await list({}, key)), [mine])
    const ofAdmin = ids(await list())
    assert.ok(ofAdmin.includes(mine) && ofAdmin.includes(other) && !ofAdmin.includes(foreign))
    assert.deepEqual(await list({}, await app.keyWith(['org.edit'], { orgId: mine })), [], 'without org.read')
    assert.deepEqual(
      ids(await list({ slug: `org-${other}` }, await app.keyWith(['org.read'], { groupId: app.groupId }))),
      [other],
    )
  })

  test('list of organizations: filtered by group_id, is_personal, slug and part of the name', async () => {
    const id = await app.addOrg()
    await rename(id, '100% Ünder_scored')
    assert.deepEqual(ids(await list({ name: '0% Ü' })), [id])
    assert.deepEqual(ids(await list({ name: 'DER_SCO' })), [id])
    assert.deepEqual(ids(await list({ name: 'derxsco' })), [])
    assert.deepEqual(ids(await list({ slug: `org-${id}` })), [id])
    assert.deepEqual(ids(await list({ slug: `org-${id.slice(1)}` })), [])
    assert.ok(ids(await list({ group_id: app.groupId.toUpperCase() })).includes(id))
    assert.deepEqual(await list({ group_id: randomUUID() }), [])
    assert.deepEqual(await list({ is_personal: 'true' }), [])
    assert.ok(ids(await list({ is_personal: 'false' })).includes(id))
  })

  test('tenant of an organization: its group, only if expanded', async () => {
    const read = (query: Record<string, string>) => app.call('GET', `/rest/orgs/${app.orgId}`, { query })
    assert.equal((await read({})).json().data.relationships, undefined)
    const { relationships } = (await read({ expand: 'tenant' })).json().data
    assert.equal(relationships.tenant.data.id, app.groupId)
    assert.deepEqual(Object.keys(relationships.tenant.data.attributes), ['name', 'slug'])
    assertRefusal(await read({ expand: 'parent' }), { status: 400, code: 'invalid-request' })
  })

  test('member_role of an organization: the caller’s own role there, named only if expanded', async () => {
    const { db } = app.parts.services
    const orgId = await app.addOrg()
    const key = await app.keyWith(['org.read'], { orgId })
    await db.updateTable('memberships').set({ role_id: orgCollaborator.id }).where('org_id', '=', orgId).execute()
    const plain = await list({}, key)
    assert.deepEqual(plain[0]!.relationships!.member_role.data, { id: orgCollaborator.id, type: 'role' })
    const expanded = await list({ expand: 'member_role' }, key)
    assert.deepEqual(expanded[0]!.relationships!.member_role.data, {
      id: orgCollaborator.id,
      type: 'role',
      attributes: { name: 'Org Collaborator' },
    })
    const { id: principalId } = (await app.call('GET', '/rest/self', { key })).json().data
    const wide = { id: randomUUID(), principal_kind: 'user', principal_id: principalId, group_id: app.groupId }
    await db
      .insertInto('memberships')
      .values({ ...wide, org_id: null, role_id: orgAdmin.id, created_at: 1 })
      .execute()
    const role = (await list({ slug: `org-${orgId}` }, key))[0]!.relationships!.member_role.data
    assert.deepEqual(role, { id: orgCollaborator.id, type: 'role' }, 'its own role before that of the group')
  })

  test('renaming an organization: keeps the slug and is audited', async () => {
    const id = await app.addOrg()
    const before = (await app.call('GET', `/rest/orgs/${id}`)).json().data.attributes
    const answer = await app.call('PATCH', `/rest/orgs/${id}`, { body: renamed('Another', { id: id.toUpperCase() }) })
    assert.equal(answer.statusCode, 200)
    assert.equal(answer.json().data.attributes.name, 'Another')
    assert.equal(answer.json().data.attributes.slug, before.slug)
    const events = await auditEventsOf(app, id)
    assert.equal(events.length, 1)
    assert.equal(events[0]!.action, 'org.update')
    assert.equal(events[0]!.org_id, id)
    assert.equal(JSON.parse(events[0]!.before!).name, before.name)
    assert.equal(JSON.parse(events[0]!.after!).name, 'Another')
  })

  test('a group: visible alone and in the list with group.read only', async () => {
    const { data } = (await app.call('GET', '/rest/groups')).json()
    assert.deepEqual(ids(data), [app.groupId])
    assert.equal(data[0].attributes.name, 'Default group')
    assert.deepEqual((await app.call('GET', `/rest/groups/${app.groupId}`)).json().data, data[0])
    for (const key of [await app.keyWith(['org.read']), await app.keyWith(['org.read'], { groupId: app.groupId })]) {
      assert.deepEqual((await app.call('GET', '/rest/groups', { key })).json().data, [])
    }
  })

  test('group id in upper case: the same answers as in lower case', async () => {
    for (const path of ['', '/orgs', '/audit_logs', '/memberships', '/users']) {
      const [lower, upper] = [
        await app.call('GET', `/rest/groups/${app.groupId}${path}`),
        await app.call('GET', `/rest/groups/${app.groupId.toUpperCase()}${path}`),
      ]
      assert.deepEqual([upper.statusCode, upper.json().data], [200, lower.json().data], upper.body)
    }
  })

  test('list of a group’s organizations: filtered by slug and part of the name', async () => {
    const id = await app.addOrg()
    await rename(id, 'Needle in the Group')
    const path = `/rest/groups/${app.groupId}/orgs`
    for (const query of [{ name: 'needle IN' }, { slug: `org-${id}` }]) {
      const { data } = (await app.call('GET', path, { query: query as Record<string, string> })).json()
      assert.deepEqual(ids(data), [id])
      assert.equal(data[0].relationships, undefined)
    }
    const foreign = await app.addOrg({ groupId: await app.addGroup() })
    const { data } = (await app.call('GET', path, { query: { slug: `org-${foreign}` } })).json()
    assert.deepEqual(data, [])
  })

  test('malformed id of an organization or group: returns 404', async () => {
    for (const path of ['/rest/orgs/default-org', '/rest/groups/default-group', '/rest/groups/x/orgs']) {
      assertRefusal(await app.call('GET', path), { status: 404, code: 'not-found' })
    }
  })

  for (const query of [
    { slug: 'a b' },
    { name: 'x'.repeat(101) },
    { group_id: 'x' },
    { is_personal: 'maybe' },
    { expand: 'tenant' },
  ]) {
    test(`list of organizations: refuses the filter ${JSON.stringify(query).slice(0, 30)} (400)`, async () => {
      const answer = await app.call('GET', '/rest/orgs', { query: query as Record<string, string> })
      assertRefusal(answer, { status: 400, code: 'invalid-request' })
      assert.deepEqual(answer.json().errors[0].source, { parameter: Object.keys(query)[0] })
    })
  }

  const addOrg = () => app.addOrg()
  const removeOrg = (id: string) => app.call('DELETE', `/v1/org/${id}`)
  testPages(() => app, 'list of organizations', { path: () => '/rest/orgs', add: addOrg, remove: removeOrg })
  testPages(() => app, 'filtered list of organizations', {
    path: () => `/rest/orgs?group_id=${app.groupId}&name=org`,
    add: addOrg,
    remove: removeOrg,
  })
  testPages(() => app, 'list of a group’s organizations', {
    path: () => `/rest/groups/${app.groupId}/orgs`,
    add: addOrg,
    remove: removeOrg,
  })
  testPages(() => app, 'list of groups', {
    path: () => '/rest/groups',
    add: async () => {
      const { db } = app.parts.services
      const id = await app.addGroup()
      const admin = await db
        .selectFrom('memberships')
        .selectAll()
        .where('group_id', '=', app.groupId)
        .where('role_id', '=', groupAdmin.id)
        .executeTakeFirstOrThrow()
      await db
        .insertInto('memberships')
        .values({ ...admin, id: randomUUID(), group_id: id })
        .execute()
      return id
    },
    remove: async (id) => app.parts.services.db.deleteFrom('memberships').where('group_id', '=', id).execute(),
  })

  const org = () => `/rest/orgs/${app.orgId}`
  const group = () => `/rest/groups/${app.groupId}`
  testRefusals(() => app, 'listing organizations', {
    method: 'GET',
    path: () => '/rest/orgs?name=',
    since: '2022-04-06',
    isList: true,
  })
  testRefusals(() => app, 'reading an organization', {
    method: 'GET',
    path: org,
    since: '2022-04-06',
    needs: { permission: 'org.read', in: 'org' },
  })
  testRefusals(() => app, 'renaming an organization', {
    method: 'PATCH',
    path: org,
    body: () => renamed('Default organization'),
    since: '2022-04-06',
    needs: { permission: 'org.edit', in: 'org' },
    badBodies,
  })
  testRefusals(() => app, 'listing groups', {
    method: 'GET',
    path: () => '/rest/groups',
    since: '2022-01-31',
    isList: true,
  })
  testRefusals(() => app, 'reading a group', {
    method: 'GET',
    path: group,
    since: '2022-01-31',
    needs: { permission: 'group.read', in: 'group' },
  })
  testRefusals(() => app, 'listing organizations of a group', {
    method: 'GET',
    path: () => `${group()}/orgs`,
    since: '2023-10-24',
    isList: true,
    needs: { permission: 'group.read', in: 'group' },
  })

  test('organizations and groups: serve the release that each requested version selects', async () => {
    const cases: [path: string, version: string, served: string][] = [
      ['/rest/orgs', '2022-04-06~experimental', '2022-04-06~experimental'],
      ['/rest/orgs', '2023-05-29', '2023-05-29'],
      ['/rest/orgs', '2024-10-15', '2024-02-28'],
      [org(), '2024-10-15', '2023-05-29'],
      ['/rest/groups', '2023-01-30~beta', '2023-01-30~beta'],
      ['/rest/groups', '2024-10-15', '2023-01-30~beta'],
      [`${group()}/orgs`, '2023-12-14~beta', '2023-12-14~beta'],
    ]
    for (const [path, version, served] of cases) {
      const answer = await app.call('GET', path, { query: { version } })
      assert.equal(answer.headers['snyk-version-served'], served, `${path} ${version}`)
    }
  })
})
