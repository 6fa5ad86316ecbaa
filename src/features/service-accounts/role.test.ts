import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { groupAdmin, groupViewer, orgAdmin, orgCollaborator } from '#foundation/access/built-in-roles.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { createAccount, newAccount, ofGroup, ofOrg, secretsBody } from '#test/access/accounts.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('roles of service accounts', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  async function customRole(permissions: readonly Permission[], groupId = app.groupId): Promise<string> {
    const { db, now } = app.parts.services
    const id = randomUUID()
    const role = { id, group_id: groupId, name: id, description: '', permissions: JSON.stringify(permissions) }
    await db
      .insertInto('roles')
      .values({ ...role, created_at: now(), updated_at: now() })
      .execute()
    return id
  }

  for (const owner of [ofOrg, ofGroup]) {
    describe(`roles of accounts at level ${owner.level}`, () => {
      const create = (role_id: string, key = app.adminKey) =>
        app.call('POST', owner.path(app), { key, body: newAccount({ role_id }) })

      test('account role: accepts built-in and custom roles of the group; the key gets their permissions', async () => {
        for (const role of [orgAdmin.id, orgCollaborator.id]) assert.equal((await create(role)).statusCode, 201)
        const made = await create(await customRole(['org.service_account.read']))
        const { api_key, role_id } = made.json().data.attributes
        assert.equal((await app.call('GET', ofOrg.path(app), { key: api_key })).statusCode, 200)
        const refused = await app.call('POST', ofOrg.path(app), { key: api_key, body: newAccount({ role_id }) })
        assert.equal(refused.statusCode, 403)
      })

      test('account role: the role id is case-insensitive', async () => {
        assert.equal(
          (await create(orgCollaborator.id.toUpperCase())).json().data.attributes.role_id,
          orgCollaborator.id,
        )
      })

      test('account role: a custom role of another group gets 400', async () => {
        const answer = await create(await customRole(['org.read'], await app.addGroup()))
        assert.deepEqual(
          [answer.statusCode, answer.json().errors[0].source],
          [400, { pointer: '/data/attributes/role_id' }],
        )
      })

      test('account role: a role with permissions that the caller lacks gets 403 with their names', async () => {
        const permissions: Permission[] = [owner.permission('create'), 'org.read']
        const key = await owner.keyWith(app, permissions)
        assert.equal((await create(await customRole(['org.read']), key)).statusCode, 201)
        assert.equal((await create(await customRole([]), key)).statusCode, 201)
        const refused = await create(await customRole(['org.read', 'org.edit']), key)
        assert.equal(refused.statusCode, 403)
        assert.match(refused.json().errors[0].detail, /org\.edit/)
        assert.equal((await create(orgAdmin.id, key)).statusCode, 403)
      })

      test('account secrets: a caller with fewer permissions cannot create them but can delete them', async () => {
        const { id, attributes } = await createAccount(app, owner.path(app), {
          auth_type: 'oauth_client_secret',
          role_id: orgAdmin.id,
        })
        const path = `${owner.path(app)}/${id}/secrets`
        assert.equal((await app.call('POST', path, { body: secretsBody('create') })).statusCode, 200)
        const key = await owner.keyWith(app, [owner.permission('edit')])
        for (const mode of ['create', 'replace']) {
          const answer = await app.call('POST', path, { key, body: secretsBody(mode) })
          assert.equal(answer.statusCode, 403, answer.body)
        }
        const body = secretsBody('delete', String(attributes['client_secret']))
        assert.equal((await app.call('POST', path, { key, body })).statusCode, 200)
      })
    })
  }

  test("account role: an organization's account refuses roles with group permissions (400)", async () => {
    for (const role_id of [groupAdmin.id, groupViewer.id, await customRole(['org.read', 'group.read'])]) {
      const answer = await app.call('POST', ofOrg.path(app), { body: newAccount({ role_id }) })
      assert.deepEqual(
        [answer.statusCode, answer.json().errors[0].source],
        [400, { pointer: '/data/attributes/role_id' }],
      )
    }
  })

  test('group account with a group role: acts in the group and all its organizations', async () => {
    const { attributes } = await createAccount(app, ofGroup.path(app), { role_id: groupAdmin.id })
    const key = String(attributes['api_key'])
    const later = `/rest/orgs/${await app.addOrg()}/service_accounts`
    for (const path of [ofGroup.path(app), ofOrg.path(app), later]) {
      assert.equal((await app.call('GET', path, { key })).statusCode, 200)
    }
  })
})
