import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { createIn, formsUnderTest } from '#test/access/app-forms.ts'
import { type App, appAttributes, createApp, creationsOf, newApp, unattended } from '#test/access/apps.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { assertRefusal, testRepetition } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const noClient = '00000000-0000-0000-0000-000000000000'

onEveryEngine('apps', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  for (const form of formsUnderTest) {
    describe(form.name, () => {
      test('an app: registered, read, listed, changed and deleted', async () => {
        const list = form.list(app.orgId)
        const input = {
          name: '  My App ',
          redirect_uris: ['https://app.example/callback?a=b', 'http://localhost:3000/callback'],
          scopes: ['org.read', 'org.project.read'],
          context: 'user',
          access_token_ttl_seconds: 7200,
        }
        const created = await app.call('POST', list, { body: form.body(input) })
        assert.equal(created.statusCode, 201, created.body)
        const { data, links } = created.json()
        const { client_id, client_secret, ...rest } = data.attributes
        assert.match(client_id, uuid)
        assert.match(client_secret, /^snyk_cs_[\w-]{49}_v1$/)
        const expected = {
          ...input,
          name: 'My App',
          grant_type: 'authorization_code',
          is_confidential: true,
          is_public: false,
          org_public_id: app.orgId,
        }
        assert.deepEqual(rest, expected)
        const path = form.one(app.orgId, data)
        assert.equal(`/rest${links.self}`, `${path}?version=2024-10-15`)
        assert.equal(created.headers['location'], `${app.parts.services.baseUrl}${path}?version=2024-10-15`)

        const shown = { id: data.id, type: 'app', attributes: { ...expected, client_id } }
        assert.deepEqual((await app.call('GET', path)).json().data, shown)
        const listed: App[] = (await app.call('GET', list, { query: { limit: '100' } })).json().data
        assert.deepEqual(
          listed.find(({ id }) => id === data.id),
          shown,
        )

        const changes = {
          name: 'Renamed',
          redirect_uris: ['https://other.example/'],
          access_token_ttl_seconds: 86_400,
        }
        const changed = await app.call('PATCH', path, { body: form.body(changes) })
        assert.equal(changed.statusCode, 200, changed.body)
        assert.deepEqual(changed.json().data.attributes, { ...shown.attributes, ...changes })
        assert.deepEqual((await app.call('GET', path)).json().data, changed.json().data)

        const deleted = await app.call('DELETE', path)
        assert.deepEqual([deleted.statusCode, deleted.body], [204, ''])
        for (const method of ['GET', 'DELETE'] as const) {
          assertRefusal(await app.call(method, path), { status: 404, code: 'not-found' })
        }
      })

      test('a new app: context and token lifetime have the documented defaults', async () => {
        const { attributes } = await createIn(app, form)
        const { context, access_token_ttl_seconds } = attributes
        assert.deepEqual({ context, access_token_ttl_seconds }, { context: 'tenant', access_token_ttl_seconds: 3600 })
      })

      for (const [name, value] of [
        ['name', 'Only the name'],
        ['redirect_uris', ['https://only.example/']],
        ['access_token_ttl_seconds', 4000],
      ] as const) {
        test(`changing only ${name} of an app: leaves its other attributes`, async () => {
          const made = await createIn(app, form)
          const answer = await app.call('PATCH', form.one(app.orgId, made), { body: form.body({ [name]: value }) })
          const { client_secret: _secret, ...before } = made.attributes
          assert.deepEqual(answer.json().data.attributes, { ...before, [name]: value })
        })
      }

      test('a change of an app that changes nothing: returns 200 and is not audited', async () => {
        const made = await createIn(app, form)
        for (const attributes of [{}, { name: ` ${made.attributes['name']} ` }]) {
          const answer = await app.call('PATCH', form.one(app.orgId, made), { body: form.body(attributes) })
          assert.equal(answer.statusCode, 200, answer.body)
        }
        assert.deepEqual(await actionsOn(made.id), ['app.create'])
      })

      test('listing apps: headers name the served release and its deprecation', async () => {
        const { headers } = await app.call('GET', form.list(app.orgId), { query: { version: '2024-05-23' } })
        const { deprecation, sunset } = headers
        const stage = headers['snyk-version-lifecycle-stage']
        assert.deepEqual(
          [headers['snyk-version-served'], stage, deprecation, sunset],
          form.isDeprecated
            ? ['2022-03-11', 'deprecated', '2023-11-03T00:00:00Z', '2024-07-17']
            : ['2023-11-03', 'ga', undefined, undefined],
        )
      })

      testRepetition(() => app, 'creating an app', {
        path: () => form.list(app.orgId),
        body: () => form.body({ ...appAttributes, name: `Once, ${form.name}` }),
        other: () => form.body(appAttributes),
      })
    })
  }

  test('both forms of the interface: return the same app at every supported version', async () => {
    const [current, deprecated] = formsUnderTest as [(typeof formsUnderTest)[0], (typeof formsUnderTest)[0]]
    const made = await createApp(app)
    const cases = [
      [current, '2023-06-19~experimental'],
      [current, '2023-11-03'],
      [current, '2024-10-15'],
      [deprecated, '2022-03-11~experimental'],
      [deprecated, '2022-03-11'],
      [deprecated, '2024-10-15'],
    ] as const
    const { client_secret: _secret, ...attributes } = made.attributes
    for (const [form, version] of cases) {
      const answer = await app.call('GET', form.one(app.orgId, made), { query: { version } })
      assert.deepEqual(answer.json().data?.attributes, attributes, `${form.name} ${version}: ${answer.body}`)
    }
  })

  test('two apps of one organization: may have the same name', async () => {
    const [one, two] = [await createApp(app, { name: 'Twin' }), await createApp(app, { name: 'Twin' })]
    assert.notEqual(one.attributes['client_id'], two.attributes['client_id'])
  })

  test('registering an app: needs no permission among its scopes', async () => {
    const key = await app.keyWith(['org.app.create'])
    const { attributes } = await createApp(app, { scopes: ['org.read', 'org.edit'] }, { key })
    assert.deepEqual(attributes['scopes'], ['org.read', 'org.edit'])
  })

  test('a public client: gets a client id but no secret', async () => {
    const made = await createApp(app, { is_confidential: false, redirect_uris: ['com.example.app:/back'] })
    assert.equal(made.attributes['is_confidential'], false)
    assert.ok(!('client_secret' in made.attributes) && 'client_id' in made.attributes)
    const { db } = app.parts.services
    assert.deepEqual(await db.selectFrom('credentials').select('id').where('owner_id', '=', made.id).execute(), [])
  })

  for (const redirect_uris of [undefined, []]) {
    test(`an unattended app with ${JSON.stringify(redirect_uris)} redirect URIs: has no client id`, async () => {
      const made = await createApp(app, { ...unattended, redirect_uris, name: 'Unattended' })
      assert.deepEqual(made.attributes, {
        name: 'Unattended',
        context: 'tenant',
        grant_type: 'client_credentials',
        is_confidential: true,
        is_public: false,
        scopes: ['org.read'],
        access_token_ttl_seconds: 3600,
        org_public_id: app.orgId,
      })
      const read = await app.call('GET', `${creationsOf(app.orgId)}/${made.id}`)
      assert.deepEqual(read.json().data, made)
      const deprecated: App[] = (
        await app.call('GET', `/rest/orgs/${app.orgId}/apps`, { query: { limit: '100' } })
      ).json().data
      const match = deprecated.find(({ id }) => id === made.id)
      assert.deepEqual(match?.attributes, { ...made.attributes, client_id: noClient, redirect_uris: [] })
      const none = await app.call('GET', `/rest/orgs/${app.orgId}/apps/${noClient}`)
      assertRefusal(none, { status: 404, code: 'not-found' })
    })
  }

  test('an unattended app: name and lifetime may change; redirect URIs are refused (400)', async () => {
    const { id } = await createApp(app, unattended)
    const path = `${creationsOf(app.orgId)}/${id}`
    const change = (attributes: object) => app.call('PATCH', path, { body: { data: { id, type: 'app', attributes } } })
    const changed = await change({ name: 'New', access_token_ttl_seconds: 4000 })
    assert.equal(changed.json().data.attributes.access_token_ttl_seconds, 4000)
    const refused = await change({ redirect_uris: ['https://app.example/'] })
    assert.equal(refused.statusCode, 400)
    assert.equal(refused.json().errors[0].source.pointer, '/data/attributes/redirect_uris')
  })

  test('an app’s id: accepted in upper case; the Location of a creation leads to the app', async () => {
    const made = await createApp(app)
    for (const form of formsUnderTest) {
      const id = form.one(app.orgId, made).split('/').at(-1)!
      const read = await app.call('GET', `${form.list(app.orgId)}/${id.toUpperCase()}`)
      assert.equal(read.json().data?.id, made.id, read.body)
    }
    const created = await app.call('POST', creationsOf(app.orgId), { body: newApp() })
    const { pathname, search } = new URL(String(created.headers['location']))
    assert.equal((await app.call('GET', `${pathname}${search}`)).json().data.id, created.json().data.id)
  })

  describe('an app of another organization', () => {
    let other: App
    let otherOrg: string
    before(async () => {
      otherOrg = await app.addOrg()
      other = await createApp(app, {}, { orgId: otherOrg })
    })
    for (const form of formsUnderTest) {
      for (const [method, below, attributes] of [
        ['GET', '', undefined],
        ['PATCH', '', { name: 'Mine' }],
        ['DELETE', '', undefined],
        ['POST', '/secrets', { mode: 'create' }],
      ] as const) {
        test(`${form.name}: ${method} ${below} of another organization’s app returns 404`, async () => {
          const body = attributes === undefined ? {} : { body: form.body(attributes) }
          const answer = await app.call(method, `${form.one(app.orgId, other)}${below}`, body)
          assertRefusal(answer, { status: 404, code: 'not-found' })
        })
      }
      test(`${form.name}: the list has no app of another organization`, async () => {
        const { data } = (await app.call('GET', form.list(app.orgId), { query: { limit: '100' } })).json()
        assert.ok(data.length > 0 && data.every(({ id }: App) => id !== other.id))
      })
    }
    after(async () => {
      const answer = await app.call('GET', `${creationsOf(otherOrg)}/${other.id}`)
      assert.equal(answer.json().data.attributes.name, other.attributes['name'])
      assert.deepEqual(await actionsOn(other.id), ['app.create'])
    })
  })

  test('audit log of an app: has each change with the state before, and no secret', async () => {
    const made = await createApp(app, { name: 'Audited' })
    const path = `${creationsOf(app.orgId)}/${made.id}`
    await app.call('PATCH', path, { body: newApp({ name: 'Changed', scopes: undefined, redirect_uris: undefined }) })
    await app.call('POST', `${path}/secrets`, { body: { data: { type: 'app', attributes: { mode: 'create' } } } })
    await app.call('DELETE', path)
    const events = await auditEventsOf(app, made.id)
    assert.deepEqual(
      events.map(({ action }) => action),
      ['app.create', 'app.update', 'app.secret.create', 'app.delete'],
    )
    for (const event of events) {
      assert.deepEqual([event.group_id, event.org_id, event.target_kind], [app.groupId, app.orgId, 'app'])
      assert.ok(event.credential_id !== null && event.request_id !== null)
      assert.ok(!JSON.stringify(event).includes('snyk_cs_'))
    }
    assert.equal(JSON.parse(events[1]!.before!).name, 'Audited')
    assert.equal(JSON.parse(events[1]!.after!).name, 'Changed')
    const gone = JSON.parse(events[3]!.before!)
    assert.deepEqual([gone.client_id, gone.installs], [made.attributes['client_id'], 0])
  })

  for (const form of formsUnderTest.slice(0, 2)) {
    testPages(() => app, `list of apps (${form.name})`, {
      path: () => form.list(app.orgId),
      add: async () => (await createApp(app)).id,
      remove: (id) => app.call('DELETE', `${creationsOf(app.orgId)}/${id}`),
    })
  }

  test('concurrent changes of one app: none is lost', async () => {
    const { id } = await createApp(app)
    const path = `${creationsOf(app.orgId)}/${id}`
    const changes = [
      { name: 'Together' },
      { redirect_uris: ['https://x.example/'] },
      { access_token_ttl_seconds: 5000 },
    ]
    const answers = await Promise.all(
      changes.map((attributes) => app.call('PATCH', path, { body: { data: { type: 'app', attributes } } })),
    )
    assert.deepEqual(
      answers.map(({ statusCode }) => statusCode),
      [200, 200, 200],
    )
    const { name, redirect_uris, access_token_ttl_seconds } = (await app.call('GET', path)).json().data.attributes
    assert.deepEqual([{ name }, { redirect_uris }, { access_token_ttl_seconds }], changes)
  })

  async function actionsOn(id: string): Promise<string[]> {
    const events = await auditEventsOf(app, id)
    return events.map(({ action }) => action)
  }

  test('an unknown app id: returns 404; a malformed one 400', async () => {
    for (const form of formsUnderTest) {
      const list = form.list(app.orgId)
      assertRefusal(await app.call('GET', `${list}/${randomUUID()}`), { status: 404, code: 'not-found' })
      assertRefusal(await app.call('GET', `${list}/mine`), { status: 400, code: 'invalid-request' })
    }
  })
})
