import { describeFix as describeInWords, toUpgrade } from '../../../../src/analysis/findings/describe-fix.ts'
import type { Answer } from '../../../api/client.ts'
import { type Severity, severities } from '../../../ui/severity.tsx'
import { countOf, upperFirst } from '../../../ui/words.ts'

export type TestResult = Answer<'testNpm'>
export type Coverage = TestResult['coverage']
type Entry = TestResult['issues']['vulnerabilities'][number]

/** One vulnerability of one package version, with all paths to it. */
export interface Finding {
  readonly key: string
  /** The common data of all paths. */
  readonly about: Entry
  readonly paths: readonly Entry[]
  readonly packageManager: string
}

type TreeResult = Answer<'testFiles'>
type ReferringResult = NonNullable<TreeResult['projects'][number]['result']>

/** Adds the details of vulnerabilities, which an answer of many projects has once. */
export function withDetails(result: ReferringResult, advisories: TreeResult['advisories']): TestResult {
  const vulnerabilities = result.issues.vulnerabilities.map((vulnerability) => ({
    ...vulnerability,
    ...(advisories[vulnerability.id] ?? { description: '', credit: [], references: [] }),
  }))
  return { ...result, issues: { ...result.issues, vulnerabilities } }
}

/** Groups the entries by vulnerability and package: the interface has one per path. */
export function toFindings({ issues, packageManager }: TestResult): Finding[] {
  const byKey = new Map<string, { about: Entry; paths: Entry[] }>()
  for (const entry of issues.vulnerabilities) {
    const key = `${entry.id} ${entry.package}@${entry.version}`
    const finding = byKey.get(key) ?? { about: entry, paths: [] }
    finding.paths.push(entry)
    byKey.set(key, finding)
  }
  return [...byKey].map(([key, finding]) => ({ key, packageManager, ...finding }))
}

export function countBySeverity(findings: readonly Finding[]): Record<Severity, number> {
  const counted = severities.map(
    (severity) => [severity, findings.filter(({ about }) => about.severity === severity).length] as const,
  )
  return Object.fromEntries(counted) as Record<Severity, number>
}

/** Describes the fix on one path in a sentence. */
export function describeFix(path: Entry, { packageManager }: Finding): string {
  const { package: name, version, nearestFixedInVersion, pin, isPinnable } = path
  const pinned = { from: `${name}@${version}`, to: `${name}@${pin?.version}`, kind: 'pin' } as const
  const upgrade = isPinnable ? pinned : toUpgrade(path)
  const facts = { package: name, packageManager, nearestFix: nearestFixedInVersion, upgrades: [upgrade] }
  return upperFirst(describeInWords(facts))
}

/** Returns the verdict, which is never clean for an incomplete test. */
export function verdictOf(result: TestResult, findings: readonly Finding[]) {
  const { coverage, dependencyCount } = result
  const unresolved = coverage.dependencies.unresolved
  const tested = countOf(dependencyCount, 'package')
  if (findings.length > 0) {
    const packages = new Set(findings.map(({ about }) => `${about.package}@${about.version}`)).size
    const rest = unresolved === 0 ? '' : `; ${countOf(unresolved, 'dependency', 'dependencies')} could not be tested`
    return {
      tone: 'red',
      title: `${countOf(findings.length, 'vulnerability', 'vulnerabilities')} in ${countOf(packages, 'package')}`,
      words: `Tested ${tested}${rest}.`,
    } as const
  }
  if (!coverage.complete) {
    return {
      tone: 'yellow',
      title: 'No issues found, but the test is incomplete',
      words: `Tested ${tested}; ${countOf(unresolved, 'dependency', 'dependencies')} could not be resolved.`,
    } as const
  }
  if (coverage.advisories.starterSet) {
    return {
      tone: 'yellow',
      title: 'No issues found in the starter set',
      words: `Tested ${tested}, but only with ${countOf(coverage.advisories.records, 'advisory', 'advisories')}.`,
    } as const
  }
  return {
    tone: 'green',
    title: 'No known vulnerabilities',
    words: `Tested ${tested}, the whole project.`,
  } as const
}
