import type { Registry } from '#analysis/registries/registry.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import { hashName, type IndexArrays, unpackIndex } from './index-layout.ts'
import { normalizeName, registries } from './package-names.ts'
import type { Schemes } from './schemes.ts'
import type { AdvisoryMatch, AdvisorySnapshot, SnapshotHeader } from './snapshot.ts'

/** Opens the index of a snapshot that was verified when it was read; threads may share the buffer. */
export function openSnapshot(
  header: SnapshotHeader,
  buffer: ArrayBuffer | SharedArrayBuffer,
  schemes: Schemes,
): AdvisorySnapshot {
  const index = unpackIndex(buffer)
  return {
    header,
    affecting(registry, name, version) {
      const number = findPackage(index, registry, normalizeName(registry, name))
      if (number === undefined) return []
      const scheme = schemes[registry]
      const versions = new Set([version, scheme.toPublic?.(version) ?? version])
      return matchesAt(
        index,
        number,
        Array.from(versions, (text) => positionOf(index, number, { version: text, scheme })),
      )
    },
    against(registry, name) {
      const number = findPackage(index, registry, normalizeName(registry, name))
      return number === undefined ? [] : matchesAt(index, number)
    },
  }
}

/** Returns the record's id. */
export function idOf(index: IndexArrays, record: number): string {
  return String.fromCharCode(...index.recordIds.subarray(index.recordIdStart[record], index.recordIdStart[record + 1]))
}

/** Returns the number of the record with this id by binary search. */
export function findRecord(index: IndexArrays, id: string): number | undefined {
  let low = 0
  let high = index.recordModified.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (idOf(index, middle) < id) low = middle + 1
    else high = middle
  }
  return low < index.recordModified.length && idOf(index, low) === id ? low : undefined
}

function findPackage(index: IndexArrays, registry: Registry, name: string): number | undefined {
  const { buckets, packageRegistry } = index
  const mask = buckets.length - 1
  const registryNumber = registries.indexOf(registry)
  for (let at = hashName(registryNumber, name) & mask; ; at = (at + 1) & mask) {
    const number = buckets[at]! - 1
    if (number < 0) return undefined
    if (packageRegistry[number] === registryNumber && hasName(index, number, name)) return number
  }
}

function hasName({ packageNameStart, packageNames }: IndexArrays, number: number, name: string): boolean {
  const start = packageNameStart[number]!
  if (packageNameStart[number + 1]! - start !== name.length) return false
  for (let i = 0; i < name.length; i++) if (packageNames[start + i] !== name.charCodeAt(i)) return false
  return true
}

interface SchemedVersion {
  readonly version: string
  readonly scheme: VersionScheme
}

/**
 * Returns the version's position among the package's boundaries (boundaries.ts). Compares texts only on a tie of the
 * packed keys.
 */
function positionOf(index: IndexArrays, number: number, { version, scheme }: SchemedVersion): number {
  const { boundaryCoarse, boundaryStart } = index
  const first = boundaryStart[number]!
  const end = boundaryStart[number + 1]!
  const coarse = scheme.coarse(version)
  let low = first
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (boundaryCoarse[middle]! < coarse) low = middle + 1
    else high = middle
  }
  high = low
  while (high < end && boundaryCoarse[high] === coarse) high++
  while (low < high) {
    const middle = (low + high) >>> 1
    const order = scheme.compare(boundaryVersion(index, middle), version)
    if (order === 0) return 2 * (middle - first) + 1
    if (order < 0) low = middle + 1
    else high = middle
  }
  return 2 * (low - first)
}

function boundaryVersion({ boundaryText, boundaryTextStart }: IndexArrays, boundary: number): string {
  return String.fromCharCode(...boundaryText.subarray(boundaryTextStart[boundary], boundaryTextStart[boundary + 1]))
}

/** Returns the matches at any of the positions; without positions, everything that affects any version. */
function matchesAt(index: IndexArrays, number: number, positions?: readonly number[]): AdvisoryMatch[] {
  const { entryFrom, entryTo, entryRecord, entryStart } = index
  const matches: AdvisoryMatch[] = []
  const end = entryStart[number + 1]!
  for (let entry = entryStart[number]!; entry < end; entry++) {
    const [from, to] = [entryFrom[entry]!, entryTo[entry]!]
    if (positions === undefined ? from > to : positions.every((position) => from > position || to < position)) continue
    const record = entryRecord[entry]!
    const group = groupAround(index, number, entry)
    matches.push({ record, others: recordsOf(index, group).filter((other) => other !== record) })
    entry = group.end - 1
  }
  return matches.sort((a, b) => a.record - b.record)
}

interface Span {
  readonly start: number
  readonly end: number
}

function groupAround({ entryGroup, entryStart }: IndexArrays, number: number, entry: number): Span {
  const group = entryGroup[entry]
  let start = entry
  while (start > entryStart[number]! && entryGroup[start - 1] === group) start--
  let end = entry + 1
  while (end < entryStart[number + 1]! && entryGroup[end] === group) end++
  return { start, end }
}

function recordsOf({ entryRecord }: IndexArrays, { start, end }: Span): number[] {
  return [...new Set(entryRecord.subarray(start, end))]
}
