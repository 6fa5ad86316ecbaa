import { compareNaturals, compareText, isNumeric, type Natural } from './naturals.ts'

/** A version of SemVer 2.0. Build metadata does not affect the precedence and is dropped. */
export interface SemanticVersion {
  readonly numbers: readonly [Natural, Natural, Natural]
  readonly prerelease: readonly string[]
}

const VERSION =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*))?(?:\+[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*)?$/

/** Parses a version strictly by SemVer 2.0. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const [, major, minor, patch, suffix] = VERSION.exec(text) ?? []
  if (major === undefined) return undefined
  const prerelease = toPrerelease(suffix)
  return prerelease && { numbers: [major, minor!, patch!], prerelease }
}

/** Splits the identifiers of a pre-release; undefined if a number has leading zeros (SemVer 2.0, rule 9). */
export function toPrerelease(suffix: string | undefined): readonly string[] | undefined {
  const identifiers = suffix?.split('.') ?? []
  const hasLeadingZero = identifiers.some((text) => text.length > 1 && text.startsWith('0') && isNumeric(text))
  return hasLeadingZero ? undefined : identifiers
}

/** Compares by precedence (SemVer 2.0, rule 11). */
export function compareSemanticVersions(a: SemanticVersion, b: SemanticVersion): number {
  return (
    compareNaturals(a.numbers[0], b.numbers[0]) ||
    compareNaturals(a.numbers[1], b.numbers[1]) ||
    compareNaturals(a.numbers[2], b.numbers[2]) ||
    comparePrereleases(a.prerelease, b.prerelease)
  )
}

export function comparePrereleases(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = compareIdentifiers(a[i]!, b[i]!)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

function compareIdentifiers(a: string, b: string): number {
  const isNumber = isNumeric(a)
  if (isNumber !== isNumeric(b)) return isNumber ? -1 : 1
  return isNumber ? compareNaturals(a, b) : compareText(a, b)
}
