import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { Db } from '#foundation/db/database.ts'
import { changeBehind } from '#test/projects/lock-order.ts'
import { startApp, type TestApp } from '#test/servers/app.ts'
import { onEveryEngine } from '#test/servers/engines.ts'
import { addWebhook } from '#test/servers/webhooks.ts'
import { giveUpWaiting, purgeEvents } from './deliveries-store.ts'
import { deleteWebhook } from './store.ts'

const OLD = 1_000

onEveryEngine('concurrent changes of deliveries', (engine) => {
  let app: TestApp
  before(async () => {
    app = await startApp(engine)
  })
  after(() => app.close())

  const db = () => app.parts.services.db
  const skip = engine === 'postgres' ? false : 'SQLite has one writer'

  for (const [title, change] of [
    ['given up', (tx, { webhookId }) => giveUpWaiting(tx, webhookId, { error: 'gone' })],
    ['deleted with their webhook', (tx, { webhookId }) => deleteWebhook(tx, webhookId)],
    ['purged with their events', () => purgeEvents(db(), { before: OLD, now: OLD })],
  ] satisfies [string, (tx: Db, of: { webhookId: string }) => Promise<unknown>][]) {
    test(`lock order: deliveries are ${title} while another transaction updates them one by one`, {
      skip,
      timeout: 300_000,
    }, async () => {
      const { id: webhookId } = await addWebhook(app, { url: 'https://hooks.example/' })
      const values = await addDeliveries(webhookId)
      const rows = { table: 'webhook_deliveries', column: 'id', values }
      await changeBehind(db(), rows, (tx) => change(tx, { webhookId }))
    })
  }

  /** Adds two deliveries; the first by id is the last by every other order. */
  async function addDeliveries(webhookId: string): Promise<string[]> {
    const ids = [randomUUID(), randomUUID()].sort()
    for (const [at, id] of ids.entries()) {
      const event = { id: `${webhookId} ${9 - at}`, org_id: app.orgId, type: 'x', body: '{}', at: 9 - at }
      await db().insertInto('events').values(event).execute()
      const times = { due_at: 9 - at, gives_up_at: 0, created_at: 9 - at }
      const of = { id, webhook_id: webhookId, event_id: event.id, state: 'waiting', attempts: 0 }
      await db()
        .insertInto('webhook_deliveries')
        .values({ ...of, ...times })
        .execute()
    }
    return ids
  }
})
