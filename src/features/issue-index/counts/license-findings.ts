import type { Severity } from '#analysis/advisories/cvss.ts'
import type { StoredGraph } from '#analysis/findings/stored-graph.ts'
import { judgeLicense, type LicenseOffense, type LicensePolicy } from '#analysis/licenses/judge-license.ts'
import { parseLicense } from '#analysis/licenses/license-expression.ts'
import { toLicenseIssueId } from '#scanning/results/license-issues.ts'

/** A license violation of a package, over all its versions in a project. */
export interface LicenseFinding {
  readonly issueId: string
  readonly severity: Severity
  readonly offense: LicenseOffense
  /** Indices into the graph's packages. */
  readonly packages: readonly number[]
}

/** The stored value of an unknown license. */
const UNKNOWN = ''

/** Counts package names per license; licenses of several versions of a package are joined by line breaks. */
export function countLicenses({ packages }: StoredGraph): Record<string, number> {
  const byName = new Map<string, string | Set<string>>()
  for (let at = 1; at < packages.length; at++) {
    const { name, license = UNKNOWN } = packages[at]!
    const existing = byName.get(name)
    if (existing === undefined) byName.set(name, license)
    else if (typeof existing !== 'string') existing.add(license)
    else if (existing !== license) byName.set(name, new Set([existing, license]))
  }
  const counts = new Map<string, number>()
  for (const licenses of byName.values()) {
    const key = typeof licenses === 'string' ? licenses : [...licenses].sort().join('\n')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

/** Judges the license counts stored with a project, without its graph. */
export type JudgeStored = (licenses: Readonly<Record<string, number>>) => StoredOffenses

export interface StoredOffenses {
  readonly counts: Record<Severity, number>
  /** The ends of the ids of these issues; see `toLicenseIssueId`. */
  readonly idEnds: ReadonlySet<string>
}

/** Creates a judge for many projects, which caches the few licenses that they have in common. */
export function createStoredJudge(policy: LicensePolicy): JudgeStored {
  const judge = createLicenseJudge(policy)
  return (licenses) => {
    const counts: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0 }
    const idEnds = new Set<string>()
    for (const [key, names] of Object.entries(licenses)) {
      const offenses = new Map<string | undefined, LicenseOffense>()
      for (const license of key.split('\n')) {
        for (const offense of judge(license)) {
          if (!offenses.has(offense.license)) offenses.set(offense.license, offense)
        }
      }
      for (const offense of offenses.values()) {
        counts[offense.severity] += names
        idEnds.add(toLicenseIssueId('', '', offense).slice('lic::'.length))
      }
    }
    return { counts, idEnds }
  }
}

export function countLicenseIssues(licenses: Readonly<Record<string, number>>, policy: LicensePolicy) {
  return createStoredJudge(policy)(licenses).counts
}

/** Lists one finding per package name and violating license, in the order of the graph. */
export function listLicenseFindings(
  { packages }: StoredGraph,
  { policy, packageManager }: { policy: LicensePolicy | undefined; packageManager: string },
): LicenseFinding[] {
  if (policy === undefined) return []
  const judge = createLicenseJudge(policy)
  const findings = new Map<string, LicenseFinding & { readonly packages: number[] }>()
  for (const [number, { name, license }] of packages.entries()) {
    if (number === 0) continue
    for (const offense of judge(license ?? UNKNOWN)) {
      const issueId = toLicenseIssueId(packageManager, name, offense)
      const existing = findings.get(issueId)
      if (existing) existing.packages.push(number)
      else findings.set(issueId, { issueId, severity: offense.severity, offense, packages: [number] })
    }
  }
  return [...findings.values()]
}

/** Caches the verdicts: thousands of packages have a handful of licenses. */
function createLicenseJudge(policy: LicensePolicy): (license: string) => readonly LicenseOffense[] {
  const judged = new Map<string, readonly LicenseOffense[]>()
  return (license) => {
    const offenses = judged.get(license) ?? judgeLicense(parseLicense(license), policy)
    judged.set(license, offenses)
    return offenses
  }
}
