import type { VersionScheme } from '../versions/version-scheme.ts'
import { ABOVE_ALL, type Boundaries } from './boundaries.ts'
import type { OsvAffected, OsvEvent, OsvRange } from './osv.ts'

/** Positions (boundaries.ts) from `from` to `to`, both inclusive. */
export interface Interval {
  readonly from: number
  readonly to: number
}

/** Returns the versions in `affected` that matching needs, in their original spelling. */
export function mentionedVersions(affected: OsvAffected, scheme: VersionScheme): string[] {
  const versions = [...(affected.versions ?? [])]
  for (const range of matchedRanges(affected)) {
    for (const event of range.events) {
      const bound = toBound(event, scheme)
      if (bound?.version !== undefined) versions.push(bound.version)
    }
  }
  return versions
}

/**
 * Returns the versions that OSV's evaluation (https://ossf.github.io/osv-schema/#evaluation) calls affected, as
 * intervals: `versions` as points, and each SEMVER or ECOSYSTEM range. For GIT ranges see commits.ts.
 *
 * Three gaps of the schema are filled so that nothing is hidden: an invalid `introduced` counts as "0"; any other
 * invalid bound is dropped, which leaves the range open; and of several events at one version those that close a range
 * come first if it is open, else last.
 */
export function toIntervals(affected: OsvAffected, boundaries: Boundaries, scheme: VersionScheme): Interval[] {
  const intervals: Interval[] = []
  for (const version of affected.versions ?? []) {
    const position = boundaries.positionOf(version)
    intervals.push({ from: position, to: position })
  }
  for (const range of matchedRanges(affected)) intervals.push(...rangeIntervals(range, boundaries, scheme))
  return mergeIntervals(intervals)
}

export function matchedRanges(affected: OsvAffected): OsvRange[] {
  return (affected.ranges ?? []).filter(({ type }) => type === 'SEMVER' || type === 'ECOSYSTEM')
}

/** The version of an event; absent for "0" (below all versions) and for `limit` "*" (above all). */
export interface Bound {
  readonly kind: 'introduced' | 'fixed' | 'last_affected' | 'limit'
  readonly version?: string
}

/** Returns undefined for an unreadable closing bound. */
export function toBound(event: OsvEvent, scheme: VersionScheme): Bound | undefined {
  const { introduced, fixed, last_affected, limit } = event
  if (introduced !== undefined) {
    return introduced === '0' || !scheme.isValid(introduced)
      ? { kind: 'introduced' }
      : { kind: 'introduced', version: introduced }
  }
  if (limit === '*') return { kind: 'limit' }
  const version = fixed ?? last_affected ?? limit
  if (version === undefined || !scheme.isValid(version)) return undefined
  if (fixed !== undefined) return { kind: 'fixed', version }
  return { kind: last_affected === undefined ? 'limit' : 'last_affected', version }
}

interface Turn {
  /** Position of the event's version; 0 is below all. */
  readonly position: number
  readonly kind: Bound['kind']
}

function rangeIntervals(range: OsvRange, boundaries: Boundaries, scheme: VersionScheme): Interval[] {
  const turns: Turn[] = []
  const limits: number[] = []
  for (const event of range.events) {
    const bound = toBound(event, scheme)
    if (!bound) {
      if (event.limit !== undefined) limits.push(ABOVE_ALL)
      continue
    }
    if (bound.kind === 'limit')
      limits.push(bound.version === undefined ? ABOVE_ALL : boundaries.positionOf(bound.version))
    else
      turns.push({ kind: bound.kind, position: bound.version === undefined ? 0 : boundaries.positionOf(bound.version) })
  }
  turns.sort((a, b) => a.position - b.position)
  // A version is affected if it is below any of the limits, hence below the greatest.
  const limit = limits.length === 0 ? ABOVE_ALL : limits.reduce((a, b) => Math.max(a, b))
  if (limit === ABOVE_ALL) return walk(turns)
  return walk(turns)
    .map(({ from, to }) => ({ from, to: Math.min(to, limit - 1) }))
    .filter(({ from, to }) => from <= to)
}

function walk(turns: readonly Turn[]): Interval[] {
  const intervals: Interval[] = []
  let openedAt: number | undefined
  let index = 0
  while (index < turns.length) {
    const { position } = turns[index]!
    const kinds = new Set<Bound['kind']>()
    for (; turns[index]?.position === position; index++) kinds.add(turns[index]!.kind)
    const wasOpen = openedAt !== undefined
    if (!wasOpen && kinds.has('introduced')) openedAt = position
    const end = kinds.has('fixed') ? position - 1 : position
    if (openedAt !== undefined && (kinds.has('fixed') || kinds.has('last_affected'))) {
      if (openedAt <= end) intervals.push({ from: openedAt, to: end })
      openedAt = wasOpen && kinds.has('introduced') ? position : undefined
    }
  }
  if (openedAt !== undefined) intervals.push({ from: openedAt, to: ABOVE_ALL })
  return intervals
}

/** Sorts intervals and merges overlapping and adjacent ones. */
export function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const sorted = [...intervals].sort((a, b) => a.from - b.from)
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of sorted) {
    const last = merged.at(-1)
    if (last && from <= last.to + 1) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}
