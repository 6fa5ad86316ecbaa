import { normaliseName } from '#analysis/advisories/package-names.ts'
import type { Package } from '#analysis/dependency-graph.ts'
import { parseIgnorePath, parsePackage } from '#analysis/findings/ignore-path.ts'
import {
  createIgnoreJudge,
  FOREVER,
  type IgnoreRule,
  type IssuePlace,
  type RuleEffect,
} from '#analysis/findings/ignore-rules.ts'
import type { LicencePolicy } from '#analysis/licences/judge-licence.ts'
import { findPolicy } from '#features/licence-policies/store.ts'
import { toLicenceIssueId } from '#features/package-tests/licence-issues.ts'
import { getPackageManager, type PackageManager } from '#features/package-tests/package-managers.ts'
import type { Db } from '#foundation/db/database.ts'
import {
  findProjectOf,
  type IgnoreRow,
  listIgnores,
  listPackagesWith,
  replaceIgnored,
  saveEffect,
} from './ignored-store.ts'
import { listLicenceFindings } from './licence-findings.ts'
import { unpackAdvice, unpackGraph } from './packed-state.ts'
import type { Advice, StoredGraph } from './project-test.ts'
import { findState } from './states-store.ts'

export interface Judged {
  /** What is known against the graph's packages; `package` is an index into those. Licence issues are found here. */
  readonly issues: readonly { readonly issueId: string; readonly package: number }[]
  readonly advice: readonly Advice[]
  readonly now: number
}

/** Judges all ignores of a project by what its test just found. The project must be held. */
export async function rejudgeIgnores(
  tx: Db,
  projectNumber: number,
  graph: StoredGraph,
  { issues, advice, now }: Judged,
): Promise<void> {
  const rows = await listIgnores(tx, projectNumber, 'all')
  if (rows.length === 0) return
  const packages = Map.groupBy(issues, ({ issueId }) => issueId)
  const packagesWith = (issueId: string) => (packages.get(issueId) ?? []).map((issue) => issue.package)
  await judge(tx, projectNumber, { rows, issueIds: 'all', now, state: { graph, advice, packagesWith } })
}

/**
 * Judges a project's ignores of these issues, or of all, by its last test and what is known of its packages now: after
 * the ignores changed, or what is known did. The project must be held.
 */
export async function rejudgeStored(
  tx: Db,
  projectNumber: number,
  { issueIds, now }: { issueIds: readonly string[] | 'all'; now: number },
): Promise<void> {
  const rows = await listIgnores(tx, projectNumber, issueIds)
  if (rows.length === 0) return replaceIgnored(tx, projectNumber, { issueIds, ignored: new Map() })
  const state = await findState(tx, projectNumber)
  const graph = state ? await unpackGraph(state.graph) : NOTHING
  const advice = state ? await unpackAdvice(state.advice) : []
  const known = await listPackagesWith(tx, projectNumber, [...new Set(rows.map(({ issue_id }) => issue_id))])
  const packagesWith = (issueId: string, { registry }: PackageManager) => {
    const wanted = new Set(known.filter(({ issue_id }) => issue_id === issueId).map(textOf))
    return graph.packages.flatMap(({ name, version }, index) =>
      index > 0 && wanted.has(textOf({ name: normaliseName(registry, name), version })) ? [index] : [],
    )
  }
  await judge(tx, projectNumber, { rows, issueIds, now, state: { graph, advice, packagesWith } })
}

const NOTHING: StoredGraph = { packages: [], nodes: [] }

interface State {
  readonly graph: StoredGraph
  readonly advice: readonly Advice[]
  packagesWith(issueId: string, manager: PackageManager): readonly number[]
}

interface Judgement {
  readonly rows: readonly IgnoreRow[]
  readonly issueIds: readonly string[] | 'all'
  readonly state: State
  readonly now: number
}

async function judge(tx: Db, projectNumber: number, { rows, issueIds, state, now }: Judgement): Promise<void> {
  const project = await findProjectOf(tx, projectNumber)
  if (!project) return
  const manager = getPackageManager(project.type)
  const licences = rows.some(({ issue_id }) => isLicenceIssue(issue_id))
    ? { policy: await findPolicy(tx, project.orgId), manager }
    : undefined
  const { ignoredUntil, effectOf } = createIgnoreJudge(state.graph, manager.registry)
  const ignored = new Map<string, number>()
  const changed: Record<RuleEffect, string[]> = { applies: [], 'issue-gone': [], 'path-gone': [], fixable: [] }
  for (const [issueId, ofIssue] of Map.groupBy(rows, ({ issue_id }) => issue_id)) {
    const { there, possible } =
      licences && isLicenceIssue(issueId)
        ? licencePlaces(state.graph, issueId, licences)
        : knownPlaces(state, issueId, manager)
    const rules = ofIssue.map((row) => ({ row, rule: toRule(row) }))
    const until = ignoredUntil(
      possible,
      rules.flatMap(({ rule }) => (rule.until > now ? [rule] : [])),
    )
    if (until !== undefined) ignored.set(issueId, until)
    for (const { row, rule } of rules) {
      const effect = effectOf(rule, there)
      if (effect !== row.effect) changed[effect].push(row.id)
    }
  }
  await replaceIgnored(tx, projectNumber, { issueIds, ignored })
  for (const effect of Object.keys(changed) as RuleEffect[]) await saveEffect(tx, changed[effect], effect)
}

/** A stored path was read before it was stored. */
export function toRule(row: Pick<IgnoreRow, 'path' | 'disregard_if_fixable' | 'expires_at'>): IgnoreRule {
  const path = parseIgnorePath(row.path)
  if (typeof path === 'string') throw new Error(`a stored path of an ignore ${path}`)
  return { path, disregardIfFixable: row.disregard_if_fixable === 1, until: row.expires_at ?? FOREVER }
}

interface Places {
  /** Where the issue is. */
  readonly there: readonly IssuePlace[]
  /** Where it is or may come to be without the project being judged again. */
  readonly possible: readonly IssuePlace[]
}

function knownPlaces({ advice, packagesWith }: State, issueId: string, manager: PackageManager): Places {
  const places = packagesWith(issueId, manager).map((index): IssuePlace => {
    const told = advice.find((each) => each.issueId === issueId && each.package === index)
    return { package: index, ...toFixes(told) }
  })
  return { there: places, possible: places }
}

/** What could be done, as ignores look at it. */
export function toFixes(advice: Advice | undefined): Omit<IssuePlace, 'package'> {
  return {
    isPinnable: advice?.isPinnable ?? false,
    upgradable: advice?.upgradedPaths.map((path) => path.map(parsePackage)) ?? [],
  }
}

function isLicenceIssue(issueId: string): boolean {
  return issueId.startsWith('lic:')
}

/**
 * Licence issues come and go with the organisation's policy, and projects are not judged again for that: until when one
 * is ignored must hold whatever the policy says, so it is judged by all packages that its id can speak of.
 */
function licencePlaces(
  graph: StoredGraph,
  issueId: string,
  { policy, manager: { packageManager } }: { policy: LicencePolicy | undefined; manager: PackageManager },
): Places {
  const findings = listLicenceFindings(graph, { policy, packageManager })
  const spokenOf = graph.packages.flatMap(({ name }, index) =>
    index > 0 && issueId.startsWith(toLicenceIssueId(packageManager, name, NO_LICENCE)) ? [index] : [],
  )
  const toPlace = (index: number): IssuePlace => ({ package: index, ...toFixes(undefined) })
  const found = findings.find((finding) => finding.issueId === issueId)
  return { there: found?.packages.map(toPlace) ?? [], possible: spokenOf.map(toPlace) }
}

const NO_LICENCE = { licence: '', severity: 'low', instructions: [] } as const

function textOf({ name, version }: Package): string {
  return `${name}@${version}`
}
