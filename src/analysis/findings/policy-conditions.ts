import { normalizeName, registries } from '../advisories/package-names.ts'
import { schemes } from '../advisories/schemes.ts'
import { fitsStep, parseIgnorePath } from '../discovery/policy-files/ignore-path.ts'
import type { Registry } from '../registries/registry.ts'
import { npmVersions } from '../versions/npm.ts'
import { FOREVER, type IgnoreRule } from './ignore-rules.ts'
import { type IssueFacts, severities } from './known-issue.ts'

/** The properties that conditions of a policy test. All conditions must hold, each for one of its values. */
export const conditionFields = [
  'vulnerability-id',
  'package',
  'package-version',
  'path',
  'ecosystem',
  'project',
  'project-tag',
  'target',
  'severity',
  'fix-available',
] as const
export type ConditionField = (typeof conditionFields)[number]

export interface Condition {
  readonly field: ConditionField
  readonly operator: 'includes'
  readonly value: readonly string[]
}

/** A project as conditions test it. */
export interface ProjectFacts {
  readonly id: string
  readonly targetId: string
  /** Each as `key:value`. */
  readonly tags: readonly string[]
}

/** A vulnerability of a package version as conditions test it. */
export interface PackageIssue {
  readonly issueId: string
  readonly facts: Pick<IssueFacts, 'cve' | 'ghsa' | 'otherIds' | 'fixedIn'>
  readonly registry: string
  /** Normalized, as in advisories. */
  readonly name: string
  readonly version: string
  /** From 1 (low) to 4 (critical). */
  readonly severity: number
}

export interface Matcher {
  /** Ids and aliases of vulnerabilities, in lower case; undefined for all vulnerabilities. */
  readonly ids: ReadonlySet<string> | undefined
  /** Dependency paths, which only the graph of a project can decide; undefined for all paths. */
  readonly paths: readonly IgnoreRule[] | undefined
  readonly testsProject: boolean
  matchesProject(project: ProjectFacts): boolean
  matchesIssue(issue: PackageIssue): boolean
}

/** Compiles valid conditions. */
export function compileConditions(conditions: readonly Condition[]): Matcher {
  const valuesOf = (field: ConditionField) => conditions.find((condition) => condition.field === field)?.value
  const setOf = (field: ConditionField) => {
    const values = valuesOf(field)
    return values && new Set(values)
  }
  const ids = valuesOf('vulnerability-id')
  const [projects, targets, tags] = [setOf('project'), setOf('target'), setOf('project-tag')]
  const [ecosystems, severityWords, fixable] = [setOf('ecosystem'), setOf('severity'), setOf('fix-available')]
  const packages = valuesOf('package')?.map((text) => parsePolicyPackage(text)!)
  const byName = packages && Map.groupBy(packages, ({ registry, name }) => `${registry}/${name}`)
  const ranges = valuesOf('package-version')
  const lowerIds = ids && new Set(ids.map((id) => id.toLowerCase()))
  return {
    ids: lowerIds,
    paths: valuesOf('path')?.map(toPathRule),
    testsProject: (projects ?? targets ?? tags) !== undefined,
    matchesProject: (project) =>
      (projects?.has(project.id) ?? true) &&
      (targets?.has(project.targetId) ?? true) &&
      (tags === undefined || project.tags.some((tag) => tags.has(tag))),
    matchesIssue(issue) {
      const { registry, name, version, severity, facts } = issue
      const fits = (range: string | undefined) => fitsStep(registry as Registry, version, range)
      return (
        (lowerIds === undefined || idsOf(issue).some((id) => lowerIds.has(id.toLowerCase()))) &&
        (severityWords?.has(severities[severity - 1]!) ?? true) &&
        (ecosystems?.has(registry) ?? true) &&
        (fixable?.has(String(facts.fixedIn.length > 0)) ?? true) &&
        (byName === undefined || (byName.get(`${registry}/${name}`) ?? []).some(({ range }) => fits(range))) &&
        (ranges === undefined || ranges.some(fits))
      )
    },
  }
}

/** Policies by what they match. */
export interface PolicyIndex<P extends Matcher> {
  readonly policies: readonly P[]
  /** Returns the policies whose conditions on packages and issues hold, whatever the project and its paths, in order. */
  matching(issue: PackageIssue): readonly P[]
}

export function indexPolicies<P extends Matcher>(policies: readonly P[]): PolicyIndex<P> {
  const order = new Map(policies.map((policy, at) => [policy, at]))
  const general = policies.filter(({ ids }) => ids === undefined)
  const byId = new Map<string, P[]>()
  for (const policy of policies) {
    for (const id of policy.ids ?? []) {
      const own = byId.get(id)
      if (own) own.push(policy)
      else byId.set(id, [policy])
    }
  }
  return {
    policies,
    matching(issue) {
      const ofIds = byId.size === 0 ? [] : idsOf(issue).flatMap((id) => byId.get(id.toLowerCase()) ?? [])
      const matches = [...new Set([...general, ...ofIds])].filter((policy) => policy.matchesIssue(issue))
      return matches.sort((a, b) => order.get(a)! - order.get(b)!)
    },
  }
}

function idsOf({ issueId, facts: { cve, ghsa, otherIds } }: Pick<PackageIssue, 'issueId' | 'facts'>): string[] {
  return [issueId, ...cve, ...ghsa, ...otherIds]
}

function toPathRule(text: string): IgnoreRule {
  const path = parseIgnorePath(text)
  if (typeof path === 'string') throw new Error(`a stored path of a policy ${path}`)
  return { path, disregardIfFixable: false, until: FOREVER }
}

export interface PolicyPackage {
  readonly registry: Registry
  /** Normalized, as in advisories. */
  readonly name: string
  /** A version or a range; undefined for all versions. */
  readonly range: string | undefined
}

/** Parses `npm/lodash` or `npm/lodash@<4.17.12`; undefined if it is neither. */
export function parsePolicyPackage(text: string): PolicyPackage | undefined {
  const slash = text.indexOf('/')
  const registry = registries.find((name) => name === text.slice(0, slash))
  const rest = text.slice(slash + 1)
  const at = rest.indexOf('@', 1)
  const name = at < 0 ? rest : rest.slice(0, at)
  const range = at < 0 ? undefined : rest.slice(at + 1).trim()
  if (registry === undefined || name === '' || range === '') return undefined
  return { registry, name: normalizeName(registry, name), range }
}

/** Returns true for a version or a range of a registry, or of any of them. */
export function isRange(text: string, registry?: Registry): boolean {
  if (text === '*' || npmVersions.isRange(text)) return true
  return (registry === undefined ? registries : [registry]).some((name) =>
    LENIENT.includes(name) ? isLenientText(text, name) : schemes[name].isValid(text) || schemes[name].isRange(text),
  )
}

/** Registries whose tools take every text as a version. */
const LENIENT: readonly Registry[] = ['Maven', 'ConanCenter']

/** Accepts texts that look like a version, and ranges in brackets. */
function isLenientText(text: string, registry: Registry): boolean {
  return /^[[(]/.test(text) ? schemes[registry].isRange(text) : /^[\w.+-]+$/.test(text)
}
