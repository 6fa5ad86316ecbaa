import type { Compilation } from '#analysis/advisories/compile.ts'
import type { ExploitSource } from '#analysis/advisories/exploit-signals.ts'
import type { OsvRecord } from '#analysis/advisories/osv.ts'
import { registries } from '#analysis/advisories/package-names.ts'
import { BadRecord, parseRecord } from '#analysis/advisories/parse-record.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { areSameSources } from './fetch-exploit-sources.ts'
import type { ModifiedList } from './modified-list.ts'
import { parseStored } from './open-advisories.ts'
import type { SyncPlan } from './plan-sync.ts'
import { type RejectedRecord, type WrittenSnapshot, writeSnapshotFile } from './snapshot-file.ts'
import { SyncFailed } from './sync-failed.ts'
import { fetchArchive, type Held, type Reading, UNKNOWN_TIME } from './sync-order.ts'

/** Maximum number of changed records fetched one by one, if they are also a small share of the listed ones. */
const SINGLE_RECORDS = 300
const SINGLE_AT_ONCE = 8
const KEPT_REJECTED = 10_000
const TOLD = 1_000
/** With more rejected records, and a larger share of them, the source counts as broken. */
const MANY_REJECTED = 50
const MANY_REJECTED_SHARE = 0.1
const PROGRESS_EVERY = 500

export interface SyncCounts {
  /** Records taken from the source. */
  readonly fetched: number
  /** Records kept as they were. */
  readonly carried: number
  readonly removed: number
  readonly rejectedCount: number
  /** The first rejected records, for reports. */
  readonly rejected: readonly RejectedRecord[]
  /** Listed ids that the source did not deliver; the next sync requests them again. */
  readonly missing: readonly string[]
}

export type FileSync =
  | { readonly outcome: 'unchanged'; readonly exploitSources: readonly ExploitSource[] }
  | { readonly outcome: 'written'; readonly written: WrittenSnapshot; readonly counts: SyncCounts }

export interface Build extends Reading {
  readonly previous: Held | undefined
  readonly lists: ReadonlyMap<Registry, ModifiedList>
  readonly plan: SyncPlan
}

interface Tally {
  fetched: number
  carried: number
  /** Differences from the current snapshot. */
  news: number
  readonly rejected: Map<string, RejectedRecord>
  readonly missing: string[]
}

interface Taking extends Build {
  readonly compilation: Compilation
  readonly tally: Tally
}

/** Thrown to end a build that found no changes. */
class NothingNew extends Error {}

/** Compiles the records of the plan and the unchanged records of the current snapshot. */
export async function buildSnapshot(build: Build): Promise<FileSync> {
  const { order, source, run, previous, plan, exploits } = build
  const carried = registries.filter((registry) => previous?.file.header.registries[registry] !== undefined)
  const origin = {
    builtAt: order.now,
    complete: [...build.lists.keys(), ...carried],
    source: source.label,
    isStarterSet: false,
    exploits,
  }
  const isSameExploits = areSameSources(previous?.file.header.exploitSources, exploits)
  const tally: Tally = { fetched: 0, carried: 0, news: plan.removed.size, rejected: new Map(), missing: [] }
  try {
    const written = await writeSnapshotFile(order.dir, origin, async (compilation) => {
      const taking = { ...build, compilation, tally }
      for (const registry of build.lists.keys()) await takeChanged(registry, taking)
      refuseBrokenSource(tally)
      if (previous && isSameExploits && tally.news === 0) throw new NothingNew()
      if (previous) carry(previous, taking)
      run.onProgress({ phase: 'compiling', done: 0, unit: 'records' })
      return [...tally.rejected.values()].slice(0, KEPT_REJECTED)
    })
    return { outcome: 'written', written, counts: toCounts(tally, plan) }
  } catch (error) {
    if (error instanceof NothingNew)
      return { outcome: 'unchanged', exploitSources: exploits.map(({ source }) => source) }
    throw error
  }
}

function toCounts({ fetched, carried, rejected, missing }: Tally, { removed }: SyncPlan): SyncCounts {
  return {
    fetched,
    carried,
    removed: removed.size,
    rejectedCount: rejected.size,
    rejected: [...rejected.values()].slice(0, TOLD),
    missing: missing.slice(0, TOLD),
  }
}

async function takeChanged(registry: Registry, taking: Taking): Promise<void> {
  const { archives, compilation, lists, plan, tally } = taking
  const ids = new Set(plan.changed.get(registry) ?? [])
  // A record that several registries share was in an earlier archive.
  for (const id of ids) if (compilation.has(id) || tally.rejected.has(id)) ids.delete(id)
  const isFew = ids.size <= SINGLE_RECORDS && ids.size * 4 <= lists.get(registry)!.size && !archives.has(registry)
  if (isFew) await takeSingly(registry, ids, taking)
  if (ids.size > 0) await takeFromArchive(registry, ids, taking)
  tally.missing.push(...ids)
}

/** Fetches records one by one and removes them from `changedIds`; stops if the source offers no single records. */
async function takeSingly(registry: Registry, changedIds: Set<string>, taking: Taking): Promise<void> {
  const { source, run } = taking
  const ids = [...changedIds]
  for (let at = 0; at < ids.length; at += SINGLE_AT_ONCE) {
    const some = ids.slice(at, at + SINGLE_AT_ONCE)
    const texts = await Promise.all(some.map((id) => source.findRecord(registry, id)))
    for (const [index, text] of texts.entries()) {
      if (text === undefined) continue
      take({ id: some[index]!, text }, registry, taking)
      changedIds.delete(some[index]!)
    }
    run.onProgress({ phase: 'fetching', registry, done: at + some.length, total: ids.length, unit: 'records' })
    if (texts.every((text) => text === undefined)) return
  }
}

async function takeFromArchive(registry: Registry, ids: Set<string>, taking: Taking): Promise<void> {
  const { run } = taking
  const archive = await fetchArchive(registry, taking)
  const total = ids.size
  let done = 0
  for (const entry of archive.entries((id) => ids.has(id))) {
    ids.delete(entry.id)
    if ('text' in entry) take(entry, registry, taking)
    else reject({ id: entry.id, reason: entry.rejected }, registry, taking)
    done += 1
    if (done % PROGRESS_EVERY > 0) continue
    run.signal?.throwIfAborted()
    run.onProgress({ phase: 'reading', registry, done, total, unit: 'records' })
  }
  run.onProgress({ phase: 'reading', registry, done: total, total, unit: 'records' })
}

function take({ id, text }: { id: string; text: string }, registry: Registry, taking: Taking): void {
  const { compilation, previous, tally } = taking
  try {
    const record = parseRecord(text)
    if (record.id !== id) throw new BadRecord(`the file ${id}.json holds record ${record.id}`)
    compilation.add(record)
    tally.fetched += 1
    if (!isHeld(record, previous)) tally.news += 1
  } catch (error) {
    if (!(error instanceof BadRecord)) throw error
    reject({ id, reason: error.message }, registry, taking)
  }
}

function isHeld(record: OsvRecord, previous: Held | undefined): boolean {
  const number = previous?.advisories.findRecord(record.id)
  if (previous === undefined || number === undefined) return false
  return JSON.stringify(previous.advisories.readRecord(number)) === JSON.stringify(record)
}

function reject({ id, reason }: { id: string; reason: string }, registry: Registry, taking: Taking): void {
  const { previous, lists, tally } = taking
  const listed = lists.get(registry)?.get(id) ?? UNKNOWN_TIME
  tally.rejected.set(id, { id, modified: listed === UNKNOWN_TIME ? 0 : listed, reason })
  if (!previous?.file.rejected.some((earlier) => earlier.id === id && earlier.reason === reason)) tally.news += 1
}

function refuseBrokenSource({ fetched, rejected }: Tally): void {
  if (rejected.size <= MANY_REJECTED || rejected.size <= (fetched + rejected.size) * MANY_REJECTED_SHARE) return
  const first = [...rejected.values()].slice(0, 3).map(({ id, reason }) => `${id}: ${reason}`)
  throw new SyncFailed(`${rejected.size} of ${fetched + rejected.size} records cannot be read (${first.join('; ')})`)
}

/**
 * Copies unchanged records, and older versions of records that the source announced but did not deliver in a readable
 * form.
 */
function carry({ file, advisories }: Held, { compilation, lists, plan, run, tally }: Taking): void {
  for (let record = 0; record < file.records; record++) {
    const id = advisories.idOf(record)
    if (plan.removed.has(id) || compilation.has(id)) continue
    const stored = advisories.readStored(record)
    compilation.add(parseStored(stored), stored)
    tally.carried += 1
    if (tally.carried % PROGRESS_EVERY > 0) continue
    run.signal?.throwIfAborted()
    run.onProgress({ phase: 'carrying', done: record, total: file.records, unit: 'records' })
  }
  for (const rejected of file.rejected) {
    const isListed = [...lists.values()].some((list) => list.has(rejected.id))
    const isSettled = tally.rejected.has(rejected.id) || [...plan.changed.values()].some((ids) => ids.has(rejected.id))
    if (isListed && !isSettled) tally.rejected.set(rejected.id, rejected)
  }
}
