import type { Registry } from '#analysis/registries/registry.ts'
import type { Package } from '../dependency-graph.ts'
import type { IgnorePath } from '../discovery/policy-files/ignore-path.ts'
import { createPathSearch, type PackageGraph, type PathSearch } from './ignored-paths.ts'
import { compilePaths, meets } from './path-automaton.ts'

/** The end of a permanent rule: the greatest safe integer. */
export const FOREVER = Number.MAX_SAFE_INTEGER

/** A decision to ignore an issue on some of its paths. */
export interface IgnoreRule {
  readonly path: IgnorePath
  /** Skips paths with an upgrade or patch, and pinnable packages. */
  readonly disregardIfFixable: boolean
  /** Expiry in epoch milliseconds, or `FOREVER`. */
  readonly until: number
}

/** Possible fixes of an issue in one package. */
export interface Fixes {
  /** True if a pin fixes every path to the package. */
  readonly isPinnable: boolean
  /** Paths fixed by an upgrade, from the direct dependency down. */
  readonly upgradable: readonly (readonly Package[])[]
}

/** The fixes of issues without any, such as those of licenses. */
export const NO_FIXES: Fixes = { isPinnable: false, upgradable: [] }

/** A package with the issue; `package` is an index into the graph's packages. */
export interface IssuePlace extends Fixes {
  readonly package: number
}

/** The effect of an unexpired rule on an issue, or the reason for having none. */
export type RuleEffect = 'applies' | 'issue-gone' | 'path-gone' | 'fixable'

/** Judges ignore rules for one project's issues. */
export interface IgnoreJudge {
  /**
   * Returns the time until which every path to the issue is ignored; undefined if one is not. Undecidable within limits
   * counts as not ignored.
   */
  ignoredUntil(places: readonly IssuePlace[], rules: readonly IgnoreRule[]): number | undefined
  effectOf(rule: IgnoreRule, places: readonly IssuePlace[]): RuleEffect
}

interface JudgeContext {
  readonly packages: readonly Package[]
  readonly search: PathSearch
  readonly registry: Registry
}

export function createIgnoreJudge(graph: PackageGraph, registry: Registry): IgnoreJudge {
  const context = { packages: graph.packages, search: createPathSearch(graph), registry }
  return {
    ignoredUntil: (places, rules) => ignoredUntil(context, places, rules),
    effectOf: (rule, places) => effectOf(context, rule, places),
  }
}

/** Returns the rules that match a path to a package, whatever their expiry. */
export function rulesFor<R extends IgnoreRule>(
  rules: readonly R[],
  { path, fixes, registry }: { path: readonly Package[]; fixes: Fixes; registry: Registry },
): R[] {
  const isFixable = fixes.isPinnable || fixes.upgradable.some((upgradablePath) => isSamePath(upgradablePath, path))
  return rules.filter((rule) => !(isFixable && rule.disregardIfFixable) && isMet([rule], path, registry))
}

/**
 * Finds the expiry by bisection: each expiring rule reveals more paths, so the last time with none revealed is unique.
 */
function ignoredUntil(
  context: JudgeContext,
  places: readonly IssuePlace[],
  rules: readonly IgnoreRule[],
): number | undefined {
  const ends = [...new Set(rules.map(({ until }) => until))].sort((a, b) => a - b)
  const isIgnoredBefore = (end: number) => {
    const active = rules.filter(({ until }) => until >= end)
    return places.every((place) => isIgnored(context, place, active))
  }
  let [ignored, seen] = [-1, places.length === 0 ? 0 : ends.length]
  while (seen - ignored > 1) {
    const middle = (ignored + seen) >> 1
    if (isIgnoredBefore(ends[middle]!)) ignored = middle
    else seen = middle
  }
  return ends[ignored]
}

/** Returns true if an applicable rule matches each path to the package. */
function isIgnored(context: JudgeContext, place: IssuePlace, rules: readonly IgnoreRule[]): boolean {
  const { isPinnable, upgradable } = place
  const firm = rules.filter(({ disregardIfFixable }) => !disregardIfFixable)
  if (isPinnable) return areAllMet(context, place, firm)
  if (!areAllMet(context, place, rules)) return false
  if (firm.length === rules.length || upgradable.length === 0) return true
  const isFirmlyMet = metBy(firm, context.registry)
  return upgradable.every(isFirmlyMet)
}

/** Returns true if the rules match all paths; only a rule for all paths matches an unreachable package. */
function areAllMet(context: JudgeContext, { package: end }: IssuePlace, rules: readonly IgnoreRule[]): boolean {
  const { search, registry } = context
  if (rules.some(isForAll)) return true
  if (rules.some((rule) => namesEnd(context, rule, end))) return search.isReached(end)
  return search.isReached(end) && !search.hasUnmet(end, compilePaths(pathsOf(rules), registry))
}

function effectOf(context: JudgeContext, rule: IgnoreRule, places: readonly IssuePlace[]): RuleEffect {
  if (places.length === 0) return 'issue-gone'
  const { search, registry } = context
  const automaton = compilePaths([rule.path], registry)
  const met = places.filter(
    ({ package: end }) =>
      isForAll(rule) || (namesEnd(context, rule, end) ? search.isReached(end) : search.hasMet(end, automaton)),
  )
  if (met.length === 0) return 'path-gone'
  if (!rule.disregardIfFixable) return 'applies'
  return met.some((place) => hasUnfixable(context, rule, place)) ? 'applies' : 'fixable'
}

/** Returns true if the rule matches a path that no upgrade fixes. */
function hasUnfixable({ search, registry }: JudgeContext, rule: IgnoreRule, place: IssuePlace): boolean {
  const { isPinnable, upgradable, package: end } = place
  if (isPinnable || upgradable.length === 0) return !isPinnable
  const isSpokenOf = metBy([rule], registry)
  const fixed = new Set(upgradable.map(textOf))
  return search.hasWanted(end, (path) => isSpokenOf(path) && !fixed.has(textOf(path)))
}

function isMet(rules: readonly IgnoreRule[], path: readonly Package[], registry: Registry): boolean {
  return metBy(rules, registry)(path)
}

function metBy(rules: readonly IgnoreRule[], registry: Registry): (path: readonly Package[]) => boolean {
  if (rules.some(isForAll)) return () => true
  const automaton = compilePaths(pathsOf(rules), registry)
  return (path) => meets(automaton, path)
}

function isForAll({ path }: IgnoreRule): boolean {
  return path.steps.length === 0
}

/** Recognizes `* > name` of the package itself: every path there ends with it. */
function namesEnd({ packages, registry }: JudgeContext, { path }: IgnoreRule, end: number): boolean {
  const [step, ...others] = path.steps
  return step?.afterAny === true && others.length === 0 && meets(compilePaths([path], registry), [packages[end]!])
}

function pathsOf(rules: readonly IgnoreRule[]): IgnorePath[] {
  return rules.map(({ path }) => path)
}

function textOf(path: readonly Package[]): string {
  return path.map(({ name, version }) => `${name}@${version}`).join('\n')
}

function isSamePath(a: readonly Package[], b: readonly Package[]): boolean {
  return a.length === b.length && textOf(a) === textOf(b)
}
