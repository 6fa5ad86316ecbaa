import { refusedFirst } from './refused-first.ts'
import { compareSemanticVersions as order, type SemanticVersion, toPrerelease } from './semantic-version.ts'
import type { VersionScheme } from './version-scheme.ts'

/** Build metadata, including `+incompatible`, is dropped. */
interface GoVersion extends SemanticVersion {
  /** Number of numbers written. */
  readonly written: number
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
  const prerelease = toPrerelease(suffix)
  return prerelease && { numbers: [major, minor ?? '0', patch ?? '0'], written, prerelease }
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
