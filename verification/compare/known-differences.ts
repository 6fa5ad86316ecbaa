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
  known: readonly KnownDifference[] = knownDifferences,
): Explanation {
  const ours = known.filter(
    (each) => each.ecosystem === ecosystem && each.reference === reference && (each.project ?? project) === project,
  )
  const byReason = new Map<string, string[]>()
  const used = new Set<KnownDifference>()
  const unexplained = lines.filter((line) => {
    const found = ours.filter((each) => appliesTo(each, line))
    for (const each of found) used.add(each)
    const [first] = found
    if (first !== undefined) byReason.set(first.reason, [...(byReason.get(first.reason) ?? []), line])
    return first === undefined
  })
  return { byReason, unexplained, outdated: ours.filter((each) => each.project !== undefined && !used.has(each)) }
}

function appliesTo({ packages = [], pattern }: KnownDifference, line: string): boolean {
  if (pattern !== undefined && new RegExp(pattern).test(line)) return true
  return line.split(' → ').some((label) => packages.includes(label))
}
