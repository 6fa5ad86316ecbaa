import { unpackIndex } from '#analysis/advisories/index-layout.ts'
import { registries } from '#analysis/advisories/package-names.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import { buildSnapshot, type FileSync } from './build-snapshot.ts'
import { areSameSources, fetchExploitSources } from './fetch-exploit-sources.ts'
import { type ModifiedList, parseModifiedList } from './modified-list.ts'
import { openAdvisories } from './open-advisories.ts'
import { planSync, refuseShrinking } from './plan-sync.ts'
import { openSnapshotFile } from './snapshot-file.ts'
import { openSource, toSourceLabel } from './source.ts'
import { NoArchive, SyncFailed } from './sync-failed.ts'
import { fetchArchive, type Held, type Reading, type SyncOrder, type SyncRun, UNKNOWN_TIME } from './sync-order.ts'

/** Fetches changes from the source and compiles a snapshot. Downloads and the snapshot are written to `order.dir`. */
export async function syncToFile(order: SyncOrder, run: SyncRun): Promise<FileSync> {
  const outgoing = createOutgoing(order.outgoing)
  try {
    const source = openSource(order.from, { outgoing, dir: order.dir, signal: run.signal })
    const previous = openHeld(order)
    try {
      const exploits = await fetchExploitSources({ order, run, outgoing, previous: previous?.file })
      return await sync({ order, source, exploits, run, archives: new Map() }, previous)
    } finally {
      previous?.advisories.close()
    }
  } finally {
    await outgoing.close()
  }
}

async function sync(reading: Reading, current: Held | undefined): Promise<FileSync> {
  const { order, archives, exploits } = reading
  try {
    const lists = await readLists(reading, current)
    const compared = current && { index: unpackIndex(current.file.index), rejected: current.file.rejected }
    const plan = planSync(lists, compared)
    if (!order.acceptRemovals) refuseShrinking(plan, compared)
    const changes = [...plan.changed.values()].reduce((sum, ids) => sum + ids.size, 0)
    const isSame = areSameSources(current?.file.header.exploitSources, exploits)
    if (current && isSame && changes === 0 && plan.removed.size === 0) {
      return { outcome: 'unchanged', exploitSources: exploits.map(({ source }) => source) }
    }
    return await buildSnapshot({ ...reading, previous: current, lists, plan })
  } finally {
    for (const archive of archives.values()) archive.close()
  }
}

/** Opens the current snapshot; undefined if it is the starter set or comes from another source. */
function openHeld({ base, from }: SyncOrder): Held | undefined {
  if (base === undefined) return undefined
  const file = openSnapshotFile(base)
  if (file.header.isStarterSet || file.header.source !== toSourceLabel(from)) return undefined
  return { file, advisories: openAdvisories(file) }
}

/**
 * Reads the modified lists. For a source without lists, those of its archive directories are used. A source need not
 * have every registry, but none of which there are records.
 */
async function readLists(reading: Reading, current: Held | undefined): Promise<Map<Registry, ModifiedList>> {
  const { order, source, run } = reading
  const lists = new Map<Registry, ModifiedList>()
  let absence: NoArchive | undefined
  for (const [done, registry] of order.registries.entries()) {
    run.onProgress({ phase: 'listing', registry, done, total: order.registries.length, unit: 'lists' })
    const text = await source.findList(registry)
    const list = text === undefined ? undefined : parseModifiedList(text, `${registry}/modified_id.csv`)
    try {
      lists.set(registry, list ?? (await listOfArchive(registry, reading)))
    } catch (error) {
      const isHeld = current?.file.header.registries[registry] !== undefined
      if (!(error instanceof NoArchive) || isHeld || order.registries.length < registries.length) throw error
      absence ??= error
    }
  }
  if (lists.size === 0 && absence !== undefined) throw absence
  return lists
}

async function listOfArchive(registry: Registry, reading: Reading): Promise<ModifiedList> {
  const archive = await fetchArchive(registry, reading)
  return new Map(archive.ids.map((id) => [id, UNKNOWN_TIME]))
}

/** Returns the named registries, or all without names. Throws for unknown names. */
export function chooseRegistries(names: readonly string[]): Registry[] {
  if (names.length === 0) return [...registries]
  return names.map((name) => {
    const registry = registries.find((candidate) => candidate.toLowerCase() === name.toLowerCase())
    if (!registry) throw new SyncFailed(`"${name}" is none of ${registries.join(', ')}`)
    return registry
  })
}
