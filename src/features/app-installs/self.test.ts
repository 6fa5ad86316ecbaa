import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import { createApp, inGroup, inOrg, installsOf, letIn, personWith } from '#test/access/apps.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { addClient, type Client, isAccepted, refresh, refused, type Tokens, tokensFor } from '#test/access/oauth.ts'
import { addPerson, type Person } from '#test/access/people.ts'
import { assertRefusal } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'

onEveryEngine('apps that a user authorized', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  /** Creates a user with a password and an API key. */
  async function somebody(): Promise<Person & { key: string }> {
    const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
    const owner = { kind: 'user', id: person.id } as const
    const { secret } = await issueCredential(app.parts.services, app.parts.services.db, {
      kind: 'api_key',
      owner,
      name: 'Key',
    })
    return { ...person, key: secret }
  }

  const idsIn = async (path: string, key: string): Promise<string[]> => {
    const answer = await app.call('GET', path, { key })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.map(({ id }: { id: string }) => id)
  }
  const eventsOn = (id: string) => auditEventsOf(app, id)

  describe('an app authorized on the authorization page', () => {
    let person: Awaited<ReturnType<typeof somebody>>
    let client: Client
    let tokens: Tokens
    before(async () => {
      person = await somebody()
      client = await addClient(app, { name: 'Reporter', context: 'user', scopes: ['org.read', 'org.project.read'] })
      tokens = await tokensFor(app, client, { person })
    })
    const sessions = () => `/rest/self/apps/${client.appId}/sessions`

    test('own apps: list the app in its summary form', async () => {
      const answer = await app.call('GET', '/rest/self/apps', { key: person.key, query: { version: '2022-03-11' } })
      assert.equal(answer.headers['snyk-version-served'], '2022-03-11')
      assert.deepEqual(answer.json().data, [
        {
          id: client.appId,
          type: 'app',
          attributes: {
            client_id: client.clientId,
            context: 'user',
            name: 'Reporter',
            scopes: ['org.read', 'org.project.read'],
          },
        },
      ])
    })

    test('own sessions: list the session with its creation time', async () => {
      const query = { version: '2023-03-30~experimental' }
      const answer = await app.call('GET', sessions(), { key: person.key, query })
      assert.equal(answer.headers['snyk-version-served'], '2023-03-30~experimental')
      const [session, ...others] = answer.json().data
      assert.deepEqual(others, [])
      assert.deepEqual([session.type, Object.keys(session.attributes)], ['app_session', ['created_at']])
      assert.ok(Date.now() - Date.parse(session.attributes.created_at) < 60_000)
    })

    test('own installs: list the install with its app and organization, without a client', async () => {
      for (const query of [{}, { expand: 'app' }]) {
        const { data } = (await app.call('GET', '/rest/self/apps/installs', { key: person.key, query })).json()
        assert.equal(data.length, 1)
        const [{ attributes, relationships, type }] = data
        assert.deepEqual([type, Object.keys(attributes)], ['app_install', ['installed_at']])
        assert.equal(relationships.app.data.attributes.name, 'Reporter')
        assert.deepEqual(relationships.org, { data: { id: app.orgId, type: 'org' } })
      }
    })

    test('the app itself: may neither list nor revoke anything of its user (403 in-person-only)', async () => {
      for (const [method, path] of [
        ['GET', '/rest/self/apps'],
        ['GET', '/rest/self/apps/installs'],
        ['GET', sessions()],
        ['DELETE', `/rest/self/apps/${client.appId}`],
      ] as const) {
        const answer = await app.call(method, path, { key: tokens.access_token })
        assertRefusal(answer, { status: 403, code: 'in-person-only' })
      }
    })

    test('revoking a session: ends its tokens, not those of other sessions, and is audited', async () => {
      const other = await tokensFor(app, client, { person })
      const before = await idsIn(sessions(), person.key)
      assert.equal(before.length, 2)
      const ended = await sessionOf(tokens)
      const answer = await app.call('DELETE', `${sessions()}/${ended.toUpperCase()}`, { key: person.key })
      assert.deepEqual([answer.statusCode, answer.body], [204, ''])
      assert.equal(await isAccepted(app, tokens.access_token), false)
      refused(await refresh(app, client, tokens.refresh_token), 400, 'invalid_grant')
      assert.equal(await isAccepted(app, other.access_token), true)
      assert.deepEqual(
        await idsIn(sessions(), person.key),
        before.filter((id) => id !== ended),
      )
      const again = await app.call('DELETE', `${sessions()}/${ended}`, { key: person.key })
      assertRefusal(again, { status: 404, code: 'not-found' })
      const event = (await eventsOn(ended)).at(-1)!
      assert.deepEqual([event.action, event.actor_id, event.group_id], ['app_session.delete', person.id, app.groupId])
      assert.equal(JSON.parse(event.before!).app_name, 'Reporter')
    })

    test('revoking the last install of an app: ends the app’s sessions and is audited', async () => {
      const live = await tokensFor(app, client, { person })
      const [installId] = await idsIn('/rest/self/apps/installs', person.key)
      const answer = await app.call('DELETE', `/rest/self/apps/installs/${installId}`, { key: person.key })
      assert.deepEqual([answer.statusCode, answer.body], [204, ''])
      assert.equal(await isAccepted(app, live.access_token), false)
      refused(await refresh(app, client, live.refresh_token), 400, 'invalid_grant')
      for (const path of ['/rest/self/apps', '/rest/self/apps/installs']) {
        assert.deepEqual(await idsIn(path, person.key), [])
      }
      assertRefusal(await app.call('GET', sessions(), { key: person.key }), { status: 404, code: 'not-found' })
      const event = (await eventsOn(installId!)).at(-1)!
      assert.deepEqual([event.action, event.org_id, event.actor_id], ['app_install.delete', app.orgId, person.id])
    })

    test('revoking an app: ends its installs, sessions and tokens of this user; other users keep theirs', async () => {
      const another = await somebody()
      const [mine, mineToo] = [await tokensFor(app, client, { person }), await tokensFor(app, client, { person })]
      const theirs = await tokensFor(app, client, { person: another })
      const answer = await app.call('DELETE', `/rest/self/apps/${client.appId}`, { key: person.key })
      assert.deepEqual([answer.statusCode, answer.body], [204, ''])
      for (const { access_token, refresh_token } of [mine, mineToo]) {
        assert.equal(await isAccepted(app, access_token), false)
        refused(await refresh(app, client, refresh_token), 400, 'invalid_grant')
      }
      assert.deepEqual(await idsIn('/rest/self/apps', person.key), [])
      assert.equal(await isAccepted(app, theirs.access_token), true)
      assert.deepEqual(await idsIn('/rest/self/apps', another.key), [client.appId])
      const again = await app.call('DELETE', `/rest/self/apps/${client.appId}`, { key: person.key })
      assertRefusal(again, { status: 404, code: 'not-found' })
      assert.equal(await isAccepted(app, (await tokensFor(app, client, { person })).access_token), true)
    })

    test('an administrator revokes a user’s last install: the sessions and tokens of the app end', async () => {
      const live = await tokensFor(app, client, { person })
      const [installId] = await idsIn('/rest/self/apps/installs', person.key)
      assert.equal((await app.call('DELETE', `${installsOf(app.orgId)}/${installId}`)).statusCode, 204)
      assert.equal(await isAccepted(app, live.access_token), false)
      refused(await refresh(app, client, live.refresh_token), 400, 'invalid_grant')
    })

    async function sessionOf({ access_token }: Tokens): Promise<string> {
      const { db, keyring } = app.parts.services
      const digest = keyring.digest(access_token)
      const row = await db
        .selectFrom('access_tokens')
        .select('session_id')
        .where('digest', '=', digest)
        .executeTakeFirstOrThrow()
      return row.session_id!
    }
  })

  test('revoking installs one by one: the session survives until the last one', async () => {
    const [{ id: appId }, person] = [await createApp(app), await personWith(app)]
    const elsewhere = { groupId: app.groupId, orgId: await app.addOrg() }
    const places = [inOrg.place(app), elsewhere, inGroup.place(app)]
    const { installIds, sessionId } = await letIn(app, { appId, userId: person.id, places })
    const installs = (await app.call('GET', '/rest/self/apps/installs', { key: person.key })).json().data
    const relations = installs.map(({ relationships }: { relationships: object }) => {
      const { app: _app, ...place } = relationships as Record<string, { data: { id: string } }>
      return Object.entries(place).map(([name, { data }]) => `${name} ${data.id}`)
    })
    assert.deepEqual(relations.flat().sort(), [
      `group ${app.groupId}`,
      ...[`org ${app.orgId}`, `org ${elsewhere.orgId}`].sort(),
    ])
    for (const [left, id] of [...installIds.entries()].map(([index, id]) => [2 - index, id] as const)) {
      const path = `/rest/self/apps/installs/${id}`
      assert.equal((await app.call('DELETE', path, { key: person.key })).statusCode, 204)
      const { db } = app.parts.services
      const sessions = await db.selectFrom('app_sessions').select('id').where('id', '=', sessionId).execute()
      assert.equal(sessions.length, left === 0 ? 0 : 1, `${left} installs left`)
    }
  })

  test('revoking the last two installs concurrently: both succeed and the sessions end', async () => {
    for (let round = 0; round < 5; round++) {
      const [{ id: appId }, person] = [await createApp(app), await personWith(app)]
      const places = [inOrg.place(app), inGroup.place(app)]
      const { installIds } = await letIn(app, { appId, userId: person.id, places })
      const answers = await Promise.all(
        installIds.map((id) => app.call('DELETE', `/rest/self/apps/installs/${id}`, { key: person.key })),
      )
      assert.deepEqual(
        answers.map(({ statusCode }) => statusCode),
        [204, 204],
      )
      const { db } = app.parts.services
      assert.deepEqual(await db.selectFrom('app_sessions').select('id').where('app_id', '=', appId).execute(), [])
    }
  })

  test('an app with a session but no installs: may be revoked, its session ends', async () => {
    const [{ id: appId }, person] = [await createApp(app), await personWith(app)]
    const { sessionId } = await letIn(app, { appId, userId: person.id, places: [] })
    assert.deepEqual(await idsIn(`/rest/self/apps/${appId}/sessions`, person.key), [sessionId])
    assert.equal((await app.call('DELETE', `/rest/self/apps/${appId}`, { key: person.key })).statusCode, 204)
    const left = await app.call('GET', `/rest/self/apps/${appId}/sessions`, { key: person.key })
    assertRefusal(left, { status: 404, code: 'not-found' })
  })

  describe('paged lists of apps, sessions and installs', () => {
    let userId: string
    let appId: string
    before(async () => {
      userId = (await app.call('GET', '/rest/self')).json().data.id
      appId = (await createApp(app)).id
      await letIn(app, { appId, userId, places: [inOrg.place(app)] })
    })

    testPages(() => app, 'list of own apps', {
      path: () => '/rest/self/apps',
      add: async () => {
        const { id } = await createApp(app)
        await letIn(app, { appId: id, userId, places: [inOrg.place(app)] })
        return id
      },
      remove: (id) => app.call('DELETE', `/rest/self/apps/${id}`),
    })
    testPages(() => app, 'list of own sessions', {
      path: () => `/rest/self/apps/${appId}/sessions`,
      add: async () => (await letIn(app, { appId, userId, places: [] })).sessionId,
      remove: (id) => app.call('DELETE', `/rest/self/apps/${appId}/sessions/${id}`),
    })
    testPages(() => app, 'list of own installs', {
      path: () => '/rest/self/apps/installs',
      add: async () => {
        const { id } = await createApp(app)
        return (await letIn(app, { appId: id, userId, places: [inOrg.place(app)] })).installIds[0]!
      },
      remove: (id) => app.call('DELETE', `/rest/self/apps/installs/${id}`),
    })
  })
})
