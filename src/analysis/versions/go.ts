import { compareNaturals, compareText, endOfDigits, isDigit, type Natural } from './naturals.ts'
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

function parse(text: string): GoVersion | undefined {
  const numbers: [Natural, Natural, Natural] = ['0', '0', '0']
  let written = 0
  let at = text.startsWith('v') ? 1 : 0
  for (;;) {
    const end = endOfDigits(text, at)
    if (end === at || (text[at] === '0' && end > at + 1)) return undefined
    numbers[written++] = text.slice(at, end)
    at = end
    if (written === 3 || text[at] !== '.') break
    at++
  }
  if (at === text.length) return { numbers, written, prerelease: [] }
  return written === 3 ? parseSuffix(text.slice(at), numbers) : undefined
}

function parseSuffix(suffix: string, numbers: GoVersion['numbers']): GoVersion | undefined {
  const plus = suffix.indexOf('+')
  const build = plus < 0 ? '' : suffix.slice(plus + 1)
  if (plus >= 0 && !build.split('.').every(isIdentifier)) return undefined
  const before = plus < 0 ? suffix : suffix.slice(0, plus)
  if (before === '') return { numbers, written: 3, prerelease: [] }
  if (!before.startsWith('-')) return undefined
  const prerelease = before.slice(1).split('.')
  if (!prerelease.every((part) => isIdentifier(part) && !hasLeadingZero(part))) return undefined
  return { numbers, written: 3, prerelease }
}

function isIdentifier(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    const isLetter = (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
    if (!isLetter && !isDigit(code) && code !== 0x2d) return false
  }
  return text !== ''
}

function isNumeric(identifier: string): boolean {
  return endOfDigits(identifier, 0) === identifier.length
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
