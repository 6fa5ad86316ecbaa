import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createApp, inGroup, inOrg, install, letIn, personWith } from '#test/access/apps.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('app bots', (engine) => {
  let app: TestApp
  const bots = () => `/rest/orgs/${app.orgId}/app_bots`
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  test('app bots: list installs in the deprecated format with deprecation headers', async () => {
    const { id, appId } = await install(app, inOrg.path(app), { name: 'Broker' })
    for (const query of [{ version: '2022-03-11' }, { version: '2024-10-15', expand: 'app' }]) {
      const answer = await app.call('GET', bots(), { query })
      assert.deepEqual(answer.json().data.at(-1), {
        id,
        type: 'app_bot',
        attributes: {},
        relationships: {
          app: {
            data: {
              id: appId,
              type: 'app',
              attributes: {
                client_id: '00000000-0000-0000-0000-000000000000',
                context: 'tenant',
                name: 'Broker',
                scopes: ['org.read'],
              },
            },
          },
        },
      })
      const { headers } = answer
      assert.deepEqual(
        [headers['snyk-version-lifecycle-stage'], headers['deprecation'], headers['sunset']],
        ['deprecated', '2023-11-03T00:00:00Z', '2024-07-17'],
      )
    }
  })

  test('revoking a bot: deletes its install and the install’s secrets', async () => {
    const { id } = await install(app, inOrg.path(app))
    const answer = await app.call('DELETE', `${bots()}/${id.toUpperCase()}`)
    assert.deepEqual([answer.statusCode, answer.body], [204, ''])
    assertRefusal(await app.call('GET', `${inOrg.path(app)}/${id}`), { status: 404, code: 'not-found' })
    assertRefusal(await app.call('DELETE', `${bots()}/${id}`), { status: 404, code: 'not-found' })
    const { db } = app.parts.services
    const secrets = await db.selectFrom('credentials').select('id').where('owner_id', '=', id).execute()
    assert.deepEqual(secrets, [])
  })

  test('revoking the bot of a session: ends it in this organization only', async () => {
    const [{ id: appId }, person] = [await createApp(app), await personWith(app)]
    const places = [inOrg.place(app), inGroup.place(app)]
    const { botId, installIds } = await letIn(app, { appId, userId: person.id, places })
    assert.equal((await app.call('DELETE', `${bots()}/${botId}`)).statusCode, 204)
    const { data } = (await app.call('GET', '/rest/self/apps/installs', { key: person.key })).json()
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [installIds[1]],
    )
    assertRefusal(await app.call('DELETE', `${bots()}/${botId}`), { status: 404, code: 'not-found' })
  })

  test('app bots: installs of the group and of other organizations are neither listed nor revocable (404)', async () => {
    const other = await app.addOrg()
    const [ofGroup, ofOther] = [
      await install(app, inGroup.path(app)),
      await install(app, `/rest/orgs/${other}/apps/installs`),
    ]
    const { data } = (await app.call('GET', bots(), { query: { limit: '100' } })).json()
    for (const { id } of [ofGroup, ofOther]) {
      assert.ok(data.every((bot: { id: string }) => bot.id !== id))
      assertRefusal(await app.call('DELETE', `${bots()}/${id}`), { status: 404, code: 'not-found' })
    }
    assert.equal((await app.call('GET', `/rest/orgs/${other}/apps/installs/${ofOther.id}`)).statusCode, 200)
  })

  testPages(() => app, 'list of app bots', {
    path: bots,
    add: async () => (await install(app, inOrg.path(app))).id,
    remove: (id) => app.call('DELETE', `${bots()}/${id}`),
  })
})
