import type { Severity } from '#analysis/advisories/cvss.ts'
import { parsePackage } from '#analysis/discovery/policy-files/ignore-path.ts'
import type { Advice, StoredGraph } from '#analysis/findings/stored-graph.ts'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'

/** A change of one package that fixes open issues of a project. */
export interface Upgrade {
  readonly package: string
  readonly from: string
  readonly to: string
  /** Number of issues, including critical ones. */
  readonly fixes: number
  readonly critical: number
}

interface Tested {
  readonly graph: StoredGraph
  readonly advice: readonly Advice[]
  /** Severities of open issues by id. */
  readonly open: ReadonlyMap<string, Severity>
  readonly versions: VersionScheme
}

/** Lists the upgrades that a test advises. Of several versions of one package, the highest includes the others. */
export function listUpgrades({ graph, advice, open, versions }: Tested): Upgrade[] {
  const upgrades = new Map<string, { to: string; issueIds: Set<string> }>()
  for (const recommendation of advice) {
    if (!open.has(recommendation.issueId)) continue
    for (const [from, to] of changesOf(recommendation, { graph, versions })) {
      const existing = upgrades.get(from) ?? { to, issueIds: new Set() }
      existing.issueIds.add(recommendation.issueId)
      if (versions.compare(to, existing.to) > 0) existing.to = to
      upgrades.set(from, existing)
    }
  }
  return [...upgrades].map(([text, { to, issueIds }]) => {
    const { name, version } = parsePackage(text)
    const critical = [...issueIds].filter((id) => open.get(id) === 'critical').length
    return { package: name, from: version, to, fixes: issueIds.size, critical }
  })
}

/** Returns the advised versions of packages (`name@version`): direct ones, or otherwise the affected package itself. */
function changesOf(advice: Advice, { graph, versions }: Pick<Tested, 'graph' | 'versions'>): Map<string, string> {
  const changes = new Map<string, string>()
  for (const [at, [from]] of advice.upgradedPaths.entries()) {
    const to = advice.upgradePaths[at]?.[0]
    // Without a change of a direct dependency, the next resolution applies the fix.
    if (from !== undefined && to !== undefined && from !== to) changes.set(from, parsePackage(to).version)
  }
  const affected = graph.packages[advice.package]
  if (advice.isUpgradable || !affected) return changes
  const pin = findOwnPin(advice, affected.version, versions)
  if (pin !== undefined) changes.set(`${affected.name}@${affected.version}`, pin)
  return changes
}

/** Returns the smallest pin that fixes this issue: the pins are those of all issues of the package. */
function findOwnPin({ pins = [], fixedIn }: Advice, version: string, versions: VersionScheme): string | undefined {
  const exact = pins.find((pin) => fixedIn.includes(pin))
  const later = fixedIn.filter((fix) => versions.compare(fix, version) > 0)
  return exact ?? pins.find((pin) => later.some((fix) => versions.compare(pin, fix) >= 0))
}
