import { compareNaturals, compareText, toNatural, toNextNatural } from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import { compareIdentifiers, compareNumbers, parseSemanticVersion, type SemanticVersion } from './semver2.ts'
import type { VersionScheme } from './version-scheme.ts'

interface Bound {
  readonly version: SemanticVersion
  readonly isIncluded: boolean
}

interface Range {
  readonly min?: Bound | undefined
  readonly max?: Bound | undefined
}

/** The largest of Dart's integers. */
const MAX_INTEGER = '9223372036854775807'
const COMPARATOR = /^\s*([<>]=?|)\s*([\dA-Za-z.+-]+)/

/**
 * Versions of Dart packages in the order of pub_semver, whose `Version` is SemVer with an order of builds: `1.0.0+2` is
 * newer than `1.0.0+1`, and both than `1.0.0`. A range is `any`, `^1.2.3` or comparators without commas; `<2.0.0`
 * excludes the pre-releases of 2.0.0.
 */
export const pubVersions: VersionScheme = {
  id: 'pub',
  isValid: (version) => parse(version) !== undefined,
  compare: refusedFirst(parse, order),
  satisfies,
  isRange: (range) => parseRange(range) !== undefined,
}

function parse(text: string): SemanticVersion | undefined {
  const version = parseSemanticVersion(text)
  return version?.numbers.every((number) => compareNaturals(number, MAX_INTEGER) <= 0) ? version : undefined
}

function order(a: SemanticVersion, b: SemanticVersion): number {
  const difference = compareNumbers(a, b)
  if (difference !== 0) return difference
  if (a.pre.length === 0 || b.pre.length === 0) {
    if (a.pre.length !== b.pre.length) return b.pre.length - a.pre.length
  }
  return compareIdentifiers(a.pre, b.pre, compareOne) || compareIdentifiers(a.build, b.build, compareOne)
}

/** Numbers come before words; numbers beyond Dart's integers are words, and a hyphen is a sign. */
function compareOne(a: string, b: string): number {
  const [left, right] = [toInteger(a), toInteger(b)]
  if (left !== undefined && right !== undefined) return left === right ? 0 : left < right ? -1 : 1
  if (left === undefined && right === undefined) return compareText(a, b)
  return left === undefined ? 1 : -1
}

function toInteger(text: string): bigint | undefined {
  const [match, sign = '', digits = ''] = /^(-?)(\d+)$/.exec(text) ?? []
  if (match === undefined) return undefined
  const natural = toNatural(digits)
  return compareNaturals(natural, MAX_INTEGER) > 0 ? undefined : BigInt(sign + natural)
}

function satisfies(text: string, written: string): boolean {
  const version = parse(text)
  const range = parseRange(written)
  if (version === undefined || range === undefined) return false
  const isAbove = range.min === undefined || isWithin(order(version, range.min.version), range.min)
  return isAbove && (range.max === undefined || isWithin(order(range.max.version, version), range.max))
}

function isWithin(distance: number, { isIncluded }: Bound): boolean {
  return distance > 0 || (isIncluded && distance === 0)
}

function parseRange(written: string): Range | undefined {
  const text = written.trim()
  if (text === 'any') return {}
  if (text.startsWith('^')) return parseCaret(text.slice(1).trim())
  const bounds: { operator: string; version: SemanticVersion }[] = []
  for (let rest = text; rest !== ''; ) {
    const [match, operator = '', number = ''] = COMPARATOR.exec(rest) ?? []
    const version = parse(number)
    if (match === undefined || version === undefined) return undefined
    bounds.push({ operator, version })
    rest = rest.slice(match.length).trimStart()
  }
  if (bounds.length === 0) return undefined
  const ends = (operators: readonly string[]) =>
    bounds
      .filter(({ operator }) => operators.includes(operator))
      .map(({ operator, version }): Bound => ({ version, isIncluded: operator === '' || operator.endsWith('=') }))
  const [lower, upper] = [ends(['', '>', '>=']), ends(['', '<', '<='])]
  const min = lower.reduce((a: Bound | undefined, b) => tighter(a, b, 1), undefined)
  return {
    min,
    max: withoutPrereleases(
      upper.reduce((a: Bound | undefined, b) => tighter(a, b, -1), undefined),
      min,
    ),
  }
}

function parseCaret(text: string): Range | undefined {
  const version = parse(text)
  if (version === undefined) return undefined
  const [major, minor] = version.numbers
  const next = major === '0' ? (['0', toNextNatural(minor), '0'] as const) : ([toNextNatural(major), '0', '0'] as const)
  const max = { version: { numbers: next, pre: ['0'], build: [] }, isIncluded: false }
  return { min: { version, isIncluded: true }, max }
}

/** Returns the bound that allows less: the higher one for `direction` 1, the lower one for -1. */
function tighter(a: Bound | undefined, b: Bound, direction: 1 | -1): Bound {
  const difference = a === undefined ? -1 : order(a.version, b.version) * direction
  if (difference === 0) return { ...b, isIncluded: a!.isIncluded && b.isIncluded }
  return difference < 0 ? b : a!
}

/** Excludes the pre-releases of an excluded release, unless the range begins with one of them. */
function withoutPrereleases(max: Bound | undefined, min: Bound | undefined): Bound | undefined {
  if (max === undefined || max.isIncluded || max.version.pre.length > 0 || max.version.build.length > 0) return max
  if (min !== undefined && min.version.pre.length > 0 && compareNumbers(min.version, max.version) === 0) return max
  return { ...max, version: { ...max.version, pre: ['0'] } }
}
