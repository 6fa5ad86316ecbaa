import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { groupAdmin, groupViewer, orgAdmin, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { permissionNames } from '#foundation/access/permissions.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { another, membership, places, ref, type Word } from '#test/access/members.ts'
import { assertRefusal, type BadBody, testRefusals, testRepetition } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

interface Named {
  readonly data: { readonly attributes: { readonly name: string } }
}

interface Listed {
  readonly data: readonly { readonly relationships: { readonly user: Named; readonly role: Named } }[]
  readonly links: { readonly next?: string }
}

for (const place of places) {
  const { word } = place
  onEveryEngine(`memberships (${word})`, (engine) => {
    let app: TestApp
    let someone: string
    let newcomer: string
    let kept: string
    before(async () => {
      app = await startApp(engine)
      someone = await addUser()
      newcomer = await addUser()
      kept = await join(await addUser())
    })
    after(() => app.close())

    const path = () => `/rest/${word}s/${place.id(app)}/memberships`
    const add = (userId: string, roleId = place.defaultRole, key = app.adminKey) =>
      app.call('POST', path(), { key, body: membership(word, userId, roleId) })
    const addUser = async (attributes: object = {}): Promise<string> => {
      const body = {
        data: { type: 'user', attributes: { name: 'Some One', email: `${randomUUID()}@example.test`, ...attributes } },
      }
      const answer = await app.call('POST', `/rest/groups/${app.groupId}/users`, { body })
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json().data.id
    }
    const join = async (userId: string, roleId = place.defaultRole): Promise<string> => {
      const answer = await add(userId, roleId)
      assert.equal(answer.statusCode, 201, answer.body)
      return answer.json().data.id
    }
    const listed = async (query: Record<string, string>) => {
      const answer = await app.call('GET', path(), { query: { limit: '100', ...query } })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json().data as { id: string; relationships: Record<string, { data: { id: string } }> }[]
    }
    const roleOf = async (id: string) =>
      (await app.call('GET', `${path()}/${id}`)).json().data?.relationships.role.data.id

    test('adding a member: returns user, role and place as clients read them', async () => {
      const email = `${randomUUID()}@example.test`
      const userId = await addUser({ email, name: 'Ada', username: 'ada' })
      const body = membership(word, userId.toUpperCase(), place.defaultRole)
      Object.assign(body.data.relationships, { [word]: ref(word, place.id(app)) })
      const answer = await app.call('POST', path(), { body })
      assert.equal(answer.statusCode, 201, answer.body)
      const document = answer.json()
      const { data } = document
      assert.equal(data.type, `${word}_membership`)
      assert.ok(!Number.isNaN(Date.parse(data.attributes.created_at)))
      assert.deepEqual(data.relationships.user.data, {
        id: userId,
        type: 'user',
        attributes: { name: 'Ada', username: 'ada', email },
      })
      assert.equal(data.relationships.role.data.id, place.defaultRole)
      assert.equal(data.relationships.role.data.type, `${word}_role`)
      assert.equal(data.relationships[word].data.id, place.id(app))
      assert.match(data.relationships[word].data.attributes.name, /^Default/)
      assert.equal(answer.headers['location'], `${app.parts.services.baseUrl}/rest${document.links.self}`)
      assert.deepEqual((await app.call('GET', document.links.self)).json().data, data)
      // An existing client reads the id of a new membership of an organization at the top level.
      assert.equal(document.id, word === 'org' ? data.id : undefined)
      assert.deepEqual(await listed({ user_id: userId }), [data])
    })

    test('list of members: filtered by user, email, user name and role', async () => {
      const email = `${randomUUID()}@example.test`
      const userId = await addUser({ email: email.toUpperCase(), username: `user ${email}` })
      const id = await join(userId)
      const role = (word === 'org' ? orgCollaborator : groupViewer).name
      const all: [string, string][] = [
        ['user_id', userId.toUpperCase()],
        ['email', email.toUpperCase()],
        ['username', `user ${email}`],
      ]
      for (const [name, value] of all) {
        const members = await listed({ [name]: value, role_name: role })
        assert.deepEqual(
          members.map((one) => one.id),
          [id],
          name,
        )
        assert.deepEqual(await listed({ [name]: value, role_name: 'Group Admin' }), [])
      }
      assert.deepEqual(await listed({ user_id: randomUUID() }), [])
    })

    test('list of members: sorted by name or role across pages; another key gets 400', async () => {
      const names = ['b', 'a', 'c', 'a'].flatMap((name) => [name, `${name}${name}`, `${name}x`])
      const role = `Sorted ${randomUUID()}`
      const made = await app.call('POST', `/rest/groups/${app.groupId}/roles`, {
        body: { data: { type: 'role', attributes: { name: role, permissions: [] } } },
      })
      for (const name of names) await join(await addUser({ name }), made.json().data.id)
      const byRole = word === 'org' ? 'role' : 'role_name'
      for (const [order, expected] of [
        ['ASC', [...names].sort()],
        ['DESC', [...names].sort().reverse()],
      ] as const) {
        const listedNames: string[] = []
        let link: string | undefined =
          `${path()}?version=2024-10-15&limit=10&role_name=${encodeURIComponent(role)}&sort_by=user_display_name&sort_order=${order}`
        while (link) {
          const { data, links }: Listed = (await app.call('GET', link)).json()
          listedNames.push(...data.map((one) => one.relationships.user.data.attributes.name))
          link = links.next
        }
        assert.deepEqual(listedNames, expected)
      }
      const { data: roles }: Listed = (
        await app.call('GET', path(), { query: { limit: '100', sort_by: byRole } })
      ).json()
      const roleNames = roles.map((one) => one.relationships.role.data.attributes.name)
      assert.deepEqual(roleNames, [...roleNames].sort())
      assertRefusal(await app.call('GET', path(), { query: { sort_by: 'login_method' } }), {
        status: 400,
        code: 'invalid-request',
      })
    })

    test('changing a member’s role: takes effect at once, like removing the member', async () => {
      const key = await place.keyWith(app, [])
      const userId = (await app.call('GET', '/rest/self', { key })).json().data.id
      const { id } = (await listed({ user_id: userId }))[0]!
      const target = word === 'org' ? `/rest/orgs/${app.orgId}` : `/rest/groups/${app.groupId}`
      assert.equal((await app.call('GET', target, { key })).statusCode, 403)
      const answer = await app.call('PATCH', `${path()}/${id.toUpperCase()}`, {
        body: another(word, place.defaultRole, { id, attributes: {} }),
      })
      assert.equal(answer.statusCode, 204, answer.body)
      assert.equal(answer.body, '')
      assert.equal((await app.call('GET', target, { key })).statusCode, 200)
      assert.equal(await roleOf(id), place.defaultRole)
      assert.equal((await app.call('DELETE', `${path()}/${id}`)).statusCode, 204)
      assertRefusal(await app.call('GET', target, { key }), { status: 404, code: 'not-found' })
    })

    test('audit log of a membership: has each change with the role', async () => {
      const id = await join(await addUser())
      await app.call('PATCH', `${path()}/${id}`, { body: another(word, orgAdmin.id) })
      await app.call('DELETE', `${path()}/${id}`)
      const events = await auditEventsOf(app, id)
      assert.deepEqual(
        events.map(({ action }) => action),
        ['membership.create', 'membership.update', 'membership.delete'],
      )
      assert.ok(events.every((event) => event.group_id === app.groupId))
      assert.ok(events.every((event) => event.org_id === (word === 'org' ? app.orgId : null)))
      assert.equal(JSON.parse(events[1]!.before!).role_id, place.defaultRole)
      assert.equal(JSON.parse(events[1]!.after!).role_name, 'Org Admin')
    })

    test('adding a member twice: refused (409)', async () => {
      await join(someone)
      assertRefusal(await add(someone), { status: 409, code: 'conflict' })
    })

    test('adding a member: refused for unknown or foreign users (404) and roles (400)', async () => {
      const groupId = await app.addGroup()
      const key = await app.keyWith(permissionNames, { groupId })
      const foreignUser = (await app.call('GET', '/rest/self', { key })).json().data.id
      const made = await app.call('POST', `/rest/groups/${groupId}/roles`, {
        key,
        body: { data: { type: 'role', attributes: { name: 'Foreign', permissions: [] } } },
      })
      const foreignRole = made.json().data.id
      for (const userId of [randomUUID(), foreignUser]) {
        const answer = await add(userId)
        assertRefusal(answer, { status: 404, code: 'not-found' })
        assert.equal(answer.json().errors[0].source.pointer, '/data/relationships/user/data/id')
      }
      for (const roleId of [randomUUID(), foreignRole]) {
        for (const answer of [
          await add(await addUser(), roleId),
          await app.call('PATCH', `${path()}/${kept}`, { body: another(word, roleId) }),
        ]) {
          assertRefusal(answer, { status: 400, code: 'invalid-request' })
          assert.equal(answer.json().errors[0].source.pointer, '/data/relationships/role/data/id')
        }
      }
      assert.equal(await roleOf(kept), place.defaultRole)
    })

    test('adding a user of another group: allowed to a caller who administers both groups', async () => {
      const groupId = await app.addGroup()
      const key = await app.keyWith(permissionNames, { groupId })
      const guest = (await app.call('GET', '/rest/self', { key })).json().data.id
      const { db } = app.parts.services
      const admin = await db
        .selectFrom('memberships')
        .selectAll()
        .where('role_id', '=', groupAdmin.id)
        .where('group_id', '=', app.groupId)
        .executeTakeFirstOrThrow()
      await db
        .insertInto('memberships')
        .values({ ...admin, id: randomUUID(), group_id: groupId })
        .execute()
      assert.equal((await add(guest)).statusCode, 201)
      const target = word === 'org' ? `/rest/orgs/${app.orgId}` : `/rest/groups/${app.groupId}`
      assert.equal((await app.call('GET', target, { key })).statusCode, 200)
    })

    describe('granting of permissions that the caller lacks', () => {
      for (const verb of ['add', 'edit'] as const) {
        test(`a caller who lacks permissions: cannot ${verb} a member with them (403)`, async () => {
          const permissions = [place.permission(verb), place.permission('read')]
          const key = await place.keyWith(app, permissions)
          const answer =
            verb === 'add'
              ? await add(await addUser(), orgAdmin.id, key)
              : await app.call('PATCH', `${path()}/${kept}`, { key, body: another(word, orgAdmin.id) })
          assertRefusal(answer, { status: 403, code: 'forbidden' })
          assert.match(answer.json().errors[0].detail, /org\./)
          assert.equal(await roleOf(kept), place.defaultRole)
        })
      }

      test('a caller who lacks permissions: cannot grant them to themselves (403)', async () => {
        const key = await place.keyWith(app, [place.permission('edit')])
        const userId = (await app.call('GET', '/rest/self', { key })).json().data.id
        const { id } = (await listed({ user_id: userId }))[0]!
        const answer = await app.call('PATCH', `${path()}/${id}`, { key, body: another(word, orgAdmin.id) })
        assertRefusal(answer, { status: 403, code: 'forbidden' })
      })
    })

    test('a membership under the path of another place: returns 404', async () => {
      const elsewhere =
        word === 'org' ? `/rest/groups/${app.groupId}/memberships` : `/rest/orgs/${app.orgId}/memberships`
      const other: Word = word === 'org' ? 'group' : 'org'
      assertRefusal(await app.call('GET', `${elsewhere}/${kept}`), { status: 404, code: 'not-found' })
      assertRefusal(await app.call('DELETE', `${elsewhere}/${kept}`), { status: 404, code: 'not-found' })
      assertRefusal(await app.call('PATCH', `${elsewhere}/${kept}`, { body: another(other, orgAdmin.id) }), {
        status: 404,
        code: 'not-found',
      })
      assert.equal(await roleOf(kept), place.defaultRole)
    })

    test('membership of a service account: neither listed nor removable here (404)', async () => {
      const made = await app.call('POST', `/rest/${word}s/${place.id(app)}/service_accounts`, {
        body: {
          data: {
            type: 'service_account',
            attributes: { name: 'ci', auth_type: 'api_key', role_id: orgCollaborator.id },
          },
        },
      })
      const { id } = await app.parts.services.db
        .selectFrom('memberships')
        .select('id')
        .where('principal_id', '=', made.json().data.id)
        .executeTakeFirstOrThrow()
      assertRefusal(await app.call('DELETE', `${path()}/${id}`), { status: 404, code: 'not-found' })
      assert.ok(!(await listed({})).some((one) => one.id === id))
    })

    testRepetition(() => app, 'adding a member', {
      path,
      body: () => membership(word, newcomer, place.defaultRole),
      other: () => membership(word, randomUUID(), place.defaultRole),
    })
    testPages(() => app, 'list of members', {
      path,
      add: async () => join(await addUser()),
      remove: (id) => app.call('DELETE', `${path()}/${id}`),
    })

    const since = word === 'org' ? '2024-06-06' : '2024-05-09'
    const needs = (verb: 'read' | 'add' | 'edit' | 'delete') => ({ permission: place.permission(verb), in: word })
    const badRelations: BadBody[] = [
      ['missing data', {}, '/data'],
      ['missing relationships', { data: { type: `${word}_membership` } }, '/data/relationships'],
      ['another type', { data: { ...another(word, orgAdmin.id).data, type: 'membership' } }, '/data/type'],
      ['a role with a malformed id', another(word, 'admin'), '/data/relationships/role/data/id'],
      [
        'a role of another type',
        { data: { type: `${word}_membership`, relationships: { role: ref('user', orgAdmin.id) } } },
        '/data/relationships/role/data/type',
      ],
    ]
    testRefusals(() => app, 'listing members', {
      method: 'GET',
      path,
      since: '2024-05-09',
      isList: true,
      needs: needs('read'),
    })
    testRefusals(() => app, 'adding a member', {
      method: 'POST',
      path,
      since: '2024-05-09',
      body: () => membership(word, someone, place.defaultRole),
      needs: needs('add'),
      badBodies: [
        ...badRelations,
        ['a user with a malformed id', membership(word, 'me', orgAdmin.id), '/data/relationships/user/data/id'],
        ['a missing user', another(word, orgAdmin.id), '/data/relationships/user'],
        [
          'a place that is not the path’s',
          {
            data: {
              type: `${word}_membership`,
              relationships: {
                ...membership(word, randomUUID(), orgAdmin.id).data.relationships,
                [word]: ref(word, randomUUID()),
              },
            },
          },
          `/data/relationships/${word}/data/id`,
        ],
      ],
    })
    testRefusals(() => app, 'changing a member', {
      method: 'PATCH',
      path: () => `${path()}/${kept}`,
      since,
      body: () => another(word, place.defaultRole),
      needs: needs('edit'),
      badBodies: [
        ...badRelations,
        ['an id that is not the path’s', another(word, orgAdmin.id, { id: randomUUID() }), '/data/id'],
      ],
    })
    testRefusals(() => app, 'removing a member', {
      method: 'DELETE',
      path: () => `${path()}/${kept}`,
      since,
      needs: needs('delete'),
    })
    testRefusals(() => app, 'reading a member', {
      method: 'GET',
      path: () => `${path()}/${kept}`,
      since,
      needs: needs('read'),
    })
    test('members: refuse a malformed membership or user id (400)', async () => {
      assertRefusal(await app.call('GET', `${path()}/me`), { status: 400, code: 'invalid-request' })
      assertRefusal(await app.call('GET', path(), { query: { user_id: 'me' } }), {
        status: 400,
        code: 'invalid-request',
      })
    })
  })
}
