import { severities, toSeverity } from '#analysis/findings/known-issue.ts'
import { type Condition, compileConditions } from '#analysis/findings/policy-conditions.ts'
import {
  type IssueAffecting,
  listMatchingIssues,
  listMatchingProjects,
  listOpenProjects,
  listOtherPackages,
  listProjectsWith,
} from '#features/issue-index/policies/affected-store.ts'
import { listGovernedOrgs } from '#features/issue-index/policies/rounds-store.ts'
import type { Db } from '#foundation/db/database.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import type { PolicyAction } from './parse-policy.ts'
import type { PolicyPreview } from './resource.ts'

const FIRST = 10

interface PolicyInput {
  readonly conditions: readonly Condition[]
  readonly action: Pick<PolicyAction, 'severity'>
  readonly now: number
}

interface Affected {
  readonly id: string
  readonly name: string
  readonly severity: number
  readonly projects: number
}

/** Counts the open issues that a policy would hide or whose severity it would set. Changes nothing. */
export async function previewPolicy(
  db: Db,
  owner: OrgOrGroup,
  { conditions, action, now }: PolicyInput,
): Promise<PolicyPreview> {
  const matcher = compileConditions(conditions)
  const all = new Set<number>()
  const affected = new Map<string, Affected>()
  for (const { orgId, orgNumber } of await listGovernedOrgs(db, { owner_id: owner.orgId ?? owner.groupId })) {
    const among = matcher.testsProject ? await listMatchingProjects(db, orgId, matcher) : undefined
    const issues = await listMatchingIssues(db, orgNumber, matcher)
    for (const [issueId, own] of Map.groupBy(issues, (issue) => issue.issueId)) {
      const packages = own.map(({ packageNumber }) => packageNumber)
      const projects = await listAffectedIn(db, { orgNumber, issueId, packages }, { action, among, now })
      if (projects.size === 0) continue
      for (const number of projects) all.add(number)
      const before = affected.get(issueId)
      const severity = Math.max(before?.severity ?? 0, ...own.map((issue) => issue.shownSeverity))
      affected.set(issueId, {
        id: issueId,
        name: own[0]!.title,
        severity,
        projects: projects.size + (before?.projects ?? 0),
      })
    }
  }
  const worst = [...affected.values()].sort((a, b) => b.severity - a.severity || b.projects - a.projects)
  const countOf = (severity: number) => worst.filter((entry) => entry.severity === severity).length
  const [low, medium, high, critical] = severities.map((_, at) => countOf(at + 1)) as [number, number, number, number]
  return {
    vulnerabilities: worst.length,
    issues: worst.reduce((sum, { projects }) => sum + projects, 0),
    projects: all.size,
    severities: { critical, high, medium, low },
    first: worst.slice(0, FIRST).map((entry) => ({ ...entry, severity: toSeverity(entry.severity) })),
    is_complete: matcher.paths === undefined,
  }
}

/**
 * Lists the projects in which a policy that matches these packages would hide an issue, or set its severity. It hides an
 * issue only if it matches all packages of the project with the issue.
 */
async function listAffectedIn(
  db: Db,
  issue: IssueAffecting,
  { action, among, now }: Omit<PolicyInput, 'conditions'> & { readonly among: ReadonlySet<number> | undefined },
): Promise<Set<number>> {
  const projects = new Set<number>()
  for await (const some of listOpenProjects(db, issue, now)) {
    for (const number of some) if (among?.has(number) ?? true) projects.add(number)
  }
  if (action.severity !== null) return projects
  for (const packageNumber of await listOtherPackages(db, issue)) {
    for await (const some of listProjectsWith(db, issue.orgNumber, packageNumber)) {
      for (const number of some) projects.delete(number)
    }
  }
  return projects
}
