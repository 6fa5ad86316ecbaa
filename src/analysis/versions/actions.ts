import { parse as parseSemver, type SemVer } from 'semver'
import { npmVersions } from './npm.ts'
import { refusedFirst } from './refused-first.ts'
import type { VersionScheme } from './version-scheme.ts'

const NUMBERS = /^v?(\d{1,15})(?:\.(\d{1,15}))?(?:\.(\d{1,15}))?((?:[-+][\w.+-]*)?)$/
/** A version of three numbers, as release tags and the comments behind commits have it. */
const RELEASE = /(?<![\w./-])v?\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?(?![\w./-])/

/**
 * Versions of GitHub Actions: Semantic Versioning, with an optional `v` and missing numbers as zero, since advisories
 * also name major versions. A range is the reference of a workflow: a tag, or a commit with its version in a comment.
 */
export const actionsVersions: VersionScheme = {
  id: 'actions',
  isValid: (version) => parseVersion(version) !== undefined,
  compare: refusedFirst(parseVersion, (a, b) => a.compare(b)),
  satisfies(version, range) {
    const parsed = parseVersion(version)
    if (parsed === undefined) return false
    const release = parseVersion(findRelease(range) ?? '')
    return /^[<>=^~*]/.test(range) || release === undefined
      ? npmVersions.satisfies(parsed.version, range)
      : release.compare(parsed) === 0
  },
  isRange: (range) => findRelease(range) !== undefined || npmVersions.isRange(range),
}

/** Returns the version of three numbers in a tag or in a comment. */
export function findRelease(text: string): string | undefined {
  return RELEASE.exec(text)?.[0]
}

function parseVersion(text: string): SemVer | undefined {
  const [, major, minor = '0', patch = '0', rest = ''] = NUMBERS.exec(text) ?? []
  if (major === undefined) return undefined
  const plain = [major, minor, patch].map((part) => part.replace(/^0+(?=\d)/, '')).join('.')
  return parseSemver(`${plain}${rest}`) ?? undefined
}
