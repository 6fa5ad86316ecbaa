import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import { parseIgnorePath, parsePackage } from '#analysis/discovery/policy-files/ignore-path.ts'
import { limitNotes, type PolicyRule } from '#analysis/discovery/policy-files/policy-file.ts'
import {
  createIgnoreJudge,
  FOREVER,
  type IgnoreJudge,
  type IgnoreRule,
  rulesFor,
} from '#analysis/findings/ignore-rules.ts'
import { toStoredGraph } from '#analysis/findings/stored-graph.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { TestContext } from './context.ts'
import type { IgnoredIssue, LicenseIssue, Vulnerability } from './test-result.ts'

type Issue = Vulnerability | LicenseIssue

export interface Issues {
  readonly vulnerabilities: Vulnerability[]
  readonly licenses: LicenseIssue[]
}

type Rule = PolicyRule & { readonly rule: IgnoreRule }

/**
 * Separates the issues that the project's policy file ignores now, with the rules that ignore them. The notes name rules
 * that have expired or hide nothing.
 */
export function withoutIgnored(
  match: Issues,
  graph: DependencyGraph,
  { policy, task, ecosystem: { registry } }: TestContext,
): { issues: Issues; ignored: IgnoredIssue[]; notes: readonly string[] } {
  const at = task.at ?? Date.now()
  const { true: rules = [], false: expired = [] } = Object.groupBy(
    (policy?.rules ?? []).map(toRule),
    ({ rule }) => `${rule.until > at}` as const,
  )
  const expiredNotes = expired.map(
    (rule) => `${nameOf(rule)} expired on ${dateOf(rule.rule.until)} (line ${rule.line})`,
  )
  if (rules.length === 0) return { issues: match, ignored: [], notes: limitNotes(expiredNotes) }
  const all: readonly Issue[] = [...match.vulnerabilities, ...match.licenses]
  const rulesOf = createRuleSearch(all, rules)
  const places = createPlaces(graph, registry)
  const hidden = new Set<Issue>()
  const ignored: IgnoredIssue[] = []
  const used = new Set<Rule>()
  for (const entries of Map.groupBy(all, keyOf).values()) {
    const own = rulesOf(entries[0]!)
    if (own.length === 0) continue
    const { met, left } = judge(entries, own, places)
    if (left.length === entries.length) continue
    for (const entry of entries) if (!left.includes(entry)) hidden.add(entry)
    for (const rule of met) used.add(rule)
    ignored.push(...met.map((rule) => toIgnored(entries[0]!, rule, left.length === 0)))
  }
  const isOpen = (issue: Issue) => !hidden.has(issue)
  const issues = { vulnerabilities: match.vulnerabilities.filter(isOpen), licenses: match.licenses.filter(isOpen) }
  // Less severe issues are left out with a threshold, and their rules may be right.
  const unused = task.severityThreshold === undefined ? rules.filter((rule) => !used.has(rule)) : []
  const unusedNotes = unused.map((rule) => `${nameOf(rule)} hides no issue of this test (line ${rule.line})`)
  return { issues, ignored, notes: limitNotes([...expiredNotes, ...unusedNotes]) }
}

function nameOf({ issueId, path }: PolicyRule): string {
  return path === '*' ? `The ignore of ${issueId}` : `The ignore of ${issueId} on ${path}`
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

function toRule(written: PolicyRule): Rule {
  const path = parseIgnorePath(written.path)
  if (typeof path === 'string') throw new Error(`a path of a policy file ${path}`)
  const { disregardIfFixable, expiresAt } = written
  return { ...written, rule: { path, disregardIfFixable, until: expiresAt ?? FOREVER } }
}

/** Finds rules by the id of an issue, or by an alias that no other issue of the project has. */
function createRuleSearch(all: readonly Issue[], rules: readonly Rule[]): (issue: Issue) => readonly Rule[] {
  const byId = Map.groupBy(rules, ({ issueId }) => issueId)
  const issuesByAlias = new Map<string, Set<string>>()
  for (const issue of all) {
    for (const id of otherIdsOf(issue))
      if (byId.has(id)) issuesByAlias.set(id, (issuesByAlias.get(id) ?? new Set()).add(issue.id))
  }
  const ids = new Set(all.map(({ id }) => id))
  return (issue) =>
    [issue.id, ...otherIdsOf(issue).filter((id) => !ids.has(id) && issuesByAlias.get(id)?.size === 1)].flatMap(
      (id) => byId.get(id) ?? [],
    )
}

function otherIdsOf(issue: Issue): string[] {
  if (issue.type === 'license') return []
  const { CVE, GHSA, ALTERNATIVE } = issue.identifiers
  return [...new Set([...CVE, ...GHSA, ...ALTERNATIVE])].filter((id) => id !== issue.id)
}

export interface Places {
  readonly registry: Registry
  readonly judge: IgnoreJudge
  packagesOf(issue: Issue): readonly number[]
}

export function createPlaces(graph: DependencyGraph, registry: Registry): Places {
  const stored = toStoredGraph(graph, () => undefined)
  const numbers = new Map<string, number[]>()
  for (const [number, { name, version }] of stored.packages.entries()) {
    if (number > 0) numbers.set(`${name}@${version}`, [...(numbers.get(`${name}@${version}`) ?? []), number])
  }
  return {
    registry,
    judge: createIgnoreJudge(stored, registry),
    packagesOf: ({ package: name, version }) => numbers.get(`${name}@${version}`) ?? [],
  }
}

/** Judges one issue of one package. Its entries are its shown paths, but paths that are not shown count as well. */
function judge(
  entries: readonly Issue[],
  rules: readonly Rule[],
  { judge: { ignoredUntil }, packagesOf, registry }: Places,
): { met: Rule[]; left: readonly Issue[] } {
  const [first] = entries as [Issue]
  const fixes = {
    isPinnable: first.type === 'vuln' && first.isPinnable,
    upgradable: entries.filter((issue) => issue.type === 'vuln' && issue.isUpgradable).map(toPath),
  }
  const flat = rules.map((rule) => ({ ...rule.rule, written: rule }))
  const byEntry = entries.map((entry) => rulesFor(flat, { path: toPath(entry), fixes, registry }))
  const met = [...new Set(byEntry.flat().map(({ written }) => written))]
  const places = packagesOf(first).map((number) => ({ package: number, ...fixes }))
  const isWhole = places.length > 0 && ignoredUntil(places, flat) !== undefined
  if (isWhole) return { met: met.length > 0 ? met : [...rules], left: [] }
  const left = entries.filter((_, at) => byEntry[at]!.length === 0)
  // A path that is not shown is not ignored; all shown paths then represent it.
  return { met, left: left.length > 0 ? left : entries }
}

function toPath({ from }: Issue) {
  return from.map(parsePackage)
}

function keyOf({ id, package: name, version, packageManager }: Issue): string {
  return JSON.stringify([id, name, version, packageManager])
}

function toIgnored(issue: Issue, rule: Rule, allPaths: boolean): IgnoredIssue {
  return {
    id: issue.id,
    title: issue.title,
    severity: issue.severity,
    package: issue.package,
    version: issue.version,
    path: rule.path,
    allPaths,
    reason: rule.reason ?? 'None given',
    expires: rule.expiresAt === null ? null : new Date(rule.expiresAt).toISOString(),
  }
}
