import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { permissionNames } from '#foundation/access/permissions.ts'
import { IDEMPOTENCY_HOURS } from '#foundation/http/change.ts'
import { assertRefusal, type BadBody, testRefusals, testRepetition } from '#test/access/refusals.ts'
import { testPages } from '#test/projects/pages.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { startReceiver } from '#test/servers/receiver.ts'
import {
  ALLOWING_LOOPBACK,
  addWebhook,
  startSending,
  tell,
  until,
  webhookBody,
  webhooksOf,
} from '#test/servers/webhooks.ts'
import { MAX_WEBHOOKS } from './change-webhook.ts'

const since = '2024-10-15'
const needs = { permission: 'org.edit', in: 'org' } as const
const wanted = { url: 'https://hooks.example/gate', events: ['issues.new'] }
const at = (member: string) => `/data/attributes/${member}`

const badAttributes: [why: string, attributes: object, member: string][] = [
  ['a URL that is none', { url: 'hooks' }, 'url'],
  ['a URL of another scheme', { url: 'ftp://hooks.example/' }, 'url'],
  ['a URL with credentials', { url: 'https://me:word@hooks.example/' }, 'url'],
  ['a private address', { url: 'http://10.0.0.1/' }, 'url'],
  ['a private address in disguise', { url: 'http://0x0a.1/' }, 'url'],
  ['a private address in other signs', { url: 'http://%31%30.0.0%2e1./' }, 'url'],
  ['a host with an empty label', { url: 'http://10.0.0.1../' }, 'url'],
  ['a metadata address', { url: 'http://[::ffff:169.254.169.254]/' }, 'url'],
  ['a port that is not the web’s', { url: 'http://93.184.216.34:25/' }, 'url'],
  ['a URL without end', { url: `https://hooks.example/${'x'.repeat(2000)}` }, 'url'],
  ['no events', { events: [] }, 'events'],
  ['an unknown event', { events: ['issues.old'] }, 'events/0'],
  ['an unknown event type', { events: ['webhook.ping'] }, 'events/0'],
  ['one event twice', { events: ['issues.new', 'issues.new'] }, 'events'],
  ['a secret of one’s own', { secret: 'whsec_AAAA' }, 'secret'],
  ['control characters', { description: 'a\u0007' }, 'description'],
  ['activity that is a word', { is_active: 'yes' }, 'is_active'],
]

onEveryEngine('webhooks', (engine) => {
  let app: TestApp
  let made: { id: string; secret: string; path: string }
  let deliveryId: string
  before(async () => {
    app = await startApp(engine, ALLOWING_LOOPBACK)
    made = await addWebhook(app, wanted)
    await tell(app, 'issues.new')
    deliveryId = (await app.call('GET', `${made.path}/deliveries`)).json().data[0].id
  })
  after(() => app.close())

  const list = () => webhooksOf(app.orgId)
  const one = () => made.path
  const auditOf = async (id: string) => {
    const answer = await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query: { target_id: id } })
    return answer.json().data.map(({ attributes }: { attributes: object }) => attributes)
  }

  const badNew: BadBody[] = [
    ['another type', { data: { type: 'hook', attributes: wanted } }, '/data/type'],
    ['no URL', webhookBody({ events: ['*'] }), at('url')],
    ['no events at all', webhookBody({ url: wanted.url }), at('events')],
    ...badAttributes.map(
      ([why, attributes, member]): BadBody => [why, webhookBody({ ...wanted, ...attributes }), at(member)],
    ),
  ]
  const badChange: BadBody[] = [
    ['no change', webhookBody({}), '/data/attributes'],
    ['another id', { data: { id: randomUUID(), type: 'webhook', attributes: { is_active: true } } }, '/data/id'],
    ...badAttributes.map(([why, attributes, member]): BadBody => [why, webhookBody(attributes), at(member)]),
  ]
  const badSecret: BadBody[] = [
    ['a grace of more than a week', webhookBody({ grace_seconds: 604_801 }), at('grace_seconds')],
    ['a negative grace', webhookBody({ grace_seconds: -1 }), at('grace_seconds')],
    ['another attribute', webhookBody({ mode: 'replace' }), at('mode')],
  ]
  const get = () => app

  testRefusals(get, 'the list', { method: 'GET', path: list, since, needs, isList: true })
  testRefusals(get, 'a creation', {
    method: 'POST',
    path: list,
    body: () => webhookBody(wanted),
    since,
    needs,
    badBodies: badNew,
  })
  testRefusals(get, 'reading one', { method: 'GET', path: one, since, needs })
  testRefusals(get, 'a change', {
    method: 'PATCH',
    path: one,
    body: () => webhookBody({ is_active: true }),
    since,
    needs,
    badBodies: badChange,
  })
  testRefusals(get, 'a deletion', { method: 'DELETE', path: one, since, needs })
  testRefusals(get, 'another secret', {
    method: 'POST',
    path: () => `${one()}/secrets`,
    body: () => webhookBody({}),
    since,
    needs,
    badBodies: badSecret,
  })
  testRefusals(get, 'the log', { method: 'GET', path: () => `${one()}/deliveries`, since, needs, isList: true })
  testRefusals(get, 'an entry of the log', {
    method: 'GET',
    path: () => `${one()}/deliveries/${deliveryId}`,
    since,
    needs,
  })
  testRefusals(get, 'a redelivery', {
    method: 'POST',
    path: () => `${one()}/deliveries/${deliveryId}/redeliver`,
    since,
    needs,
  })
  testRefusals(get, 'a test', { method: 'POST', path: () => `${one()}/test`, since, needs })

  describe('what another organization has is not found', () => {
    const paths: [method: 'GET' | 'PATCH' | 'DELETE' | 'POST', tail: string, body?: object][] = [
      ['GET', ''],
      ['PATCH', '', webhookBody({ is_active: false })],
      ['DELETE', ''],
      ['POST', '/secrets', webhookBody({})],
      ['POST', '/test'],
      ['GET', '/deliveries'],
      ['GET', '/deliveries/:id'],
      ['POST', '/deliveries/:id/redeliver'],
    ]
    for (const [method, tail, body] of paths) {
      test(`${method} …${tail}`, async () => {
        const orgId = await app.addOrg()
        const key = await app.keyWith(permissionNames, { orgId })
        const path = `${webhooksOf(orgId)}/${made.id}${tail.replace(':id', deliveryId)}`
        assertRefusal(await app.call(method, path, { key, ...(body && { body }) }), { status: 404, code: 'not-found' })
        assert.equal((await app.call('GET', made.path)).json().data.attributes.is_active, true)
      })
    }

    test('a delivery of another webhook', async () => {
      const other = await addWebhook(app, wanted)
      for (const [method, tail] of [['GET', ''] as const, ['POST', '/redeliver'] as const]) {
        const answer = await app.call(method, `${other.path}/deliveries/${deliveryId}${tail}`)
        assertRefusal(answer, { status: 404, code: 'not-found' })
      }
      await app.call('DELETE', other.path)
    })
  })

  testRepetition(get, 'a creation', {
    path: list,
    body: () => webhookBody(wanted),
    other: () => webhookBody({ ...wanted, events: ['*'] }),
  })

  test('its host is kept in one spelling', async () => {
    for (const host of [
      'Hooks.xn--BCHER-kva.example',
      'Hooks.B%C3%BCcher.example.',
      'hooks.xn--bcher-kva.example.:443',
    ]) {
      const webhook = await addWebhook(app, { ...wanted, url: `https://${host}/a` })
      const { attributes } = (await app.call('GET', webhook.path)).json().data
      assert.equal(attributes.url, 'https://hooks.xn--bcher-kva.example/a')
      await app.call('DELETE', webhook.path)
    }
  })

  test('the secret is shown when it is made and never again', async () => {
    const body = webhookBody({ url: 'https://hooks.example/a?b=c', events: ['*'], description: ' For us ' })
    const created = await app.call('POST', list(), { body })
    assert.equal(created.statusCode, 201, created.body)
    const { id, attributes } = created.json().data
    const { secret, created_at, updated_at, ...shown } = attributes
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{48}$/)
    assert.equal(
      created.headers['location'],
      `${app.parts.services.baseUrl}/rest/orgs/${app.orgId}/webhooks/${id}?version=2024-10-15`,
    )
    assert.deepEqual(shown, {
      url: 'https://hooks.example/a?b=c',
      events: ['*'],
      description: 'For us',
      is_active: true,
    })
    const read = (await app.call('GET', `${list()}/${id}`)).json().data
    assert.deepEqual(read.attributes, { ...shown, created_at, updated_at })
    const [stored] = await app.parts.services.db.selectFrom('webhooks').select('secret').where('id', '=', id).execute()
    assert.ok(!Buffer.from(stored!.secret).includes(secret.slice(6)))
    assert.ok(!app.log().includes(secret))
    await app.call('DELETE', `${list()}/${id}`)
  })

  test('what is sent changes, the rest stays; each change is in the audit log, without path or query', async () => {
    const webhook = await addWebhook(app, { ...wanted, url: 'https://hooks.example/of-theirs?token=of-theirs' })
    const changed = await app.call('PATCH', webhook.path, {
      body: webhookBody({ events: ['credential.expiring', '*'], url: 'https://other.example/of-theirs' }),
    })
    assert.equal(changed.statusCode, 200, changed.body)
    assert.deepEqual(changed.json().data.attributes.events, ['credential.expiring', '*'])
    const replaced = await app.call('POST', `${webhook.path}/secrets`, { body: webhookBody({ grace_seconds: 0 }) })
    assert.equal(replaced.json().data.attributes.previous_secret_ends_at, undefined)
    const again = await app.call('POST', `${webhook.path}/secrets`, { body: webhookBody({}) })
    const ends = Date.parse(again.json().data.attributes.previous_secret_ends_at)
    assert.ok(Math.abs(ends - Date.now() - 86_400_000) < 60_000)
    assert.equal((await app.call('DELETE', webhook.path)).statusCode, 204)
    assertRefusal(await app.call('GET', webhook.path), { status: 404, code: 'not-found' })
    const events = await auditOf(webhook.id)
    assert.deepEqual(
      events.map(({ action }: { action: string }) => action),
      ['webhook.delete', 'webhook.secret.replace', 'webhook.secret.replace', 'webhook.update', 'webhook.create'],
    )
    assert.equal(events[3].before.origin, 'https://hooks.example')
    assert.deepEqual(events[3].after, {
      origin: 'https://other.example',
      description: '',
      events: ['credential.expiring', '*'],
      is_active: true,
      url_changed: true,
    })
    const written = JSON.stringify(events)
    for (const secret of ['of-theirs', webhook.secret, again.json().data.attributes.secret]) {
      assert.ok(!written.includes(secret), secret)
    }
  })

  test('switched off, it gives up what waits; switched on, it begins anew', async () => {
    const webhook = await addWebhook(app, wanted)
    await tell(app, 'issues.new')
    const off = await app.call('PATCH', webhook.path, { body: webhookBody({ is_active: false }) })
    assert.equal(off.json().data.attributes.is_active, false)
    const [entry] = (await app.call('GET', `${webhook.path}/deliveries`)).json().data
    assert.equal(entry.attributes.state, 'failed')
    assert.equal(entry.attributes.last_error, 'The webhook was disabled')
    const redelivery = `${webhook.path}/deliveries/${entry.id}/redeliver`
    assertRefusal(await app.call('POST', redelivery), { status: 409, code: 'conflict' })
    await app.call('PATCH', webhook.path, { body: webhookBody({ is_active: true }) })
    const again = await app.call('POST', redelivery)
    assert.equal(again.statusCode, 202, again.body)
    assert.equal(again.json().data.attributes.state, 'waiting')
    assert.equal((await auditOf(webhook.id))[0].action, 'webhook.redeliver')
    await app.call('DELETE', webhook.path)
  })

  test('a redelivery is the same event once more', async () => {
    await using receiver = await startReceiver()
    const webhook = await addWebhook(app, { ...wanted, url: receiver.url })
    await tell(app, 'issues.new')
    const sending = startSending(app)
    const state = async () => (await app.call('GET', `${webhook.path}/deliveries`)).json().data[0]
    await until('it arrives', async () => (await state()).attributes.state === 'delivered')
    await app.call('POST', `${webhook.path}/deliveries/${(await state()).id}/redeliver`)
    await until('it arrives again', async () => (await state()).attributes.attempts === 2)
    await sending.close()
    const [first, second] = receiver.received
    assert.equal(first!.headers['webhook-id'], second!.headers['webhook-id'])
    assert.equal(first!.body, second!.body)
    await app.call('DELETE', webhook.path)
  })

  test('a test sends a message now and tells what came back, also of a webhook that is off', async () => {
    await using receiver = await startReceiver()
    receiver.answer = (response) => response.writeHead(418).end('short and stout')
    const webhook = await addWebhook(app, { ...wanted, url: receiver.url, is_active: false })
    const answer = await app.call('POST', `${webhook.path}/test`)
    assert.equal(answer.statusCode, 200, answer.body)
    const { id, attributes } = answer.json().data
    assert.equal(attributes.state, 'failed')
    assert.equal(attributes.last_status, 418)
    assert.equal(attributes.answer, 'short and stout')
    assert.equal(attributes.event_type, 'webhook.ping')
    assert.deepEqual(attributes.payload, JSON.parse(receiver.received[0]!.body))
    assert.deepEqual(attributes.payload.data, { webhook_id: webhook.id })
    receiver.answer = (response) => response.writeHead(200).end()
    const second = (await app.call('POST', `${webhook.path}/test`)).json().data.attributes
    assert.equal(second.state, 'delivered')
    const logged = (await app.call('GET', `${webhook.path}/deliveries`, { query: { state: 'failed' } })).json().data
    assert.deepEqual(
      logged.map((entry: { id: string }) => entry.id),
      [id],
    )
    const [event] = await auditOf(webhook.id)
    assert.equal(event.action, 'webhook.test')
    assert.equal(event.after.is_taken, true)
    await app.call('DELETE', webhook.path)
    const gone = await addWebhook(app, { ...wanted, url: 'http://127.0.0.1:1/' })
    const nobody = (await app.call('POST', `${gone.path}/test`)).json().data.attributes
    assert.match(nobody.last_error, /no connection could be made/)
    assert.equal(nobody.last_status, undefined)
    await app.call('DELETE', gone.path)
  })

  test('a test is sent once per Idempotency-Key, and again after 24 hours', async () => {
    await using receiver = await startReceiver()
    const webhook = await addWebhook(app, { ...wanted, url: receiver.url })
    const headers = { 'idempotency-key': 'one-test' }
    const first = await app.call('POST', `${webhook.path}/test`, { headers })
    assert.equal(first.statusCode, 200, first.body)
    const again = await app.call('POST', `${webhook.path}/test`, { headers })
    assert.deepEqual([again.statusCode, again.body], [first.statusCode, first.body])
    assert.equal(again.headers['idempotency-replayed'], 'true')
    assert.equal(receiver.received.length, 1)

    const dayAgo = app.parts.services.now() - IDEMPOTENCY_HOURS * 3_600_000
    const aged = app.parts.services.db.updateTable('idempotency_keys').set({ created_at: dayAgo - 1000 })
    await aged.where('idempotency_key', '=', 'one-test').execute()
    const later = await app.call('POST', `${webhook.path}/test`, { headers })
    assert.deepEqual([later.statusCode, later.headers['idempotency-replayed']], [200, undefined], later.body)
    assert.equal(receiver.received.length, 2)
  })

  test('an unknown state of deliveries is refused', async () => {
    const answer = await app.call('GET', `${made.path}/deliveries`, { query: { state: 'lost' } })
    assertRefusal(answer, { status: 400, code: 'invalid-request' })
  })

  test(`an organization has ${MAX_WEBHOOKS} at most, also when they are made at once`, async () => {
    const orgId = await app.addOrg()
    const create = () => app.call('POST', webhooksOf(orgId), { body: webhookBody(wanted) })
    const answers = await Promise.all(Array.from({ length: MAX_WEBHOOKS + 3 }, create))
    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    assert.equal(refused.length, 3)
    for (const answer of refused) assertRefusal(answer, { status: 409, code: 'conflict' })
  })

  test('webhooks go with their organization', async () => {
    const orgId = await app.addOrg()
    const webhook = await addWebhook(app, { ...wanted, orgId })
    await tell(app, 'issues.new', { orgId })
    assert.equal((await app.call('DELETE', `/v1/org/${orgId}`)).statusCode, 204)
    const { db } = app.parts.services
    assert.deepEqual(await db.selectFrom('webhooks').select('id').where('id', '=', webhook.id).execute(), [])
    const left = await db.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhook.id).execute()
    assert.deepEqual(left, [])
  })

  test('measurements tell what waits and what was given up', async () => {
    const { body } = await app.call('GET', '/metrics', { key: null, query: { version: '-' } })
    assert.match(body, /gatehouse_webhook_deliveries\{state="waiting"\} [1-9]\d*/)
    assert.match(body, /gatehouse_webhook_deliveries\{state="failed"\} \d+/)
  })

  describe('pages', () => {
    let orgId: string
    let webhook: { path: string; id: string }
    before(async () => {
      // Twenty are fewer than the test of pages makes, so it gets rows that no request made.
      orgId = await app.addOrg()
      webhook = await addWebhook(app, { ...wanted, orgId })
    })
    testPages(get, 'the list', {
      path: () => webhooksOf(orgId),
      add: async () => {
        const { db, now } = app.parts.services
        const row = await db.selectFrom('webhooks').selectAll().where('id', '=', webhook.id).executeTakeFirstOrThrow()
        const id = randomUUID()
        await db
          .insertInto('webhooks')
          .values({ ...row, id, created_at: now() })
          .execute()
        return id
      },
      remove: (id) => app.call('DELETE', `${webhooksOf(orgId)}/${id}`),
    })
  })
})
