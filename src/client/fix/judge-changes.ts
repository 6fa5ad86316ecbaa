import type { CompareVersions } from '../best-upgrades.ts'
import { splitName } from '../findings.ts'
import type { ProjectToFix } from './project-to-fix.ts'
import type { FixableIssue } from './remedies.ts'
import type { FoundIssue, OpenDependency, Resolved } from './resolve-changes.ts'

/** Package managers that install one version of each package. */
const ONE_VERSION = ['pip', 'poetry', 'uv', 'pipenv', 'pyproject', 'maven', 'gradle', 'sbt', 'gomodules', 'rubygems']

/** Lists what the changed project cannot resolve and could resolve before. */
export function listConflicts(before: Resolved, after: Resolved): OpenDependency[] {
  const toKey = ({ name, code, requiredBy }: OpenDependency) => JSON.stringify([name, code, splitName(requiredBy).name])
  const existing = new Set(before.unresolved.map(toKey))
  return after.unresolved.filter((dependency) => !existing.has(toKey(dependency)))
}

export function describeConflict({ name, range, reason, requiredBy }: OpenDependency): string {
  return `${requiredBy} requires ${name}${range === '' ? '' : ` ${range}`}: ${reason}`
}

/** Finds a package that gets an older version, where each package has one. */
export function findDowngrade(
  { tested: { packageManager } }: ProjectToFix,
  { before, after }: { before: Resolved; after: Resolved },
  compare: CompareVersions,
): string | undefined {
  if (!ONE_VERSION.includes(packageManager)) return undefined
  for (const [name, [version]] of after.versions) {
    const [existing] = before.versions.get(name) ?? []
    if (existing === undefined || version === undefined) continue
    if (compare(packageManager, version, existing) < 0) return `it would lower ${name} from ${existing} to ${version}`
  }
  return undefined
}

/** Returns true if no version of the package has the issue that had it not before. */
export function isGone(issue: FixableIssue, project: ProjectToFix, { issues }: Resolved): boolean {
  const remaining = issues.filter(({ id, package: name }) => id === issue.id && name === issue.package)
  const before = new Set(
    project.issues
      .filter(({ id, package: name }) => id === issue.id && name === issue.package)
      .map((issue) => issue.version),
  )
  return remaining.every(({ version }) => version !== issue.version && before.has(version))
}

/** Lists the issues of packages that had them neither in the tested project nor in its resolution. */
export function listAdded(project: ProjectToFix, before: Resolved, after: Resolved): FoundIssue[] {
  const toKey = ({ id, package: name }: FoundIssue) => JSON.stringify([id, name])
  const existing = new Set([...project.issues, ...before.issues].map(toKey))
  const added = after.issues.filter((issue) => !existing.has(toKey(issue)))
  return [...new Map(added.map((issue) => [JSON.stringify([issue.id, issue.package, issue.version]), issue])).values()]
}

/** Counts issues of packages, whatever the number of paths. */
export function countIssues({ issues }: Resolved): number {
  return new Set(issues.map(({ id, package: name, version }) => JSON.stringify([id, name, version]))).size
}
