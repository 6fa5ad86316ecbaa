import type { Severity } from '../ui/severity.tsx'
import { call } from './client.ts'
import type { DepGraph } from './resources.ts'

/** Open issues of a package version of a project. */
export interface PackageIssues {
  readonly worst: Severity
  readonly count: number
}

/** Reads the resolved packages of a project, as of its last test. */
export async function readGraph(orgId: string, projectId: string): Promise<DepGraph> {
  return (await call('getProjectGraphV1', { params: { orgId, projectId } })).depGraph
}

/** Reads the open issues of a project by package, as `name@version`. */
export async function readPackageIssues(orgId: string, projectId: string): Promise<ReadonlyMap<string, PackageIssues>> {
  const body = { includeDescription: false, filters: { ignored: false } }
  const { issues } = await call('listAggregatedIssuesV1', { params: { orgId, projectId }, body })
  const issuesByPackage = new Map<string, PackageIssues>()
  // Ordered by severity, worst first.
  for (const { pkgName, pkgVersions, issueData } of issues) {
    for (const version of pkgVersions) {
      const existing = issuesByPackage.get(`${pkgName}@${version}`)
      const { worst, count } = existing ?? { worst: issueData.severity, count: 0 }
      issuesByPackage.set(`${pkgName}@${version}`, { worst, count: count + 1 })
    }
  }
  return issuesByPackage
}
