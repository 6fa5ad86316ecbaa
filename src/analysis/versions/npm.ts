import semver from 'semver'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

/** npm reads versions and ranges loosely, as npm-pick-manifest and npm-package-arg call node-semver. */
const LOOSE = { loose: true }

/** Matches most versions, which node-semver would take ten times as long to parse. */
const PLAIN = /^\d{1,9}\.\d{1,9}\.\d{1,9}$/

/** node-semver limits versions (256 characters) but not ranges; no manifest needs longer ones. */
const MAX_RANGE_LENGTH = 4096

/**
 * npm versions, by node-semver. A pre-release satisfies a range only if the range names a pre-release of the same
 * numbers, as in npm. Tags (`latest`), URLs and aliases are not ranges: npm-package-arg handles them before.
 */
export const npmVersions: VersionScheme = {
  id: 'npm',
  isValid: (version) => PLAIN.test(version) || parse(version) !== undefined,
  compare: refusedFirst(parse, (a, b) => a.compare(b)),
  satisfies: (version, range) => parseRange(range)?.test(version) ?? false,
  isRange: (range) => parseRange(range) !== undefined,
}

/**
 * Returns the normalized version (`=v1.2.3` is `1.2.3`) if `range` is a single version, the only one that npm requests.
 */
export function findExactVersion(range: string): string | undefined {
  return parse(range)?.version
}

function parse(text: string): semver.SemVer | undefined {
  return semver.parse(text, LOOSE) ?? undefined
}

function parseRange(range: string): semver.Range | undefined {
  if (range.length > MAX_RANGE_LENGTH) return undefined
  try {
    return new semver.Range(range, LOOSE)
  } catch {
    return undefined
  }
}
