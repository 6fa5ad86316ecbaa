import { type RawBuilder, sql } from 'kysely'
import { sumOf } from '#features/issue-index/severity-counts.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import type { Db } from '#foundation/db/database.ts'
import { commandLineClientId } from '#foundation/product.ts'
import { countOpenIssues } from './totals-store.ts'

interface Counter {
  /** Permissions that the list behind the count requires. */
  readonly needs: readonly Permission[]
  count(db: Db, orgId: string, now: number): Promise<number>
}

/** Time for which a failed import counts. */
const FAILED_MS = 7 * 86_400_000

const counters = {
  projects: { needs: ['org.project.read'], count: rowsOf('projects') },
  issues: {
    needs: ['org.project.read'],
    count: async (db, orgId) => sumOf(await countOpenIssues(db, orgId)),
  },
  ignores: {
    needs: ['org.project.read', 'org.project.ignore.read'],
    count: (db, orgId) =>
      countRows(
        db,
        sql`(
          select id from ignores where org_id = ${orgId}
          union all
          select p.id from policies p join orgs o on p.owner_id in (o.id, o.group_id)
          where o.id = ${orgId} and p.deleted_at is null
        ) as listed`,
      ),
  },
  failed_imports: {
    needs: ['org.edit'],
    count: (db, orgId, now) =>
      countRows(
        db,
        sql`imports where org_id = ${orgId} and state = ${sql.lit('failed')} and created_at >= ${now - FAILED_MS}`,
      ),
  },
  service_accounts: {
    needs: ['org.service_account.read'],
    count: rowsOf('service_accounts'),
  },
  apps: {
    needs: ['org.app.read'],
    count: (db, orgId) =>
      countRows(
        db,
        sql`apps where org_id = ${orgId} and ended_at is null and (client_id is null or client_id <> ${commandLineClientId})`,
      ),
  },
  installs: {
    needs: ['org.app.read'],
    count: rowsOf('app_installs'),
  },
  members: {
    needs: ['org.user.read'],
    count: (db, orgId) =>
      countRows(db, sql`memberships where org_id = ${orgId} and principal_kind = ${sql.lit('user')}`),
  },
} as const satisfies Record<string, Counter>

export type PlaceCounts = Partial<Record<keyof typeof counters, number>>

interface Wanted {
  readonly orgId: string
  readonly permissions: ReadonlySet<Permission>
  readonly now: number
}

/** Counts the entries of an organization's lists that the caller may read. */
export async function countPlace(db: Db, { orgId, permissions, now }: Wanted): Promise<PlaceCounts> {
  const allowed = Object.entries<Counter>(counters).filter(([, { needs }]) =>
    needs.every((need) => permissions.has(need)),
  )
  const counted = await Promise.all(
    allowed.map(async ([name, { count }]) => [name, await count(db, orgId, now)] as const),
  )
  return Object.fromEntries(counted)
}

function rowsOf(table: 'projects' | 'ignores' | 'service_accounts' | 'app_installs'): Counter['count'] {
  return (db, orgId) => countRows(db, sql`${sql.table(table)} where org_id = ${orgId}`)
}

async function countRows(db: Db, source: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${source}`.execute(db)
  return Number(rows[0]!.count)
}
