import { splitName, type Upgrade } from '#analysis/findings/describe-fix.ts'
import { listFindings } from './findings.ts'
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
 * all. An issue with several dependency paths counts if one upgrade is the advice for each of them. An upgrade in
 * another project of the repository is left to that project if it was tested.
 */
export function findBestUpgrades(projects: readonly TestedProject[], compare: CompareVersions): BestUpgrade[] {
  const all = projects.flatMap((project) => ofProject(project, compare))
  const declared = new Set(all.flatMap(({ kind, from }) => (kind === 'direct' ? [from] : [])))
  return all
    .filter(({ kind, from }) => kind !== 'module' || !declared.has(from))
    .sort((a, b) => b.fixes - a.fixes || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

function ofProject(project: TestedProject, compare: CompareVersions): BestUpgrade[] {
  const best = new Map<string, { readonly upgrade: Upgrade; readonly fixes: number }>()
  for (const { upgrades } of listFindings(project)) {
    const [first] = upgrades
    if (first === undefined || upgrades.some((upgrade) => upgrade?.from !== first.from)) continue
    const { upgrade = first, fixes = 0 } = best.get(first.from) ?? {}
    const highest = upgrades.reduce<Upgrade>((one, other) => higher(one, other!), upgrade)
    const kind = upgrade.kind === 'direct' ? first.kind : upgrade.kind
    best.set(first.from, { upgrade: { ...highest, kind }, fixes: fixes + 1 })
  }
  const { path, packageManager } = project
  return [...best.values()].map(({ upgrade, fixes }) => ({ path, packageManager, ...upgrade, fixes }))

  function higher(one: Upgrade, other: Upgrade): Upgrade {
    const order = compare(project.packageManager, splitName(one.to).version, splitName(other.to).version)
    return order >= 0 ? one : other
  }
}
