import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { EventType } from '#foundation/events/event-types.ts'
import { createAccount, ofGroup, ofOrg, secretsBody } from '#test/access/accounts.ts'
import { appSecrets, createApp, creationsOf, install, installsOf } from '#test/access/apps.ts'
import { addClient, refresh, refused, tokensFor } from '#test/access/oauth.ts'
import { validatorOf } from '#test/documents/event-schemas.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { addWebhook, eventsOf } from '#test/servers/webhooks.ts'
import { announceAll } from './announce-expiries.job.ts'

const DAY_MS = 86_400_000

onEveryEngine('credential events of organizations', (engine) => {
  let app: TestApp
  let seen = 0
  before(async () => {
    app = await startApp(engine)
    await addWebhook(app, { url: 'https://hooks.example/', events: ['*'] })
  })
  after(() => app.close())

  /** Returns events since the last call, validated against their schemas. */
  async function news() {
    const events = await eventsOf(app)
    const fresh = events.slice(seen)
    seen = events.length
    for (const { type, data } of fresh) {
      const isData = validatorOf(type)
      assert.ok(isData(data), `${type}: ${JSON.stringify(isData.errors)} ${JSON.stringify(data)}`)
    }
    return fresh
  }
  const types = (events: readonly { type: EventType }[]) => events.map(({ type }) => type)
  const credentialsOf = (ownerId: string) =>
    app.parts.services.db.selectFrom('credentials').selectAll().where('owner_id', '=', ownerId).execute()

  test('credential events of a service account: sent for creation, rotation and deletion, without values', async () => {
    const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret', name: 'Builds' })
    const path = `${ofOrg.path(app)}/${account.id}`
    const change = async (body: object) => {
      const answer = await app.call('POST', `${path}/secrets`, { body })
      assert.equal(answer.statusCode, 200, answer.body)
      return answer.json().data.attributes.client_secret
    }
    const second = await change(secretsBody('create'))
    await change(secretsBody('delete', second))
    const grace = { data: { type: 'service_account', attributes: { mode: 'replace', grace_seconds: 3600 } } }
    const before = await credentialsOf(account.id)
    await change(grace)
    const kept = await credentialsOf(account.id)
    await app.call('DELETE', path)
    const events = await news()
    assert.deepEqual(types(events), [
      'credential.created',
      'credential.created',
      'credential.deleted',
      'credential.rotated',
      'credential.deleted',
    ])
    for (const { data } of events) {
      assert.deepEqual(data['owner'], { kind: 'service_account', id: account.id, name: 'Builds' })
    }
    const [replaced] = events[3]!.data['replaced'] as { id: string; ends_at: string }[]
    assert.equal(replaced!.id, before[0]!.id)
    const retiring = kept.find(({ id }) => id === replaced!.id)
    assert.equal(Date.parse(replaced!.ends_at), retiring!.retires_at)
    assert.deepEqual(
      (events[4]!.data['credentials'] as { id: string }[]).map(({ id }) => id).sort(),
      kept.map(({ id }) => id).sort(),
    )
    assert.ok(!JSON.stringify(events).includes(second))
  })

  test('credential.deleted: names the one secret that was deleted by its id', async () => {
    const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    const path = `${ofOrg.path(app)}/${account.id}/secrets`
    await app.call('POST', path, { body: secretsBody('create') })
    const [first] = await credentialsOf(account.id)
    assert.equal((await app.call('DELETE', `${path}/${first!.id}`)).statusCode, 204)
    const [, , deleted] = await news()
    assert.equal(deleted!.type, 'credential.deleted')
    assert.deepEqual(
      (deleted!.data['credentials'] as { id: string }[]).map(({ id }) => id),
      [first!.id],
    )
  })

  test('credential.rotated without a grace period: the replaced secret has already ended', async () => {
    const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    await app.call('POST', `${ofOrg.path(app)}/${account.id}/secrets`, { body: secretsBody('replace') })
    const [, rotated] = await news()
    const [{ ends_at: endsAt }] = rotated!.data['replaced'] as [{ ends_at: string }]
    assert.ok(Date.parse(endsAt) <= Date.now())
  })

  test('credential of a group’s service account: no organization gets an event', async () => {
    await createAccount(app, ofGroup.path(app), { auth_type: 'api_key' })
    assert.deepEqual(await news(), [])
  })

  test('credential events of apps and installs: sent for each, also when installs are deleted with their app', async () => {
    const made = await createApp(app, { name: 'Dashboards' })
    await app.call('POST', `${creationsOf(app.orgId)}/${made.id}/secrets`, { body: appSecrets('create') })
    await app.call('DELETE', `${creationsOf(app.orgId)}/${made.id}`)
    const ofApp = await news()
    assert.deepEqual(types(ofApp), ['credential.created', 'credential.created', 'credential.deleted'])
    assert.deepEqual(ofApp[0]!.data['owner'], { kind: 'app', id: made.id, name: 'Dashboards' })
    const installed = await install(app, installsOf(app.orgId))
    await app.call('DELETE', `${installsOf(app.orgId)}/${installed.id}`)
    const another = await install(app, installsOf(app.orgId))
    await app.call('DELETE', `${creationsOf(app.orgId)}/${another.appId}`)
    const ofInstalls = await news()
    assert.deepEqual(types(ofInstalls), [
      'credential.created',
      'credential.deleted',
      'credential.created',
      'credential.deleted',
    ])
    const owners = ofInstalls.map(({ data }) => data['owner'] as { kind: string; id: string })
    assert.deepEqual(
      owners.map(({ kind, id }) => [kind, id]),
      [installed.id, installed.id, another.id, another.id].map((id) => ['app_install', id]),
    )
  })

  test('refused change of secrets: sends no event', async () => {
    const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    await news()
    const wrong = await app.call('POST', `${ofOrg.path(app)}/${account.id}/secrets`, {
      body: secretsBody('delete', String(account.attributes['client_secret'])),
    })
    assert.equal(wrong.statusCode, 400)
    assert.deepEqual(await news(), [])
  })

  test('credential.exposed: has the details of the report without the value', async () => {
    const account = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    const secret = String(account.attributes['client_secret'])
    const id = (await credentialsOf(account.id))[0]?.id
    await news()
    const attributes = { credentials: [secret], found_at: `https://git.example/?q=${secret}` }
    const report = await app.call('POST', '/rest/exposed_credentials', {
      key: null,
      body: { data: { type: 'exposure_report', attributes } },
    })
    const [event, ...more] = await news()
    assert.deepEqual(more, [])
    assert.equal(event!.type, 'credential.exposed')
    assert.deepEqual(event!.data['credential'], { id, kind: 'client_secret' })
    assert.equal(event!.data['report_id'], report.json().data.id)
    assert.equal(event!.data['reporter'], null)
    assert.equal(event!.data['found_at'], 'https://git.example/?q=…')
  })

  test('credential.reused: sent once to an organization that owns the app and has it installed', async () => {
    const client = await addClient(app)
    const { refresh_token: token, access_token: accessToken } = await tokensFor(app, client)
    await refresh(app, client, token)
    await news()
    refused(await refresh(app, client, token), 400, 'invalid_grant')
    const [event, ...more] = await news()
    assert.deepEqual(more, [])
    assert.equal(event!.type, 'credential.reused')
    assert.deepEqual(event!.data['app'], { id: client.appId, name: 'An app' })
    const written = JSON.stringify(event)
    for (const secret of [token, accessToken]) assert.ok(!written.includes(secret))
    // A second refusal ends nothing more.
    await refresh(app, client, token)
    assert.deepEqual(await news(), [])
  })

  test('credential.expiring and credential.expired: each sent once per end, again for a new end', async () => {
    const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString()
    const soon = await createAccount(app, ofOrg.path(app), { expires_at: inDays(6) })
    await createAccount(app, ofOrg.path(app), { expires_at: inDays(60) })
    await createAccount(app, ofGroup.path(app), { expires_at: inDays(6) })
    const rotating = await createAccount(app, ofOrg.path(app), { auth_type: 'oauth_client_secret' })
    await news()
    let later = 0
    const { services } = app.parts
    const needs = { ...services, now: () => Date.now() + later }
    await Promise.all([announceAll(needs), announceAll(needs)])
    const [coming, ...more] = await news()
    assert.deepEqual(more, [])
    assert.equal(coming!.type, 'credential.expiring')
    const { owner, credential } = coming!.data as { owner: { id: string }; credential: { ends_at: string } }
    assert.equal(owner.id, soon.id)
    const [row] = await credentialsOf(soon.id)
    assert.equal(Date.parse(credential.ends_at), row!.expires_at)
    await announceAll(needs)
    assert.deepEqual(await news(), [])
    const grace = { data: { type: 'service_account', attributes: { mode: 'replace', grace_seconds: 7200 } } }
    await app.call('POST', `${ofOrg.path(app)}/${rotating.id}/secrets`, { body: grace })
    await announceAll(needs)
    assert.deepEqual(types(await news()), ['credential.rotated', 'credential.expiring'])
    later = 6.5 * DAY_MS
    await announceAll(needs)
    await announceAll(needs)
    assert.deepEqual(types(await news()), ['credential.expired', 'credential.expired'])
  })

  test('webhook that subscribes late: gets credential.expiring for ends still ahead', async () => {
    const orgId = await app.addOrg()
    const path = `/rest/orgs/${orgId}/service_accounts`
    await createAccount(app, path, { expires_at: new Date(Date.now() + DAY_MS).toISOString() })
    const { services } = app.parts
    await announceAll(services)
    const webhook = { orgId, url: 'https://hooks.example/', events: ['credential.expired'] }
    const { path: at } = await addWebhook(app, webhook)
    await announceAll(services)
    assert.deepEqual(await eventsOf(app, orgId), [])
    const body = { data: { type: 'webhook', attributes: { events: ['credential.expiring'] } } }
    await app.call('PATCH', at, { body })
    await announceAll(services)
    assert.deepEqual(types(await eventsOf(app, orgId)), ['credential.expiring'])
  })
})
