import { schemes } from '#analysis/advisories/schemes.ts'
import { describePossible } from '#analysis/findings/match-graph.ts'
import { modulesAbove } from '#analysis/registries/go-package.ts'
import { type NamedPackage, readPackageUrl } from '#analysis/registries/package-url.ts'
import { Problem } from '#foundation/problem.ts'
import { createSlices } from '#foundation/slices.ts'
import type { OpenAdvisories } from '#scanning/advisories/open-advisories.ts'
import { type PackageIssue, toCoordinate, toPackageIssue } from './package-issue-resource.ts'

export interface RequestedPackage extends NamedPackage {
  /** The modules that may contain a Go package: their advisories name it too. */
  readonly modules: readonly string[]
}

/** Returns the package that a package URL names. Throws 400 or 422 if it cannot be matched with the advisories. */
export function findNamedPackage(purl: string, { snapshot }: OpenAdvisories): RequestedPackage {
  const result = readPackageUrl(purl)
  if ('code' in result) throw new Problem('invalid-request', result.reason)
  const { registry, package: identity } = result
  if (identity.version === '') throw new Problem('invalid-request', 'The package URL must have a version')
  if (!schemes[registry].isValid(identity.version)) {
    throw new Problem('invalid-request', `${registry} has no version of the form in the package URL`)
  }
  if (snapshot.header.registries[registry] === undefined) {
    throw new Problem('unprocessable', `There are no advisories for ${registry}; run "gatehouse advisories sync"`)
  }
  const { modules, isPackage } = registry === 'Go' ? modulesAbove(purl, identity) : { modules: [], isPackage: false }
  return { ...result, modules: isPackage ? modules : [] }
}

interface DoubtContext {
  readonly advisories: OpenAdvisories
  /** Go modules that the request also contains. */
  readonly listed: ReadonlySet<string>
}

/**
 * Lists advisories that apply if the path of a Go package URL is a package within the module, not the module itself.
 */
export function findDoubts(
  purl: string,
  { registry, package: identity }: NamedPackage,
  { advisories, listed }: DoubtContext,
): Problem[] {
  if (registry !== 'Go') return []
  const { modules, isPackage } = modulesAbove(purl, identity)
  if (isPackage || modules.some((module) => listed.has(module))) return []
  return modules.flatMap((module) => {
    const count = advisories.snapshot.affecting('Go', module, identity.version).length
    return count === 0 ? [] : new Problem('unprocessable', describePossible(module, count))
  })
}

/** Maximum number of issues in one answer; each takes a few kilobytes. */
export const MAX_ISSUES = 10_000

/**
 * Collects the issues of packages: one resource for each issue, with a coordinate for each package that has it. Lets
 * other requests run in between. Throws 413 beyond the limit.
 */
export async function collectIssues(
  packages: readonly RequestedPackage[],
  { snapshot, describe }: OpenAdvisories,
): Promise<PackageIssue[]> {
  const pause = createSlices()
  const issues = new Map<string, PackageIssue>()
  let coordinates = 0
  for (const requested of packages) {
    const { registry, package: identity, modules } = requested
    const own = new Set<string>()
    for (const name of [identity.name, ...modules]) {
      for (const match of snapshot.affecting(registry, name, identity.version)) {
        await pause()
        const facts = describe(match, { registry, name })
        if (own.has(facts.id)) continue
        own.add(facts.id)
        if (++coordinates > MAX_ISSUES) {
          throw new Problem('too-large', `These packages have more than ${MAX_ISSUES} issues; send fewer packages`)
        }
        const issue = issues.get(facts.id) ?? toPackageIssue(facts)
        issues.set(facts.id, issue)
        issue.attributes.coordinates.push(toCoordinate(facts, requested))
      }
    }
  }
  return [...issues.values()]
}
