import { sql } from 'kysely'
import type { Database, Db } from '#foundation/db/database.ts'
import type { WebhookRow } from './store.ts'

/** The lease for sending to a webhook. */
export interface Turn {
  /** Unique to this turn: a process that stalled may take another one. */
  readonly owner: string
  readonly endsAt: number
}

/** Webhooks that may get a turn. */
export interface Due {
  readonly now: number
  /** Organizations whose webhooks have to wait. */
  readonly exceptOrgs: readonly string[]
}

/** A webhook that is not being sent to, is not left alone, and has something that is due. */
function dueWebhook({ now, exceptOrgs }: Due) {
  const others = exceptOrgs.length === 0 ? sql`` : sql`and w.org_id not in (${sql.join(exceptOrgs)})`
  return sql`select w.id from webhooks w
    where w.is_active = 1 and w.next_turn_at <= ${now} and w.turn_ends_at <= ${now} ${others}
      and exists (select 1 from webhook_deliveries d where d.state = 'waiting' and d.webhook_id = w.id and d.due_at <= ${now})
    order by w.next_turn_at, w.id limit 1`
}

/**
 * Takes the turn to send to the webhook that was left alone longest. Several processes take turns at once without waiting
 * for each other; each webhook is one process's at a time.
 */
export async function takeTurn({ db, engine }: Database, turn: Turn, due: Due): Promise<WebhookRow | undefined> {
  // Most of the time there is nothing to do, and looking costs less than trying to write.
  const found = await dueWebhook(due).execute(db)
  if (found.rows.length === 0) return undefined
  const skip = engine === 'postgres' ? sql`for update of w skip locked` : sql``
  const taken = await sql<WebhookRow>`
    update webhooks set turn_owner = ${turn.owner}, turn_ends_at = ${turn.endsAt}
    where id = (${dueWebhook(due)} ${skip}) returning *`.execute(db)
  return taken.rows[0]
}

/**
 * Extends the turn and returns the current webhook; undefined if it is disabled or deleted, or another process has the
 * turn.
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

/** A delivery that is due, with what is sent. */
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

/** The result of an attempt. */
export interface Attempted {
  readonly state: 'waiting' | 'delivered' | 'failed'
  readonly dueAt: number
  readonly at: number
  readonly status: number | null
  readonly error: string | null
  readonly answer: string | null
}

/** Saves an attempt; deliveries discarded by disabling are not retried. */
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
 * Records consecutive failures and their start. Returns false if the turn is over, since another process sends to it,
 * or the address changed.
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
