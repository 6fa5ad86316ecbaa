import { schemes } from '#analysis/advisories/schemes.ts'
import { type NamedPackage, readPackageUrl } from '#analysis/registries/package-url.ts'
import { Problem } from '#foundation/problem.ts'
import { createSlices } from '#foundation/slices.ts'
import type { OpenAdvisories } from '#scanning/advisories/open-advisories.ts'
import { type PackageIssue, toCoordinate, toPackageIssue } from './package-issue-resource.ts'

/** Returns the package of a package URL that can be held against the advisories. Throws 400 or 422. */
export function findNamedPackage(purl: string, { snapshot }: OpenAdvisories): NamedPackage {
  const found = readPackageUrl(purl)
  if ('code' in found) throw new Problem('invalid-request', found.reason)
  const { registry, package: named } = found
  if (named.version === '') throw new Problem('invalid-request', 'The package URL must have a version')
  if (!schemes[registry].isValid(named.version)) {
    throw new Problem('invalid-request', `${registry} cannot have a version like the one of the package URL`)
  }
  if (snapshot.header.registries[registry] === undefined) {
    throw new Problem('unprocessable', `There are no advisories for ${registry}; run "gatehouse advisories sync"`)
  }
  return found
}

/** Issues in one answer: each takes a few kilobytes. */
export const MAX_ISSUES = 10_000

/**
 * Collects the issues of packages: one resource for each issue, with a coordinate for each package that has it. Lets
 * other requests run in between. Throws 413 beyond the limit.
 */
export async function collectIssues(
  packages: readonly NamedPackage[],
  { snapshot, describe }: OpenAdvisories,
): Promise<PackageIssue[]> {
  const pause = createSlices()
  const issues = new Map<string, PackageIssue>()
  let coordinates = 0
  for (const found of packages) {
    const { registry, package: named } = found
    for (const match of snapshot.affecting(registry, named.name, named.version)) {
      await pause()
      if (++coordinates > MAX_ISSUES) {
        throw new Problem('too-large', `These packages have more than ${MAX_ISSUES} issues; send fewer packages`)
      }
      const facts = describe(match, { registry, name: named.name })
      const issue = issues.get(facts.id) ?? toPackageIssue(facts)
      issues.set(facts.id, issue)
      issue.attributes.coordinates.push(toCoordinate(facts, found))
    }
  }
  return [...issues.values()]
}
