import type { Answer } from '../../../api/client.ts'
import { type Severity, severities } from '../../../ui/severity.tsx'

export type TestResult = Answer<'testNpm'>
export type Coverage = TestResult['coverage']
type Entry = TestResult['issues']['vulnerabilities'][number]

/** One vulnerability of one package version, with all paths to it. */
export interface Finding {
  readonly key: string
  /** The common data of all paths. */
  readonly about: Entry
  readonly paths: readonly { readonly from: readonly string[]; readonly upgrade: readonly string[] }[]
}

/** Groups the entries by vulnerability and package: the interface has one per path. */
export function toFindings({ issues }: TestResult): Finding[] {
  const byKey = new Map<string, { about: Entry; paths: Finding['paths'][number][] }>()
  for (const entry of issues.vulnerabilities) {
    const key = `${entry.id} ${entry.package}@${entry.version}`
    const finding = byKey.get(key) ?? { about: entry, paths: [] }
    finding.paths.push({ from: entry.from, upgrade: entry.upgradePath })
    byKey.set(key, finding)
  }
  return [...byKey].map(([key, finding]) => ({ key, ...finding }))
}

export function countBySeverity(findings: readonly Finding[]): Record<Severity, number> {
  const counted = severities.map(
    (severity) => [severity, findings.filter(({ about }) => about.severity === severity).length] as const,
  )
  return Object.fromEntries(counted) as Record<Severity, number>
}

/** Describes a path's fix in a sentence. */
export function describeFix(about: Entry, { from, upgrade }: Finding['paths'][number]): string {
  const parent = from.at(-2)
  const wanted = upgrade.at(-1)
  if (wanted !== undefined) {
    return parent === undefined ? `Ask for ${wanted}` : `Lock again: ${parent} already allows ${wanted}`
  }
  if (about.fixedIn.length === 0) return 'No fixed version is known'
  const fixed = `Fixed in ${nearestFix(about)}`
  return parent === undefined ? fixed : `${fixed}, which ${parent} does not allow: upgrade ${from[0]} or override`
}

/** Returns the lowest plain version above the one in use; the whole list if none can be determined. */
function nearestFix({ version, fixedIn }: Pick<Entry, 'version' | 'fixedIn'>): string {
  const byNumbers = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true })
  const above = fixedIn.filter((each) => /^[\d.]+$/.test(each) && byNumbers(each, version) > 0)
  return above.toSorted(byNumbers)[0] ?? fixedIn.join(', ')
}

/** Returns the verdict, which is never clean for an incomplete test. */
export function verdictOf(result: TestResult, findings: readonly Finding[]) {
  const { coverage, dependencyCount } = result
  const unresolved = coverage.dependencies.unresolved
  const tested = plural(dependencyCount, 'package')
  if (findings.length > 0) {
    const packages = new Set(findings.map(({ about }) => `${about.package}@${about.version}`)).size
    const rest = unresolved === 0 ? '' : `; ${plural(unresolved, 'dependency', 'dependencies')} could not be tested`
    return {
      tone: 'red',
      title: `${plural(findings.length, 'vulnerability', 'vulnerabilities')} in ${plural(packages, 'package')}`,
      words: `Tested ${tested}${rest}.`,
    } as const
  }
  if (!coverage.complete) {
    return {
      tone: 'yellow',
      title: 'No issues found, but the test is incomplete',
      words: `Tested ${tested}; ${plural(unresolved, 'dependency', 'dependencies')} could not be resolved.`,
    } as const
  }
  if (coverage.advisories.starterSet) {
    return {
      tone: 'yellow',
      title: 'No issues found in the starter set',
      words: `Tested ${tested}, but only with ${plural(coverage.advisories.records, 'advisory', 'advisories')}.`,
    } as const
  }
  return {
    tone: 'green',
    title: 'No known vulnerabilities',
    words: `Tested ${tested}, the whole project.`,
  } as const
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}
