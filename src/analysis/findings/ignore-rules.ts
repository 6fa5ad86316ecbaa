import type { Package } from '../dependency-graph.ts'
import type { Registry } from '../ecosystems/ecosystem.ts'
import type { IgnorePath } from './ignore-path.ts'
import { createPathSearch, type PackageGraph, type PathSearch } from './ignored-paths.ts'
import { compilePaths, meets } from './path-automaton.ts'

/** The end of what has none: the greatest whole number of a double. */
export const FOREVER = Number.MAX_SAFE_INTEGER

/** What somebody decided about an issue, for some of the paths that lead to it. */
export interface IgnoreRule {
  readonly path: IgnorePath
  /** Not applied to a path that has an upgrade or patch, nor to a package that can be pinned. */
  readonly disregardIfFixable: boolean
  /** Epoch milliseconds, or `FOREVER`; from then on it does not hold. */
  readonly until: number
}

/** What could be done about an issue in one package. */
export interface Fixes {
  /** Whether every path to the package is fixed by a pin. */
  readonly isPinnable: boolean
  /** The paths that an upgrade fixes, from the direct dependency down. */
  readonly upgradable: readonly (readonly Package[])[]
}

/** A package that an issue is in; `package` is an index into the graph's packages. */
export interface IssuePlace extends Fixes {
  readonly package: number
}

/** Whether a rule has an effect on an issue while it lasts; else why not. */
export type RuleEffect = 'applies' | 'issue-gone' | 'path-gone' | 'fixable'

/** Judges rules about the issues of one project. */
export interface IgnoreJudge {
  /**
   * Until when every path to the issue is ignored; undefined when one is not. What cannot be decided within bounds counts
   * as not ignored.
   */
  ignoredUntil(places: readonly IssuePlace[], rules: readonly IgnoreRule[]): number | undefined
  effectOf(rule: IgnoreRule, places: readonly IssuePlace[]): RuleEffect
}

interface Ground {
  readonly packages: readonly Package[]
  readonly search: PathSearch
  readonly registry: Registry
}

export function createIgnoreJudge(graph: PackageGraph, registry: Registry): IgnoreJudge {
  const ground = { packages: graph.packages, search: createPathSearch(graph), registry }
  return {
    ignoredUntil: (places, rules) => ignoredUntil(ground, places, rules),
    effectOf: (rule, places) => effectOf(ground, rule, places),
  }
}

/** The rules among these that speak of one path to a package, whatever their end. */
export function rulesFor<R extends IgnoreRule>(
  rules: readonly R[],
  { path, fixes, registry }: { path: readonly Package[]; fixes: Fixes; registry: Registry },
): R[] {
  const isFixable = fixes.isPinnable || fixes.upgradable.some((each) => isSamePath(each, path))
  return rules.filter((rule) => !(isFixable && rule.disregardIfFixable) && isMet([rule], path, registry))
}

/** With every rule that ends, more paths are seen again, so the last moment at which none is seen is found by halving. */
function ignoredUntil(ground: Ground, places: readonly IssuePlace[], rules: readonly IgnoreRule[]): number | undefined {
  const ends = [...new Set(rules.map(({ until }) => until))].sort((a, b) => a - b)
  const isIgnoredBefore = (end: number) => {
    const held = rules.filter(({ until }) => until >= end)
    return places.every((place) => isIgnored(ground, place, held))
  }
  let [ignored, seen] = [-1, places.length === 0 ? 0 : ends.length]
  while (seen - ignored > 1) {
    const middle = (ignored + seen) >> 1
    if (isIgnoredBefore(ends[middle]!)) ignored = middle
    else seen = middle
  }
  return ends[ignored]
}

/** Whether each path to the package is met by a rule that applies to it. */
function isIgnored(ground: Ground, place: IssuePlace, rules: readonly IgnoreRule[]): boolean {
  const { isPinnable, upgradable } = place
  const firm = rules.filter(({ disregardIfFixable }) => !disregardIfFixable)
  if (isPinnable) return areAllMet(ground, place, firm)
  if (!areAllMet(ground, place, rules)) return false
  if (firm.length === rules.length || upgradable.length === 0) return true
  const isFirmlyMet = metBy(firm, ground.registry)
  return upgradable.every(isFirmlyMet)
}

/** What nothing leads to is met by what speaks of all paths only. */
function areAllMet(ground: Ground, { package: end }: IssuePlace, rules: readonly IgnoreRule[]): boolean {
  const { search, registry } = ground
  if (rules.some(isForAll)) return true
  if (rules.some((rule) => namesEnd(ground, rule, end))) return search.isReached(end)
  return search.isReached(end) && !search.hasUnmet(end, compilePaths(pathsOf(rules), registry))
}

function effectOf(ground: Ground, rule: IgnoreRule, places: readonly IssuePlace[]): RuleEffect {
  if (places.length === 0) return 'issue-gone'
  const { search, registry } = ground
  const automaton = compilePaths([rule.path], registry)
  const met = places.filter(
    ({ package: end }) =>
      isForAll(rule) || (namesEnd(ground, rule, end) ? search.isReached(end) : search.hasMet(end, automaton)),
  )
  if (met.length === 0) return 'path-gone'
  if (!rule.disregardIfFixable) return 'applies'
  return met.some((place) => hasUnfixable(ground, rule, place)) ? 'applies' : 'fixable'
}

/** Whether the rule speaks of a path that no upgrade fixes. */
function hasUnfixable({ search, registry }: Ground, rule: IgnoreRule, place: IssuePlace): boolean {
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

/** `* > name` of the package itself, as people write it: every path there has it at its end. */
function namesEnd({ packages, registry }: Ground, { path }: IgnoreRule, end: number): boolean {
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
