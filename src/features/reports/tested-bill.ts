import type { GraphNode } from '#analysis/dependency-graph.ts'
import { describeUpgrade, toUpgrade, type UpgradedPath } from '#analysis/findings/describe-fix.ts'
import { isKnown, writeLicense } from '#analysis/licenses/license-expression.ts'
import { toPackageUrl } from '#analysis/registries/package-url.ts'
import { managerOf, type PackageManager } from '#scanning/reading/package-managers.ts'
import type { TestContext } from '#scanning/results/context.ts'
import type { PackageLicense } from '#scanning/results/find-licenses.ts'
import type { Tested } from '#scanning/results/result.ts'
import type { Vulnerability } from '#scanning/results/test-result.ts'
import type { Bill, BillVulnerability, Component } from './bill.ts'

export function toBill({ result, reading, licenses }: Tested, { ecosystem }: TestContext): Bill {
  const { nodes } = reading.graph
  const { name, version } = nodes[0]!.package
  const keyOf = ({ package: { name: own, version: at }, registry }: GraphNode) => {
    const isOwn = registry === undefined || registry === 'none'
    const { packageManager } = isOwn ? ecosystem : managerOf(ecosystem, registry)
    return toKey({ package: own, version: at, packageManager })
  }
  const licenseIssues = Map.groupBy(result.issues.licenses, toKey)
  const numbers = new Map(licenses.packages.map(({ distinct: entry }, at) => [keyOf(entry.node), at]))
  return {
    name,
    version,
    components: licenses.packages.map((licensed): Component => {
      const { node, package: identity } = licensed.distinct
      const issues = licenseIssues.get(keyOf(node)) ?? []
      return {
        package: identity,
        ...toPlace(node, ecosystem),
        ...toLicense(licensed),
        licenseIssues: [...new Set(issues.map(({ severity, title }) => `${severity}: ${title}`))],
      }
    }),
    nodes: nodes.map((node, at) => ({
      component: at === 0 ? -1 : numbers.get(keyOf(node))!,
      edges: node.edges.map(({ to }) => to),
    })),
    vulnerabilities: [...Map.groupBy(result.issues.vulnerabilities, ({ id }) => id).values()].map((own) =>
      toVulnerability(own, numbers),
    ),
    coverage: result.coverage,
  }
}

/** In a graph with several registries, package URLs distinguish packages of the same name. */
export function toPlace(
  { registry, package: identity }: Pick<GraphNode, 'registry' | 'package'>,
  manager: Pick<PackageManager, 'registry'>,
): Pick<Component, 'registry' | 'ref'> {
  if (registry === undefined || registry === 'none') return { registry: registry ?? manager.registry }
  return { registry, ref: toPackageUrl(registry, identity) }
}

function toLicense({ expression }: PackageLicense) {
  return expression === undefined ? {} : { license: { text: writeLicense(expression), isSpdx: isKnown(expression) } }
}

function toVulnerability(own: readonly Vulnerability[], numbers: ReadonlyMap<string, number>): BillVulnerability {
  const [first] = own as [Vulnerability]
  const upgradable = own.filter(({ isUpgradable }) => isUpgradable)
  const advice = upgradable.flatMap((vulnerability) => toAdvice(vulnerability, vulnerability.packageManager))
  const vector = [first.CVSSv3, first.CVSSv4, first.CVSSv2].find((vector) => vector !== undefined && vector !== '')
  const isRated = first.cvssScoreBasis === 'vector' && vector !== undefined
  return {
    ...first,
    rating: isRated ? { score: first.cvssScore, vector } : undefined,
    advice: [...new Set(advice)],
    components: [...new Set(own.map((vulnerability) => numbers.get(toKey(vulnerability))!))],
  }
}

export function toAdvice(path: UpgradedPath, packageManager: string): string[] {
  const upgrade = toUpgrade(path)
  return upgrade === undefined ? [] : [`${path.from.join(' > ')}: ${describeUpgrade(upgrade, packageManager)}`]
}

function toKey(issue: { readonly package: string; readonly version: string; readonly packageManager: string }): string {
  return JSON.stringify([issue.package, issue.version, issue.packageManager])
}
