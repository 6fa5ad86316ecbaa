import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { type Permission, permissionNames } from '#foundation/access/permissions.ts'
import { newAccount, ofGroup, ofOrg } from '#test/access/accounts.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { addAccountToken, addApp, consentTo, installApp, userOf } from '#test/access/tokens.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const scopes: Permission[] = ['org.read', 'org.package.test', 'org.project.read']

onEveryEngine('acting with an access token', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const getWith = (key: string) => (path: string) => app.call('GET', path, { key })
  const orgsOf = async (key: string): Promise<string[]> =>
    (await app.call('GET', '/rest/orgs?limit=100', { key })).json().data.map(({ id }: { id: string }) => id)
  /** Returns the id of a user with these permissions in the first organization, or in the group. */
  const userWith = async (permissions: readonly Permission[], at = {}) =>
    userOf(app, await app.keyWith(permissions, at))

  test('an app in a tenant’s context: /self returns the app itself, not the user', async () => {
    const userId = await userWith(permissionNames)
    const { token, botId } = await consentTo(app, { app: await addApp(app, { scopes, name: 'Bot' }), userId })
    const get = getWith(token)
    const self = (await get('/rest/self')).json().data
    assert.deepEqual(self, {
      id: botId,
      type: 'app_instance',
      attributes: { name: 'Bot', default_org_context: app.orgId },
    })
    const me = (await get('/v1/user/me')).json()
    assert.equal(me.id, botId)
    assert.deepEqual(
      me.orgs.map(({ id }: { id: string }) => id),
      [app.orgId],
    )
  })

  test('an app in a user’s context: /self returns the user', async () => {
    const userId = await userWith(permissionNames)
    const { token } = await consentTo(app, { app: await addApp(app, { scopes, context: 'user' }), userId })
    const self = (await getWith(token)('/rest/self')).json().data
    assert.equal(self.id, userId)
    assert.equal(self.type, 'user')
    assert.equal(self.attributes.email, `${userId}@example.test`)
    assert.equal((await getWith(token)('/v1/user/me')).json().id, userId)
  })

  for (const context of ['tenant', 'user'] as const) {
    test(`an app in a ${context}’s context: sees only the organization where it is installed`, async () => {
      const userId = await userWith(permissionNames, { groupId: app.groupId })
      const other = await app.addOrg()
      const { token } = await consentTo(app, { app: await addApp(app, { scopes, context }), userId })
      assert.deepEqual(await orgsOf(token), [app.orgId])
      assert.deepEqual(
        (await getWith(token)('/v1/orgs')).json().orgs.map(({ id }: { id: string }) => id),
        [app.orgId],
      )
      assert.equal((await getWith(token)(`/rest/orgs/${app.orgId}`)).statusCode, 200)
      assertRefusal(await getWith(token)(`/rest/orgs/${other}`), { status: 404, code: 'not-found' })
      assertRefusal(await getWith(token)(`/rest/groups/${app.groupId}`), { status: 404, code: 'not-found' })
      assert.deepEqual((await getWith(token)('/rest/groups')).json().data, [])
    })

    test(`an app in a ${context}’s context, installed in a group: sees only what its user sees`, async () => {
      const orgId = await app.addOrg()
      const userId = await userWith(permissionNames, { orgId })
      const places = [{ groupId: app.groupId, orgId: null }]
      const { token } = await consentTo(app, { app: await addApp(app, { scopes, context }), userId, places })
      assert.deepEqual(await orgsOf(token), [orgId])
      assertRefusal(await getWith(token)(`/rest/orgs/${app.orgId}`), { status: 404, code: 'not-found' })
      // Nothing that apps may ask for is the group’s.
      const ofWholeGroup = await userWith(permissionNames, { groupId: app.groupId })
      const wide = await consentTo(app, { app: await addApp(app, { scopes, context }), userId: ofWholeGroup, places })
      assertRefusal(await getWith(wide.token)(`/rest/groups/${app.groupId}`), { status: 403, code: 'forbidden' })
    })

    test(`an app in a ${context}’s context: has the permissions that its scopes and its user share at that moment`, async () => {
      const userId = await userWith(['org.read', 'org.package.test', 'org.service_account.read'])
      const { token } = await consentTo(app, { app: await addApp(app, { scopes, context }), userId })
      const path = `/rest/orgs/${app.orgId}/service_accounts`
      assertRefusal(await getWith(token)(path), { status: 403, code: 'forbidden' })
      const tested = await app.call('POST', `/v1/test/npm?org=${app.orgId}`, { key: token, body: {} })
      assert.equal(tested.statusCode, 400, 'it may test; the body is what is wrong')
      await app.parts.services.db
        .updateTable('roles')
        .set({ permissions: '["org.read"]' })
        .where('id', 'in', (eb) => eb.selectFrom('memberships').select('role_id').where('principal_id', '=', userId))
        .execute()
      const refused = await app.call('POST', `/v1/test/npm?org=${app.orgId}`, { key: token, body: {} })
      assert.equal(refused.statusCode, 403)
      assert.deepEqual(await orgsOf(token), [app.orgId])
      await app.parts.services.db.deleteFrom('memberships').where('principal_id', '=', userId).execute()
      assert.deepEqual(await orgsOf(token), [])
      assertRefusal(await getWith(token)(`/rest/orgs/${app.orgId}`), { status: 404, code: 'not-found' })
      assert.equal((await getWith(token)('/rest/self')).json().data.attributes.default_org_context, undefined)
      assert.equal((await app.call('POST', '/v1/test/npm', { key: token, body: {} })).statusCode, 404)
    })
  }

  test('an app without org.read, or with scopes that grant nothing: sees no organization', async () => {
    const userId = await userWith(permissionNames)
    const input = { app: await addApp(app, { scopes }), userId, scopes: ['org.project.read'] as Permission[] }
    const { token } = await consentTo(app, input)
    assert.deepEqual(await orgsOf(token), [])
    assertRefusal(await getWith(token)(`/rest/orgs/${app.orgId}`), { status: 403, code: 'forbidden' })
    const legacy = await addApp(app, { scopes: ['apps:beta'] })
    const nothing = await consentTo(app, { app: legacy, userId })
    assertRefusal(await getWith(nothing.token)(`/rest/orgs/${app.orgId}`), { status: 403, code: 'forbidden' })
  })

  test('an unattended app: holds its scopes where it is installed and nowhere else', async () => {
    const other = await app.addOrg()
    const unattended = await addApp(app, { grantType: 'client_credentials', scopes, name: 'Broker' })
    const { id, token } = await installApp(app, { app: unattended })
    const self = (await getWith(token)('/rest/self')).json().data
    assert.deepEqual(self, { id, type: 'app_instance', attributes: { name: 'Broker', default_org_context: app.orgId } })
    assert.deepEqual(await orgsOf(token), [app.orgId])
    const [seen] = (await getWith(token)('/rest/orgs?expand=member_role')).json().data
    assert.deepEqual(seen.relationships, {}, 'it has no role')
    assertRefusal(await getWith(token)(`/rest/orgs/${other}`), { status: 404, code: 'not-found' })
    assertRefusal(await getWith(token)(`/rest/orgs/${app.orgId}/service_accounts`), { status: 403, code: 'forbidden' })
    assertRefusal(await getWith(token)(`/rest/groups/${app.groupId}`), { status: 404, code: 'not-found' })
    const slug = (await app.call('GET', `/rest/orgs/${app.orgId}`)).json().data.attributes.slug
    assert.equal((await getWith(token)(`/v1/user/me/notification-settings/org/${slug}`)).statusCode, 200)
  })

  test('an unattended app in a group: holds its scopes in all its organizations, new ones included', async () => {
    const groupId = await app.addGroup()
    const first = await app.addOrg({ groupId })
    const unattended = await addApp(app, { grantType: 'client_credentials', scopes })
    const { token } = await installApp(app, { app: unattended, place: { groupId, orgId: null } })
    const second = await app.addOrg({ groupId })
    assert.deepEqual((await orgsOf(token)).sort(), [first, second].sort())
    assert.equal((await getWith(token)(`/rest/orgs/${second}`)).statusCode, 200)
    assert.equal((await getWith(token)('/rest/self')).json().data.attributes.default_org_context, first)
    assertRefusal(await getWith(token)(`/rest/orgs/${app.orgId}`), { status: 404, code: 'not-found' })
    assertRefusal(await getWith(token)(`/rest/groups/${groupId}`), { status: 403, code: 'forbidden' })
    assert.deepEqual((await getWith(token)('/rest/groups')).json().data, [])
  })

  for (const owner of [ofOrg, ofGroup]) {
    test(`a service account at ${owner.level} level: holds its role, or the requested part of it`, async () => {
      const made = { path: owner.path(app), roleId: orgCollaborator.id }
      const { token, account } = await addAccountToken(app, made)
      assert.equal((await getWith(token)('/rest/self')).json().data.id, account.id)
      const list = `/rest/orgs/${app.orgId}/service_accounts`
      assert.equal((await getWith(token)(list)).statusCode, 200)
      const narrow = await addAccountToken(app, { ...made, token: { scopes: ['org.read'] } })
      assert.ok((await orgsOf(narrow.token)).includes(app.orgId))
      assertRefusal(await getWith(narrow.token)(list), { status: 403, code: 'forbidden' })
      const blind = await addAccountToken(app, { ...made, token: { scopes: ['org.project.read'] } })
      assert.deepEqual(await orgsOf(blind.token), [])
    })
  }

  test('an app whose user has two memberships: their permissions add up before scopes narrow them', async () => {
    const key = await app.keyWith(['org.read'], { groupId: app.groupId })
    const userId = await userOf(app, key)
    const admin = await app.call('POST', `/rest/orgs/${app.orgId}/memberships`, {
      body: {
        data: {
          type: 'org_membership',
          relationships: {
            user: { data: { id: userId, type: 'user' } },
            role: { data: { id: orgCollaborator.id, type: 'org_role' } },
          },
        },
      },
    })
    assert.equal(admin.statusCode, 201, admin.body)
    const reading = await addApp(app, { scopes: ['org.read', 'org.package.test'] })
    const { token } = await consentTo(app, { app: reading, userId })
    assert.equal((await app.call('POST', '/v1/test/npm', { key: token, body: {} })).statusCode, 400)
    assert.deepEqual(await orgsOf(token), [app.orgId])
  })

  test('default organization: the oldest that the app may enter; an organization with an install comes first', async () => {
    const userId = await userWith(permissionNames, { groupId: app.groupId })
    const later = await app.addOrg()
    const places = [{ groupId: app.groupId, orgId: later }]
    const { token } = await consentTo(app, { app: await addApp(app, { scopes }), userId, places })
    assert.equal((await getWith(token)('/rest/self')).json().data.attributes.default_org_context, later)
    const unattended = await addApp(app, { grantType: 'client_credentials', scopes })
    const ofOrgOnly = await installApp(app, { app: unattended, place: places[0]! })
    assert.equal((await getWith(ofOrgOnly.token)('/rest/self')).json().data.attributes.default_org_context, later)
  })

  test('API keys of a user: apps and service accounts may not read or manage them (403 in-person-only)', async () => {
    const key = await app.keyWith(permissionNames)
    const userId = await userOf(app, key)
    const all = permissionNames
    const own = await app.call('GET', '/rest/self/api_keys', { key })
    const { id } = own.json().data[0]
    const tokens = [
      (await consentTo(app, { app: await addApp(app, { scopes: all, context: 'user' }), userId })).token,
      (await consentTo(app, { app: await addApp(app, { scopes: all }), userId })).token,
      (await installApp(app, { app: await addApp(app, { scopes: all, grantType: 'client_credentials' }) })).token,
      (await addAccountToken(app, { path: ofOrg.path(app), roleId: orgCollaborator.id })).token,
    ]
    const body = { data: { type: 'api_key', attributes: { name: 'mine' } } }
    const operations = [
      ['GET', '/rest/self/api_keys'],
      ['POST', '/rest/self/api_keys', body],
      ['GET', `/rest/self/api_keys/${id}`],
      ['DELETE', `/rest/self/api_keys/${id}`],
    ] as const
    for (const token of tokens) {
      for (const [method, path, sent] of operations) {
        const answer = await app.call(method, path, { key: token, ...(sent && { body: sent }) })
        assertRefusal(answer, { status: 403, code: 'in-person-only' })
      }
    }
    assert.equal((await app.call('GET', '/rest/self/api_keys', { key })).json().data.length, 1)
  })

  test('POST /v1/org with an app’s token: refused (403), also for an app installed in the group', async () => {
    const userId = await userWith(permissionNames, { groupId: app.groupId })
    const places = [{ groupId: app.groupId, orgId: null }]
    for (const context of ['tenant', 'user'] as const) {
      const { token } = await consentTo(app, { app: await addApp(app, { scopes, context }), userId, places })
      for (const body of [{ name: 'New' }, { name: 'New', groupId: app.groupId }]) {
        assert.equal((await app.call('POST', '/v1/org', { key: token, body })).statusCode, 403)
      }
    }
  })

  test('audit log: names the app that acted for a user', async () => {
    const userId = await userWith(permissionNames)
    const all = permissionNames
    const events = `/rest/orgs/${app.orgId}/audit_logs?action=service_account.create&limit=10`
    for (const [context, kind, name] of [
      ['user', 'user', 'Somebody (through Deputy)'],
      ['tenant', 'app', 'Deputy'],
    ] as const) {
      const acting = await addApp(app, { scopes: all, context, name: 'Deputy' })
      const { token, id, botId } = await consentTo(app, { app: acting, userId })
      const created = await app.call('POST', ofOrg.path(app), { key: token, body: newAccount() })
      assert.equal(created.statusCode, 201, created.body)
      const [event] = (await app.call('GET', events)).json().data
      const actorId = context === 'user' ? userId : botId
      assert.deepEqual(event.attributes.actor, { kind, name, id: actorId, credential_id: id })
    }
  })

  test('Idempotency-Key: an app does not get the stored answer to its user’s request', async () => {
    const key = await app.keyWith(permissionNames)
    const userId = await userOf(app, key)
    const acting = await addApp(app, { scopes: permissionNames, context: 'user' })
    const { token } = await consentTo(app, { app: acting, userId })
    const sent = { body: newAccount({ name: 'Twice' }), headers: { 'idempotency-key': 'the-same' } }
    const first = await app.call('POST', ofOrg.path(app), { key, ...sent })
    assert.equal(first.statusCode, 201)
    assertRefusal(await app.call('POST', ofOrg.path(app), { key: token, ...sent }), { status: 409, code: 'name-taken' })
    const again = await app.call('POST', ofOrg.path(app), { key, ...sent })
    assert.equal(again.headers['idempotency-replayed'], 'true')
  })

  test('last_used_at: written for the session, and for the secret that obtained the token', async () => {
    const { db } = app.parts.services
    const userId = await userWith(permissionNames)
    const { token, id } = await consentTo(app, { app: await addApp(app, { scopes }), userId })
    const account = await addAccountToken(app, { path: ofOrg.path(app), roleId: orgCollaborator.id })
    await getWith(token)('/rest/self')
    await getWith(account.token)('/rest/self')
    await app.parts.lastUses.flush()
    const session = await db.selectFrom('app_sessions').select('last_used_at').where('id', '=', id).executeTakeFirst()
    assert.ok(session?.last_used_at)
    const secret = await db
      .selectFrom('credentials')
      .select('last_used_at')
      .where('id', '=', account.secretId)
      .executeTakeFirst()
    assert.ok(secret?.last_used_at)
  })
})
