import { type Insertable, type Selectable, sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'
import { lockRows } from '#foundation/db/transaction-lock.ts'
import { notFound } from '#foundation/problem.ts'

export type DeliveryState = 'waiting' | 'delivered' | 'failed'

export type DeliveryRow = Selectable<Tables['webhook_deliveries']> & { readonly type: string; readonly at: number }

/** Orders deliveries newest first. */
export const deliveriesByAge: Keyset<DeliveryRow> = {
  columns: ['d.created_at', 'd.id'],
  position: ({ created_at, id }) => [created_at, id],
  order: 'desc',
}

function deliveriesOf(db: Db, webhookId: string) {
  return db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .selectAll('d')
    .select(['e.type', 'e.at'])
    .where('d.webhook_id', '=', webhookId)
}

export async function listDeliveries(
  db: Db,
  { webhookId, state }: { webhookId: string; state: DeliveryState | undefined },
  window: Window,
): Promise<Page<DeliveryRow>> {
  const all = deliveriesOf(db, webhookId)
  return readPage(state === undefined ? all : all.where('d.state', '=', state), deliveriesByAge, window)
}

export async function getDelivery(
  db: Db,
  webhookId: string,
  id: string,
): Promise<DeliveryRow & { readonly body: string }> {
  const row = await deliveriesOf(db, webhookId).select('e.body').where('d.id', '=', id).executeTakeFirst()
  if (!row) throw notFound(`Delivery ${id}`)
  return row
}

/** Returns the types of the events in a webhook's log. */
export async function listLoggedTypes(db: Db, webhookId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select('e.type')
    .distinct()
    .where('d.webhook_id', '=', webhookId)
    .execute()
  return rows.map(({ type }) => type)
}

/** Makes a delivery due again, whatever its state. */
export async function sendAgain(tx: Db, id: string, { at, givesUpAt }: { at: number; givesUpAt: number }) {
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'waiting', due_at: at, gives_up_at: givesUpAt })
    .where('id', '=', id)
    .execute()
}

/** Inserts an event for one webhook, with its delivery. */
export async function insertDelivery(
  tx: Db,
  event: Insertable<Tables['events']>,
  delivery: Insertable<Tables['webhook_deliveries']>,
): Promise<void> {
  await tx.insertInto('events').values(event).execute()
  await tx.insertInto('webhook_deliveries').values(delivery).execute()
}

/** Discards pending deliveries of a webhook; with `until`, only those whose time is over. */
export async function giveUpWaiting(
  tx: Db,
  webhookId: string,
  { error, until }: { error: string; until?: number },
): Promise<void> {
  const isGivenUp = sql<boolean>`webhook_id = ${webhookId} and state = 'waiting'
    ${until === undefined ? sql`` : sql`and gives_up_at <= ${until}`}`
  const selection = tx.selectFrom('webhook_deliveries').select('id').where(isGivenUp).orderBy('id')
  await lockRows(tx, selection.forNoKeyUpdate())
  await tx.updateTable('webhook_deliveries').set({ state: 'failed', last_error: error }).where(isGivenUp).execute()
}

const PURGED_AT_A_TIME = 1000

/**
 * Removes events before a time with their deliveries, except those queued for a resend. Returns true if more remain.
 */
export async function purgeEvents(db: Db, { before, now }: { before: number; now: number }): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const settled = tx
      .selectFrom('events as e')
      .select('e.id')
      .where('e.at', '<', before)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('webhook_deliveries as d')
              .select('d.id')
              .whereRef('d.event_id', '=', 'e.id')
              .where('d.state', '=', 'waiting')
              .where('d.gives_up_at', '>', now),
          ),
        ),
      )
    const rows = await settled.orderBy('e.at').limit(sql.lit(PURGED_AT_A_TIME)).execute()
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return false
    await lockRows(tx, tx.selectFrom('events').select('id').where('id', 'in', ids).orderBy('id').forUpdate())
    const deliveries = tx.selectFrom('webhook_deliveries').select('id').where('event_id', 'in', ids)
    await lockRows(tx, deliveries.orderBy('id').forUpdate())
    // Skip deliveries that were queued again before they were locked.
    await tx
      .deleteFrom('events')
      .where('id', 'in', settled.where('e.id', 'in', ids))
      .execute()
    return ids.length === PURGED_AT_A_TIME
  })
}

export async function countUnsettled(db: Db): Promise<{ state: string; deliveries: number }[]> {
  return db
    .selectFrom('webhook_deliveries')
    .select(({ fn }) => ['state', fn.countAll<number>().as('deliveries')])
    .where('state', 'in', ['waiting', 'failed'])
    .groupBy('state')
    .execute()
}
