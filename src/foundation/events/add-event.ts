import type { Db } from '../db/database.ts'
import { prepared } from '../db/prepared.ts'
import { createTimeOrderedIds } from '../time-ordered-id.ts'
import { bodyOf, type EventData, type EventType } from './event-types.ts'

/** Hours for which a delivery is retried. */
export const DELIVERY_HOURS = 24

/** Subscribes to every type, including those of later versions. */
export const ALL = '*'

export interface NewEvent<T extends EventType> {
  readonly orgId: string
  readonly type: T
  readonly data: EventData<T>
  readonly at: number
}

const newId = createTimeOrderedIds()

const activeOfOrg = prepared((db: Db, { orgId }: { orgId: string }) =>
  db.selectFrom('webhooks').select(['id', 'events']).where('org_id', '=', orgId).where('is_active', '=', 1),
)

/**
 * Adds an event for the organization's subscribed webhooks: `tx` must be the transaction of the change. Costs one short
 * read if no webhook subscribes.
 */
export async function addEvent<T extends EventType>(tx: Db, event: NewEvent<T>): Promise<void> {
  const wanting = await listWanting(tx, event.orgId, event.type)
  if (wanting.length > 0)
    await writeEvent(
      tx,
      event,
      wanting.map(({ id }) => id),
    )
}

/** Returns true if any webhook subscribes to the type. */
export async function wantsEvent(db: Db, orgId: string, type: EventType): Promise<boolean> {
  return (await listWanting(db, orgId, type)).length > 0
}

async function listWanting(db: Db, orgId: string, type: EventType) {
  const webhooks = await activeOfOrg(db, { orgId })
  return webhooks.filter(({ events }) => (JSON.parse(events) as string[]).some((one) => one === ALL || one === type))
}

async function writeEvent<T extends EventType>(
  tx: Db,
  event: NewEvent<T>,
  webhookIds: readonly string[],
): Promise<void> {
  const { orgId, type, at } = event
  const id = newId(at)
  await tx
    .insertInto('events')
    .values({ id, org_id: orgId, type, body: JSON.stringify(bodyOf({ ...event, id })), at })
    .execute()
  const deliveries = webhookIds.map((webhookId) => ({
    id: newId(at),
    webhook_id: webhookId,
    event_id: id,
    state: 'waiting',
    attempts: 0,
    due_at: at,
    gives_up_at: at + DELIVERY_HOURS * 3_600_000,
    last_status: null,
    last_error: null,
    answer: null,
    created_at: at,
    attempted_at: null,
  }))
  await tx.insertInto('webhook_deliveries').values(deliveries).execute()
}
