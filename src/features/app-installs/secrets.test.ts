import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hintOf } from '#foundation/secrets/typed-secret.ts'
import { appSecrets, inGroup, inOrg, install } from '#test/access/apps.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('secrets of app installs', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  for (const at of [inOrg, inGroup]) {
    describe(`installs at ${at.level} level`, () => {
      const change = (
        id: string,
        mode: string,
        { secret, key = app.adminKey }: { secret?: string; key?: string } = {},
      ) =>
        app.call('POST', `${at.path(app)}/${id}/secrets`, {
          key,
          body: appSecrets(mode, secret === undefined ? {} : { secret }),
        })

      test('replacing a secret: returns the install with its app and the new secret', async () => {
        const { id, appId, clientId } = await install(app, at.path(app), { name: 'Broker' })
        const answer = await change(id, 'replace')
        assert.equal(answer.statusCode, 200, answer.body)
        const { data, links } = answer.json()
        assert.deepEqual(Object.keys(data.attributes).sort(), ['client_id', 'client_secret', 'installed_at'])
        assert.equal(data.attributes.client_id, clientId)
        assert.deepEqual([data.id, data.type], [id, 'app_install'])
        assert.equal(data.relationships.app.data.id, appId)
        assert.equal(data.relationships.app.data.attributes.name, 'Broker')
        assert.equal(`/rest${links.self}`, `${at.path(app)}/${id}?version=2024-10-15`)
        assert.deepEqual(await keptOf(id), digestsOf(data.attributes.client_secret))
      })

      test('secrets of an install: refuses a third one and the deletion of the last one (400)', async () => {
        const { id, secret } = await install(app, at.path(app))
        const second = (await change(id, 'create')).json().data.attributes.client_secret
        assert.deepEqual(await keptOf(id), digestsOf(secret, second))
        assertRefusal(await change(id, 'create'), { status: 400, code: 'invalid-request' })
        const deleted = await change(id, 'delete', { secret })
        assert.deepEqual(Object.keys(deleted.json().data.attributes).sort(), ['client_id', 'installed_at'])
        assertRefusal(await change(id, 'delete', { secret: second }), { status: 400, code: 'invalid-request' })
        assert.deepEqual(await keptOf(id), digestsOf(second))
      })

      test('creating a secret: refused (403) to callers who lack a permission of the app; deleting is allowed', async () => {
        const { id, secret } = await install(app, at.path(app), { scopes: ['org.read', 'org.edit'] })
        await change(id, 'create')
        const key = await at.keyWith(app, [at.permission('edit'), 'org.read'])
        for (const mode of ['create', 'replace']) {
          const refused = await change(id, mode, { key })
          assertRefusal(refused, { status: 403, code: 'forbidden' })
          assert.match(refused.json().errors[0].detail, /: org\.edit$/)
        }
        assert.equal((await change(id, 'delete', { key, secret })).statusCode, 200)
      })

      test('deleting a secret of another install: refused (400), the secret survives', async () => {
        const [one, two] = [await install(app, at.path(app)), await install(app, at.path(app))]
        await change(one.id, 'create')
        const refused = await change(one.id, 'delete', { secret: two.secret })
        assertRefusal(refused, { status: 400, code: 'invalid-request' })
        assert.deepEqual(await keptOf(two.id), digestsOf(two.secret))
      })

      test('stored secrets: listed with the read permission, deleted by id with the edit permission', async () => {
        const { id, secret } = await install(app, at.path(app))
        await change(id, 'create')
        const path = `${at.path(app)}/${id}/secrets`
        const reader = await at.keyWith(app, [at.permission('read')])
        const { data } = (await app.call('GET', path, { key: reader })).json()
        const hints = data.map(({ attributes }: { attributes: { hint: string } }) => attributes.hint)
        assert.ok(hints.length === 2 && hints.includes(hintOf(secret)))
        const refused = await app.call('DELETE', `${path}/${data[0].id}`, { key: reader })
        assertRefusal(refused, { status: 403, code: 'forbidden' })
        const editor = await at.keyWith(app, [at.permission('edit')])
        assert.equal((await app.call('DELETE', `${path}/${data[0].id}`, { key: editor })).statusCode, 204)
        assertRefusal(await app.call('DELETE', `${path}/${data[1].id}`), { status: 409, code: 'conflict' })
        const nobody = await app.call('GET', path, { key: await at.keyWith(app, [at.permission('edit')]) })
        assertRefusal(nobody, { status: 403, code: 'forbidden' })
      })

      test('three concurrent secret creations: one succeeds, two get 400', async () => {
        const { id } = await install(app, at.path(app))
        const answers = await Promise.all([change(id, 'create'), change(id, 'create'), change(id, 'create')])
        assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400, 400])
      })
    })
  }

  function digestsOf(...secrets: string[]): string[] {
    return secrets.map((secret) => app.parts.services.keyring.digest(secret)).sort()
  }

  async function keptOf(ownerId: string): Promise<string[]> {
    const { db } = app.parts.services
    const rows = await db.selectFrom('credentials').select('digest').where('owner_id', '=', ownerId).execute()
    return rows.map(({ digest }) => digest).sort()
  }
})
