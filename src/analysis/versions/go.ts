import { compareNaturals, compareText, isNumeric, type Natural } from './naturals.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

/** Build metadata, including `+incompatible`, does not affect the order and is dropped. */
interface GoVersion {
  readonly numbers: readonly [Natural, Natural, Natural]
  /** Number of numbers written. */
  readonly written: number
  readonly prerelease: readonly string[]
}

interface Query {
  readonly operator: string
  readonly version: GoVersion
}

/**
 * Go's module versions in the order of golang.org/x/mod/semver, with or without the leading `v` (which advisories
 * omit). `v1` and `v1.2` mean `v1.0.0` and `v1.2.0`. A range is a version query of the go command
 * (cmd/go/internal/modload/query.go): a version, a prefix (`v1.2`), or one comparison (`<v1.2.3`). Not supported, since
 * they depend on the module: `latest`, `upgrade`, `patch`, branches and commits.
 */
export const goVersions: VersionScheme = {
  id: 'go',
  isValid: (version) => parse(version) !== undefined,
  compare: refusedFirst(parse, order),
  satisfies,
  isRange: (range) => parseQuery(range) !== undefined,
}

const VERSION =
  /^v?(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:\.(0|[1-9]\d*)(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?)?)?$/

function parse(text: string): GoVersion | undefined {
  const [, major, minor, patch, suffix] = VERSION.exec(text) ?? []
  if (major === undefined) return undefined
  const written = patch !== undefined ? 3 : minor !== undefined ? 2 : 1
  const prerelease = suffix?.split('.') ?? []
  if (prerelease.some(hasLeadingZero)) return undefined
  return { numbers: [major, minor ?? '0', patch ?? '0'], written, prerelease }
}

function hasLeadingZero(identifier: string): boolean {
  return identifier.length > 1 && identifier.startsWith('0') && isNumeric(identifier)
}

function order(a: GoVersion, b: GoVersion): number {
  return (
    compareNaturals(a.numbers[0], b.numbers[0]) ||
    compareNaturals(a.numbers[1], b.numbers[1]) ||
    compareNaturals(a.numbers[2], b.numbers[2]) ||
    orderPrereleases(a.prerelease, b.prerelease)
  )
}

function orderPrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = orderIdentifiers(a[i]!, b[i]!)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function orderIdentifiers(a: string, b: string): number {
  const isNumber = isNumeric(a)
  if (isNumber !== isNumeric(b)) return isNumber ? -1 : 1
  return isNumber ? compareNaturals(a, b) : compareText(a, b)
}

function parseQuery(range: string): Query | undefined {
  const operator = ['<=', '<', '>=', '>'].find((candidate) => range.startsWith(candidate)) ?? ''
  const version = parse(range.slice(operator.length))
  if (version === undefined) return undefined
  // The go command refuses to decide whether `<=v1.2` includes v1.2.3.
  if (version.written < 3 && (operator === '<=' || operator === '>')) return undefined
  return { operator, version }
}

function satisfies(text: string, range: string): boolean {
  const version = parse(text)
  const query = parseQuery(range)
  if (version === undefined || query === undefined) return false
  const difference = order(version, query.version)
  if (query.operator === '<') return difference < 0
  if (query.operator === '<=') return difference <= 0
  if (query.operator === '>') return difference > 0
  if (query.operator === '>=') return difference >= 0
  if (query.version.written === 3) return difference === 0
  // A prefix does not include pre-releases of its own first version: https://go.dev/issue/31972
  return difference >= 0 && sharesPrefix(version, query.version)
}

function sharesPrefix(version: GoVersion, prefix: GoVersion): boolean {
  for (let i = 0; i < prefix.written; i++) if (version.numbers[i] !== prefix.numbers[i]) return false
  return true
}
