import type { Registry } from '#analysis/registries/registry.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import { ABOVE_ALL, type Boundaries, toBoundaries } from './boundaries.ts'
import { type Interval, matchedRanges, mentionedVersions, mergeIntervals, toBound, toIntervals } from './intervals.ts'
import type { OsvAffected } from './osv.ts'

/** An end of an interval: a version, and whether it is included. */
interface End {
  readonly version: string
  readonly isInside: boolean
}

interface Span {
  /** Undefined: unbounded below. */
  readonly lower: End | undefined
  /** Undefined: unbounded above. */
  readonly upper: End | undefined
}

/** Formats the affected versions in the range syntax of the registry's tools, e.g. `>=1.0.0 <1.2.3`, `[1.0,1.2.3)`. */
export function toRangeTexts(registry: Registry, affected: readonly OsvAffected[], scheme: VersionScheme): string[] {
  const boundaries = toBoundaries(
    affected.flatMap((entry) => mentionedVersions(entry, scheme)),
    scheme,
  )
  const intervals = mergeIntervals(affected.flatMap((entry) => toIntervals(entry, boundaries, scheme)))
  return intervals.map((interval) => writers[registry](toSpan(interval, boundaries)))
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
  // An even position lies below its boundary, so it is above the boundary before.
  const lower = from === 0 ? undefined : end(versions, from % 2 === 1 ? from : from - 1, from % 2 === 1)
  const upper =
    to === ABOVE_ALL || to >= 2 * versions.length ? undefined : end(versions, to % 2 === 1 ? to : to + 1, to % 2 === 1)
  return { lower, upper }
}

function end(versions: readonly string[], position: number, isInside: boolean): End {
  return { version: versions[(position - 1) / 2]!, isInside }
}

const writers: Readonly<Record<Registry, (span: Span) => string>> = {
  npm: comparators({ equal: '=', gap: '', between: ' ', all: '*' }),
  Go: comparators({ equal: '=', gap: '', between: ' ', all: '*' }),
  RubyGems: comparators({ equal: '= ', gap: ' ', between: ', ', all: '>= 0' }),
  PyPI: (span) =>
    span.lower || !span.upper ? brackets(span) : `${span.upper.isInside ? '<=' : '<'}${span.upper.version}`,
  Maven: brackets,
}

interface Manner {
  readonly equal: string
  readonly gap: string
  readonly between: string
  readonly all: string
}

function comparators({ equal, gap, between, all }: Manner): (span: Span) => string {
  return ({ lower, upper }) => {
    if (isPoint({ lower, upper })) return `${equal}${lower!.version}`
    const parts = [
      ...(lower ? [`${lower.isInside ? '>=' : '>'}${gap}${lower.version}`] : []),
      ...(upper ? [`${upper.isInside ? '<=' : '<'}${gap}${upper.version}`] : []),
    ]
    return parts.length === 0 ? all : parts.join(between)
  }
}

function brackets({ lower, upper }: Span): string {
  if (isPoint({ lower, upper })) return `[${lower!.version}]`
  const start = lower ? `${lower.isInside ? '[' : '('}${lower.version}` : upper ? '[' : '[0'
  return `${start},${upper ? `${upper.version}${upper.isInside ? ']' : ')'}` : ')'}`
}

function isPoint({ lower, upper }: Span): boolean {
  return lower?.isInside === true && lower.version === upper?.version && upper.isInside
}
