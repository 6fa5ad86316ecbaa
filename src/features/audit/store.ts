import { type Selectable, sql } from 'kysely'
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

/** Tables of the resources that have names, with the column of the name. */
const resourceTables = {
  app: ['apps', 'name'],
  group: ['groups', 'name'],
  import: ['imports', 'name'],
  integration: ['integrations', 'name'],
  org: ['orgs', 'name'],
  project: ['projects', 'name'],
  role: ['roles', 'name'],
  service_account: ['service_accounts', 'name'],
  target: ['targets', 'display_name'],
  user: ['users', 'name'],
} as const

/** Returns the current names of the resources that still exist, by id. */
export async function readNames(
  db: Db,
  references: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<ReadonlyMap<string, string>> {
  const parts = Object.entries(resourceTables).flatMap(([kind, [table, column]]) => {
    const ids = [...(references.get(kind) ?? [])]
    return ids.length === 0
      ? []
      : [sql`select id, ${sql.ref(column)} as name from ${sql.table(table)} where id in (${sql.join(ids)})`]
  })
  if (parts.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return new Map(rows.map(({ id, name }) => [id, name]))
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
