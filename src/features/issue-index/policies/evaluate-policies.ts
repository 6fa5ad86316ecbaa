import { createIgnoreJudge, type IgnoreJudge, NO_FIXES } from '#analysis/findings/ignore-rules.ts'
import type { IssueFacts } from '#analysis/findings/known-issue.ts'
import type { Db } from '#foundation/db/database.ts'
import { createSlices } from '#foundation/slices.ts'
import { getPackageManager } from '#scanning/reading/package-managers.ts'
import { saveIssueCounts } from '../counts/issue-counts-store.ts'
import { listVulnerabilities, type Vulnerabilities, type Vulnerability } from '../storage/listed-issues-store.ts'
import { indicesByText, textIn } from '../storage/packages-store.ts'
import { unpackGraph } from '../storage/packed-state.ts'
import { findState } from '../storage/states-store.ts'
import { tagsOf } from './affected-store.ts'
import * as store from './effects-store.ts'
import { findPolicySet, type Policy, type PolicySet } from './policies-store.ts'

/** Evaluates all policies for some projects and counts those whose hidden issues changed. Locks: see `evaluateProjects`. */
export async function reevaluateProjects(tx: Db, numbers: readonly number[], now: number): Promise<void> {
  const { changed, read } = await evaluateProjects(tx, numbers, now)
  await saveIssueCounts(tx, { numbers: changed, read }, now)
}

interface Evaluated {
  readonly changed: readonly number[]
  readonly read: Vulnerabilities
}

/**
 * Evaluates the policies of the organizations and groups of some projects against the packages, issues and graphs stored
 * for them. Returns the projects whose ignored issues changed, whose counts must be stored next, and the vulnerabilities
 * that it read. The projects must be locked, and the lock on known issues shared.
 *
 * A policy hides an issue if its conditions hold for every package of the project that has the issue and, with paths,
 * for every path to them.
 */
export async function evaluateProjects(tx: Db, numbers: readonly number[], now: number): Promise<Evaluated> {
  const projects = [...new Map((await store.listEvaluated(tx, numbers, {})).map((row) => [Number(row.number), row]))]
  const sets = new Map<string, PolicySet>()
  for (const [, { org_id: orgId, group_id: groupId }] of projects) {
    if (!sets.has(orgId)) sets.set(orgId, await findPolicySet(tx, { orgId, groupId }))
  }
  const [effects, ends] = [await store.listEffects(tx, numbers, {}), await store.listPolicyEnds(tx, numbers, {})]
  const governed = projects.filter(([, { org_id }]) => sets.get(org_id)!.policies.length > 0)
  if (governed.length + effects.length + ends.length === 0) return { changed: [], read: new Map() }
  const read = await listVulnerabilities(
    tx,
    governed.map(([number]) => number),
  )
  const matching = createMatching()
  const current: store.Effect[] = []
  const currentEnds: store.PolicyEnd[] = []
  const pause = createSlices()
  for (const [number, project] of governed) {
    await pause()
    const set = sets.get(project.org_id)!
    const facts = { id: project.id, targetId: project.target_id, tags: tagsOf(project.tags) }
    const active = new Set(set.policies.filter((policy) => policy.until > now && policy.matchesProject(facts)))
    if (active.size === 0) continue
    const judge = createPathJudge(tx, number, project.type)
    for (const [issue_id, rows] of Map.groupBy(read.get(number)!, (row) => row.issue_id)) {
      const hiding: Policy[] = []
      for (const policy of matching(set, rows)) {
        if (active.has(policy) && (policy.paths === undefined || (await judge(policy, rows)))) hiding.push(policy)
      }
      if (hiding.length === 0) continue
      const key = { project_number: number, issue_id }
      for (const { number: policy_number } of hiding) current.push({ ...key, policy_number })
      currentEnds.push({ ...key, policy_until: Math.max(...hiding.map(({ until }) => until)) })
    }
  }
  await store.saveEffects(tx, compareEffects(effects, current))
  const changed = compareEnds(ends, currentEnds)
  await store.savePolicyEnds(tx, changed)
  return { changed: [...new Set(changed.map(({ project_number }) => project_number))], read }
}

/** Finds the policies that match all packages with an issue; each package's issue is matched once. */
function createMatching(): (set: PolicySet, rows: readonly Vulnerability[]) => readonly Policy[] {
  const cache = new Map<PolicySet, Map<string, readonly Policy[]>>()
  const matchesOf = (set: PolicySet, row: Vulnerability) => {
    const ofSet = cache.get(set) ?? new Map<string, readonly Policy[]>()
    cache.set(set, ofSet)
    const key = `${row.package_number} ${row.issue_id}`
    const { issue_id: issueId, registry, name, version } = row
    const issue = { issueId, registry, name, version, severity: Number(row.own_severity) }
    const matches = ofSet.get(key) ?? set.matching({ ...issue, facts: JSON.parse(row.facts) as IssueFacts })
    ofSet.set(key, matches)
    return matches
  }
  return (set, [first, ...others]) =>
    others.reduce(
      (common, row) => (common.length === 0 ? common : intersect(common, matchesOf(set, row))),
      matchesOf(set, first!),
    )
}

function intersect(some: readonly Policy[], others: readonly Policy[]): readonly Policy[] {
  return some.filter((policy) => others.includes(policy))
}

/** Decides conditions on paths; the graph is read for the first of them. */
function createPathJudge(tx: Db, projectNumber: number, type: string) {
  const { registry } = getPackageManager(type)
  let judging: { readonly judge: IgnoreJudge; readonly indices: ReadonlyMap<string, number[]> } | undefined
  return async ({ paths }: Policy, rows: readonly Vulnerability[]): Promise<boolean> => {
    if (!judging) {
      const state = await findState(tx, projectNumber)
      const graph = state ? await unpackGraph(state.graph) : { packages: [], nodes: [] }
      judging = { judge: createIgnoreJudge(graph, registry), indices: indicesByText(graph, registry) }
    }
    const { judge, indices } = judging
    const places = rows.flatMap((row) => indices.get(textIn(row.registry, row)) ?? [])
    return (
      places.length > 0 &&
      judge.ignoredUntil(
        places.map((index) => ({ package: index, ...NO_FIXES })),
        paths!,
      ) !== undefined
    )
  }
}

function compareEffects(before: readonly store.Effect[], current: readonly store.Effect[]) {
  const keyOf = ({ project_number, issue_id, policy_number }: store.Effect) =>
    `${project_number} ${policy_number} ${issue_id}`
  const [former, latter] = [new Map(before.map((row) => [keyOf(row), row])), new Set(current.map(keyOf))]
  return {
    added: current.filter((row) => !former.has(keyOf(row))),
    removed: [...former].flatMap(([key, row]) => (latter.has(key) ? [] : [row])),
  }
}

/** Returns the ends that changed, with 0 for issues that no policy hides any more. */
function compareEnds(before: readonly store.PolicyEnd[], current: readonly store.PolicyEnd[]): store.PolicyEnd[] {
  const keyOf = ({ project_number, issue_id }: store.PolicyEnd) => `${project_number} ${issue_id}`
  const former = new Map(before.map((row) => [keyOf(row), row]))
  const kept = new Set(current.map(keyOf))
  const changed = current.filter((row) => Number(former.get(keyOf(row))?.policy_until) !== row.policy_until)
  const ended = [...former].flatMap(([key, { project_number, issue_id }]) =>
    kept.has(key) ? [] : [{ project_number: Number(project_number), issue_id, policy_until: 0 }],
  )
  return [...changed, ...ended]
}
