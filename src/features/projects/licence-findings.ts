import type { Severity } from '#analysis/advisories/cvss.ts'
import type { StoredGraph } from '#analysis/findings/stored-graph.ts'
import { judgeLicence, type LicenceOffence, type LicencePolicy } from '#analysis/licences/judge-licence.ts'
import { parseLicence } from '#analysis/licences/licence-expression.ts'
import { toLicenceIssueId } from '#features/package-tests/licence-issues.ts'

/** What an organisation's policy has against a licence of a package, in all of its versions in a project. */
export interface LicenceFinding {
  readonly issueId: string
  readonly severity: Severity
  readonly offence: LicenceOffence
  /** Indices into the graph's packages. */
  readonly packages: readonly number[]
}

/** Stands for a licence that nobody told. */
const UNTOLD = ''

/** How many package names have which licences; those of several versions of one package are joined by line breaks. */
export function countLicences({ packages }: StoredGraph): Record<string, number> {
  const byName = new Map<string, string | Set<string>>()
  for (let at = 1; at < packages.length; at++) {
    const { name, licence = UNTOLD } = packages[at]!
    const known = byName.get(name)
    if (known === undefined) byName.set(name, licence)
    else if (typeof known !== 'string') known.add(licence)
    else if (known !== licence) byName.set(name, new Set([known, licence]))
  }
  const counts = new Map<string, number>()
  for (const licences of byName.values()) {
    const key = typeof licences === 'string' ? licences : [...licences].sort().join('\n')
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}

/** What a policy has against the licences that are stored beside a project, without its graph. */
export type JudgeStored = (licences: Readonly<Record<string, number>>) => StoredOffences

export interface StoredOffences {
  readonly counts: Record<Severity, number>
  /** As ids of issues end; see `toLicenceIssueId`. */
  readonly idEnds: ReadonlySet<string>
}

/** For many projects, which have the same few licences. */
export function createStoredJudge(policy: LicencePolicy): JudgeStored {
  const judge = createLicenceJudge(policy)
  return (licences) => {
    const counts: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0 }
    const idEnds = new Set<string>()
    for (const [key, names] of Object.entries(licences)) {
      const offences = new Map<string | undefined, LicenceOffence>()
      for (const licence of key.split('\n')) {
        for (const offence of judge(licence)) {
          if (!offences.has(offence.licence)) offences.set(offence.licence, offence)
        }
      }
      for (const offence of offences.values()) {
        counts[offence.severity] += names
        idEnds.add(toLicenceIssueId('', '', offence).slice('lic::'.length))
      }
    }
    return { counts, idEnds }
  }
}

/** The severities of a project's licence issues. */
export function countLicenceIssues(licences: Readonly<Record<string, number>>, policy: LicencePolicy) {
  return createStoredJudge(policy)(licences).counts
}

/** One finding for each package name and licence that the policy objects to, in the order of the graph. */
export function listLicenceFindings(
  { packages }: StoredGraph,
  { policy, packageManager }: { policy: LicencePolicy | undefined; packageManager: string },
): LicenceFinding[] {
  if (policy === undefined) return []
  const judge = createLicenceJudge(policy)
  const found = new Map<string, LicenceFinding & { readonly packages: number[] }>()
  for (const [number, { name, licence }] of packages.entries()) {
    if (number === 0) continue
    for (const offence of judge(licence ?? UNTOLD)) {
      const issueId = toLicenceIssueId(packageManager, name, offence)
      const known = found.get(issueId)
      if (known) known.packages.push(number)
      else found.set(issueId, { issueId, severity: offence.severity, offence, packages: [number] })
    }
  }
  return [...found.values()]
}

/** Thousands of packages have a handful of licences. */
function createLicenceJudge(policy: LicencePolicy): (licence: string) => readonly LicenceOffence[] {
  const judged = new Map<string, readonly LicenceOffence[]>()
  return (licence) => {
    const known = judged.get(licence) ?? judgeLicence(parseLicence(licence), policy)
    judged.set(licence, known)
    return known
  }
}
