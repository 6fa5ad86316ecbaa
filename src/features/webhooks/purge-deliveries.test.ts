import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { addWebhook, eventsOf, tell } from '#test/servers/webhooks.ts'
import { purgeDeliveries } from './purge-deliveries.job.ts'

const DAY_MS = 86_400_000

onEveryEngine('purge of deliveries', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine, { webhookLogDays: 10 })
  })
  after(() => app.close())

  test('delivery log: kept for its configured days; a delivery that is resent stays', async () => {
    const { services } = app.parts
    const webhook = await addWebhook(app, { url: 'https://hooks.example/' })
    const now = services.now()
    for (const days of [30, 11, 11, 9, 0]) await tell(app, 'import.finished', { at: now - days * DAY_MS })
    const deliveries = async () => (await app.call('GET', `${webhook.path}/deliveries`)).json().data
    const deliveryId = (await deliveries())[2].id
    assert.equal((await app.call('POST', `${webhook.path}/deliveries/${deliveryId}/redeliver`)).statusCode, 202)
    const context = { log: services.log, signal: new AbortController().signal, attempt: 1 }
    await purgeDeliveries(services).run({}, context)
    assert.equal((await eventsOf(app)).length, 3)
    const left = (await deliveries()).map(({ id }: { id: string }) => id)
    assert.equal(left.length, 3)
    assert.ok(left.includes(deliveryId))
    await purgeDeliveries({ ...services, now: () => now + 2 * DAY_MS }).run({}, context)
    assert.equal((await eventsOf(app)).length, 1, 'discarded, or without a webhook')
  })

  test('delivery log: a single purge deletes 2,500 old events', async () => {
    const { services } = app.parts
    const orgId = await app.addOrg()
    const at = services.now() - 30 * DAY_MS
    const rows = Array.from({ length: 2500 }, (_, n) => ({ id: `old-${n}`, org_id: orgId, type: 'x', body: '{}', at }))
    for (let from = 0; from < rows.length; from += 100) {
      await services.db
        .insertInto('events')
        .values(rows.slice(from, from + 100))
        .execute()
    }
    await purgeDeliveries(services).run({}, { log: services.log, signal: new AbortController().signal, attempt: 1 })
    assert.deepEqual(await eventsOf(app, orgId), [])
  })
})
