import type { Reading } from '#analysis/ecosystems/ecosystem.ts'
import { isImported } from '#analysis/findings/imported.ts'
import type { TestContext } from './context.ts'
import type { NotImported } from './test-result.ts'
import { toUrl, type VulnerabilityIssue } from './vulnerabilities.ts'

/** Vulnerabilities by whether the project has an affected package of the module. */
export interface SplitIssues {
  readonly imported: readonly VulnerabilityIssue[]
  readonly notImported: NotImported[]
}

/**
 * Separates vulnerabilities in packages that the project's files do not list. Stored projects keep all of them: their
 * issues are those of the package version, which projects share.
 */
export function splitByImports(
  issues: readonly VulnerabilityIssue[],
  { graph }: Reading,
  { task }: TestContext,
): SplitIssues {
  if (task.form === 'project') return { imported: issues, notImported: [] }
  const { imported = [], others = [] } = Object.groupBy(issues, ({ affected, facts }) => {
    const nodes = affected.nodes.map((index) => graph.nodes[index]!)
    const imports = { module: affected.advisoryName, packages: facts.packages }
    return isImported(imports, nodes) ? 'imported' : 'others'
  })
  return { imported, notImported: others.map(toNotImported) }
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
