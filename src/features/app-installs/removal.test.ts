import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createApp,
  creationsOf,
  inGroup,
  inOrg,
  install,
  installsOf,
  leftOf,
  letIn,
  newInstall,
  personWith,
  unattended,
} from '#test/access/apps.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { addClient, inForm, isAccepted, refresh, refused, sendForm, tokensFor } from '#test/access/oauth.ts'
import { addPerson } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

const nothing = { apps: 0, installs: 0, sessions: 0, credentials: 0 }

onEveryEngine('cascading deletion of apps and installs', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(async () => {
    assert.deepEqual(await orphans(), [])
    await app.close()
  })

  const tokenOf = (client: { clientId: string; secret: string }) =>
    sendForm(app, 'token', { grant_type: 'client_credentials', ...inForm(client) })
  const remove = async (path: string) => assert.equal((await app.call('DELETE', path)).statusCode, 204)
  const eventsOf = (targetId: string) => auditEventsOf(app, targetId)

  test('deleting an unattended app: deletes its installs everywhere, their secrets and their tokens', async () => {
    const one = await install(app, inOrg.path(app), { name: 'Broker' })
    const other = await app.addOrg()
    const more = []
    for (const path of [installsOf(other), inGroup.path(app)]) {
      const { id, attributes } = (await app.call('POST', path, { body: newInstall(one.appId) })).json().data
      more.push({ id, clientId: attributes.client_id, secret: attributes.client_secret })
    }
    const installs = [one, ...more]
    const tokens = []
    for (const install of installs) {
      const answer = await tokenOf(install)
      assert.equal(answer.statusCode, 200, answer.body)
      tokens.push(answer.json().access_token)
    }
    assert.equal(await isAccepted(app, tokens[0]), true)
    await remove(`${creationsOf(app.orgId)}/${one.appId}`)
    assert.deepEqual(
      await leftOf(
        app,
        one.appId,
        installs.map(({ id }) => id),
      ),
      nothing,
    )
    for (const token of tokens) assert.equal((await app.call('GET', '/rest/self', { key: token })).statusCode, 401)
    for (const install of installs) refused(await tokenOf(install), 401, 'invalid_client')
    const places = [app.orgId, other, null]
    for (const [index, { id }] of installs.entries()) {
      const event = (await eventsOf(id)).at(-1)!
      assert.deepEqual([event.action, event.org_id], ['app_install.delete', places[index]])
      assert.equal(JSON.parse(event.before!).app_name, 'Broker')
    }
    assert.equal(JSON.parse((await eventsOf(one.appId)).at(-1)!.before!).installs, 3)
  })

  test('deleting an app that users authorized: ends its tokens and sessions, by the deprecated path too', async () => {
    for (const pathOf of [
      ({ appId }: { appId: string }) => `${creationsOf(app.orgId)}/${appId}`,
      ({ clientId }: { clientId: string }) => `/rest/orgs/${app.orgId}/apps/${clientId}`,
    ]) {
      const client = await addClient(app)
      const tokens = await tokensFor(app, client)
      assert.equal(await isAccepted(app, tokens.access_token), true)
      await remove(pathOf(client))
      assert.deepEqual(await leftOf(app, client.appId, [client.appId]), nothing)
      assert.equal(await isAccepted(app, tokens.access_token), false)
      refused(await refresh(app, client, tokens.refresh_token), 401, 'invalid_client')
    }
  })

  test('deleting an install: ends its secrets and tokens; other installs of the app survive', async () => {
    const one = await install(app, inOrg.path(app))
    const answer = await app.call('POST', inGroup.path(app), { body: newInstall(one.appId) })
    const { id, attributes } = answer.json().data
    const other = { id, clientId: attributes.client_id, secret: attributes.client_secret }
    const token = (await tokenOf(one)).json().access_token
    await remove(`${inOrg.path(app)}/${one.id}`)
    assert.equal(await isAccepted(app, token), false)
    refused(await tokenOf(one), 401, 'invalid_client')
    assert.equal((await tokenOf(other)).statusCode, 200)
    assert.deepEqual(await leftOf(app, one.appId, [one.id]), { ...nothing, apps: 1, installs: 1 })
  })

  test('deleting an organization: deletes its apps everywhere and ends the sessions that were valid only there', async () => {
    const orgId = await app.addOrg()
    const broker = await createApp(app, { ...unattended, name: 'Of it' }, { orgId })
    const elsewhere = (await app.call('POST', inOrg.path(app), { body: newInstall(broker.id) })).json().data
    const inside = await install(app, installsOf(orgId))
    const client = await createApp(app, {}, { orgId })
    const [person, both] = [await personWith(app), await personWith(app)]
    const there = { groupId: app.groupId, orgId }
    const reporter = await createApp(app)
    const only = await letIn(app, { appId: reporter.id, userId: person.id, places: [there] })
    const kept = await letIn(app, { appId: reporter.id, userId: both.id, places: [there, inOrg.place(app)] })
    const used = {
      clientId: elsewhere.attributes.client_id,
      secret: elsewhere.attributes.client_secret,
    }
    const token = (await tokenOf(used)).json().access_token
    assert.equal(await isAccepted(app, token), true)

    assert.equal((await app.call('DELETE', `/v1/org/${orgId}`)).statusCode, 204)
    assert.equal(await isAccepted(app, token), false)
    refused(await tokenOf(used), 401, 'invalid_client')
    refused(await tokenOf(inside), 401, 'invalid_client')
    assert.deepEqual(await leftOf(app, broker.id, [broker.id, elsewhere.id]), nothing)
    assert.deepEqual(await leftOf(app, client.id, [client.id]), nothing)
    assert.deepEqual(await leftOf(app, inside.appId, [inside.id]), { ...nothing, apps: 1 })
    const { db } = app.parts.services
    const sessions = await db.selectFrom('app_sessions').select('id').where('app_id', '=', reporter.id).execute()
    assert.deepEqual(
      sessions.map(({ id }) => id),
      [kept.sessionId],
      `and not ${only.sessionId}`,
    )
    const event = (await eventsOf(elsewhere.id)).at(-1)!
    assert.deepEqual([event.action, event.org_id], ['app_install.delete', app.orgId])
    assert.equal((await eventsOf(broker.id)).at(-1)!.action, 'app.delete')
  })

  test('deleting a user: ends their installs, sessions and tokens of apps', async () => {
    const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
    const client = await addClient(app)
    const tokens = await tokensFor(app, client, { person })
    const { db } = app.parts.services
    const [installed] = await db.selectFrom('app_installs').select('id').where('user_id', '=', person.id).execute()
    await remove(`/rest/groups/${app.groupId}/users/${person.id}`)
    assert.deepEqual(await leftOf(app, client.appId, [person.id]), { ...nothing, apps: 1 })
    assert.equal(await isAccepted(app, tokens.access_token), false)
    refused(await refresh(app, client, tokens.refresh_token), 400, 'invalid_grant')
    assert.equal((await eventsOf(installed!.id)).at(-1)!.action, 'app_install.delete')
  })

  test('concurrent deletions and installs: leave no orphaned rows and no blocked request', async () => {
    for (let round = 0; round < 6; round++) {
      const orgId = await app.addOrg()
      const own = await createApp(app, unattended, { orgId })
      const other = await install(app, installsOf(orgId))
      const person = await personWith(app)
      const places = [{ groupId: app.groupId, orgId }, inOrg.place(app)]
      const shared = await createApp(app)
      const { installIds } = await letIn(app, { appId: shared.id, userId: person.id, places })
      const answers = await Promise.all([
        app.call('DELETE', `/v1/org/${orgId}`),
        app.call('DELETE', `${creationsOf(app.orgId)}/${other.appId}`),
        app.call('POST', inOrg.path(app), { body: newInstall(own.id) }),
        app.call('POST', installsOf(orgId), { body: newInstall(own.id) }),
        app.call('POST', inGroup.path(app), { body: newInstall(other.appId) }),
        app.call('POST', `${installsOf(orgId)}/${other.id}/secrets`, {
          body: { data: { type: 'app', attributes: { mode: 'create' } } },
        }),
        app.call('DELETE', `${creationsOf(app.orgId)}/${shared.id}`),
        app.call('DELETE', `/rest/groups/${app.groupId}/users/${person.id}`),
        app.call('DELETE', `/rest/self/apps/installs/${installIds[1]}`, { key: person.key }),
      ])
      const statuses = answers.map(({ statusCode }) => statusCode)
      const expected = [[204], [204], [201, 404], [201, 404, 409], [201, 404, 409], [200, 404], [204], [204]]
      for (const [index, allowed] of expected.entries()) {
        assert.ok(allowed.includes(statuses[index]!), `${index}: ${answers[index]!.body}`)
      }
      assert.ok([204, 401, 404].includes(statuses[8]!), answers[8]!.body)
      for (const gone of [own.id, other.appId, shared.id]) assert.deepEqual(await leftOf(app, gone, [gone]), nothing)
      assert.deepEqual(await orphans(), [])
    }
  })

  /** Secrets whose owner no longer exists. */
  async function orphans(): Promise<object[]> {
    const { db } = app.parts.services
    return db
      .selectFrom('credentials as c')
      .leftJoin('apps as a', 'a.id', 'c.owner_id')
      .leftJoin('app_installs as i', 'i.id', 'c.owner_id')
      .select(['c.owner_kind', 'c.owner_id'])
      .where('c.owner_kind', 'in', ['app', 'app_install'])
      .where('a.id', 'is', null)
      .where('i.id', 'is', null)
      .execute()
  }
})
