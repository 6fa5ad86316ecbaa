import { compareNaturals, type Natural, toNatural } from './naturals.ts'

/** A version of Semantic Versioning 2.0.0. */
export interface SemanticVersion {
  /** Major, minor and patch. */
  readonly numbers: readonly [Natural, Natural, Natural]
  /** The identifiers of a pre-release; empty for a release. */
  readonly pre: readonly string[]
  /** The identifiers of the build. */
  readonly build: readonly string[]
}

const IDENTIFIERS = String.raw`[\dA-Za-z-]+(?:\.[\dA-Za-z-]+)*`
const VERSION = new RegExp(String.raw`^(\d+)\.(\d+)\.(\d+)(?:-(${IDENTIFIERS}))?(?:\+(${IDENTIFIERS}))?$`)

/** Parses a version; leading zeros are allowed. */
export function parseSemanticVersion(text: string): SemanticVersion | undefined {
  const [match, major = '', minor = '', patch = '', pre, build] = VERSION.exec(text) ?? []
  if (match === undefined) return undefined
  return {
    numbers: [toNatural(major), toNatural(minor), toNatural(patch)],
    pre: pre?.split('.') ?? [],
    build: build?.split('.') ?? [],
  }
}

export function compareNumbers({ numbers: a }: SemanticVersion, { numbers: b }: SemanticVersion): number {
  return compareNaturals(a[0], b[0]) || compareNaturals(a[1], b[1]) || compareNaturals(a[2], b[2])
}

/** Compares lists of identifiers: at the first difference, an absent one comes first. */
export function compareIdentifiers(
  a: readonly string[],
  b: readonly string[],
  compareOne: (a: string, b: string) => number,
): number {
  for (let at = 0; at < a.length && at < b.length; at++) {
    const difference = compareOne(a[at]!, b[at]!)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}
