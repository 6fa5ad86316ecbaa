import { parsePackage } from '#analysis/discovery/policy-files/ignore-path.ts'
import { createIgnoreJudge, type Fixes, NO_FIXES, rulesFor } from '#analysis/findings/ignore-rules.ts'
import type { Services } from '#foundation/services.ts'
import { type IgnoreRow, listEffectiveIgnores } from '../issue-index/ignores/ignored-store.ts'
import { toFixes, toRule } from '../issue-index/ignores/rejudge-ignores.ts'
import type { IssuePlace, ProjectIssue, ReadIssues } from './project-issues.ts'

/** Unexpired ignores by issue id. */
export type IgnoresByIssue = ReadonlyMap<string, readonly IgnoreRow[]>

export async function listIgnoresByIssue(
  { db, now }: Pick<Services, 'db' | 'now'>,
  projectNumber: number,
  issues: readonly Pick<ProjectIssue, 'id'>[],
): Promise<IgnoresByIssue> {
  const query = { projectNumbers: [projectNumber], issueIds: issues.map(({ id }) => id), now: now() }
  return Map.groupBy(await listEffectiveIgnores(db, query), ({ issue_id }) => issue_id)
}

type Judged = Pick<ReadIssues, 'graph' | 'manager'>

/** Returns the ignores that match one path, given as `name@version` from the direct dependency down. */
export function ignoresOfPath(
  { manager: { registry } }: Pick<ReadIssues, 'manager'>,
  { issue, ignores }: { issue: Pick<ProjectIssue, 'id' | 'type'>; ignores: IgnoresByIssue },
  { place, path }: { place: Pick<IssuePlace, 'judgedBy'>; path: readonly string[] },
): readonly IgnoreRow[] {
  const rows = ignores.get(issue.id) ?? []
  if (rows.length === 0) return []
  const rules = rows.map((row) => ({ ...toRule(row), row }))
  const on = { path: path.map(parsePackage), fixes: fixesOf(issue, place), registry }
  return rulesFor(rules, on).map(({ row }) => row)
}

function fixesOf({ type }: Pick<ProjectIssue, 'type'>, { judgedBy }: Pick<IssuePlace, 'judgedBy'>): Fixes {
  return type === 'license' ? NO_FIXES : toFixes(judgedBy)
}

/**
 * Returns true if every path through one direct dependency is ignored; `direct` and places are package indices.
 * Undecidable within limits counts as not ignored.
 */
export function isIgnoredThrough(
  { graph, manager }: Judged,
  { issue, ignores }: { issue: ProjectIssue; ignores: IgnoresByIssue },
  { direct, places }: { direct: number; places: readonly IssuePlace[] },
): boolean {
  if (issue.isIgnored) return true
  const rows = ignores.get(issue.id) ?? []
  if (rows.length === 0) return false
  const { packages, nodes } = graph
  const [root, ...others] = nodes
  const edges = root!.edges.filter((node) => nodes[node]!.package === direct)
  const judge = createIgnoreJudge({ packages, nodes: [{ ...root!, edges }, ...others] }, manager.registry)
  const reached = new Set(edges)
  for (const node of reached) for (const to of nodes[node]!.edges) if (to !== 0) reached.add(to)
  const there = new Set([...reached].map((node) => nodes[node]!.package))
  const { name, version } = packages[direct]!
  const matches = places
    .filter((place) => there.has(place.package))
    .map((place) => {
      const fixes = fixesOf(issue, place)
      const isThrough = ([first]: Fixes['upgradable'][number]) => first?.name === name && first.version === version
      return { package: place.package, ...fixes, upgradable: fixes.upgradable.filter(isThrough) }
    })
  return judge.ignoredUntil(matches, rows.map(toRule)) !== undefined
}
