import type { Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { type Keyset, type Page, readPage, type Window } from '#foundation/db/keyset.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type AuditEventRow = Selectable<Tables['audit_events']>

export interface AuditFilters {
  /** Epoch milliseconds, inclusive. */
  readonly from?: number | undefined
  /** Epoch milliseconds, exclusive. */
  readonly to?: number | undefined
  readonly action?: string | undefined
  readonly actionPrefix?: string | undefined
  readonly actorId?: string | undefined
  readonly targetId?: string | undefined
  readonly orgId?: string | undefined
}

/** Orders events newest first. */
export const eventsByTime: Keyset<AuditEventRow> = {
  columns: ['audit_events.at', 'audit_events.id'],
  position: ({ at, id }) => [at, id],
  order: 'desc',
}

/** Tables of the targets that have names. */
const namedTargets = {
  app: 'apps',
  import: 'imports',
  integration: 'integrations',
  project: 'projects',
  role: 'roles',
  service_account: 'service_accounts',
  user: 'users',
} as const

/** Returns the current names of the events' targets that still exist, by id. */
export async function readTargetNames(db: Db, events: readonly AuditEventRow[]): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const [kind, table] of Object.entries(namedTargets)) {
    const ids = new Set(events.filter((event) => event.target_kind === kind).map((event) => event.target_id))
    if (ids.size === 0) continue
    const rows = await db
      .selectFrom(table)
      .select(['id', 'name'])
      .where('id', 'in', [...ids])
      .execute()
    for (const { id, name } of rows) names.set(id, name)
  }
  return names
}

/** Lists events of one organization, or of a group and all of its organizations. */
export async function listEvents(
  db: Db,
  { place, filters }: { place: { orgId: string } | { groupId: string }; filters: AuditFilters },
  window: Window,
): Promise<Page<AuditEventRow>> {
  let query = db.selectFrom('audit_events').selectAll()
  query = 'orgId' in place ? query.where('org_id', '=', place.orgId) : query.where('group_id', '=', place.groupId)
  const { from, to, action, actionPrefix, actorId, targetId, orgId } = filters
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<', to)
  if (action !== undefined) query = query.where('action', '=', action)
  // Both engines order text by code unit, so all texts with the prefix form one range.
  if (actionPrefix !== undefined) {
    query = query.where('action', '>=', actionPrefix).where('action', '<', `${actionPrefix}\u{10ffff}`)
  }
  if (actorId !== undefined) query = query.where('actor_id', '=', actorId)
  if (targetId !== undefined) query = query.where('target_id', '=', targetId)
  if (orgId !== undefined) query = query.where('org_id', '=', orgId)
  return readPage(query, eventsByTime, window)
}
