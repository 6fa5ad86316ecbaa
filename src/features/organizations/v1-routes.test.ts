import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { groupAdmin, orgAdmin, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { newAccount } from '#test/access/accounts.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, type BadBody, testRefusals, testRepetition } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const badBodies: BadBody[] = [
  ['a missing name', {}, '/name'],
  ['an empty name', { name: '' }, '/name'],
  ['a blank name', { name: ' ' }, '/name'],
  ['a name of 61 characters', { name: 'x'.repeat(61) }, '/name'],
  ['a name with a NUL', { name: 'a\0' }, '/name'],
  ['a name that is a number', { name: 7 }, '/name'],
  ['a malformed groupId', { name: 'x', groupId: 'default-group' }, '/groupId'],
  ['a malformed sourceOrgId', { name: 'x', sourceOrgId: 'default-org' }, '/sourceOrgId'],
  ['copyMembers without a source', { name: 'x', copyMembers: true }, '/copyMembers'],
  ['an unknown member', { name: 'x', slug: 'y' }, '/slug'],
]

onEveryEngine('v1 organizations', (engine) => {
  let app: TestApp
  let baseUrl: string
  before(async () => {
    app = await startApp(engine, { GATEHOUSE_BASE_URL: 'https://gatehouse.example.test' })
    baseUrl = 'https://gatehouse.example.test'
  })
  after(() => app.close())

  const create = (body: unknown, key = app.adminKey) => app.call('POST', '/v1/org', { body, key })
  const roleIn = async (orgId: string) =>
    app.parts.services.db
      .selectFrom('memberships')
      .select(['principal_id', 'role_id'])
      .where('org_id', '=', orgId)
      .where('principal_kind', '=', 'user')
      .execute()
  /** Creates an organization with one member in that role. */
  async function orgWithMember(roleId: string): Promise<string> {
    const orgId = await app.addOrg()
    await app.keyWith([], { orgId })
    await app.parts.services.db
      .updateTable('memberships')
      .set({ role_id: roleId })
      .where('org_id', '=', orgId)
      .execute()
    return orgId
  }

  test('GET /v1/orgs: lists what the caller can see, with or without a version parameter', async () => {
    for (const path of ['/v1/orgs', '/api/v1/orgs', '/v1/orgs?version=2023-05-29']) {
      const answer = await app.call('GET', path)
      assert.equal(answer.statusCode, 200, answer.body)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      const listed = answer.json().orgs.find((org: { id: string }) => org.id === app.orgId)
      assert.deepEqual(listed, {
        id: app.orgId,
        name: 'Default organization',
        slug: 'default-org',
        url: `${baseUrl}/org/default-org`,
        group: { id: app.groupId, name: 'Default group' },
      })
    }
    const orgId = await app.addOrg()
    const key = await app.keyWith(['org.read'], { orgId })
    const { orgs } = (await app.call('GET', '/v1/orgs', { key })).json()
    assert.deepEqual(
      orgs.map(({ id }: { id: string }) => id),
      [orgId],
    )
  })

  test('POST /v1/org: creates an organization and answers as clients expect', async () => {
    const answer = await create({ name: 'Team Zebra', groupId: app.groupId.toUpperCase() })
    assert.equal(answer.statusCode, 201, answer.body)
    const { id, created, ...rest } = answer.json()
    assert.ok(!Number.isNaN(Date.parse(created)))
    assert.deepEqual(rest, {
      name: 'Team Zebra',
      slug: 'team-zebra',
      url: `${baseUrl}/org/team-zebra`,
      group: { id: app.groupId, name: 'Default group' },
    })
    assert.equal((await app.call('GET', `/rest/orgs/${id}`)).json().data.attributes.name, 'Team Zebra')
    assert.deepEqual(await roleIn(id), [], 'its creator holds there what the group gives')
    const events = await auditEventsOf(app, id)
    assert.deepEqual(
      events.map(({ action, group_id }) => [action, group_id]),
      [['org.create', app.groupId]],
    )
  })

  test('POST /v1/org: equal names get different slugs', async () => {
    const slugs = new Set<string>()
    for (let count = 0; count < 3; count++) slugs.add((await create({ name: 'Same Name' })).json().slug)
    assert.equal(slugs.size, 3)
    for (const slug of slugs) assert.match(slug, /^same-name(-[0-9a-f]{8})?$/)
  })

  test('POST /v1/org without groupId: uses the only group where the caller may create organizations', async () => {
    assert.equal((await create({ name: 'Somewhere' })).json().group.id, app.groupId)
    const key = await app.keyWith(['group.org.create'], { groupId: app.groupId })
    assert.equal((await create({ name: 'Here' }, key)).statusCode, 201)
    const { id: principalId } = (await app.call('GET', '/rest/self', { key })).json().data
    const [second, third] = [await app.addGroup(), await app.addGroup()]
    const join = (groupId: string, roleId: string) =>
      app.parts.services.db
        .insertInto('memberships')
        .values({
          id: randomUUID(),
          principal_kind: 'user',
          principal_id: principalId,
          group_id: groupId,
          org_id: null,
          role_id: roleId,
          created_at: 1,
        })
        .execute()
    await join(second, orgCollaborator.id)
    assert.equal((await create({ name: 'Still here' }, key)).json().group.id, app.groupId)
    await join(third, groupAdmin.id)
    assertRefusal(await create({ name: 'Where?' }, key), { status: 422, code: 'unprocessable' })
    assert.equal((await create({ name: 'There', groupId: third }, key)).statusCode, 201)
  })

  test('POST /v1/org: refused without the permission (403) or without access to the group (404)', async () => {
    const others = permissionNames.filter((permission) => permission !== 'group.org.create')
    const inGroup = await app.keyWith(others, { groupId: app.groupId })
    for (const body of [{ name: 'x' }, { name: 'x', groupId: app.groupId }]) {
      const answer = await create(body, inGroup)
      assertRefusal(answer, { status: 403, code: 'forbidden' })
      assert.match(answer.json().message, /group\.org\.create/)
    }
    const inOrg = await app.keyWith(permissionNames)
    assertRefusal(await create({ name: 'x' }, inOrg), { status: 403, code: 'forbidden' })
    assertRefusal(await create({ name: 'x', groupId: app.groupId }, inOrg), { status: 404, code: 'not-found' })
    assertRefusal(await create({ name: 'x', groupId: randomUUID() }), { status: 404, code: 'not-found' })
  })

  test('POST /v1/org with sourceOrgId: requires a visible source in the same group; copies no members', async () => {
    const source = await orgWithMember(orgCollaborator.id)
    const answer = await create({ name: 'Copy', sourceOrgId: source })
    assert.equal(answer.statusCode, 201, answer.body)
    assert.deepEqual(await roleIn(answer.json().id), [])
    const foreign = await app.addOrg({ groupId: await app.addGroup() })
    assertRefusal(await create({ name: 'x', sourceOrgId: foreign }), { status: 404, code: 'not-found' })
    const group = await app.addGroup()
    const key = await app.keyWith(permissionNames, { groupId: group })
    assertRefusal(await create({ name: 'x', groupId: group, sourceOrgId: app.orgId }, key), {
      status: 404,
      code: 'not-found',
    })
    const { id: principalId } = (await app.call('GET', '/rest/self', { key })).json().data
    await app.parts.services.db
      .insertInto('memberships')
      .values({
        id: randomUUID(),
        principal_kind: 'user',
        principal_id: principalId,
        group_id: app.groupId,
        org_id: app.orgId,
        role_id: orgAdmin.id,
        created_at: 1,
      })
      .execute()
    const seen = await create({ name: 'x', groupId: group, sourceOrgId: app.orgId }, key)
    assertRefusal(seen, { status: 422, code: 'unprocessable' })
  })

  test('POST /v1/org with copyMembers: copies users’ memberships with audit events, no service accounts', async () => {
    const source = await orgWithMember(orgCollaborator.id)
    await app.call('POST', `/rest/orgs/${source}/service_accounts`, { body: newAccount() })
    const answer = await create({ name: 'Clone', sourceOrgId: source, copyMembers: true })
    assert.equal(answer.statusCode, 201, answer.body)
    const { id } = answer.json()
    assert.deepEqual(await roleIn(id), await roleIn(source))
    const accounts = await app.call('GET', `/rest/orgs/${id}/service_accounts`)
    assert.deepEqual(accounts.json().data, [], 'programs are not copied')
    const events = await app.parts.services.db
      .selectFrom('audit_events')
      .select('action')
      .where('org_id', '=', id)
      .orderBy('id')
      .execute()
    assert.deepEqual(
      events.map(({ action }) => action),
      ['org.create', 'membership.create'],
    )
  })

  test('POST /v1/org with copyMembers: refused if the caller lacks permissions (403), creates nothing', async () => {
    const source = await orgWithMember(orgAdmin.id)
    const permissions = ['group.org.create', 'org.read', 'org.user.read'] as const
    const key = await app.keyWith(permissions, { groupId: app.groupId })
    const name = `Refused ${randomUUID()}`
    const answer = await create({ name, sourceOrgId: source, copyMembers: true }, key)
    assertRefusal(answer, { status: 403, code: 'forbidden' })
    assert.deepEqual((await app.call('GET', '/rest/orgs', { query: { name } })).json().data, [])
    const blind = await app.keyWith(['group.org.create', 'org.read'], { groupId: app.groupId })
    const unseen = await create({ name, sourceOrgId: source, copyMembers: true }, blind)
    assertRefusal(unseen, { status: 403, code: 'forbidden' })
    assert.match(unseen.json().message, /org\.user\.read/)
  })

  test('DELETE /v1/org: deletes accounts, memberships and credentials at once; users stay', async () => {
    const { db } = app.parts.services
    const orgId = await app.addOrg()
    const { slug } = (await app.call('GET', `/rest/orgs/${orgId}`)).json().data.attributes
    const person = await app.keyWith(permissionNames, { orgId })
    const made = await app.call('POST', `/rest/orgs/${orgId}/service_accounts`, { body: newAccount() })
    assert.equal(made.statusCode, 201, made.body)
    const { id: accountId, attributes } = made.json().data
    const program = attributes.api_key
    assert.equal((await app.call('GET', `/rest/orgs/${orgId}`, { key: program })).statusCode, 200)

    const answer = await app.call('DELETE', `/v1/org/${slug}`)
    assert.equal(answer.statusCode, 204, answer.body)
    assert.equal(answer.body, '')
    assertRefusal(await app.call('GET', '/rest/self', { key: program }), { status: 401, code: 'unauthenticated' })
    assertRefusal(await app.call('GET', `/rest/orgs/${orgId}`, { key: person }), { status: 404, code: 'not-found' })
    assertRefusal(await app.call('DELETE', `/v1/org/${orgId}`), { status: 404, code: 'not-found' })
    assert.equal((await app.call('GET', '/rest/self', { key: person })).statusCode, 200, 'people stay')
    const left = await db.selectFrom('credentials').select('id').where('owner_id', '=', accountId).execute()
    assert.deepEqual(left, [])
    assert.deepEqual(await db.selectFrom('memberships').select('id').where('org_id', '=', orgId).execute(), [])
    assert.deepEqual(await db.selectFrom('service_accounts').select('id').where('org_id', '=', orgId).execute(), [])
    const events = await db.selectFrom('audit_events').selectAll().where('org_id', '=', orgId).orderBy('id').execute()
    assert.deepEqual(
      events.map(({ action }) => action),
      ['service_account.create', 'org.delete'],
    )
    assert.equal(JSON.parse(events[1]!.before!).slug, slug)
    assert.equal((await create({ name: 'Reused' })).statusCode, 201)
  })

  test('DELETE /v1/org during account creations: leaves none of the accounts', async () => {
    const orgId = await app.addOrg()
    const path = `/rest/orgs/${orgId}/service_accounts`
    const making = Array.from({ length: 6 }, () => app.call('POST', path, { body: newAccount() }))
    const gone = app.call('DELETE', `/v1/org/${orgId}`)
    const more = Array.from({ length: 6 }, () => app.call('POST', path, { body: newAccount() }))
    assert.equal((await gone).statusCode, 204)
    for (const answer of await Promise.all([...making, ...more])) {
      assert.ok([201, 404, 409].includes(answer.statusCode), answer.body)
      if (answer.statusCode !== 201) continue
      const key = answer.json().data.attributes.api_key
      assertRefusal(await app.call('GET', '/rest/self', { key }), { status: 401, code: 'unauthenticated' })
    }
    const orphans = await app.parts.services.db
      .selectFrom('credentials as c')
      .leftJoin('service_accounts as s', 's.id', 'c.owner_id')
      .select('c.id')
      .where('c.owner_kind', '=', 'service_account')
      .where('s.id', 'is', null)
      .execute()
    assert.deepEqual(orphans, [])
  })

  test('GET /v1/group/{id}/orgs: pages by number and filters by the beginning of names', async () => {
    const groupId = await app.addGroup()
    const key = await app.keyWith(permissionNames, { groupId })
    for (const name of ['Alpha', 'alphabet', 'Al%pha', 'Beta', 'Gamma']) {
      assert.equal((await create({ name, groupId }, key)).statusCode, 201)
    }
    const read = async (query: Record<string, string>) => {
      const answer = await app.call('GET', `/v1/group/${groupId}/orgs`, { key, query })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json()
    }
    const { orgs, ...group } = await read({})
    assert.equal(orgs.length, 5)
    assert.deepEqual(Object.keys(orgs[0]).sort(), ['created', 'id', 'name', 'slug', 'url'])
    assert.equal(group.id, groupId)
    assert.equal(group.url, `${baseUrl}/group/${groupId}`)
    const walked = []
    for (const page of ['1', '2', '3']) walked.push(...(await read({ perPage: '2', page })).orgs)
    assert.deepEqual(walked, orgs)
    assert.deepEqual((await read({ perPage: '2', page: '4' })).orgs, [])
    const names = async (name: string) => (await read({ name })).orgs.map((org: { name: string }) => org.name).sort()
    assert.deepEqual(await names('ALPHA'), ['Alpha', 'alphabet'])
    assert.deepEqual(await names('al%'), ['Al%pha'])
    assert.deepEqual(await names('pha'), [])
  })

  for (const query of [{ perPage: '0' }, { perPage: '101' }, { page: '0' }, { page: 'x' }, { page: '1.5' }]) {
    test(`GET /v1/group/{id}/orgs: refuses ${JSON.stringify(query)} (400)`, async () => {
      const answer = await app.call('GET', `/v1/group/${app.groupId}/orgs`, { query: query as Record<string, string> })
      assertRefusal(answer, { status: 400, code: 'invalid-request' })
    })
  }

  testRepetition(() => app, 'POST /v1/org', {
    path: () => '/v1/org',
    body: () => ({ name: 'Once' }),
    other: () => ({ name: 'Twice' }),
  })
  testRefusals(() => app, 'GET /v1/orgs', { method: 'GET', path: () => '/v1/orgs' })
  testRefusals(() => app, 'POST /v1/org', {
    method: 'POST',
    path: () => '/v1/org',
    body: () => ({ name: 'x' }),
    badBodies,
  })
  testRefusals(() => app, 'DELETE /v1/org', {
    method: 'DELETE',
    path: () => `/v1/org/${app.orgId}`,
    needs: { permission: 'org.delete', in: 'org' },
  })
  testRefusals(() => app, 'DELETE /v1/org by slug', {
    method: 'DELETE',
    path: () => '/api/v1/org/default-org',
    needs: { permission: 'org.delete', in: 'org' },
  })
  testRefusals(() => app, 'GET /v1/group/{id}/orgs', {
    method: 'GET',
    path: () => `/v1/group/${app.groupId}/orgs`,
    needs: { permission: 'group.read', in: 'group' },
  })
})
