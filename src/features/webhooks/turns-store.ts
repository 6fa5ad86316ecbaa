import { sql } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import type { Database } from '#foundation/db/open-database.ts'
import type { WebhookRow } from './store.ts'

/** The lease for sending to a webhook. */
export interface Turn {
  /** Unique per turn: a process that stalled may have started another one. */
  readonly owner: string
  readonly endsAt: number
}

export interface Due {
  readonly now: number
  /** Organizations whose webhooks must wait. */
  readonly exceptOrgs: readonly string[]
}

/** Selects webhooks that are neither leased nor pausing and have a due delivery. */
function dueWebhook({ now, exceptOrgs }: Due) {
  const others = exceptOrgs.length === 0 ? sql`` : sql`and w.org_id not in (${sql.join(exceptOrgs)})`
  return sql`select w.id from webhooks w
    where w.is_active = 1 and w.next_turn_at <= ${now} and w.turn_ends_at <= ${now} ${others}
      and exists (select 1 from webhook_deliveries d where d.state = 'waiting' and d.webhook_id = w.id and d.due_at <= ${now})
    order by w.next_turn_at, w.id limit 1`
}

/**
 * Leases the webhook that has waited longest. Processes take leases concurrently without waiting for each other; each
 * webhook is leased to one process at a time.
 */
export async function takeTurn({ db, engine }: Database, turn: Turn, due: Due): Promise<WebhookRow | undefined> {
  // Usually nothing is due, and reading costs less than a write transaction.
  const result = await dueWebhook(due).execute(db)
  if (result.rows.length === 0) return undefined
  const skip = engine === 'postgres' ? sql`for update of w skip locked` : sql``
  const taken = await sql<WebhookRow>`
    update webhooks set turn_owner = ${turn.owner}, turn_ends_at = ${turn.endsAt}
    where id = (${dueWebhook(due)} ${skip}) returning *`.execute(db)
  return taken.rows[0]
}

/**
 * Extends the lease and returns the current webhook; undefined if it is disabled or deleted, or leased to another
 * process.
 */
export async function keepTurn(db: Db, id: string, { owner, endsAt }: Turn): Promise<WebhookRow | undefined> {
  return db
    .updateTable('webhooks')
    .set({ turn_ends_at: endsAt })
    .where('id', '=', id)
    .where('turn_owner', '=', owner)
    .where('is_active', '=', 1)
    .returningAll()
    .executeTakeFirst()
}

export async function endTurn(db: Db, id: string, { owner, nextAt }: { owner: string; nextAt: number }): Promise<void> {
  await db
    .updateTable('webhooks')
    .set({ turn_owner: null, turn_ends_at: 0, next_turn_at: nextAt })
    .where('id', '=', id)
    .where('turn_owner', '=', owner)
    .execute()
}

export type DueDelivery = NonNullable<Awaited<ReturnType<typeof findDueDelivery>>>

export async function findDueDelivery(db: Db, webhookId: string, now: number) {
  return db
    .selectFrom('webhook_deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .select(['d.id', 'd.event_id', 'd.attempts', 'd.gives_up_at', 'e.body', 'e.org_id'])
    .where('d.state', '=', 'waiting')
    .where('d.webhook_id', '=', webhookId)
    .where('d.due_at', '<=', now)
    .orderBy('d.due_at')
    .orderBy('d.id')
    .limit(sql.lit(1))
    .executeTakeFirst()
}

export interface Attempted {
  readonly state: 'waiting' | 'delivered' | 'failed'
  readonly dueAt: number
  readonly at: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

/** Stores an attempt. Deliveries that were discarded meanwhile stay so. */
export async function saveAttempt(
  tx: Db,
  { id }: Pick<DueDelivery, 'id'>,
  { state, dueAt, at, status, error, answer }: Attempted,
): Promise<void> {
  const query = tx
    .updateTable('webhook_deliveries')
    .set(({ eb }) => ({
      state,
      attempts: eb('attempts', '+', 1),
      due_at: dueAt,
      last_status: status,
      last_error: error,
      answer,
      attempted_at: at,
    }))
    .where('id', '=', id)
  await (state === 'delivered' ? query : query.where('state', '=', 'waiting')).execute()
}

/**
 * Stores the number of consecutive failures and their start. Returns false if the lease was lost to another process or
 * the address changed.
 */
export async function saveCondition(
  tx: Db,
  { id, turn_owner }: Pick<WebhookRow, 'id' | 'turn_owner'>,
  condition: Pick<WebhookRow, 'failures' | 'failing_since'>,
): Promise<boolean> {
  const row = await tx
    .updateTable('webhooks')
    .set(condition)
    .where('id', '=', id)
    .where('turn_owner', '=', turn_owner)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}
