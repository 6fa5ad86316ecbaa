import { compareNaturals, type Natural } from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import {
  comparePrereleases,
  compareSemanticVersions,
  parseSemanticVersion,
  type SemanticVersion,
  toPrerelease,
} from './semantic-version.ts'
import type { VersionScheme } from './version-scheme.ts'

interface Comparator {
  readonly operator: string
  /** The numbers before a wildcard. */
  readonly numbers: readonly Natural[]
  readonly prerelease: readonly string[]
}

/**
 * Versions of crates by SemVer 2.0, and ranges as in the crate `semver` that Cargo uses: comparators joined by commas,
 * without an operator the caret. A pre-release satisfies a range only if a comparator names a pre-release of the same
 * numbers.
 */
export const cargoVersions: VersionScheme = {
  id: 'cargo',
  toDefaultRange: (version) => `^${version}`,
  isValid: (version) => parse(version) !== undefined,
  compare: refusedFirst(parse, compareSemanticVersions),
  satisfies(text, range) {
    const version = parse(text)
    const comparators = parseRange(range)
    if (version === undefined || comparators === undefined) return false
    return comparators.every((comparator) => isMet(comparator, version)) && mayBePrerelease(comparators, version)
  },
  isRange: (range) => parseRange(range) !== undefined,
}

/** The largest number of a version: 64 bits. */
const MAX_NUMBER = '18446744073709551615'
const MAX_COMPARATORS = 32

const isSmall = (natural: Natural) => compareNaturals(natural, MAX_NUMBER) <= 0

function parse(text: string): SemanticVersion | undefined {
  const version = parseSemanticVersion(text)
  return version?.numbers.every(isSmall) ? version : undefined
}

const COMPARATOR =
  /^ *(>=|<=|[=><~^])? *(0|[1-9]\d*)(?:\.(?:([*xX])(?:\.[*xX])?|(0|[1-9]\d*)(?:\.(?:([*xX])|(0|[1-9]\d*)(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?))?))? *$/

function parseRange(range: string): Comparator[] | undefined {
  if (/^ *[*xX] *$/.test(range)) return []
  const comparators = range.split(',', MAX_COMPARATORS + 1).map(parseComparator)
  if (comparators.length > MAX_COMPARATORS) return undefined
  return comparators.includes(undefined) ? undefined : (comparators as Comparator[])
}

function parseComparator(text: string): Comparator | undefined {
  const [, written, major, anyMinor, minor, anyPatch, patch, suffix] = COMPARATOR.exec(text) ?? []
  const prerelease = toPrerelease(suffix)
  if (major === undefined || prerelease === undefined) return undefined
  const numbers = [major, minor, patch].filter((number) => number !== undefined)
  const operator = written ?? (anyMinor === undefined && anyPatch === undefined ? '^' : '=')
  return numbers.every(isSmall) ? { operator, numbers, prerelease } : undefined
}

function isMet(comparator: Comparator, version: SemanticVersion): boolean {
  const { operator } = comparator
  const difference = compareTo(version, comparator)
  if (operator === '>') return difference > 0
  if (operator === '>=') return difference >= 0
  if (operator === '<') return difference < 0
  if (operator === '<=') return difference <= 0
  if (operator === '=') return difference === 0
  return difference >= 0 && fixedNumbers(comparator).every((number, at) => number === version.numbers[at])
}

/**
 * Compares with the numbers that a comparator has; others are equal. NaN for a pre-release of these numbers, which meets
 * a comparator of fewer than three only by the caret.
 */
function compareTo(version: SemanticVersion, { operator, numbers, prerelease }: Comparator): number {
  for (const [at, number] of numbers.entries()) {
    const difference = compareNaturals(version.numbers[at]!, number)
    if (difference !== 0) return difference
  }
  if (numbers.length === 3) return comparePrereleases(version.prerelease, prerelease)
  return version.prerelease.length === 0 || operator === '^' ? 0 : Number.NaN
}

/** Returns the leading numbers that a version must have: for the caret, up to the first that is not zero. */
function fixedNumbers({ operator, numbers }: Comparator): readonly Natural[] {
  if (operator === '~') return numbers.slice(0, 2)
  const first = numbers.findIndex((number) => number !== '0')
  return first === -1 ? numbers : numbers.slice(0, first + 1)
}

function mayBePrerelease(comparators: readonly Comparator[], { numbers, prerelease }: SemanticVersion): boolean {
  if (prerelease.length === 0) return true
  return comparators.some(
    (comparator) =>
      comparator.prerelease.length > 0 && comparator.numbers.every((number, at) => number === numbers[at]),
  )
}
