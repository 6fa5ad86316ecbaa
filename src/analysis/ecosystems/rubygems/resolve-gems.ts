import { rubygemsVersions } from '#analysis/versions/rubygems.ts'
import type { Unresolved } from '../../dependency-graph.ts'
import type { GemVersion } from '../../registries/rubygems.ts'
import type { PreferredVersions, ReadOptions } from '../ecosystem.ts'
import type { GemReads } from './gem-reads.ts'

/** A demand on a gem; without a requirer it is the project's. */
interface Demand {
  readonly requirement: string
  readonly by: string | undefined
}

export interface Failure extends Pick<Unresolved, 'code' | 'reason'> {
  readonly name: string
  readonly requirement: string
  readonly by: string | undefined
}

export interface Resolution {
  readonly chosen: ReadonlyMap<string, GemVersion>
  readonly failures: readonly Failure[]
  readonly isWhole: boolean
}

/** A gem under decision, and the reasons against earlier candidates. */
interface Frame {
  readonly name: string
  readonly candidates: readonly GemVersion[]
  next: number
  readonly culprits: Set<string>
}

interface Search {
  readonly reads: GemReads
  readonly preferred: PreferredVersions | undefined
  readonly demands: Map<string, Demand[]>
  readonly chosen: Map<string, GemVersion>
  readonly failures: Failure[]
  /** Gems without a possible version: the registry does not have them, or nothing fits. */
  readonly givenUp: Map<string, Pick<Failure, 'code' | 'reason'>>
  /** Newest first; absent for gems that the registry does not have. */
  readonly versions: Map<string, readonly GemVersion[]>
  readonly allowed: Map<string, ReadonlySet<GemVersion>>
  /** Number of remaining versions of each undecided gem, until its demands change. */
  readonly counts: Map<string, number>
  /** Gems demanded since the last query. */
  readonly fresh: Set<string>
  stack: Frame[]
  steps: number
}

const MAX_STEPS = 20_000
const MAX_GEMS = 5_000

/**
 * Chooses one version per gem that satisfies all requirements, newest first, as Bundler does: the gem with the fewest
 * remaining versions is decided next, and a contradiction backtracks to the nearest decision involved. Pre-releases
 * come last, unless a requirement names one. Where Bundler would fail, reports the contradiction and resolves the rest
 * without it. Ignores the Ruby version.
 */
export async function resolveGems(
  requirements: readonly { readonly name: string; readonly requirement: string }[],
  reads: GemReads,
  { limits, preferred }: Pick<ReadOptions, 'limits' | 'preferred'>,
): Promise<Resolution> {
  const search: Search = {
    reads,
    preferred,
    demands: new Map(),
    chosen: new Map(),
    failures: [],
    givenUp: new Map(),
    versions: new Map(),
    allowed: new Map(),
    counts: new Map(),
    fresh: new Set(),
    stack: [],
    steps: 0,
  }
  for (const { name, requirement } of requirements) demand(search, name, { requirement, by: undefined })
  for (;;) {
    await load(search)
    const name = nextGem(search)
    if (name === undefined) return toResolution(search, true)
    if (search.steps > MAX_STEPS || search.demands.size > Math.min(limits.maxNodes, MAX_GEMS))
      return toResolution(search, false)
    search.stack.push({ name, candidates: candidatesOf(search, name), next: 0, culprits: new Set() })
    await advance(search)
  }
}

/** Takes the next candidate without contradictions, backtracking if there is none. */
async function advance(search: Search): Promise<void> {
  for (let frame = search.stack.at(-1); frame !== undefined; frame = search.stack.at(-1)) {
    for (; frame.next < frame.candidates.length; ) {
      const candidate = frame.candidates[frame.next++]!
      search.steps++
      if (search.steps > MAX_STEPS) return
      for (const { name } of candidate.dependencies) search.reads.prefetch(name)
      const culprits = await contradictions(search, frame.name, candidate)
      for (const culprit of culprits) frame.culprits.add(culprit)
      if (culprits.length > 0) continue
      search.chosen.set(frame.name, candidate)
      for (const { name, requirement } of candidate.dependencies) demand(search, name, { requirement, by: frame.name })
      return
    }
    if (!goBack(search, frame)) return
  }
}

/** Backtracks to the nearest decision involved; false if there is none and the gem was given up. */
function goBack(search: Search, failed: Frame): boolean {
  const culprits = new Set([...failed.culprits, ...bringers(search, failed.name)])
  culprits.delete(failed.name)
  search.stack.pop()
  const target = search.stack.findLastIndex(({ name }) => culprits.has(name))
  if (target === -1) {
    takeDespite(search, failed)
    return false
  }
  for (const { name } of search.stack.splice(target + 1)) undo(search, name)
  const frame = search.stack[target]!
  undo(search, frame.name)
  for (const culprit of culprits) if (culprit !== frame.name) frame.culprits.add(culprit)
  return true
}

const noneFits = { code: 'no-matching-version', reason: 'No published version satisfies all requirements' } as const

/** Takes the newest demanded version, without its own unsatisfiable requirements. */
function takeDespite(search: Search, { name, candidates }: Frame): void {
  const [newest] = candidates
  if (newest === undefined) {
    search.givenUp.set(name, noneFits)
    return
  }
  search.chosen.set(name, newest)
  for (const { name: other, requirement } of newest.dependencies) {
    const decided = search.chosen.get(other)
    const all = [...(search.demands.get(other) ?? []), { requirement, by: name }]
    const isMet =
      decided === undefined
        ? !search.versions.has(other) || fitting(search, other, all).length > 0
        : rubygemsVersions.satisfies(decided.version, requirement)
    if (isMet) demand(search, other, { requirement, by: name })
    else search.failures.push({ name: other, requirement, by: name, ...noneFits })
  }
}

/** Returns decided gems that contradict the candidate. */
async function contradictions(search: Search, own: string, candidate: GemVersion): Promise<string[]> {
  const culprits: string[] = []
  for (const { name, requirement } of candidate.dependencies) {
    if (name === own || search.givenUp.has(name)) continue
    const decided = search.chosen.get(name)
    if (decided !== undefined) {
      if (!rubygemsVersions.satisfies(decided.version, requirement)) culprits.push(name, ...bringers(search, name))
      continue
    }
    await loadOne(search, name)
    if (!search.versions.has(name)) continue
    const all = [...(search.demands.get(name) ?? []), { requirement, by: own }]
    if (fitting(search, name, all).length === 0) culprits.push(own, ...bringers(search, name))
  }
  return culprits
}

function bringers(search: Search, name: string): string[] {
  return (search.demands.get(name) ?? []).flatMap(({ by }) => (by === undefined ? [] : [by]))
}

function demand(search: Search, name: string, request: Demand): void {
  if (request.by === name) return
  search.counts.delete(name)
  search.fresh.add(name)
  const existing = search.demands.get(name)
  if (existing === undefined) search.demands.set(name, [request])
  else existing.push(request)
}

function undo(search: Search, name: string): void {
  const gem = search.chosen.get(name)
  search.chosen.delete(name)
  for (const dependency of gem?.dependencies ?? []) {
    search.counts.delete(dependency.name)
    const left = (search.demands.get(dependency.name) ?? []).filter(({ by }) => by !== name)
    if (left.length === 0) search.demands.delete(dependency.name)
    else search.demands.set(dependency.name, left)
  }
}

/** Queries every newly demanded gem. */
async function load(search: Search): Promise<void> {
  for (const name of search.fresh) search.reads.prefetch(name)
  for (const name of [...search.fresh]) await loadOne(search, name)
  search.fresh.clear()
}

async function loadOne(search: Search, name: string): Promise<void> {
  if (search.versions.has(name) || search.givenUp.has(name)) return
  const answer = await search.reads.get(name)
  if ('versions' in answer) {
    const valid = answer.versions.filter(({ version }) => rubygemsVersions.isValid(version))
    search.versions.set(
      name,
      valid.toSorted((a, b) => rubygemsVersions.compare(b.version, a.version)),
    )
    return
  }
  search.givenUp.set(name, answer)
}

function requirementOf(search: Search, name: string): string {
  return [...new Set((search.demands.get(name) ?? []).map(({ requirement }) => requirement))].join(', ')
}

/** Returns the undecided gem with the fewest versions. */
function nextGem(search: Search): string | undefined {
  let best: { name: string; count: number } | undefined
  for (const name of search.demands.keys()) {
    if (search.chosen.has(name) || search.givenUp.has(name)) continue
    const count = search.counts.get(name) ?? candidatesOf(search, name).length
    search.counts.set(name, count)
    if (best === undefined || count < best.count) best = { name, count }
    if (count === 0) break
  }
  return best?.name
}

function candidatesOf(search: Search, name: string): readonly GemVersion[] {
  const first = new Set(search.preferred?.of(name))
  const all = fitting(search, name, search.demands.get(name) ?? [])
  return first.size === 0 ? all : all.toSorted((a, b) => Number(first.has(b.version)) - Number(first.has(a.version)))
}

function fitting(search: Search, name: string, demands: readonly Demand[]): readonly GemVersion[] {
  const requirements = [...new Set(demands.map(({ requirement }) => requirement))]
  const sets = requirements.map((requirement) => allowedBy(search, name, requirement))
  const all = (search.versions.get(name) ?? []).filter((version) => sets.every((set) => set.has(version)))
  if (requirements.some(namesPrerelease)) return all
  const groups = Map.groupBy(all, ({ version }) => isPrerelease(version))
  return [...(groups.get(false) ?? []), ...(groups.get(true) ?? [])]
}

function allowedBy(search: Search, name: string, requirement: string): ReadonlySet<GemVersion> {
  const key = `${name}\n${requirement}`
  let set = search.allowed.get(key)
  if (set === undefined) {
    const versions = search.versions.get(name) ?? []
    set = new Set(versions.filter(({ version }) => rubygemsVersions.satisfies(version, requirement)))
    search.allowed.set(key, set)
  }
  return set
}

/** Returns true for versions with letters (Gem::Version#prerelease?). */
function isPrerelease(version: string): boolean {
  return /[A-Za-z]/.test(version)
}

function namesPrerelease(requirement: string): boolean {
  return isPrerelease(requirement)
}

function toResolution(search: Search, isWhole: boolean): Resolution {
  const { chosen, demands, failures, givenUp } = search
  const tooMany = { code: 'bound-met', reason: 'Too many gems, or combinations of their versions, to resolve' } as const
  // Failures of a rejected candidate's gems do not count.
  const open = [...demands].filter(([name]) => !chosen.has(name))
  const others = open.map(([name, [first]]): Failure => {
    return { name, ...(givenUp.get(name) ?? tooMany), requirement: requirementOf(search, name), by: first?.by }
  })
  return { chosen, failures: [...failures, ...others], isWhole }
}
