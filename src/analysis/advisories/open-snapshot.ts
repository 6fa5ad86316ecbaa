import type { Registry } from '#analysis/registries/registry.ts'
import { compareText } from '../versions/naturals.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import { type IndexArrays, unpackIndex } from './index-layout.ts'
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
        Array.from(versions, (version) => positionOf(index, number, { version, scheme })),
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

/** Returns the number of the record with this id. */
export function findRecord(index: IndexArrays, id: string): number | undefined {
  const records = index.recordModified.length
  const record = firstNotBefore(0, records, (middle) => compareText(idOf(index, middle), id))
  return record < records && idOf(index, record) === id ? record : undefined
}

function findPackage(index: IndexArrays, registry: Registry, name: string): number | undefined {
  const packages = index.packageRegistry.length
  const registryNumber = registries.indexOf(registry)
  const compare = (middle: number) =>
    index.packageRegistry[middle]! - registryNumber || compareText(nameOf(index, middle), name)
  const number = firstNotBefore(0, packages, compare)
  return number < packages && compare(number) === 0 ? number : undefined
}

function nameOf({ packageNames, packageNameStart }: IndexArrays, number: number): string {
  return String.fromCharCode(...packageNames.subarray(packageNameStart[number], packageNameStart[number + 1]))
}

/** Searches a sorted part; returns the first place that `compare` does not put before the text, or the end. */
function firstNotBefore(start: number, end: number, compare: (place: number) => number): number {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compare(middle) < 0) low = middle + 1
    else high = middle
  }
  return low
}

interface SchemedVersion {
  readonly version: string
  readonly scheme: VersionScheme
}

/** Returns the version's position among the package's boundaries (boundaries.ts). */
function positionOf(index: IndexArrays, number: number, { version, scheme }: SchemedVersion): number {
  const [first, end] = [index.boundaryStart[number]!, index.boundaryStart[number + 1]!]
  const compare = (middle: number) => scheme.compare(boundaryVersion(index, middle), version)
  const boundary = firstNotBefore(first, end, compare)
  const isEqual = boundary < end && compare(boundary) === 0
  return 2 * (boundary - first) + (isEqual ? 1 : 0)
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
