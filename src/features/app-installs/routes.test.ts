import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { permissionNames } from '#foundation/access/permissions.ts'
import {
  appSecrets,
  createApp,
  inGroup,
  inOrg,
  install,
  installsOf,
  letIn,
  newInstall,
  ofApp,
  personWith,
  unattended,
} from '#test/access/apps.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, testRepetition } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const noClient = '00000000-0000-0000-0000-000000000000'

onEveryEngine('app installs', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  for (const at of [inOrg, inGroup]) {
    describe(`installs at ${at.level} level`, () => {
      const post = (body: object, key = app.adminKey) => app.call('POST', at.path(app), { body, key })
      const list = async () => (await app.call('GET', at.path(app), { query: { limit: '100' } })).json().data

      test('an install: created, listed, read and revoked; the app may be installed again', async () => {
        const { id: appId } = await createApp(app, { ...unattended, name: 'Broker', scopes: ['org.read', 'org.edit'] })
        const created = await post(newInstall(appId))
        assert.equal(created.statusCode, 201, created.body)
        const { data, links } = created.json()
        const { client_id, client_secret } = data.attributes
        assert.deepEqual(data, {
          id: data.id,
          type: 'app_install',
          attributes: { client_id, client_secret },
          relationships: { app: { data: { id: appId, type: 'app' } } },
        })
        assert.match(client_secret, /^snyk_cs_[\w-]{49}_v1$/)
        const path = `${at.path(app)}/${data.id}`
        assert.equal(`/rest${links.self}`, `${path}?version=2024-10-15`)
        assert.equal(created.headers['location'], `${app.parts.services.baseUrl}${path}?version=2024-10-15`)

        const listed = (await list()).find(({ id }: { id: string }) => id === data.id)
        const { installed_at } = listed.attributes
        assert.ok(Date.now() - Date.parse(installed_at) < 60_000)
        assert.deepEqual(listed, {
          id: data.id,
          type: 'app_install',
          attributes: { client_id, installed_at },
          relationships: {
            app: {
              data: {
                id: appId,
                type: 'app',
                attributes: {
                  client_id: noClient,
                  context: 'tenant',
                  name: 'Broker',
                  scopes: ['org.read', 'org.edit'],
                },
              },
            },
          },
        })
        for (const read of [path, `${at.path(app)}/${data.id.toUpperCase()}`, `${path}?expand=app`]) {
          assert.deepEqual((await app.call('GET', read)).json().data, listed)
        }

        const revoked = await app.call('DELETE', path)
        assert.deepEqual([revoked.statusCode, revoked.body], [204, ''])
        for (const method of ['GET', 'DELETE'] as const) {
          assertRefusal(await app.call(method, path), { status: 404, code: 'not-found' })
        }
        assert.equal((await post(newInstall(appId))).statusCode, 201, 'and may be installed again')
      })

      test('listing installs: serves the release that each requested version selects', async () => {
        const cases = [
          ['2023-06-19~experimental', '2023-06-19~experimental'],
          ['2024-05-22', '2023-11-03'],
          ['2024-05-31', '2024-05-23'],
          ['2024-10-15', '2024-05-23'],
        ]
        for (const [version, served] of cases) {
          const answer = await app.call('GET', at.path(app), { query: { version: version!, expand: 'app' } })
          assert.equal(answer.headers['snyk-version-served'], served)
        }
        const refused = await app.call('GET', at.path(app), { query: { expand: 'org' } })
        assertRefusal(refused, { status: 400, code: 'invalid-request' })
      })

      test('installing an app: relationships may stand beside data or inside it, but must agree', async () => {
        const bodies = [
          (id: string) => ({ data: { type: 'app_install' }, relationships: ofApp(id) }),
          (id: string) => ({ data: { type: 'app_install', relationships: ofApp(id) } }),
          (id: string) => ({
            data: { type: 'app_install', relationships: ofApp(id) },
            relationships: ofApp(id.toUpperCase()),
          }),
        ]
        for (const body of bodies) {
          const { id } = await createApp(app, unattended)
          const answer = await post(body(id))
          assert.equal(answer.statusCode, 201, answer.body)
          assert.equal(answer.json().data.relationships.app.data.id, id)
        }
        const [one, two] = [await createApp(app, unattended), await createApp(app, unattended)]
        const both = { data: { type: 'app_install', relationships: ofApp(one.id) }, relationships: ofApp(two.id) }
        const refused = await post(both)
        assertRefusal(refused, { status: 400, code: 'invalid-request' })
        assert.equal(refused.json().errors[0].source.pointer, '/data/relationships')
      })

      test('installing an app twice in one place: refused (409); another place is allowed', async () => {
        const { appId, id } = await install(app, at.path(app))
        assertRefusal(await post(newInstall(appId)), { status: 409, code: 'conflict' })
        const elsewhere = await app.call('POST', installsOf(await app.addOrg()), { body: newInstall(appId) })
        assert.equal(elsewhere.statusCode, 201)
        assert.equal((await app.call('GET', `${at.path(app)}/${id}`)).statusCode, 200)
      })

      test('four concurrent installs of one app: one succeeds, three get 409', async () => {
        const { id } = await createApp(app, unattended)
        const answers = await Promise.all(Array.from({ length: 4 }, () => post(newInstall(id))))
        assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [201, 409, 409, 409])
        const { db } = app.parts.services
        const installs = await db.selectFrom('app_installs').select('id').where('app_id', '=', id).execute()
        assert.equal(installs.length, 1)
      })

      test('installing an app with an authorization flow: refused (400), the answer names client_credentials', async () => {
        const { id } = await createApp(app)
        const answer = await post(newInstall(id))
        assertRefusal(answer, { status: 400, code: 'invalid-request' })
        const [error] = answer.json().errors
        assert.match(error.detail, /client_credentials/)
        assert.equal(error.source.pointer, '/relationships/app/data/id')
      })

      test('installing an unknown app, or a private one of another group: returns 404', async () => {
        const groupId = await app.addGroup()
        const orgId = await app.addOrg({ groupId })
        const key = await app.keyWith(permissionNames, { groupId })
        const theirs = await createApp(app, unattended, { orgId, key })
        for (const id of [randomUUID(), theirs.id]) {
          const answer = await post(newInstall(id))
          assertRefusal(answer, { status: 404, code: 'not-found' })
          assert.equal(answer.json().errors[0].detail, 'app not found')
        }
        const interactive = await createApp(app, {}, { orgId, key })
        assertRefusal(await post(newInstall(interactive.id)), { status: 404, code: 'not-found' })
        await app.parts.services.db.updateTable('apps').set({ is_public: 1 }).where('id', '=', theirs.id).execute()
        assert.equal((await post(newInstall(theirs.id))).statusCode, 201)
      })

      test('installing an app of another organization of the group: allowed', async () => {
        const { id } = await createApp(app, unattended, { orgId: await app.addOrg() })
        assert.equal((await post(newInstall(id))).statusCode, 201)
      })

      test('installing an app: refused (403) to callers who lack one of its permissions', async () => {
        const { id } = await createApp(app, { ...unattended, scopes: ['org.read', 'org.edit', 'apps:beta'] })
        const few = await at.keyWith(app, [at.permission('install'), 'org.read'])
        const refused = await post(newInstall(id), few)
        assertRefusal(refused, { status: 403, code: 'forbidden' })
        assert.match(refused.json().errors[0].detail, /: org\.edit$/)
        const enough = await at.keyWith(app, [at.permission('install'), 'org.read', 'org.edit'])
        assert.equal((await post(newInstall(id), enough)).statusCode, 201)
      })

      test('an install made by a user’s authorization: listed without a client, and revocable', async () => {
        const [{ id: appId, attributes }, person] = [await createApp(app, { name: 'Let in' }), await personWith(app)]
        const places = [at.place(app)]
        const { installIds } = await letIn(app, { appId, userId: person.id, places })
        const listed = (await list()).find(({ id }: { id: string }) => id === installIds[0])
        assert.deepEqual(Object.keys(listed.attributes), ['installed_at'])
        const summary = listed.relationships.app.data.attributes
        assert.deepEqual(
          [summary.client_id, summary.context, summary.name],
          [attributes['client_id'], 'tenant', 'Let in'],
        )
        const secrets = await app.call('POST', `${at.path(app)}/${installIds[0]}/secrets`, {
          body: appSecrets('create'),
        })
        assertRefusal(secrets, { status: 400, code: 'invalid-request' })
        assert.equal((await app.call('DELETE', `${at.path(app)}/${installIds[0]}`)).statusCode, 204)
      })

      testRepetition(() => app, 'installing an app', {
        path: () => at.path(app),
        body: () => newInstall(repeated.id),
        other: () => newInstall(randomUUID()),
      })
      let repeated: { id: string }
      before(async () => {
        repeated = await createApp(app, unattended)
      })

      testPages(() => app, 'list of installs', {
        path: () => at.path(app),
        add: async () => (await install(app, at.path(app))).id,
        remove: (id) => app.call('DELETE', `${at.path(app)}/${id}`),
      })
    })
  }

  test('installs of an organization and of its group: each list has only its own; others return 404', async () => {
    const [ofOrg, ofGroup] = [await install(app, inOrg.path(app)), await install(app, inGroup.path(app))]
    const elsewhere = await install(app, installsOf(await app.addOrg()))
    for (const [at, own, others] of [
      [inOrg, ofOrg, [ofGroup, elsewhere]],
      [inGroup, ofGroup, [ofOrg, elsewhere]],
    ] as const) {
      assert.equal((await app.call('GET', `${at.path(app)}/${own.id}`)).statusCode, 200)
      for (const other of others) {
        const path = `${at.path(app)}/${other.id}`
        assertRefusal(await app.call('GET', path), { status: 404, code: 'not-found' })
        assertRefusal(await app.call('DELETE', path), { status: 404, code: 'not-found' })
        const secrets = await app.call('POST', `${path}/secrets`, { body: appSecrets('create') })
        assertRefusal(secrets, { status: 404, code: 'not-found' })
      }
    }
  })

  test('a member of one organization: gets 404 for installs of another organization and of the group', async () => {
    const key = await app.keyWith(permissionNames.filter((name) => name.startsWith('org.')))
    for (const path of [installsOf(await app.addOrg()), inGroup.path(app)]) {
      assertRefusal(await app.call('GET', path, { key }), { status: 404, code: 'not-found' })
      const answer = await app.call('POST', path, { key, body: newInstall(randomUUID()) })
      assertRefusal(answer, { status: 404, code: 'not-found' })
    }
  })

  test('audit log of an install: has creation, secret replacement and deletion, without secrets', async () => {
    const { id, appId } = await install(app, inOrg.path(app), { name: 'Audited' })
    await app.call('POST', `${inOrg.path(app)}/${id}/secrets`, { body: appSecrets('replace') })
    await app.call('DELETE', `${inOrg.path(app)}/${id}`)
    const events = await auditEventsOf(app, id)
    assert.deepEqual(
      events.map(({ action }) => action),
      ['app_install.create', 'app_install.secret.replace', 'app_install.delete'],
    )
    for (const event of events) {
      assert.deepEqual([event.group_id, event.org_id, event.target_kind], [app.groupId, app.orgId, 'app_install'])
      assert.ok(!JSON.stringify(event).includes('snyk_cs_'))
    }
    const gone = JSON.parse(events[2]!.before!)
    assert.deepEqual([gone.app_id, gone.app_name], [appId, 'Audited'])
  })
})
