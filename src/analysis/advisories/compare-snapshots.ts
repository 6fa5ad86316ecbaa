import type { Registry } from '#analysis/registries/registry.ts'
import { type IndexArrays, unpackIndex } from './index-layout.ts'
import { registries } from './package-names.ts'

/** A name for which two snapshots differ. */
export interface ChangedName {
  readonly registry: Registry
  /** The lookup name of packages. */
  readonly name: string
}

type Buffer = ArrayBuffer | SharedArrayBuffer

/** Records and names processed before control returns to the caller. */
const STEP = 4_000

/**
 * Yields the names whose packages need a new match after one snapshot replaced another: those with changed ranges,
 * changed records, or modified records. Also yields undefined after each `STEP`, so that it can run in slices.
 */
export function* compareSnapshots(before: Buffer, after: Buffer): Generator<ChangedName | undefined, void, void> {
  const [old, fresh] = [unpackIndex(before), unpackIndex(after)]
  const same = yield* sameRecords(old, fresh)
  const [oldCount, freshCount] = [old.packageRegistry.length, fresh.packageRegistry.length]
  for (let a = 0, b = 0, steps = 1; a < oldCount || b < freshCount; steps++) {
    if (steps % STEP === 0) yield undefined
    const order =
      a === oldCount ? 1 : b === freshCount ? -1 : comparePackages({ index: old, at: a }, { index: fresh, at: b })
    if (order < 0) yield nameAt(old, a++)
    else if (order > 0) yield nameAt(fresh, b++)
    else {
      if (!hasSameContent({ index: old, at: a }, { index: fresh, at: b }, same)) yield nameAt(fresh, b)
      a++
      b++
    }
  }
}

/** Maps each old record to its number in the other snapshot; -1 if it is missing or was modified. */
function* sameRecords(old: IndexArrays, fresh: IndexArrays): Generator<undefined, Int32Array, void> {
  const [oldCount, freshCount] = [old.recordModified.length, fresh.recordModified.length]
  const same = new Int32Array(oldCount).fill(-1)
  for (let a = 0, b = 0, steps = 1; a < oldCount && b < freshCount; steps++) {
    if (steps % STEP === 0) yield undefined
    const order = compareIds({ index: old, at: a }, { index: fresh, at: b })
    if (order < 0) a++
    else if (order > 0) b++
    else {
      if (old.recordModified[a] === fresh.recordModified[b]) same[a] = b
      a++
      b++
    }
  }
  return same
}

interface At {
  readonly index: IndexArrays
  readonly at: number
}

/** Compares ids; both snapshots are in the order of ids (compile.ts). */
function compareIds(a: At, b: At): number {
  const [x, y] = [a.index.recordIds, b.index.recordIds]
  const [from, to] = [a.index.recordIdStart[a.at]!, a.index.recordIdStart[a.at + 1]!]
  const [otherFrom, otherTo] = [b.index.recordIdStart[b.at]!, b.index.recordIdStart[b.at + 1]!]
  return compareSpans(x, y, { from, to, otherFrom, otherTo })
}

/** Compares packages; both snapshots are in the order of registry and name. */
function comparePackages(a: At, b: At): number {
  const order = a.index.packageRegistry[a.at]! - b.index.packageRegistry[b.at]!
  if (order !== 0) return order
  const [from, to] = [a.index.packageNameStart[a.at]!, a.index.packageNameStart[a.at + 1]!]
  const [otherFrom, otherTo] = [b.index.packageNameStart[b.at]!, b.index.packageNameStart[b.at + 1]!]
  return compareSpans(a.index.packageNames, b.index.packageNames, { from, to, otherFrom, otherTo })
}

interface Spans {
  readonly from: number
  readonly to: number
  readonly otherFrom: number
  readonly otherTo: number
}

type Units = Uint8Array | Uint16Array

function compareSpans(x: Units, y: Units, { from, to, otherFrom, otherTo }: Spans): number {
  const length = Math.min(to - from, otherTo - otherFrom)
  for (let n = 0; n < length; n++) {
    const order = x[from + n]! - y[otherFrom + n]!
    if (order !== 0) return order
  }
  return to - from - (otherTo - otherFrom)
}

function nameAt({ packageRegistry, packageNames, packageNameStart }: IndexArrays, at: number): ChangedName {
  const units = packageNames.subarray(packageNameStart[at], packageNameStart[at + 1])
  return { registry: registries[packageRegistry[at]!]!, name: String.fromCharCode(...units) }
}

function hasSameContent(a: At, b: At, same: Int32Array): boolean {
  return haveSameBoundaries(a, b) && haveSameEntries(a, b, same)
}

function haveSameBoundaries(a: At, b: At): boolean {
  const [x, y] = [a.index, b.index]
  const [from, to] = [x.boundaryStart[a.at]!, x.boundaryStart[a.at + 1]!]
  const [otherFrom, otherTo] = [y.boundaryStart[b.at]!, y.boundaryStart[b.at + 1]!]
  if (to - from !== otherTo - otherFrom) return false
  for (let n = 0; n < to - from; n++) {
    const texts = {
      from: x.boundaryTextStart[from + n]!,
      to: x.boundaryTextStart[from + n + 1]!,
      otherFrom: y.boundaryTextStart[otherFrom + n]!,
      otherTo: y.boundaryTextStart[otherFrom + n + 1]!,
    }
    if (compareSpans(x.boundaryText, y.boundaryText, texts) !== 0) return false
  }
  return true
}

/** Returns true if a package has the same entries. Groups are numbered separately for each package. */
function haveSameEntries(a: At, b: At, same: Int32Array): boolean {
  const [x, y] = [a.index, b.index]
  const [from, to] = [x.entryStart[a.at]!, x.entryStart[a.at + 1]!]
  const otherFrom = y.entryStart[b.at]!
  if (to - from !== y.entryStart[b.at + 1]! - otherFrom) return false
  for (let n = 0; n < to - from; n++) {
    const [mine, other] = [from + n, otherFrom + n]
    const isSame =
      x.entryFrom[mine] === y.entryFrom[other] &&
      x.entryTo[mine] === y.entryTo[other] &&
      x.entryGroup[mine] === y.entryGroup[other] &&
      same[x.entryRecord[mine]!] === y.entryRecord[other]
    if (!isSame) return false
  }
  return true
}
