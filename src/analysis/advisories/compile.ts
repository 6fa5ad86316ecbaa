import type { Registry } from '#analysis/registries/registry.ts'
import { compareRepresentatives, joinAliases } from './aliases.ts'
import { findRatedElsewhere, hasVector } from './borrowed-ratings.ts'
import { toBoundaries } from './boundaries.ts'
import { affectedCommits, COMMIT_VERSION, isCommitName } from './commits.ts'
import { type ExploitData, toSignalArrays } from './exploit-signals.ts'
import { packIndex } from './index-layout.ts'
import { matchedRanges, mentionedVersions, mergeIntervals, toBound, toIntervals } from './intervals.ts'
import type { OsvAffected, OsvRecord } from './osv.ts'
import { normalizeName, registries, withoutCase } from './package-names.ts'
import type { Schemes } from './schemes.ts'
import type { SnapshotHeader } from './snapshot.ts'

/** Machine-dependent functions used during compilation. */
export interface CompileTools {
  readonly schemes: Schemes
  deflate(bytes: Uint8Array): Uint8Array
  checksum(bytes: Uint8Array): number
  /** Receives the details piece by piece. */
  writeDetails(bytes: Uint8Array): void
}

export interface CompiledIndex {
  readonly index: Uint8Array<ArrayBuffer>
  readonly records: number
  readonly registries: SnapshotHeader['registries']
  /** Records with a vector, by the ids of those without one for the same vulnerability in other packages. */
  readonly ratedElsewhere: NonNullable<SnapshotHeader['ratedElsewhere']>
  /** Bounds of ranges that are invalid versions of their ecosystem: their count and the first examples. */
  readonly unreadableBounds: { readonly count: number; readonly examples: readonly string[] }
}

export interface Compilation {
  /**
   * Adds a record; among records with the same id the newest is kept. `stored` is its text in the details of another
   * snapshot, to avoid compressing it again.
   */
  add(record: OsvRecord, stored?: Uint8Array): 'added' | 'older'
  has(id: string): boolean
  finish(exploits?: readonly ExploitData[]): CompiledIndex
}

interface Slot {
  readonly id: string
  readonly aliases: readonly string[]
  readonly modified: number
  readonly isWithdrawn: boolean
  readonly isRated: boolean
  readonly detail: { readonly start: number; readonly length: number; readonly checksum: number }
  isReplaced: boolean
  number: number
}

interface Mention {
  readonly slot: Slot
  readonly affected: OsvAffected
}

const DETAILS_LIMIT = 2 ** 32 - 1
const EXAMPLES = 50

/** Compiles records, in any order, into the index of a snapshot (index-layout.ts). */
export function startCompilation(tools: CompileTools): Compilation {
  const slots = new Map<string, Slot>()
  const packages = new Map<string, Mention[]>()
  const exactKeys = new Set<string>()
  const encoder = new TextEncoder()
  let detailsBytes = 0

  function add(record: OsvRecord, stored?: Uint8Array): 'added' | 'older' {
    const modified = Date.parse(record.modified)
    const existing = slots.get(record.id)
    if (existing && existing.modified >= modified) return 'older'
    if (existing) existing.isReplaced = true
    const bytes = stored ?? tools.deflate(encoder.encode(JSON.stringify(record)))
    if (detailsBytes + bytes.byteLength > DETAILS_LIMIT) throw new RangeError('the details are larger than 4 GiB')
    tools.writeDetails(bytes)
    const slot: Slot = {
      id: record.id,
      aliases: record.aliases ?? [],
      modified,
      isWithdrawn: record.withdrawn !== undefined,
      isRated: hasVector(record),
      detail: { start: detailsBytes, length: bytes.byteLength, checksum: tools.checksum(bytes) },
      isReplaced: false,
      number: -1,
    }
    detailsBytes += bytes.byteLength
    slots.set(record.id, slot)
    if (!slot.isWithdrawn) for (const affected of record.affected) mention(slot, affected)
    return 'added'
  }

  function mention(slot: Slot, { package: of, ranges, versions }: OsvAffected): void {
    const registry = of.ecosystem as Registry
    const key = packageKey(registry, normalizeName(registry, of.name))
    // Keep only the members that matching needs.
    const affected = { package: of, ...(ranges && { ranges }), ...(versions && { versions }) }
    exactKeys.add(key)
    put(key, { slot, affected })
    // Vendored copies may have the path in lower case, which leads to the same repository.
    const alias = packageKey(registry, withoutCase(registry, of.name))
    if (alias !== key) put(alias, { slot, affected })
    for (const name of affectedCommits(registry, affected)) mentionCommit(slot, name)
  }

  function put(key: string, mention: Mention): void {
    const mentions = packages.get(key)
    if (mentions) mentions.push(mention)
    else packages.set(key, [mention])
  }

  /** Adds a commit as a package with a single version, so that lookups find it like any other. */
  function mentionCommit(slot: Slot, name: string): void {
    mention(slot, { package: { ecosystem: 'Go', name }, versions: [COMMIT_VERSION] })
  }

  return {
    add,
    has: (id) => slots.has(id),
    finish: (exploits = []) => toIndex([...slots.values()], { packages, exactKeys, exploits }, tools.schemes),
  }
}

interface Mentions {
  readonly packages: ReadonlyMap<string, Mention[]>
  /** Keys of names as records spell them; other spellings are not separate packages. */
  readonly exactKeys: ReadonlySet<string>
  readonly exploits: readonly ExploitData[]
}

function toIndex(slots: Slot[], { packages, exactKeys, exploits }: Mentions, schemes: Schemes): CompiledIndex {
  slots.sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const [number, slot] of slots.entries()) slot.number = number
  const table = emptyTable()
  const facts = new Map<Registry, { records: Set<number>; packages: number; newest: number }>()
  const unreadable: string[] = []
  let unreadableCount = 0
  for (const key of [...packages.keys()].sort()) {
    const mentions = packages.get(key)!.filter(({ slot }) => !slot.isReplaced)
    if (mentions.length === 0) continue
    const { registry, name } = splitKey(key)
    addPackage(table, { registry, name, mentions, schemes })
    const registryFacts = facts.get(registry) ?? { records: new Set(), packages: 0, newest: 0 }
    facts.set(registry, registryFacts)
    if (exactKeys.has(key) && !isCommitName(name)) registryFacts.packages += 1
    for (const { slot, affected } of mentions) {
      registryFacts.records.add(slot.number)
      registryFacts.newest = Math.max(registryFacts.newest, slot.modified)
      if (!exactKeys.has(key)) continue
      for (const bound of unreadableBounds(affected, schemes[registry])) {
        unreadableCount += 1
        if (unreadable.length < EXAMPLES) unreadable.push(`${slot.id}: ${registry} ${name} ${bound}`)
      }
    }
  }
  return {
    index: packIndex({ ...recordArrays(slots), ...packageArrays(table), ...signalArrays(slots, exploits) }),
    records: slots.length,
    registries: Object.fromEntries(
      [...facts].map(([registry, { records, packages: count, newest }]) => [
        registry,
        { records: records.size, packages: count, newestModified: new Date(newest).toISOString() },
      ]),
    ),
    ratedElsewhere: findRatedElsewhere(slots),
    unreadableBounds: { count: unreadableCount, examples: unreadable },
  }
}

function unreadableBounds(affected: OsvAffected, scheme: Schemes[Registry]): string[] {
  return matchedRanges(affected).flatMap(({ events }) =>
    events.flatMap((event) => {
      const bound = toBound(event, scheme)
      const isRead = bound && (bound.version !== undefined || event.introduced === '0' || event.limit === '*')
      return isRead ? [] : Object.entries(event).map(([kind, version]) => `${kind} ${version}`)
    }),
  )
}

/** The package sections during compilation. */
interface Table {
  readonly registryNumbers: number[]
  readonly names: string[]
  readonly boundaryStart: number[]
  readonly boundaryTexts: string[]
  readonly entryStart: number[]
  readonly from: number[]
  readonly to: number[]
  readonly record: number[]
  readonly group: number[]
}

function emptyTable(): Table {
  return {
    registryNumbers: [],
    names: [],
    boundaryStart: [0],
    boundaryTexts: [],
    entryStart: [0],
    from: [],
    to: [],
    record: [],
    group: [],
  }
}

interface MentionedPackage {
  readonly registry: Registry
  readonly name: string
  readonly mentions: readonly Mention[]
  readonly schemes: Schemes
}

function addPackage(table: Table, { registry, name, mentions, schemes }: MentionedPackage): void {
  const scheme = schemes[registry]
  const boundaries = toBoundaries(
    mentions.flatMap(({ affected }) => mentionedVersions(affected, scheme)),
    scheme,
  )
  table.registryNumbers.push(registries.indexOf(registry))
  table.names.push(name)
  for (const version of boundaries.versions) table.boundaryTexts.push(version)
  table.boundaryStart.push(table.boundaryTexts.length)
  const slots = [...new Set(mentions.map(({ slot }) => slot))]
  for (const [group, members] of toGroups(registry, slots).entries()) {
    for (const slot of members) {
      const own = mentions.filter((mention) => mention.slot === slot)
      const intervals = mergeIntervals(own.flatMap(({ affected }) => toIntervals(affected, boundaries, scheme)))
      // A record that affects no version stays in its group: it describes the same vulnerability.
      for (const { from, to } of intervals.length > 0 ? intervals : [NEVER]) {
        table.from.push(from)
        table.to.push(to)
        table.record.push(slot.number)
        table.group.push(group)
      }
    }
  }
  table.entryStart.push(table.from.length)
}

const NEVER = { from: 1, to: 0 }

function toGroups(registry: Registry, slots: readonly Slot[]): Slot[][] {
  const groups = joinAliases(slots)
  for (const group of groups) group.sort((a, b) => compareRepresentatives(registry, a.id, b.id))
  return groups.sort((a, b) => a[0]!.number - b[0]!.number)
}

function signalArrays(slots: readonly Slot[], exploits: readonly ExploitData[]) {
  const cves = new Set(slots.flatMap(({ id, aliases }) => [id, ...aliases]).filter((id) => id.startsWith('CVE-')))
  return toSignalArrays(exploits, (cve) => cves.has(cve))
}

function recordArrays(slots: readonly Slot[]) {
  const ids = slots.map(({ id }) => id)
  return {
    recordIdStart: startsOf(ids),
    recordIds: Uint8Array.from(codeUnits(ids)),
    recordModified: Float64Array.from(slots, ({ modified }) => modified),
    detailStart: Uint32Array.from(slots, ({ detail }) => detail.start),
    detailLength: Uint32Array.from(slots, ({ detail }) => detail.length),
    detailChecksum: Uint32Array.from(slots, ({ detail }) => detail.checksum),
  }
}

function packageArrays(table: Table) {
  return {
    packageRegistry: Uint8Array.from(table.registryNumbers),
    packageNameStart: startsOf(table.names),
    packageNames: codeUnits(table.names),
    boundaryStart: Uint32Array.from(table.boundaryStart),
    boundaryTextStart: startsOf(table.boundaryTexts),
    boundaryText: codeUnits(table.boundaryTexts),
    entryStart: Uint32Array.from(table.entryStart),
    entryFrom: Int32Array.from(table.from),
    entryTo: Int32Array.from(table.to),
    entryRecord: Uint32Array.from(table.record),
    entryGroup: Uint32Array.from(table.group),
  }
}

function startsOf(texts: readonly string[]): Uint32Array {
  const starts = new Uint32Array(texts.length + 1)
  for (const [index, text] of texts.entries()) starts[index + 1] = starts[index]! + text.length
  return starts
}

function codeUnits(texts: readonly string[]): Uint16Array {
  const units = new Uint16Array(texts.reduce((sum, text) => sum + text.length, 0))
  let at = 0
  for (const text of texts) {
    for (let i = 0; i < text.length; i++) units[at++] = text.charCodeAt(i)
  }
  return units
}

/** The order of the keys is that of the packages in the index, which is searched by the registry's number. */
function packageKey(registry: Registry, name: string): string {
  return `${String(registries.indexOf(registry)).padStart(3, '0')} ${name}`
}

function splitKey(key: string): { registry: Registry; name: string } {
  const space = key.indexOf(' ')
  return { registry: registries[Number(key.slice(0, space))]!, name: key.slice(space + 1) }
}
