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
const input = { url: 'https://hooks.example/gate', events: ['issues.new'] }
const at = (member: string) => `/data/attributes/${member}`

const badAttributes: [why: string, attributes: object, member: string][] = [
  ['a malformed URL', { url: 'hooks' }, 'url'],
  ['a URL of another scheme', { url: 'ftp://hooks.example/' }, 'url'],
  ['a URL with credentials', { url: 'https://me:word@hooks.example/' }, 'url'],
  ['a private address', { url: 'http://10.0.0.1/' }, 'url'],
  ['a private address in disguise', { url: 'http://0x0a.1/' }, 'url'],
  ['a percent-encoded private address', { url: 'http://%31%30.0.0%2e1./' }, 'url'],
  ['a host with an empty label', { url: 'http://10.0.0.1../' }, 'url'],
  ['a metadata address', { url: 'http://[::ffff:169.254.169.254]/' }, 'url'],
  ['a port other than those of the web', { url: 'http://93.184.216.34:25/' }, 'url'],
  ['a URL of 2,000 characters', { url: `https://hooks.example/${'x'.repeat(2000)}` }, 'url'],
  ['an empty list of events', { events: [] }, 'events'],
  ['an unknown event', { events: ['issues.old'] }, 'events/0'],
  ['an unknown event type', { events: ['webhook.ping'] }, 'events/0'],
  ['a repeated event', { events: ['issues.new', 'issues.new'] }, 'events'],
  ['a secret chosen by the client', { secret: 'whsec_AAAA' }, 'secret'],
  ['control characters in the description', { description: 'a\u0007' }, 'description'],
  ['a string as is_active', { is_active: 'yes' }, 'is_active'],
]

onEveryEngine('webhooks', (engine) => {
  let app: TestApp
  let made: { id: string; secret: string; path: string }
  let deliveryId: string
  before(async () => {
    app = await startApp(engine, ALLOWING_LOOPBACK)
    made = await addWebhook(app, input)
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
    ['another type', { data: { type: 'hook', attributes: input } }, '/data/type'],
    ['a missing URL', webhookBody({ events: ['*'] }), at('url')],
    ['missing events', webhookBody({ url: input.url }), at('events')],
    ...badAttributes.map(
      ([why, attributes, member]): BadBody => [why, webhookBody({ ...input, ...attributes }), at(member)],
    ),
  ]
  const badChange: BadBody[] = [
    ['empty attributes', webhookBody({}), '/data/attributes'],
    ['another id', { data: { id: randomUUID(), type: 'webhook', attributes: { is_active: true } } }, '/data/id'],
    ...badAttributes.map(([why, attributes, member]): BadBody => [why, webhookBody(attributes), at(member)]),
  ]
  const badSecret: BadBody[] = [
    ['a grace period above a week', webhookBody({ grace_seconds: 604_801 }), at('grace_seconds')],
    ['a negative grace period', webhookBody({ grace_seconds: -1 }), at('grace_seconds')],
    ['another attribute', webhookBody({ mode: 'replace' }), at('mode')],
  ]
  const get = () => app

  testRefusals(get, 'webhook list', { method: 'GET', path: list, since, needs, isList: true })
  testRefusals(get, 'webhook creation', {
    method: 'POST',
    path: list,
    body: () => webhookBody(input),
    since,
    needs,
    badBodies: badNew,
  })
  testRefusals(get, 'single webhook', { method: 'GET', path: one, since, needs })
  testRefusals(get, 'webhook update', {
    method: 'PATCH',
    path: one,
    body: () => webhookBody({ is_active: true }),
    since,
    needs,
    badBodies: badChange,
  })
  testRefusals(get, 'webhook deletion', { method: 'DELETE', path: one, since, needs })
  testRefusals(get, 'replacement of a webhook secret', {
    method: 'POST',
    path: () => `${one()}/secrets`,
    body: () => webhookBody({}),
    since,
    needs,
    badBodies: badSecret,
  })
  testRefusals(get, 'delivery log', { method: 'GET', path: () => `${one()}/deliveries`, since, needs, isList: true })
  testRefusals(get, 'single delivery', {
    method: 'GET',
    path: () => `${one()}/deliveries/${deliveryId}`,
    since,
    needs,
  })
  testRefusals(get, 'redelivery', {
    method: 'POST',
    path: () => `${one()}/deliveries/${deliveryId}/redeliver`,
    since,
    needs,
  })
  testRefusals(get, 'webhook test', { method: 'POST', path: () => `${one()}/test`, since, needs })

  describe('webhooks of another organization', () => {
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
      test(`${method} …${tail}: 404 for a webhook of another organization`, async () => {
        const orgId = await app.addOrg()
        const key = await app.keyWith(permissionNames, { orgId })
        const path = `${webhooksOf(orgId)}/${made.id}${tail.replace(':id', deliveryId)}`
        assertRefusal(await app.call(method, path, { key, ...(body && { body }) }), { status: 404, code: 'not-found' })
        assert.equal((await app.call('GET', made.path)).json().data.attributes.is_active, true)
      })
    }

    test('delivery of another webhook: 404', async () => {
      const other = await addWebhook(app, input)
      for (const [method, tail] of [['GET', ''] as const, ['POST', '/redeliver'] as const]) {
        const answer = await app.call(method, `${other.path}/deliveries/${deliveryId}${tail}`)
        assertRefusal(answer, { status: 404, code: 'not-found' })
      }
      await app.call('DELETE', other.path)
    })
  })

  testRepetition(get, 'webhook creation', {
    path: list,
    body: () => webhookBody(input),
    other: () => webhookBody({ ...input, events: ['*'] }),
  })

  test('webhook URL: the host is normalized', async () => {
    for (const host of [
      'Hooks.xn--BCHER-kva.example',
      'Hooks.B%C3%BCcher.example.',
      'hooks.xn--bcher-kva.example.:443',
    ]) {
      const webhook = await addWebhook(app, { ...input, url: `https://${host}/a` })
      const { attributes } = (await app.call('GET', webhook.path)).json().data
      assert.equal(attributes.url, 'https://hooks.xn--bcher-kva.example/a')
      await app.call('DELETE', webhook.path)
    }
  })

  test('webhook secret: shown at creation only, stored encrypted', async () => {
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

  test('v1 list of webhooks: ids and URLs', async () => {
    const orgId = await app.addOrg()
    const { id } = await addWebhook(app, { ...input, orgId, url: 'https://hooks.example/v1' })
    const answer = await app.call('GET', `/v1/org/${orgId}/webhooks`)
    assert.deepEqual(answer.json(), { results: [{ id, url: 'https://hooks.example/v1' }], total: 1 })
    const key = await app.keyWith(['org.read'], { orgId })
    assertRefusal(await app.call('GET', `/v1/org/${orgId}/webhooks`, { key }), { status: 403, code: 'forbidden' })
  })

  test('webhook changes: keep other attributes; audit events omit path, query and secrets', async () => {
    const webhook = await addWebhook(app, { ...input, url: 'https://hooks.example/of-theirs?token=of-theirs' })
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

  test('disabled webhook: its waiting deliveries fail; redelivery works after enabling it', async () => {
    const webhook = await addWebhook(app, input)
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

  test('redelivery: sends the same event with the same id again', async () => {
    await using receiver = await startReceiver()
    const webhook = await addWebhook(app, { ...input, url: receiver.url })
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

  test('webhook test: sends a ping at once and returns the response, also for a disabled webhook', async () => {
    await using receiver = await startReceiver()
    receiver.answer = (response) => response.writeHead(418).end('short and stout')
    const webhook = await addWebhook(app, { ...input, url: receiver.url, is_active: false })
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
    const gone = await addWebhook(app, { ...input, url: 'http://127.0.0.1:1/' })
    const nobody = (await app.call('POST', `${gone.path}/test`)).json().data.attributes
    assert.match(nobody.last_error, /no connection could be made/)
    assert.equal(nobody.last_status, undefined)
    await app.call('DELETE', gone.path)
  })

  test('webhook test: sent once per Idempotency-Key within 24 hours', async () => {
    await using receiver = await startReceiver()
    const webhook = await addWebhook(app, { ...input, url: receiver.url })
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

  test('delivery log: refuses an unknown state with 400', async () => {
    const answer = await app.call('GET', `${made.path}/deliveries`, { query: { state: 'lost' } })
    assertRefusal(answer, { status: 400, code: 'invalid-request' })
  })

  test(`webhook creation: at most ${MAX_WEBHOOKS} per organization, also at once (409)`, async () => {
    const orgId = await app.addOrg()
    const create = () => app.call('POST', webhooksOf(orgId), { body: webhookBody(input) })
    const answers = await Promise.all(Array.from({ length: MAX_WEBHOOKS + 3 }, create))
    const refused = answers.filter(({ statusCode }) => statusCode !== 201)
    assert.equal(refused.length, 3)
    for (const answer of refused) assertRefusal(answer, { status: 409, code: 'conflict' })
  })

  test('organization deletion: deletes its webhooks and deliveries', async () => {
    const orgId = await app.addOrg()
    const webhook = await addWebhook(app, { ...input, orgId })
    await tell(app, 'issues.new', { orgId })
    assert.equal((await app.call('DELETE', `/v1/org/${orgId}`)).statusCode, 204)
    const { db } = app.parts.services
    assert.deepEqual(await db.selectFrom('webhooks').select('id').where('id', '=', webhook.id).execute(), [])
    const left = await db.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhook.id).execute()
    assert.deepEqual(left, [])
  })

  test('metrics: count waiting and failed deliveries', async () => {
    const { body } = await app.call('GET', '/metrics', { key: null, query: { version: '-' } })
    assert.match(body, /gatehouse_webhook_deliveries\{state="waiting"\} [1-9]\d*/)
    assert.match(body, /gatehouse_webhook_deliveries\{state="failed"\} \d+/)
  })

  describe('pages of webhooks', () => {
    let orgId: string
    let webhook: { path: string; id: string }
    before(async () => {
      // An organization may have 20 webhooks; the test of pages needs more, so it inserts rows.
      orgId = await app.addOrg()
      webhook = await addWebhook(app, { ...input, orgId })
    })
    testPages(get, 'webhook list', {
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
