import { type Selectable, sql } from 'kysely'
import type { ExploitSource } from '#analysis/advisories/exploit-signals.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { notifyProcesses } from '#foundation/db/notifications.ts'
import { canCopyBytes, copyBytes } from '#foundation/db/postgres-copy.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export interface StoredSnapshot {
  readonly digest: string
  readonly builtAt: number
  /** Time of the last sync that found nothing newer in its source. */
  readonly checkedAt: number
  readonly source: string
  readonly isStarterSet: boolean
  readonly records: number
  readonly sizeBytes: number
  readonly exploitSources: readonly ExploitSource[]
}

const columns = [
  'digest',
  'built_at',
  'checked_at',
  'source',
  'is_starter_set',
  'records',
  'size_bytes',
  'exploit_sources',
] as const

/** Lists complete snapshots, newest first; the starter set only if there are no others. */
export async function listReadySnapshots(db: Db, limit: number): Promise<StoredSnapshot[]> {
  const rows = await db
    .selectFrom('advisory_snapshots')
    .select(columns)
    .where('ready', '=', 1)
    .orderBy('is_starter_set')
    .orderBy('built_at', 'desc')
    .orderBy('digest')
    .limit(limit)
    .execute()
  return rows.map(toSnapshot)
}

function toSnapshot(row: Pick<Selectable<Tables['advisory_snapshots']>, (typeof columns)[number]>): StoredSnapshot {
  return {
    digest: row.digest,
    builtAt: row.built_at,
    checkedAt: row.checked_at,
    source: row.source,
    isStarterSet: row.is_starter_set === 1,
    records: row.records,
    sizeBytes: row.size_bytes,
    exploitSources: JSON.parse(row.exploit_sources) as ExploitSource[],
  }
}

/** Begins to store a snapshot; restarts an unfinished one. Returns false if it is already complete. */
export async function beginSnapshot(db: Db, snapshot: StoredSnapshot, now: number): Promise<boolean> {
  const { digest, builtAt, checkedAt, source, isStarterSet, records, sizeBytes, exploitSources } = snapshot
  const { ready } = await db
    .insertInto('advisory_snapshots')
    .values({
      digest,
      built_at: builtAt,
      checked_at: checkedAt,
      source,
      is_starter_set: isStarterSet ? 1 : 0,
      records,
      size_bytes: sizeBytes,
      exploit_sources: JSON.stringify(exploitSources),
      stored_at: now,
      ready: 0,
    })
    .onConflict((conflict) => conflict.column('digest').doUpdateSet({ stored_at: now, checked_at: checkedAt }))
    .returning('ready')
    .executeTakeFirstOrThrow()
  if (ready === 1) return false
  await notifyProcesses(db, 'advisories')
  return true
}

/** Returns the latest incomplete snapshot. */
export async function findUnready(db: Db): Promise<StoredSnapshot | undefined> {
  const row = await db
    .selectFrom('advisory_snapshots')
    .select(columns)
    .where('ready', '=', 0)
    .orderBy('stored_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toSnapshot(row)
}

/** Parts are identical from every process, so two may store one snapshot concurrently. */
export async function insertPart(
  db: Db,
  digest: string,
  { n, bytes }: { n: number; bytes: Uint8Array },
): Promise<void> {
  await db
    .insertInto('advisory_snapshot_parts')
    .values({ digest, n, bytes })
    .onConflict((conflict) => conflict.columns(['digest', 'n']).doNothing())
    .execute()
}

/** Makes the snapshot visible to all processes and notifies them. */
export async function markReady(db: Db, digest: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    await tx.updateTable('advisory_snapshots').set({ ready: 1 }).where('digest', '=', digest).execute()
    await notifyProcesses(tx, 'advisories')
  })
}

export async function markChecked(db: Db, digest: string, now: number): Promise<void> {
  await db.updateTable('advisory_snapshots').set({ checked_at: now }).where('digest', '=', digest).execute()
}

export async function findPart(db: Db, digest: string, n: number): Promise<Uint8Array | undefined> {
  const parts = db.selectFrom('advisory_snapshot_parts').select('bytes')
  if (canCopyBytes(db)) {
    const part = parts.where('digest', '=', sql.lit(digest)).where('n', '=', sql.lit(n))
    return copyBytes(db, part.compile().sql)
  }
  return (await parts.where('digest', '=', digest).where('n', '=', n).executeTakeFirst())?.bytes
}

/** Lists obsolete snapshots: beyond the newest `keep`, or begun before `abandonedBefore` and unfinished. */
export async function listNeedless(db: Db, keep: number, abandonedBefore: number): Promise<string[]> {
  const kept = (await listReadySnapshots(db, keep)).map(({ digest }) => digest)
  const rows = await db
    .selectFrom('advisory_snapshots')
    .select('digest')
    .where((where) => where.or([where('ready', '=', 1), where('stored_at', '<', abandonedBefore)]))
    .execute()
  return rows.map(({ digest }) => digest).filter((digest) => !kept.includes(digest))
}

/** Deletes a snapshot in small steps, so that other writers do not wait long. */
export async function deleteSnapshot(db: Db, digest: string): Promise<void> {
  await db.updateTable('advisory_snapshots').set({ ready: 0 }).where('digest', '=', digest).execute()
  for (;;) {
    const { numDeletedRows } = await db
      .deleteFrom('advisory_snapshot_parts')
      .where('digest', '=', digest)
      .where('n', '>=', sql<number>`(select max(n) - 7 from advisory_snapshot_parts where digest = ${digest})`)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) break
  }
  await db.deleteFrom('advisory_snapshots').where('digest', '=', digest).execute()
}
