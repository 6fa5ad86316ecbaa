import type { Insertable, Selectable, Updateable } from 'kysely'
import { countRows } from '#foundation/db/count-rows.ts'
import type { Db } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import { lockOrg } from '#foundation/db/lock-org.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { lockRows } from '#foundation/db/transaction-lock.ts'
import { notFound, Problem } from '#foundation/problem.ts'

export type WebhookRow = Selectable<Tables['webhooks']>

export const webhooksByAge: Keyset<WebhookRow> = byAge('webhooks')

function webhooksOf(db: Db, orgId: string) {
  return db.selectFrom('webhooks').selectAll().where('org_id', '=', orgId)
}

export async function listWebhooks(db: Db, orgId: string, window: Window): Promise<Page<WebhookRow>> {
  return readPage(webhooksOf(db, orgId), webhooksByAge, window)
}

export async function getWebhook(db: Db, orgId: string, id: string): Promise<WebhookRow> {
  const row = await webhooksOf(db, orgId).where('id', '=', id).executeTakeFirst()
  if (!row) throw notFound(`Webhook ${id}`)
  return row
}

/** Locks a webhook that is about to change until the transaction ends. */
export async function lockWebhook(tx: Db, orgId: string, id: string): Promise<WebhookRow> {
  const row = await tx
    .updateTable('webhooks')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (!row) throw notFound(`Webhook ${id}`)
  return row
}

/** Counts webhooks and locks the organization, so that concurrent creations count each other. */
export async function countWebhooks(tx: Db, orgId: string): Promise<number> {
  // The organization existed when the request began.
  if (!(await lockOrg(tx, orgId))) throw new Problem('conflict', 'The organization has just been deleted')
  return countRows(tx.selectFrom('webhooks').where('org_id', '=', orgId))
}

export async function insertWebhook(tx: Db, webhook: Insertable<Tables['webhooks']>): Promise<WebhookRow> {
  return tx.insertInto('webhooks').values(webhook).returningAll().executeTakeFirstOrThrow()
}

export async function updateWebhook(
  tx: Db,
  id: string,
  changes: Updateable<Tables['webhooks']> & { updated_at: number },
): Promise<WebhookRow> {
  return tx.updateTable('webhooks').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export async function deleteWebhook(tx: Db, id: string): Promise<void> {
  const deliveries = tx.selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', id)
  await lockRows(tx, deliveries.orderBy('id').forUpdate())
  await tx.deleteFrom('webhook_deliveries').where('webhook_id', '=', id).execute()
  await tx.deleteFrom('webhooks').where('id', '=', id).execute()
}
