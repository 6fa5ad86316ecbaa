import { listFindings, splitName, type Upgrade, type UpgradeKind } from './findings.ts'
import type { TestedProject } from './test-document.ts'

/** One upgrade of a project and the number of issues that it fixes alone. */
export interface BestUpgrade extends Upgrade {
  readonly path: string
  readonly packageManager: string
  readonly fixes: number
}

/** Compares two versions of a package manager's packages. */
export type CompareVersions = (packageManager: string, one: string, other: string) => number

/**
 * Returns the upgrades that fix issues, those that fix the most first. Of one package's upgrades the highest counts for
 * all. An issue with several dependency paths counts if one upgrade is the advice for each of them.
 */
export function findBestUpgrades(projects: readonly TestedProject[], compare: CompareVersions): BestUpgrade[] {
  const all = projects.flatMap((project) => ofProject(project, compare))
  return all.sort((a, b) => b.fixes - a.fixes || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

function ofProject(project: TestedProject, compare: CompareVersions): BestUpgrade[] {
  const best = new Map<string, { to: string; kind: UpgradeKind; fixes: number }>()
  for (const { upgrades } of listFindings(project)) {
    const [first] = upgrades
    if (first === undefined || upgrades.some((each) => each?.from !== first.from)) continue
    const known = best.get(first.from) ?? { ...first, fixes: 0 }
    const highest = upgrades.reduce((to, each) => higher(to, each!.to), known.to)
    const kind = known.kind === 'direct' ? first.kind : known.kind
    best.set(first.from, { to: highest, kind, fixes: known.fixes + 1 })
  }
  const { path, packageManager } = project
  return [...best].map(([from, { to, kind, fixes }]) => ({ path, packageManager, from, to, kind, fixes }))

  function higher(one: string, other: string): string {
    const order = compare(project.packageManager, splitName(one).version, splitName(other).version)
    return order >= 0 ? one : other
  }
}
