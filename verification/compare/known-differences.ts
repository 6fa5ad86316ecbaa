import { readFileSync } from 'node:fs'
import path from 'node:path'

/** Packages over which we and a reference differ on a real project, for a reason. */
export interface KnownDifference {
  readonly ecosystem: string
  readonly reference: string
  /** Undefined: in any project. */
  readonly project?: string
  /** As `name@version`. */
  readonly packages?: readonly string[]
  /** An expression that a differing line matches, where there are too many to list. */
  readonly pattern?: string
  readonly reason: string
}

export interface Differing {
  readonly ecosystem: string
  readonly reference: string
  readonly project: string
  /** Lines that only one side has: a package, or an edge `package → package`. */
  readonly lines: readonly string[]
}

export interface Explanation {
  /** Lines by the reason they are different for. */
  readonly byReason: ReadonlyMap<string, readonly string[]>
  readonly unexplained: readonly string[]
  /** Known differences of this project that no longer occur. */
  readonly outdated: readonly KnownDifference[]
}

export const knownDifferences = JSON.parse(
  readFileSync(path.join(import.meta.dirname, 'known-differences.json'), 'utf8'),
) as readonly KnownDifference[]

export function explain(
  { ecosystem, reference, project, lines }: Differing,
  existing: readonly KnownDifference[] = knownDifferences,
): Explanation {
  const own = existing.filter(
    (difference) =>
      difference.ecosystem === ecosystem &&
      difference.reference === reference &&
      (difference.project ?? project) === project,
  )
  const byReason = new Map<string, string[]>()
  const used = new Set<KnownDifference>()
  const unexplained = lines.filter((line) => {
    const matches = own.filter((difference) => appliesTo(difference, line))
    for (const match of matches) used.add(match)
    const [first] = matches
    if (first !== undefined) byReason.set(first.reason, [...(byReason.get(first.reason) ?? []), line])
    return first === undefined
  })
  return {
    byReason,
    unexplained,
    outdated: own.filter((difference) => difference.project !== undefined && !used.has(difference)),
  }
}

function appliesTo({ packages = [], pattern }: KnownDifference, line: string): boolean {
  if (pattern !== undefined && new RegExp(pattern).test(line)) return true
  return line.split(' → ').some((label) => packages.includes(label))
}
