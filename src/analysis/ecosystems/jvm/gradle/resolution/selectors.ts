import { compareGradleVersions } from './version-order.ts'

/** Returns true if a selector matches several versions: `1.+`, `latest.release`, `[1,2)`. */
export function isDynamic(selector: string): boolean {
  return selector.endsWith('+') || selector.startsWith('latest.') || isRange(selector)
}

/** Matches `[1,2)`, also spelled `]1,2[`. */
export function isRange(selector: string): boolean {
  return /^[[\](]/.test(selector)
}

/**
 * Matches Gradle's version selectors ("Declaring versions and ranges"): `]` before and `[` after a bound also exclude
 * it.
 */
export function matchesSelector(version: string, selector: string): boolean {
  if (selector.startsWith('latest.')) return selector === 'latest.integration' || !version.endsWith('-SNAPSHOT')
  if (selector.endsWith('+')) return version.startsWith(selector.slice(0, -1))
  if (!isDynamic(selector)) return version === selector
  const bounds = /^[[\](]\s*([^,]*?)\s*(?:,\s*([^,]*?)\s*)?[\])[]$/.exec(selector)
  if (bounds === null) return false
  const [, lower = '', upper] = bounds
  if (upper === undefined) return version === lower
  return isAbove(version, lower, selector[0] === '[') && isBelow(version, upper, selector.at(-1) === ']')
}

function isAbove(version: string, bound: string, isInside: boolean): boolean {
  if (bound === '') return true
  const difference = compareGradleVersions(version, bound)
  return difference > 0 || (difference === 0 && isInside)
}

/** Compares with an upper bound. An excluded one also excludes its pre-releases: `[1,2)` does not contain 2-rc. */
function isBelow(version: string, bound: string, isInside: boolean): boolean {
  if (bound === '') return true
  const difference = compareGradleVersions(version, bound)
  if (isInside) return difference <= 0
  return difference < 0 && !/^[._+-]?[A-Za-z]/.test(version.startsWith(bound) ? version.slice(bound.length) : '0')
}
