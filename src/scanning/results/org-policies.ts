import type { Severity } from '#analysis/advisories/cvss.ts'
import { normalizeName } from '#analysis/advisories/package-names.ts'
import type { DependencyGraph } from '#analysis/dependency-graph.ts'
import { NO_FIXES } from '#analysis/findings/ignore-rules.ts'
import { toSeverityNumber } from '#analysis/findings/known-issue.ts'
import {
  type Condition,
  compileConditions,
  indexPolicies,
  type Matcher,
  type PackageIssue,
  type PolicyIndex,
} from '#analysis/findings/policy-conditions.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { RecentMap } from '#foundation/recent-map.ts'
import { registryOf } from '../reading/package-managers.ts'
import type { TestPolicies, TestPolicy } from '../reading/task.ts'
import type { TestContext } from './context.ts'
import { createPlaces, type Issues, type Places } from './policy-ignores.ts'
import type { IgnoredIssue, Vulnerability } from './test-result.ts'

type Policy = TestPolicy & Matcher
interface Compiled {
  readonly hiding: PolicyIndex<Policy>
  readonly changing: PolicyIndex<Policy>
}

/** Total length of the conditions of compiled policies that a thread keeps. */
const MAX_COMPILED = 64_000_000
const compiled = new RecentMap<Compiled>({ maxWeight: MAX_COMPILED })

/** Returns the policy that sets the severity of an issue. */
export function findSeverityPolicy({ policies }: TestContext['task'], issue: PackageIssue): SeverityPolicy | undefined {
  const policy = policies && compile(policies).changing.matching(issue)[0]
  return policy && { id: policy.id, name: policy.name, severity: policy.severity! }
}

export type SeverityPolicy = Pick<TestPolicy, 'id' | 'name'> & { readonly severity: Severity }

/** Separates the issues that policies of the organization hide. */
export function withoutHidden(
  { vulnerabilities, licenses }: Issues,
  graph: DependencyGraph,
  { task: { policies }, ecosystem }: TestContext,
): { issues: Issues; ignored: IgnoredIssue[] } {
  if (policies === undefined || vulnerabilities.length === 0)
    return { issues: { vulnerabilities, licenses }, ignored: [] }
  const { hiding: index } = compile(policies)
  const open: Vulnerability[] = []
  const ignored: IgnoredIssue[] = []
  const arePathsMet = createPathJudge(graph, ecosystem.registry)
  for (const entries of Map.groupBy(vulnerabilities, ({ id }) => id).values()) {
    const [first, ...others] = entries.map((entry) =>
      index.matching(toPackageIssue(entry, registryOf(ecosystem, entry.packageManager))),
    )
    const common = first!.filter((policy) => others.every((policies) => policies.includes(policy)))
    const hiding = common.find((policy) => policy.paths === undefined || arePathsMet(policy, entries))
    if (!hiding) open.push(...entries)
    else for (const entry of onePerPackage(entries)) ignored.push(toIgnored(entry, hiding))
  }
  return { issues: { vulnerabilities: open, licenses }, ignored }
}

function compile({ revision, policies }: TestPolicies): Compiled {
  const cached = compiled.get(revision)
  if (cached) return cached
  const all = (JSON.parse(policies) as TestPolicy[]).map((policy) => ({
    ...policy,
    ...compileConditions(JSON.parse(policy.conditions) as Condition[]),
    conditions: '',
  }))
  const indices = {
    hiding: indexPolicies(all.filter(({ severity }) => severity === null)),
    changing: indexPolicies(all.filter(({ severity }) => severity !== null)),
  }
  compiled.set(revision, indices, policies.length)
  return indices
}

function toPackageIssue(
  { id, identifiers, fixedIn, package: name, ...entry }: Vulnerability,
  registry: Registry,
): PackageIssue {
  return {
    issueId: id,
    facts: { cve: identifiers.CVE, ghsa: identifiers.GHSA, otherIds: identifiers.ALTERNATIVE, fixedIn },
    registry,
    name: normalizeName(registry, name),
    version: entry.version,
    severity: toSeverityNumber(entry.severityChange?.originalSeverity ?? entry.severity),
  }
}

/** Decides conditions on paths; the graph is prepared for the first of them. */
function createPathJudge(graph: DependencyGraph, registry: Registry) {
  let prepared: Places | undefined
  return ({ paths }: Policy, entries: readonly Vulnerability[]): boolean => {
    prepared ??= createPlaces(graph, registry)
    const places = entries.flatMap(prepared.packagesOf).map((number) => ({ package: number, ...NO_FIXES }))
    return places.length > 0 && prepared.judge.ignoredUntil(places, paths!) !== undefined
  }
}

/** An issue has an entry for each path. */
function onePerPackage(entries: readonly Vulnerability[]): Iterable<Vulnerability> {
  return new Map(entries.map((entry) => [`${entry.package}@${entry.version}`, entry])).values()
}

function toIgnored(issue: Vulnerability, { id, name, reason, expiresAt }: TestPolicy): IgnoredIssue {
  return {
    id: issue.id,
    title: issue.title,
    severity: issue.severity,
    package: issue.package,
    version: issue.version,
    path: '*',
    allPaths: true,
    reason,
    expires: expiresAt === null ? null : new Date(expiresAt).toISOString(),
    policy: { id, name },
  }
}
