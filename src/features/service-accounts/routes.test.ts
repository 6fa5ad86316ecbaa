import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { orgCollaborator } from '#foundation/access/built-in-roles.ts'
import { createAccount, newAccount, ofGroup, ofOrg } from '#test/access/accounts.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const jwksUrl = 'https://keys.example.test/jwks.json'

/** Per `auth_type`: the attributes of the request, those shown once, and those that stay readable. */
const authTypes = [
  { wanted: { auth_type: 'api_key' }, shown: ['api_key'], kept: [] },
  {
    wanted: { auth_type: 'oauth_client_secret' },
    shown: ['client_secret'],
    kept: ['access_token_ttl_seconds', 'client_id'],
  },
  {
    wanted: { auth_type: 'oauth_private_key_jwt', jwks_url: jwksUrl, access_token_ttl_seconds: 86_400 },
    shown: [],
    kept: ['access_token_ttl_seconds', 'client_id', 'jwks_url'],
  },
]
const always = ['auth_type', 'created_at', 'level', 'name', 'role_id']

onEveryEngine('service accounts', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  for (const owner of [ofOrg, ofGroup]) {
    describe(`service accounts of level ${owner.level}`, () => {
      for (const { wanted: input, shown, kept } of authTypes) {
        test(`service account with ${input.auth_type}: is created, listed, read, renamed and deleted`, async () => {
          const path = owner.path(app)
          const body = newAccount(input)
          const created = await app.call('POST', path, { body })
          assert.equal(created.statusCode, 201, created.body)
          const { data, links } = created.json()
          const self = `${path}/${data.id}?version=2024-10-15`
          assert.equal(created.headers['location'], `${app.parts.services.baseUrl}${self}`)
          assert.equal(`/rest${links.self}`, self)
          assert.equal(created.headers['snyk-version-served'], '2023-09-07')
          assert.deepEqual(Object.keys(data.attributes).sort(), [...always, ...shown, ...kept].sort())
          assert.equal(data.attributes.level, owner.level)

          const readable = { ...data.attributes }
          for (const name of shown) delete readable[name]
          const read = await app.call('GET', self)
          assert.equal(read.statusCode, 200)
          assert.deepEqual(read.json().data, { ...data, attributes: readable })
          const listed = (await app.call('GET', path, { query: { limit: '100' } })).json().data
          assert.deepEqual(
            listed.find(({ id }: { id: string }) => id === data.id),
            { ...data, attributes: readable },
          )

          const name = `renamed ${data.id}`
          const renaming = { data: { id: data.id, type: 'service_account', attributes: { name } } }
          const renamed = await app.call('PATCH', `${path}/${data.id}`, { body: renaming })
          assert.equal(renamed.statusCode, 200, renamed.body)
          assert.deepEqual(renamed.json().data.attributes, { ...readable, name })
          assert.deepEqual((await app.call('GET', self)).json().data.attributes, { ...readable, name })

          const deleted = await app.call('DELETE', `${path}/${data.id}`)
          assert.equal(deleted.statusCode, 204)
          assert.equal(deleted.body, '')
          assert.equal((await app.call('GET', self)).statusCode, 404)
          assert.equal((await app.call('DELETE', `${path}/${data.id}`)).statusCode, 404)
        })
      }

      test('new secrets: an API key is a UUID, a client secret has the documented format', async () => {
        const { attributes } = await createAccount(app, owner.path(app))
        assert.match(String(attributes['api_key']), uuid)
        const oauth = await createAccount(app, owner.path(app), { auth_type: 'oauth_client_secret' })
        assert.match(String(oauth.attributes['client_id']), uuid)
        assert.match(String(oauth.attributes['client_secret']), /^snyk_cs_[\w-]+_v1$/)
        assert.equal(oauth.attributes['access_token_ttl_seconds'], 3600)
      })

      test("api_key of an account: works at once within its role; 401 after the account's deletion", async () => {
        const { id, attributes } = await createAccount(app, owner.path(app), { name: `works ${owner.level}` })
        const key = String(attributes['api_key'])
        const self = await app.call('GET', '/rest/self', { key })
        assert.deepEqual(self.json().data, {
          id,
          type: 'service_account',
          attributes: { name: `works ${owner.level}`, default_org_context: app.orgId },
        })
        const inOrg = await app.call('GET', ofOrg.path(app), { key: key.toUpperCase() })
        assert.equal(inOrg.statusCode, 200, inOrg.body)
        assert.equal((await app.call('POST', ofOrg.path(app), { key, body: newAccount() })).statusCode, 403)
        assert.equal((await app.call('GET', ofGroup.path(app), { key })).statusCode, owner === ofOrg ? 404 : 403)

        assert.equal((await app.call('DELETE', `${owner.path(app)}/${id}`)).statusCode, 204)
        const refused = await app.call('GET', '/rest/self', { key })
        assert.equal(refused.statusCode, 401)
        assert.equal(refused.headers['snyk-auth-failed'], 'true')
      })

      test('account deletion: leaves rows in the audit log only', async () => {
        const { db } = app.parts.services
        const { id } = await createAccount(app, owner.path(app), { auth_type: 'oauth_client_secret' })
        await app.call('DELETE', `${owner.path(app)}/${id}`)
        const left = await Promise.all([
          db.selectFrom('service_accounts').select('id').where('id', '=', id).execute(),
          db.selectFrom('memberships').select('id').where('principal_id', '=', id).execute(),
          db.selectFrom('credentials').select('id').where('owner_id', '=', id).execute(),
        ])
        assert.deepEqual(left, [[], [], []])
      })

      test('account name: unique per owner at creation and rename (409), free again after deletion', async () => {
        const path = owner.path(app)
        const [first, second] = [await createAccount(app, path, { name: 'taken é' }), await createAccount(app, path)]
        for (const name of ['taken é', '  taken é ', 'taken e\u0301', 'tak\u200ben \u00e9', '\u202etaken é\u202c']) {
          const body = newAccount({ name })
          const again = await app.call('POST', path, { body })
          assert.equal(again.statusCode, 409, again.body)
          assert.equal(again.json().errors[0].code, 'name-taken')
          assert.equal(again.json().errors[0].source.pointer, '/data/attributes/name')
        }
        const rename = (id: string, name: string) =>
          app.call('PATCH', `${path}/${id}`, { body: { data: { id, type: 'service_account', attributes: { name } } } })
        assert.equal((await rename(second.id, 'take\u2060n é')).statusCode, 409)
        assert.equal((await rename(first.id, ' taken e\u0301 ')).json().data.attributes.name, 'taken é')
        await app.call('DELETE', `${path}/${first.id}`)
        assert.equal((await rename(second.id, 'taken é')).statusCode, 200)
        await app.call('DELETE', `${path}/${second.id}`)
      })

      test('simultaneous creations with one name: one gets 201, the others 409', async () => {
        const body = newAccount({ name: `race ${owner.level}` })
        const answers = await Promise.all(Array.from({ length: 6 }, () => app.call('POST', owner.path(app), { body })))
        assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409, 409, 409, 409])
      })
    })
  }

  test('account name: an organization, its group and another organization may use the same', async () => {
    const other = `/rest/orgs/${await app.addOrg()}/service_accounts`
    for (const path of [ofOrg.path(app), ofGroup.path(app), other]) await createAccount(app, path, { name: 'same' })
  })

  test('account creation: organizations may omit data.type, groups may not (400)', async () => {
    const body = { data: { attributes: { name: 'untyped', auth_type: 'api_key', role_id: orgCollaborator.id } } }
    assert.equal((await app.call('POST', ofOrg.path(app), { body })).statusCode, 201)
    const refused = await app.call('POST', ofGroup.path(app), { body })
    assert.equal(refused.statusCode, 400)
    assert.deepEqual(refused.json().errors[0].source, { pointer: '/data/type' })
  })

  test('account creation: the Location header works as is and without or with repeated /rest', async () => {
    const created = await app.call('POST', ofOrg.path(app), { body: newAccount() })
    const { pathname, search } = new URL(String(created.headers['location']))
    for (const path of [pathname, pathname.replace('/rest', ''), `/rest${pathname}`]) {
      assert.equal((await app.call('GET', `${path}${search}`)).json().data.id, created.json().data.id)
    }
  })

  test('account ids: are case-insensitive', async () => {
    const { id } = await createAccount(app, ofOrg.path(app))
    const path = `${ofOrg.path(app)}/${id.toUpperCase()}`
    assert.equal((await app.call('GET', path)).json().data.id, id)
    const body = { data: { id, type: 'service_account', attributes: { name: `case ${id}` } } }
    assert.equal((await app.call('PATCH', path, { body })).statusCode, 200)
  })
})
