import { type Comparators, factsOf, type RangeSyntax, type Registry } from '../registry-facts.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import { ABOVE_ALL, type Boundaries, toBoundaries } from './boundaries.ts'
import { type Interval, matchedRanges, mentionedVersions, mergeIntervals, toBound, toIntervals } from './intervals.ts'
import type { OsvAffected } from './osv.ts'

/** An interval of versions. Those that records name begin at a version, inclusive. */
interface Span {
  /** Undefined: unbounded below. */
  readonly lower: string | undefined
  /** Undefined: unbounded above. */
  readonly upper: { readonly version: string; readonly isInside: boolean } | undefined
}

/** Formats the affected versions in the range syntax of the registry's tools, e.g. `>=1.0.0 <1.2.3`, `[1.0,1.2.3)`. */
export function toRangeTexts(registry: Registry, affected: readonly OsvAffected[], scheme: VersionScheme): string[] {
  const boundaries = toBoundaries(
    affected.flatMap((entry) => mentionedVersions(entry, scheme)),
    scheme,
  )
  const intervals = mergeIntervals(affected.flatMap((entry) => toIntervals(entry, boundaries, scheme)))
  const write = writerOf(factsOf(registry).ranges)
  return intervals.map((interval) => write(toSpan(interval, boundaries)))
}

/** Returns the versions that end an affected range, oldest first. */
export function toFixedVersions(affected: readonly OsvAffected[], scheme: VersionScheme): string[] {
  const fixed = affected
    .flatMap((entry) => matchedRanges(entry))
    .flatMap(({ events }) => events.map((event) => toBound(event, scheme)))
    .flatMap((bound) => (bound?.kind === 'fixed' && bound.version !== undefined ? [bound.version] : []))
  return [...toBoundaries(fixed, scheme).versions]
}

function toSpan({ from, to }: Interval, { versions }: Boundaries): Span {
  const isInside = to % 2 === 1
  return {
    lower: from === 0 ? undefined : versionAt(versions, from),
    // An even position lies directly below its boundary, which is one position above.
    upper: to === ABOVE_ALL ? undefined : { version: versionAt(versions, isInside ? to : to + 1), isInside },
  }
}

function versionAt(versions: readonly string[], position: number): string {
  return versions[(position - 1) / 2]!
}

function writerOf(syntax: RangeSyntax): (span: Span) => string {
  if (syntax === 'brackets') return brackets
  if (syntax !== 'brackets-or-upper-bound') return comparators(syntax)
  return (span) =>
    span.lower !== undefined || !span.upper
      ? brackets(span)
      : `${span.upper.isInside ? '<=' : '<'}${span.upper.version}`
}

function comparators({ equal, gap, between, all }: Comparators): (span: Span) => string {
  return ({ lower, upper }) => {
    if (isPoint({ lower, upper })) return `${equal}${lower}`
    const parts = [
      ...(lower === undefined ? [] : [`>=${gap}${lower}`]),
      ...(upper ? [`${upper.isInside ? '<=' : '<'}${gap}${upper.version}`] : []),
    ]
    return parts.length === 0 ? all : parts.join(between)
  }
}

function brackets({ lower, upper }: Span): string {
  if (isPoint({ lower, upper })) return `[${lower}]`
  if (!upper) return `[${lower ?? '0'},)`
  return `[${lower ?? ''},${upper.version}${upper.isInside ? ']' : ')'}`
}

function isPoint({ lower, upper }: Span): boolean {
  return lower !== undefined && lower === upper?.version && upper.isInside
}
