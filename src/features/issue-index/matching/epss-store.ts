import { sql } from 'kysely'
import type { ExploitSignals } from '#analysis/advisories/exploit-signals.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { lockRows, shareLock } from '#foundation/db/transaction-lock.ts'
import { describeGroups } from '../storage/group-details-store.ts'
import { EPSS_PENDING, toStoredEpss } from '../storage/group-epss.ts'

/** Groups read and locked per transaction. */
const BATCH = 500

interface EpssRow {
  readonly org_number: number
  readonly kind: string
  readonly group_key: string
  readonly cves: string
  readonly epss: number
  readonly epss_percentile: number
}

interface Refresh {
  readonly digest: string
  readonly now: number
  signalsOf(cves: readonly string[]): ExploitSignals
  readonly signal?: AbortSignal | undefined
}

/**
 * Stores the EPSS of groups: of all if their snapshot is another one, else of those that still lack it. Writes only
 * differences. May be repeated after an interruption.
 */
export async function refreshEpss(db: Db, refresh: Refresh): Promise<void> {
  const current = await db.selectFrom('matched_advisories').select('epss_digest').executeTakeFirst()
  if (!current) return
  if (current.epss_digest === refresh.digest) return fillPending(db, refresh)
  for (let after: EpssRow | undefined; ; ) {
    const rows = await inTransaction(db, (tx) => refreshAfter(tx, refresh, after))
    refresh.signal?.throwIfAborted()
    if (rows.length < BATCH) break
    after = rows.at(-1)
  }
  await db.updateTable('matched_advisories').set({ epss_digest: refresh.digest }).execute()
}

async function fillPending(db: Db, refresh: Refresh): Promise<void> {
  for (;;) {
    const count = await inTransaction(db, async (tx) => {
      await shareLock(tx, 'known-issues')
      const pending = await selectGroups(tx).where('epss', '=', sql.lit(EPSS_PENDING)).limit(sql.lit(BATCH)).execute()
      await saveEpss(tx, pending, refresh)
      return pending.length
    })
    refresh.signal?.throwIfAborted()
    if (count < BATCH) return
  }
}

async function refreshAfter(tx: Db, refresh: Refresh, after: EpssRow | undefined): Promise<EpssRow[]> {
  let query = selectGroups(tx).orderBy('org_number').orderBy('kind').orderBy('group_key').limit(sql.lit(BATCH))
  await shareLock(tx, 'known-issues')
  if (after) {
    const { org_number, kind, group_key } = after
    query = query.where(sql<boolean>`(org_number, kind, group_key) > (${org_number}, ${kind}, ${group_key})`)
  }
  const rows = await query.execute()
  await saveEpss(tx, rows, refresh)
  return rows
}

function selectGroups(tx: Db) {
  return tx.selectFrom('issue_groups').select(['org_number', 'kind', 'group_key', 'cves', 'epss', 'epss_percentile'])
}

async function saveEpss(tx: Db, read: readonly EpssRow[], { signalsOf, now }: Refresh): Promise<void> {
  const rows = await describeOlder(tx, read, now)
  const changed = rows.flatMap((row) => {
    const { epssScore, epssPercentile } = signalsOf(row.cves === '' ? [] : row.cves.split(' '))
    const [epss, percentile] = [toStoredEpss(epssScore), toStoredEpss(epssPercentile)]
    return epss === row.epss && percentile === row.epss_percentile ? [] : [{ ...row, epss, percentile }]
  })
  if (changed.length === 0) return
  await lockRows(tx, selectExact(tx, changed).forUpdate())
  const values = changed.map(
    ({ org_number, kind, group_key, cves, epss, percentile }) =>
      sql`(cast(${org_number} as bigint), ${kind}, ${group_key}, ${cves}, cast(${epss} as integer), cast(${percentile} as integer))`,
  )
  // Another transaction may have changed the group's vulnerabilities: then it is looked up again.
  await sql`
    with scored (org_number, kind, group_key, cves, epss, percentile) as (values ${sql.join(values)})
    update issue_groups set epss = scored.epss, epss_percentile = scored.percentile from scored
    where issue_groups.org_number = scored.org_number and issue_groups.kind = scored.kind
      and issue_groups.group_key = scored.group_key and issue_groups.cves = scored.cves`.execute(tx)
}

/** Describes groups that an earlier version described without their CVEs. Returns the current rows. */
async function describeOlder(tx: Db, rows: readonly EpssRow[], now: number): Promise<readonly EpssRow[]> {
  const older = rows.filter(({ cves, epss }) => cves === '' && Number(epss) === EPSS_PENDING)
  if (older.length === 0) return rows
  await lockRows(tx, selectExact(tx, older).forUpdate())
  const existing = await selectExact(tx, older).execute()
  for (const [org, own] of Map.groupBy(existing, ({ org_number }) => Number(org_number))) {
    for (const kind of ['package', 'vulnerability'] as const) {
      const keys = own.flatMap((row) => (row.kind === kind ? [row.group_key] : []))
      await describeGroups(tx, { orgNumbers: [org], kind, keys }, now)
    }
  }
  return selectExact(tx, rows).execute()
}

function selectExact(tx: Db, rows: readonly EpssRow[]) {
  const keys = rows.map(
    ({ org_number, kind, group_key }) => sql`(cast(${org_number} as bigint), ${kind}, ${group_key})`,
  )
  return selectGroups(tx)
    .where(sql<boolean>`(org_number, kind, group_key) in (values ${sql.join(keys)})`)
    .orderBy('org_number')
    .orderBy('kind')
    .orderBy('group_key')
}
