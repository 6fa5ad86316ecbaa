import { compareNaturals, compareText, toNatural } from '#analysis/versions/naturals.ts'

/** Words ordered above all others and below numbers. */
const SPECIAL = ['rc', 'snapshot', 'final', 'ga', 'release', 'sp']

/**
 * Compares versions in Gradle's order ("Declaring versions and ranges", version ordering): parts are split at `. - _ +`
 * and between digits and letters; numbers come after words, `dev` before all words. An extra number makes a version
 * newer, an extra word older.
 */
export function compareGradleVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)]
  for (let at = 0; at < Math.max(left.length, right.length); at++) {
    const [one, other] = [left[at], right[at]]
    if (one === undefined) return isNumber(other!) ? -1 : 1
    if (other === undefined) return isNumber(one) ? 1 : -1
    const difference = compareParts(one, other)
    if (difference !== 0) return difference
  }
  return 0
}

function partsOf(version: string): string[] {
  return version.match(/\d+|[^\d._+-]+/g) ?? []
}

function isNumber(part: string): boolean {
  return /^\d/.test(part)
}

function compareParts(a: string, b: string): number {
  if (isNumber(a) !== isNumber(b)) return isNumber(a) ? 1 : -1
  if (isNumber(a)) return compareNaturals(toNatural(a), toNatural(b))
  return rankOf(a) - rankOf(b) || (rankOf(a) === 0 ? compareText(a, b) : 0)
}

function rankOf(word: string): number {
  const lower = word.toLowerCase()
  return lower === 'dev' ? -1 : SPECIAL.indexOf(lower) + 1
}
