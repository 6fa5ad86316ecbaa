import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, before, test } from 'node:test'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { isSigned, startReceiver } from '#test/servers/receiver.ts'
import { ALLOWING_LOOPBACK, addWebhook, startSending, tell, until, webhookBody } from '#test/servers/webhooks.ts'
import { startDeliveries } from './deliveries.ts'

onEveryEngine('webhook deliveries', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, ALLOWING_LOOPBACK)
  })
  after(() => app.close())

  const HOUR = 3_600_000
  const log = async (path: string, query: Record<string, string> = {}) => {
    const answer = await app.call('GET', `${path}/deliveries`, { query })
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json().data.map(({ id, attributes }: { id: string; attributes: object }) => ({ id, ...attributes }))
  }
  const read = async (path: string) => (await app.call('GET', path)).json().data.attributes
  const actions = async (id: string) => {
    const answer = await app.call('GET', `/rest/orgs/${app.orgId}/audit_logs`, { query: { target_id: id } })
    return answer.json().data.map(({ attributes }: { attributes: { action: string } }) => attributes.action)
  }

  test('delivery: an event arrives once, signed, at webhooks subscribed to its type', async () => {
    await using receiver = await startReceiver()
    await using other = await startReceiver()
    const webhook = await addWebhook(app, { url: `${receiver.url}?key=of-theirs`, events: ['import.finished'] })
    await addWebhook(app, { url: other.url, events: ['issues.new'] })
    await tell(app, 'import.finished')
    const sending = startSending(app)
    await until('it arrives', () => receiver.received.length > 0)
    await until('it is noted', async () => (await log(webhook.path))[0].state === 'delivered')
    await sending.close()
    const [message, ...more] = receiver.received
    assert.deepEqual(more, [])
    assert.deepEqual(other.received, [])
    assert.ok(await isSigned(message!, webhook.secret))
    assert.ok(!(await isSigned({ ...message!, body: `${message!.body} ` }, webhook.secret)))
    const body = JSON.parse(message!.body)
    assert.equal(message!.headers['content-type'], 'application/json')
    assert.equal(body.id, message!.headers['webhook-id'])
    assert.equal(body.type, 'import.finished')
    assert.equal(body.org_id, app.orgId)
    assert.ok(Math.abs(Number(message!.headers['webhook-timestamp']) - Date.now() / 1000) < 60)
    const [entry] = await log(webhook.path)
    assert.equal(entry.last_status, 204)
    assert.equal(entry.event_id, body.id)
    assert.equal(entry.attempts, 1)
    const one = await read(`${webhook.path}/deliveries/${entry.id}`)
    assert.deepEqual(one.payload, body)
  })

  test('delivery slots: silent receivers of one organization take at most half', async () => {
    await using silent = await startReceiver()
    await using other = await startReceiver()
    const pending: ServerResponse[] = []
    silent.answer = (response) => void pending.push(response)
    const [flood, orgId] = [await app.addOrg(), await app.addOrg()]
    for (let n = 0; n < 8; n++)
      await addWebhook(app, { url: `${silent.url}/${n}`, orgId: flood, events: ['issues.new'] })
    await addWebhook(app, { url: other.url, orgId, events: ['issues.new'] })
    await tell(app, 'issues.new', { orgId: flood })
    const sending = startSending(app, { concurrency: 4 })
    await until('the silent receivers are asked', () => silent.received.length >= 2)
    await tell(app, 'issues.new', { orgId })
    await until('the other organization is served', () => other.received.length === 1)
    // Each attempt times out after ten seconds; only then does the next begin.
    const firstAt = silent.received[0]!.at
    assert.equal(silent.received.filter(({ at }) => at < firstAt + 9_000).length, 2)
    silent.answer = (response) => response.writeHead(204).end()
    for (const response of pending) response.writeHead(204).end()
    await sending.close()
  })

  test('delivery during the grace period of a secret: signed with both, afterward only with the new one', async () => {
    await using receiver = await startReceiver()
    const webhook = await addWebhook(app, { url: receiver.url, events: ['issues.new'] })
    const body = webhookBody({ grace_seconds: 3600 })
    const replaced = await app.call('POST', `${webhook.path}/secrets`, { body })
    assert.equal(replaced.statusCode, 200, replaced.body)
    const { secret } = replaced.json().data.attributes
    assert.notEqual(secret, webhook.secret)
    let later = 0
    const now = () => Date.now() + later
    const sending = startSending(app, {}, { now })
    await tell(app, 'issues.new')
    await until('the first arrives', () => receiver.received.length === 1)
    assert.ok(await isSigned(receiver.received[0]!, webhook.secret))
    assert.ok(await isSigned(receiver.received[0]!, secret))
    later = 2 * HOUR
    await tell(app, 'issues.new')
    await until('the second arrives', () => receiver.received.length === 2)
    await sending.close()
    assert.ok(!(await isSigned(receiver.received[1]!, webhook.secret)))
    assert.ok(await isSigned(receiver.received[1]!, secret))
    await app.call('DELETE', webhook.path)
  })

  test('failed delivery: retried with the same id, given up after a day', async () => {
    await using receiver = await startReceiver()
    receiver.answer = (response) => response.writeHead(500).end('out of\u0000 order')
    const webhook = await addWebhook(app, { url: receiver.url, events: ['issues.new'] })
    let later = 0
    const sending = startSending(app, {}, { now: () => Date.now() + later })
    await tell(app, 'issues.new')
    await until('the first attempt', async () => (await log(webhook.path))[0].attempts === 1)
    const [first] = await log(webhook.path)
    assert.equal(first.state, 'waiting')
    assert.equal(first.last_status, 500)
    assert.equal(first.answer, 'out of\ufffd order')
    assert.equal(first.last_error, 'The receiver returned HTTP 500')
    const wait = Date.parse(first.next_attempt_at) - Date.parse(first.attempted_at)
    assert.ok(wait >= 4000 && wait <= 6500, `${wait}`)
    later = HOUR
    await until('the second attempt', async () => (await log(webhook.path))[0].attempts === 2)
    later = 25 * HOUR
    await until('it is given up', async () => (await log(webhook.path))[0].state === 'failed')
    await sending.close()
    assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
    assert.equal(receiver.received.length, 3)
    const { is_active: isActive, failing_since: failingSince } = await read(webhook.path)
    assert.ok(isActive)
    assert.equal(failingSince, first.attempted_at)
    await app.call('DELETE', webhook.path)
  })

  test('recovering receiver: gets the waiting deliveries, no earlier than its Retry-After', async () => {
    await using receiver = await startReceiver()
    receiver.answer = (response) => response.writeHead(503, { 'retry-after': '1800' }).end()
    const webhook = await addWebhook(app, { url: receiver.url, events: ['issues.new'] })
    for (let count = 0; count < 3; count++) await tell(app, 'issues.new')
    let later = 0
    const sending = startSending(app, {}, { now: () => Date.now() + later })
    await until('the first attempt', () => receiver.received.length === 1)
    await until('it is noted', async () => (await read(webhook.path)).failing_since !== undefined)
    later = HOUR / 4
    receiver.answer = (response) => response.writeHead(200).end()
    const tried = startSending(app, {}, { now: () => Date.now() + later })
    await tried.close()
    assert.equal(receiver.received.length, 1, 'asked before the time that it asked for')
    later = HOUR
    await until('all arrive', async () => (await log(webhook.path, { state: 'delivered' })).length === 3)
    await sending.close()
    assert.equal((await read(webhook.path)).failing_since, undefined)
    await app.call('DELETE', webhook.path)
  })

  test('delivery: redirects are not followed and large responses are cut, both visible in the log', async () => {
    await using receiver = await startReceiver()
    await using elsewhere = await startReceiver()
    const webhook = await addWebhook(app, { url: receiver.url, events: ['issues.new'] })
    receiver.answer = (response) => response.writeHead(307, { location: elsewhere.url }).end()
    const sending = startSending(app)
    await tell(app, 'issues.new')
    await until('it is noted', async () => (await log(webhook.path))[0].attempts === 1)
    const [redirected] = await log(webhook.path)
    assert.equal(redirected.state, 'waiting')
    assert.equal(redirected.last_error, 'The receiver returned HTTP 307; redirects are not followed')
    assert.deepEqual(elsewhere.received, [])
    await app.call('DELETE', webhook.path)
    const huge = await addWebhook(app, { url: elsewhere.url, events: ['issues.new'] })
    elsewhere.answer = (response) => {
      const more = () => void (response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(more)))
      response.writeHead(200)
      more()
    }
    await tell(app, 'issues.new')
    await until('it is taken', async () => (await log(huge.path))[0].state === 'delivered')
    await sending.close()
    assert.equal((await log(huge.path))[0].answer, 'x'.repeat(1024))
    await app.call('DELETE', huge.path)
  })

  test('delivery to a private address: refused at connection time without retries; the address is not shown', async () => {
    // The operator allowed it when it was created, and no longer does.
    const strict = await startApp(engine, ALLOWING_LOOPBACK)
    const webhook = await addWebhook(strict, { url: 'http://localhost/hook', events: ['issues.new'] })
    const outgoing = createOutgoing({ allow: [] })
    const sending = startDeliveries({ ...strict.parts.services, outgoing }, { pollMs: 10 })
    await tell(strict, 'issues.new')
    const entry = async () => {
      const answer = await strict.call('GET', `${webhook.path}/deliveries`)
      return answer.json().data[0].attributes
    }
    await until('it is refused', async () => (await entry()).state === 'failed')
    await sending.close()
    await outgoing.close()
    const { last_error: error, attempts, last_status: status } = await entry()
    await strict.close()
    assert.equal(attempts, 1)
    assert.equal(status, undefined)
    assert.match(error, /not public: loopback/)
    assert.doesNotMatch(error, /127\.0\.0\.1/)
  })

  test('receiver with status 410: the webhook is disabled and its waiting deliveries fail', async () => {
    await using receiver = await startReceiver()
    receiver.answer = (response) => response.writeHead(410).end()
    const webhook = await addWebhook(app, { url: receiver.url, events: ['issues.new'] })
    await tell(app, 'issues.new')
    await tell(app, 'issues.new')
    const sending = startSending(app)
    await until('it is switched off', async () => !(await read(webhook.path)).is_active)
    await sending.close()
    assert.equal((await read(webhook.path)).deactivation, 'gone')
    assert.equal(receiver.received.length, 1)
    const entries = await log(webhook.path)
    assert.deepEqual(
      entries.map(({ state }: { state: string }) => state),
      ['failed', 'failed'],
    )
    assert.deepEqual(await actions(webhook.id), ['webhook.deactivate', 'webhook.create'])
    await tell(app, 'issues.new')
    assert.equal((await log(webhook.path)).length, 2, 'written for a webhook that is off')
    const on = await app.call('PATCH', webhook.path, { body: webhookBody({ is_active: true }) })
    assert.equal(on.json().data.attributes.deactivation, undefined)
    await app.call('DELETE', webhook.path)
  })

  test('receiver that fails for days: the webhook is disabled at the next delivery given up', async () => {
    await using receiver = await startReceiver()
    receiver.answer = (response) => response.destroy()
    const webhook = await addWebhook(app, { url: receiver.url, events: ['issues.new'] })
    let later = 0
    const now = () => Date.now() + later
    const sending = startSending(app, {}, { now })
    await tell(app, 'issues.new')
    await until('the first attempt', async () => (await log(webhook.path))[0].attempts === 1)
    assert.match((await log(webhook.path))[0].last_error, /the connection was lost/)
    later = 25 * HOUR
    await until('the first is given up', async () => (await log(webhook.path))[0].state === 'failed')
    assert.ok((await read(webhook.path)).is_active)
    later = 49 * HOUR
    await tell(app, 'issues.new', { at: now() })
    await until('another attempt', async () => (await log(webhook.path))[0].attempts === 1)
    later = 74 * HOUR
    await until('it is switched off', async () => !(await read(webhook.path)).is_active)
    await sending.close()
    assert.equal((await read(webhook.path)).deactivation, 'failing')
    assert.equal((await actions(webhook.id))[0], 'webhook.deactivate')
    await app.call('DELETE', webhook.path)
  })

  test('slow receiver: delays no other and gets one delivery at a time', async () => {
    await using slow = await startReceiver()
    await using quick = await startReceiver()
    let waiting = 0
    let most = 0
    const pending: (() => void)[] = []
    let isFree = false
    slow.answer = (response) => {
      most = Math.max(most, ++waiting)
      const answer = () => {
        waiting--
        response.writeHead(200).end()
      }
      if (isFree) setTimeout(answer, 20)
      else pending.push(answer)
    }
    const first = await addWebhook(app, { url: slow.url, events: ['issues.new'] })
    const second = await addWebhook(app, { url: quick.url, events: ['issues.new'] })
    for (let count = 0; count < 10; count++) await tell(app, 'issues.new')
    const sending = [startSending(app), startSending(app)]
    await until('the quick one has all', () => quick.received.length === 10)
    isFree = true
    for (const answer of pending) answer()
    await until('the slow one has some', () => slow.received.length > 1)
    await Promise.all(sending.map((one) => one.close()))
    assert.equal(most, 1)
    assert.equal(waiting, 0, 'closed before an answer came')
    await app.call('DELETE', first.path)
    await app.call('DELETE', second.path)
  })

  test('event without a subscriber: not stored', async () => {
    const orgId = await app.addOrg()
    await using receiver = await startReceiver()
    await addWebhook(app, { orgId, url: receiver.url, events: ['issues.new'] })
    await addWebhook(app, { orgId, url: receiver.url, events: ['*'], is_active: false })
    await tell(app, 'import.finished', { orgId })
    const rows = await app.parts.services.db.selectFrom('events').select('id').where('org_id', '=', orgId).execute()
    assert.deepEqual(rows, [])
  })

  test('event of a transaction that is rolled back: not stored', async () => {
    await using receiver = await startReceiver()
    const orgId = await app.addOrg()
    await addWebhook(app, { orgId, url: receiver.url })
    const { db } = app.parts.services
    const { addEvent } = await import('#foundation/events/add-event.ts')
    const { eventTypes } = await import('#foundation/events/event-types.ts')
    const data = eventTypes['import.finished'].example
    await assert.rejects(
      db.transaction().execute(async (tx) => {
        await addEvent(tx, { orgId, type: 'import.finished', data, at: Date.now() })
        throw new Error('undone')
      }),
      /undone/,
    )
    assert.deepEqual(await db.selectFrom('events').select('id').where('org_id', '=', orgId).execute(), [])
  })

  test('webhook deletion: deletes its log and pending events', async () => {
    const webhook = await addWebhook(app, { url: 'https://hooks.example/', events: ['issues.new'] })
    await tell(app, 'issues.new')
    assert.equal((await log(webhook.path)).length, 1)
    assert.equal((await app.call('DELETE', webhook.path)).statusCode, 204)
    const rows = await app.parts.services.db
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('webhook_id', '=', webhook.id)
      .execute()
    assert.deepEqual(rows, [])
  })

  test('signing secret and URL secret: appear in no log', async () => {
    await using receiver = await startReceiver()
    const webhook = await addWebhook(app, { url: `${receiver.url}?token=of-the-receiver`, events: ['issues.new'] })
    receiver.answer = (response) => response.writeHead(500).end()
    const sending = startSending(app)
    await tell(app, 'issues.new')
    await until('it is tried', async () => (await log(webhook.path))[0].attempts === 1)
    await sending.close()
    assert.ok(!app.log().includes(webhook.secret))
    assert.ok(!app.log().includes(webhook.secret.slice(6)))
    assert.ok(!app.log().includes('of-the-receiver'))
    assert.ok(!JSON.stringify(await log(webhook.path)).includes('of-the-receiver'))
    await app.call('DELETE', webhook.path)
  })
})
