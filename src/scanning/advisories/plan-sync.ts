import type { IndexArrays } from '#analysis/advisories/index-layout.ts'
import { idOf } from '#analysis/advisories/open-snapshot.ts'
import { registries } from '#analysis/advisories/package-names.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { ModifiedList } from './modified-list.ts'
import type { RejectedRecord } from './snapshot-file.ts'
import { SyncFailed } from './sync-failed.ts'

/** The content of a snapshot relevant to planning. */
export interface HeldRecords {
  readonly index: IndexArrays
  readonly rejected: readonly RejectedRecord[]
}

export interface SyncPlan {
  /** Ids to fetch, by the registry whose list names them. */
  readonly changed: ReadonlyMap<Registry, ReadonlySet<string>>
  /** Ids that the source no longer lists. */
  readonly removed: ReadonlySet<string>
}

/** Share and number of lost records above which an operator has to confirm the removals. */
const SHRINK_SHARE = 0.2
const SHRINK_RECORDS = 100

/** Compares the current records with the lists of the synced registries. */
export function planSync(lists: ReadonlyMap<Registry, ModifiedList>, current: HeldRecords | undefined): SyncPlan {
  const modifiedById = new Map<string, number>()
  for (const { id, modified } of current?.rejected ?? []) modifiedById.set(id, modified)
  const ids = current ? Array.from(current.index.recordModified, (_, record) => idOf(current.index, record)) : []
  for (const [record, id] of ids.entries()) modifiedById.set(id, current!.index.recordModified[record]!)
  const changed = new Map<Registry, Set<string>>()
  for (const [registry, list] of lists) {
    const ids = new Set<string>()
    for (const [id, modified] of list) if (modified > (modifiedById.get(id) ?? -1)) ids.add(id)
    changed.set(registry, ids)
  }
  return { changed, removed: removedIds(lists, current, ids) }
}

function removedIds(
  lists: ReadonlyMap<Registry, ModifiedList>,
  current: HeldRecords | undefined,
  ids: readonly string[],
): Set<string> {
  const removed = new Set<string>()
  if (!current) return removed
  const notSynced = recordsOutside(new Set(lists.keys()), current.index)
  const listed = [...lists.values()]
  for (const [record, id] of ids.entries()) {
    if (!notSynced.has(record) && !listed.some((list) => list.has(id))) removed.add(id)
  }
  return removed
}

/** Returns the records with packages of registries outside this sync, which are kept. */
function recordsOutside(synced: ReadonlySet<Registry>, index: IndexArrays): Set<number> {
  const recordNumbers = new Set<number>()
  for (const [number, registry] of index.packageRegistry.entries()) {
    if (synced.has(registries[registry]!)) continue
    for (let entry = index.entryStart[number]!; entry < index.entryStart[number + 1]!; entry++) {
      recordNumbers.add(index.entryRecord[entry]!)
    }
  }
  return recordNumbers
}

/** Throws if the source lost many of its records, as in half-copied mirrors. */
export function refuseShrinking({ removed }: SyncPlan, current: HeldRecords | undefined): void {
  const records = current?.index.recordModified.length ?? 0
  if (removed.size < SHRINK_RECORDS || removed.size < records * SHRINK_SHARE) return
  throw new SyncFailed(
    `the source no longer lists ${removed.size} of the ${records} records held; --accept-removals takes that for the truth`,
  )
}
