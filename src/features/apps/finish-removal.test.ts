import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { announceAll } from '#features/credentials/announce-expiries.job.ts'
import { startWorker } from '#foundation/jobs/worker.ts'
import { createAccount, ofOrg } from '#test/access/accounts.ts'
import {
  createApp,
  creationsOf,
  inOrg,
  install,
  installsOf,
  leftOf,
  letIn,
  newInstall,
  personWith,
  plantInstalls,
  plantSessions,
  unattended,
} from '#test/access/apps.ts'
import { auditEventsOf } from '#test/access/audit.ts'
import { addClient, codeFor, inForm, isAccepted, refresh, refused, sendForm, tokensFor } from '#test/access/oauth.ts'
import { addPerson } from '#test/access/people.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { addWebhook, eventsOf } from '#test/servers/webhooks.ts'
import { finishAppRemovals } from './finish-removal.job.ts'
import { FINISH_REMOVAL, PART, type Removal } from './remove-app.ts'
import { markEnded } from './store.ts'

const nothing = { apps: 0, installs: 0, sessions: 0, credentials: 0 }
const never = new AbortController().signal

onEveryEngine('deletion of apps with many installs and sessions', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const remove = async (path: string) => {
    const answer = await app.call('DELETE', path)
    assert.equal(answer.statusCode, 204, answer.body)
  }
  const removeApp = (id: string) => remove(`${creationsOf(app.orgId)}/${id}`)
  const jobsOf = async (appId: string) => {
    const { db } = app.parts.services
    const rows = await db.selectFrom('jobs').select('payload').where('kind', '=', FINISH_REMOVAL).execute()
    return rows.map(({ payload }) => JSON.parse(payload) as Removal).filter((payload) => payload.appId === appId)
  }
  /** Runs the job like a process that is killed when `signal` aborts. */
  const finish = async (appId: string, signal = never, now = app.parts.services.now) => {
    const [payload] = await jobsOf(appId)
    const context = { log: app.parts.services.log, attempt: 1, signal }
    await finishAppRemovals({ db: app.parts.services.db, now }).run(payload!, context)
  }
  const tokenOf = (client: { clientId: string; secret: string }) =>
    sendForm(app, 'token', { grant_type: 'client_credentials', ...inForm(client) })
  const deletionsOf = async (ids: readonly string[]) => {
    const events = await Promise.all(ids.map((id) => auditEventsOf(app, id)))
    return events.map((all) => all.filter(({ action }) => action.endsWith('.delete')).length)
  }
  const installsLeft = async (appId: string) => {
    const { db } = app.parts.services
    return (await db.selectFrom('app_installs').select('id').where('app_id', '=', appId).execute()).length
  }
  /** Marks an app as deleted, as between the answer of a deletion and the end of its job. */
  const end = (appId: string) => markEnded(app.parts.services.db, appId, app.parts.services.now())

  test('deleting an app with many installs: refused at once, rows deleted in parts, each install audited once', async () => {
    const broker = await install(app, inOrg.path(app), { name: 'Broker' })
    const token = (await tokenOf(broker)).json().access_token
    const planted = await plantInstalls(app, broker.appId, 2 * PART)
    const { id: userId } = await personWith(app)
    await plantSessions(app, { appId: broker.appId, userId }, PART + 1)
    assert.equal(await isAccepted(app, token), true)

    await removeApp(broker.appId)
    assert.equal(await isAccepted(app, token), false)
    refused(await tokenOf(broker), 401, 'invalid_client')
    assert.equal(await installsLeft(broker.appId), PART + 1)
    const snapshot = JSON.parse((await auditEventsOf(app, broker.appId)).at(-1)!.before!)
    assert.deepEqual([snapshot.name, snapshot.installs], ['Broker', 2 * PART + 1])
    assert.equal((await app.call('DELETE', `${creationsOf(app.orgId)}/${broker.appId}`)).statusCode, 404)
    assert.equal((await jobsOf(broker.appId)).length, 1)

    await finish(broker.appId)
    const ids = [broker.id, ...planted]
    assert.deepEqual(await leftOf(app, broker.appId, [broker.appId, ...ids]), nothing)
    assert.deepEqual(
      await deletionsOf(ids),
      ids.map(() => 1),
    )
    const [first, last] = [
      (await auditEventsOf(app, broker.id)).at(-1)!,
      (await auditEventsOf(app, planted[0]!)).at(-1)!,
    ]
    const { kind, id } = (await jobsOf(broker.appId))[0]!.actor
    for (const event of [first, last]) {
      assert.deepEqual([event.action, event.actor_kind, event.actor_id], ['app_install.delete', kind, id])
      assert.equal(JSON.parse(event.before!).app_name, 'Broker')
    }
    await finish(broker.appId)
    assert.equal((await auditEventsOf(app, broker.appId)).filter(({ action }) => action === 'app.delete').length, 1)
  })

  test('deleting an app with many sessions: deletes them in parts', async () => {
    const client = await createApp(app)
    const person = await personWith(app)
    const of = { appId: client.id, userId: person.id }
    const { installIds } = await letIn(app, { ...of, places: [inOrg.place(app)] })
    await plantSessions(app, of, PART)
    await removeApp(client.id)
    assert.deepEqual(await leftOf(app, client.id, [client.id]), { ...nothing, apps: 1, sessions: 1 })
    await finish(client.id)
    assert.deepEqual(await leftOf(app, client.id, [client.id]), nothing)
    assert.deepEqual(await deletionsOf(installIds), [1])
  })

  test('deleting a small app: leaves no rows and no job', async () => {
    const { appId } = await install(app, inOrg.path(app))
    await removeApp(appId)
    assert.deepEqual(await leftOf(app, appId, [appId]), nothing)
    assert.deepEqual(await jobsOf(appId), [])
  })

  test('an interrupted deletion: the next runs finish it, also two concurrent ones', async () => {
    const { appId } = await install(app, inOrg.path(app))
    const planted = await plantInstalls(app, appId, 4 * PART)
    await removeApp(appId)
    const killed = new AbortController()
    const { now } = app.parts.services
    const untilPartIsDone = () => {
      killed.abort(new Error('killed'))
      return now()
    }
    await assert.rejects(finish(appId, killed.signal, untilPartIsDone), /killed|aborted/)
    assert.equal(await installsLeft(appId), 2 * PART + 1)
    await assert.rejects(
      finish(appId, never, () => {
        throw new Error('in the middle of a part')
      }),
      /in the middle/,
    )
    assert.equal(await installsLeft(appId), 2 * PART + 1)
    await Promise.all([finish(appId), finish(appId)])
    assert.deepEqual(await leftOf(app, appId, [appId, ...planted]), nothing)
    assert.deepEqual(
      await deletionsOf(planted),
      planted.map(() => 1),
    )
  })

  test('a deletion job: the server’s worker finishes it', async () => {
    const { services } = app.parts
    const { id: appId } = await createApp(app, unattended)
    await plantInstalls(app, appId, PART + 1)
    await removeApp(appId)
    assert.equal((await jobsOf(appId)).length, 1)
    const settings = { concurrency: 1, pollMs: 10, leaseMs: 60_000 }
    const worker = startWorker(services, [finishAppRemovals(services)], settings)
    try {
      while ((await jobsOf(appId)).length > 0) await new Promise((resolve) => setTimeout(resolve, 10))
    } finally {
      await worker.close()
    }
    assert.deepEqual(await leftOf(app, appId, [appId]), nothing)
  })

  test('an app whose deletion is unfinished: not usable, not shown, not announced', async () => {
    const { services } = app.parts
    const person = await addPerson(app, { permissions: ['org.read', 'org.project.read'], orgId: app.orgId })
    const personKey = await personWith(app)
    const client = await addClient(app, { context: 'user' })
    const tokens = await tokensFor(app, client, { person })
    const { form } = await codeFor(app, client, { person })
    const let_in = await letIn(app, { appId: client.appId, userId: personKey.id, places: [inOrg.place(app)] })
    const broker = await install(app, inOrg.path(app))
    const token = (await tokenOf(broker)).json().access_token
    const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret', name: 'Asks' })
    const asking = { clientId: String(account.attributes.client_id), secret: String(account.attributes.client_secret) }
    const isActive = async (text: string) =>
      (await sendForm(app, 'introspect', { token: text, ...inForm(asking) })).json().active
    for (const text of [tokens.access_token, tokens.refresh_token, token]) assert.equal(await isActive(text), true)
    const ends = { expires_at: services.now() + 3_600_000 }
    await services.db.updateTable('credentials').set(ends).where('owner_id', '=', broker.id).execute()
    await addWebhook(app, { url: 'https://hooks.example/', events: ['*'] })

    await end(client.appId)
    await end(broker.appId)

    for (const text of [tokens.access_token, token]) {
      assert.equal((await app.call('GET', '/rest/self', { key: text })).statusCode, 401)
    }
    for (const text of [tokens.access_token, tokens.refresh_token, token]) assert.equal(await isActive(text), false)
    refused(await refresh(app, client, tokens.refresh_token), 401, 'invalid_client')
    refused(await sendForm(app, 'token', form), 401, 'invalid_client')
    refused(await tokenOf(broker), 401, 'invalid_client')
    for (const one of [client, { clientId: broker.clientId, secret: broker.secret }]) {
      refused(await sendForm(app, 'introspect', { token, ...inForm(one) }), 401, 'invalid_client')
    }
    const creations = creationsOf(app.orgId)
    const rows = (path: string, key = app.adminKey) =>
      app.call('GET', path, { key }).then((answer) => answer.json().data.map((row: { id: string }) => row.id))
    const gone = [client.appId, broker.appId, broker.id, ...let_in.installIds]
    for (const list of [
      await rows(creations, app.adminKey),
      await rows(`/rest/orgs/${app.orgId}/apps`),
      await rows(inOrg.path(app)),
      await rows('/rest/self/apps', personKey.key),
      await rows('/rest/self/apps/installs', personKey.key),
    ]) {
      assert.deepEqual(
        list.filter((id: string) => gone.includes(id)),
        [],
      )
    }
    const self = (path: string) => ({ path: `/rest/self/apps/${path}`, key: personKey.key })
    const secrets = { data: { type: 'app', attributes: { mode: 'create' } } }
    for (const [method, { path, key = app.adminKey }, body] of [
      ['GET', { path: `${creations}/${client.appId}` }],
      ['PATCH', { path: `${creations}/${client.appId}` }, { data: { type: 'app', attributes: { name: 'Other' } } }],
      ['POST', { path: `${creations}/${client.appId}/secrets` }, secrets],
      ['GET', { path: `/rest/orgs/${app.orgId}/apps/${client.clientId}` }],
      ['DELETE', { path: `${inOrg.path(app)}/${broker.id}` }],
      ['POST', { path: `${inOrg.path(app)}/${broker.id}/secrets` }, secrets],
      ['POST', { path: installsOf(await app.addOrg()) }, newInstall(broker.appId)],
      ['GET', self(`${client.appId}/sessions`)],
      ['DELETE', self(`${client.appId}/sessions/${let_in.sessionId}`)],
      ['DELETE', self(client.appId)],
      ['DELETE', self(`installs/${let_in.installIds[0]}`)],
    ] as [method: 'GET', { path: string; key?: string }, object?][]) {
      const answer = await app.call(method, path, { key, ...(body && { body }) })
      assert.equal(answer.statusCode, 404, `${method} ${path}: ${answer.body}`)
    }

    const credentials = [broker.secret, token, tokens.refresh_token, tokens.access_token, form['code']!]
    const body = { data: { type: 'exposure_report', attributes: { credentials } } }
    assert.equal((await app.call('POST', '/rest/exposed_credentials', { body, key: null })).statusCode, 200)
    await announceAll(services)
    const eventsText = JSON.stringify(await eventsOf(app))
    for (const id of gone) assert.ok(!eventsText.includes(id), eventsText)
    const audited = await Promise.all(gone.map((id) => auditEventsOf(app, id)))
    assert.deepEqual(
      audited.flat().filter(({ action }) => action.startsWith('exposed')),
      [],
    )
  })

  test('an app whose deletion is unfinished: its client id may be reused at once', async () => {
    const client = await addClient(app)
    await end(client.appId)
    const { id } = await createApp(app)
    const { db } = app.parts.services
    await db.updateTable('apps').set({ client_id: client.clientId }).where('id', '=', id).execute()
    const answer = await app.call('GET', `/rest/orgs/${app.orgId}/apps/${client.clientId}`)
    assert.equal(answer.json().data.id, id, answer.body)
  })

  test('an app whose deletion is unfinished: deleting its user or organization deletes and audits their part', async () => {
    const { db } = app.parts.services
    const orgId = await app.addOrg()
    const own = await createApp(app, unattended, { orgId })
    const planted = await plantInstalls(app, own.id, 2 * PART)
    const client = await createApp(app)
    const [person, other] = [await personWith(app), await personWith(app)]
    const places = [{ groupId: app.groupId, orgId }, inOrg.place(app)]
    const mine = await letIn(app, { appId: client.id, userId: person.id, places })
    const others = await letIn(app, { appId: client.id, userId: other.id, places })
    const onlySession = await createApp(app)
    await plantSessions(app, { appId: onlySession.id, userId: person.id }, 2)
    for (const id of [own.id, client.id, onlySession.id]) await end(id)

    await remove(`/rest/groups/${app.groupId}/users/${person.id}`)
    assert.deepEqual(await deletionsOf(mine.installIds), [1, 1])
    assert.deepEqual(await leftOf(app, client.id, [person.id]), { ...nothing, apps: 1, installs: 2, sessions: 1 })
    const { sessions } = (await leftOf(app, onlySession.id, [onlySession.id])) as { sessions: number }
    assert.equal(sessions, 0)

    await remove(`/v1/org/${orgId}`)
    assert.deepEqual(await leftOf(app, own.id, [own.id, ...planted]), nothing)
    assert.deepEqual(
      await deletionsOf(planted),
      planted.map(() => 1),
    )
    const left = await db.selectFrom('app_installs').select('id').where('app_id', '=', client.id).execute()
    assert.deepEqual(left, [{ id: others.installIds[1] }])
  })

  test('deleting an organization: deletes its app with more installs than one part holds', async () => {
    const orgId = await app.addOrg()
    const own = await createApp(app, unattended, { orgId })
    const planted = await plantInstalls(app, own.id, PART + 1)
    await remove(`/v1/org/${orgId}`)
    assert.deepEqual(await leftOf(app, own.id, [own.id, ...planted]), nothing)
    assert.deepEqual(
      await deletionsOf(planted),
      planted.map(() => 1),
    )
    await finish(own.id)
  })
})
