import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { hintOf } from '#foundation/secrets/typed-secret.ts'
import { createIn, formsUnderTest } from '#test/access/app-forms.ts'
import { type App, appSecrets, createApp, creationsOf, newApp, unattended } from '#test/access/apps.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('secrets of apps', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  for (const form of formsUnderTest) {
    describe(form.name, () => {
      const change = (made: App, attributes: object) =>
        app.call('POST', `${form.one(app.orgId, made)}/secrets`, { body: form.body(attributes) })

      async function secretOf(made: App, attributes: object): Promise<string> {
        const answer = await change(made, attributes)
        assert.equal(answer.statusCode, 200, answer.body)
        return answer.json().data.attributes.client_secret
      }

      test('a new secret: returned with the app; the self link leads to the app', async () => {
        const made = await createIn(app, form)
        const answer = await change(made, { mode: 'create' })
        const { data, links } = answer.json()
        assert.deepEqual({ ...data.attributes, client_secret: '' }, { ...made.attributes, client_secret: '' })
        assert.equal(`/rest${links.self}`, `${form.one(app.orgId, made)}?version=2024-10-15`)
        assert.match(data.attributes.client_secret, /^snyk_cs_[\w-]{49}_v1$/)
      })

      test('secrets of an app: refuses a third one and the deletion of the last one (400)', async () => {
        const made = await createIn(app, form)
        const first = String(made.attributes['client_secret'])
        const second = await secretOf(made, { mode: 'create' })
        assert.deepEqual(await keptOf(made.id), digestsOf(first, second))
        const third = await change(made, { mode: 'create' })
        assertRefusal(third, { status: 400, code: 'invalid-request' })
        assert.equal(third.json().errors[0].source.pointer, `${form.at}/mode`)
        const deleted = await change(made, { mode: 'delete', secret: first })
        assert.equal(deleted.statusCode, 200, deleted.body)
        assert.ok(!('client_secret' in deleted.json().data.attributes))
        assert.deepEqual(await keptOf(made.id), digestsOf(second))
        const last = await change(made, { mode: 'delete', secret: second })
        assertRefusal(last, { status: 400, code: 'invalid-request' })
        assert.deepEqual(await keptOf(made.id), digestsOf(second))
      })

      test('replacing the secret of an app: deletes all earlier secrets', async () => {
        const made = await createIn(app, form)
        await secretOf(made, { mode: 'create' })
        const replacement = await secretOf(made, { mode: 'replace' })
        assert.deepEqual(await keptOf(made.id), digestsOf(replacement))
      })

      test('secret to delete: ignored by the modes create and replace', async () => {
        const made = await createIn(app, form)
        const first = String(made.attributes['client_secret'])
        const second = await secretOf(made, { mode: 'create', secret: first })
        assert.deepEqual(await keptOf(made.id), digestsOf(first, second))
        const third = await secretOf(made, { mode: 'replace', secret: second })
        assert.deepEqual(await keptOf(made.id), digestsOf(third))
      })
    })
  }

  const path = (id: string) => `${creationsOf(app.orgId)}/${id}/secrets`

  test('four concurrent secret creations: one succeeds, three get 400', async () => {
    const { id } = await createApp(app)
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => app.call('POST', path(id), { body: appSecrets('create') })),
    )
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400, 400, 400])
  })

  test('concurrent deletions of both secrets: one secret stays', async () => {
    const { id, attributes } = await createApp(app)
    const made = await app.call('POST', path(id), { body: appSecrets('create') })
    const secrets = [attributes['client_secret'], made.json().data.attributes.client_secret]
    const answers = await Promise.all(
      secrets.map((secret) => app.call('POST', path(id), { body: appSecrets('delete', { secret }) })),
    )
    assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, 400])
  })

  for (const [what, attributes] of [
    ['an unattended app', unattended],
    ['a public client', { is_confidential: false }],
  ] as const) {
    for (const mode of ['create', 'replace', 'delete']) {
      test(`${what}: mode ${mode} is refused (400), no secret is stored`, async () => {
        const { id } = await createApp(app, attributes)
        const answer = await app.call('POST', path(id), { body: appSecrets(mode, { secret: 'x' }) })
        assertRefusal(answer, { status: 400, code: 'invalid-request' })
        assert.equal(answer.json().errors[0].source.pointer, '/data/attributes/mode')
        assert.deepEqual(await keptOf(id), [])
      })
    }
  }

  test('stored secrets: listed and deleted by id, except the last one (409) and by readers (403)', async () => {
    const { id, attributes } = await createApp(app)
    await app.call('POST', path(id), { body: appSecrets('create') })
    const { data } = (await app.call('GET', path(id))).json()
    const hints = data.map((one: App) => one.attributes['hint'])
    assert.ok(hints.length === 2 && hints.includes(hintOf(String(attributes['client_secret']))))
    assert.equal((await app.call('GET', `${path(id)}/${data[0].id}`)).json().data.id, data[0].id)
    assert.equal((await app.call('DELETE', `${path(id)}/${data[0].id}`)).statusCode, 204)
    assertRefusal(await app.call('DELETE', `${path(id)}/${data[1].id}`), { status: 409, code: 'conflict' })
    assertRefusal(await app.call('DELETE', `${path(id)}/${randomUUID()}`), { status: 404, code: 'not-found' })
    const reader = await app.keyWith(['org.app.read'])
    assert.equal((await app.call('GET', path(id), { key: reader })).statusCode, 200)
    const refused = await app.call('DELETE', `${path(id)}/${data[1].id}`, { key: reader })
    assertRefusal(refused, { status: 403, code: 'forbidden' })
    const other = await createApp(app, {}, { orgId: await app.addOrg() })
    assertRefusal(await app.call('GET', path(other.id)), { status: 404, code: 'not-found' })
  })

  test('a secret: appears in no table, log or error message', async () => {
    const headers = { 'idempotency-key': randomUUID() }
    const created = await app.call('POST', creationsOf(app.orgId), { body: newApp(), headers })
    const { id, attributes } = created.json().data
    const secrets = [attributes.client_secret]
    for (const mode of ['create', 'replace']) {
      secrets.push((await app.call('POST', path(id), { body: appSecrets(mode) })).json().data.attributes.client_secret)
    }
    const wrong = [
      await app.call('POST', path(id), { body: appSecrets('delete', { secret: `${secrets[2]}x` }) }),
      await app.call('POST', path(id), { body: appSecrets(secrets[2]) }),
      await app.call('POST', creationsOf(app.orgId), { body: newApp({ redirect_uris: [`http://${secrets[2]}`] }) }),
      await app.call('GET', '/rest/self', { key: secrets[2] }),
    ]
    for (const answer of wrong) assert.ok(answer.statusCode >= 400, answer.body)
    const { db } = app.parts.services
    const stored = await Promise.all([
      db.selectFrom('credentials').selectAll().execute(),
      db.selectFrom('apps').selectAll().execute(),
      db.selectFrom('audit_events').selectAll().execute(),
      db.selectFrom('idempotency_keys').selectAll().execute(),
    ])
    const written = stored.map((rows) =>
      JSON.stringify(rows, (_key, value) =>
        value instanceof Uint8Array || value?.type === 'Buffer'
          ? Buffer.from(value.data ?? value).toString('latin1')
          : value,
      ),
    )
    const places = [app.log(), ...wrong.map(({ body }) => body), ...written]
    assert.equal(new Set(secrets).size, 3)
    for (const secret of secrets) assert.ok(places.every((text) => !text.includes(secret)))
  })

  function digestsOf(...secrets: string[]): string[] {
    return secrets.map((secret) => app.parts.services.keyring.digest(secret)).sort()
  }

  async function keptOf(ownerId: string): Promise<string[]> {
    const { db } = app.parts.services
    const rows = await db.selectFrom('credentials').select('digest').where('owner_id', '=', ownerId).execute()
    return rows.map(({ digest }) => digest).sort()
  }
})
