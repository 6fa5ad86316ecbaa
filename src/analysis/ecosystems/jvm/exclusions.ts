import type { Exclusion } from './pom.ts'

/** The exclusions at a place of the tree: its own and its ancestors'. Undefined for none. */
export type Exclusions = { readonly own: readonly Exclusion[]; readonly above: Exclusions } | undefined

export function withExclusions(above: Exclusions, own: readonly Exclusion[]): Exclusions {
  return own.length === 0 ? above : { own, above }
}

export function isExcluded(
  { group, artifact }: { readonly group: string; readonly artifact: string },
  exclusions: Exclusions,
): boolean {
  for (let at = exclusions; at !== undefined; at = at.above) {
    if (at.own.some((exclusion) => fits(exclusion.group, group) && fits(exclusion.artifact, artifact))) return true
  }
  return false
}

function fits(pattern: string, text: string): boolean {
  return pattern === '*' || pattern === text
}
