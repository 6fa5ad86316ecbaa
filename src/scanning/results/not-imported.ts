import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { digestOfImports, isImported, type NotImportedIds } from '#analysis/findings/imported.ts'
import type { NotImported } from './test-result.ts'
import { toUrl, type VulnerabilityIssue } from './vulnerabilities.ts'

/** Vulnerabilities by whether the project has an affected package of the module. */
export interface SplitIssues {
  readonly imported: readonly VulnerabilityIssue[]
  readonly notImported: NotImported[]
}

/** Separates vulnerabilities in packages that the project's files do not list. */
export function splitByImports(issues: readonly VulnerabilityIssue[], { graph }: Reading): SplitIssues {
  const { imported = [], others = [] } = Object.groupBy(issues, ({ affected, facts }) => {
    const nodes = affected.nodes.map((index) => graph.nodes[index]!)
    const imports = { module: affected.advisoryName, packages: facts.packages }
    return isImported(imports, nodes) ? 'imported' : 'others'
  })
  return { imported, notImported: others.map(toNotImported) }
}

/** Limit for each package of a stored project, so that the package's key stays short; the rest are issues. */
const MAX_STORED = 40

/** Returns the judgments that are stored with packages, by `name@version`. */
export function toJudgments(notImported: readonly NotImported[]): ReadonlyMap<string, NotImportedIds> {
  const byPackage = Map.groupBy(notImported, ({ package: name, version }) => `${name}@${version}`)
  const judge = (own: readonly NotImported[]) =>
    own
      .map(({ id, imports }) => [id, digestOfImports(imports)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .slice(0, MAX_STORED)
  return new Map([...byPackage].map(([label, own]) => [label, Object.fromEntries(judge(own))]))
}

function toNotImported({ affected, facts }: VulnerabilityIssue): NotImported {
  const { name, version } = affected.package
  return {
    id: facts.id,
    url: toUrl(facts),
    title: facts.title,
    severity: facts.severity,
    package: name,
    version,
    imports: [...(facts.packages ?? [])],
    fixedIn: [...facts.fixedIn],
  }
}
