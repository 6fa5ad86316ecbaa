import type { DependencyGraph, Package, Unresolved } from '../dependency-graph.ts'
import { type Reading, RegistryUnreachable, type WhatIfResolver } from '../ecosystems/ecosystem.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import { findPin, type Pin } from './pin.ts'
import { findFix, isDeclared, pathWithFix, upgradePath } from './upgrade.ts'
import { listFamily, versionTogether } from './version-families.ts'
import { preferredOf, toLines } from './version-lines.ts'
import { type AffectedVersions, toWhatIf, type WhatIf } from './what-if.ts'

/** A path to an affected package. */
export interface UpgradeNeed {
  /** Node indices from the direct dependency on. */
  readonly path: readonly number[]
  readonly affected: AffectedVersions
  /** Unaffected versions that end an affected range, from the advisories. */
  readonly fixes: readonly string[]
}

export interface UpgradeSearch {
  /** Starts the registry queries for the needs, with limited concurrency. */
  prefetch(needs: readonly UpgradeNeed[]): Promise<void>
  /** Returns the path after the upgrade as `name@version`; empty if none is verified. */
  find(need: UpgradeNeed): Promise<string[]>
  /** Returns the other direct dependencies that move with the upgraded one of a path, as `name@version`. */
  listTogether(need: UpgradeNeed, upgradePath: readonly string[]): Promise<string[]>
  /** Returns the version to which the last package of the path can be pinned, wherever it comes from. */
  pin(need: UpgradeNeed, nodes: readonly number[]): Promise<Pin | undefined>
  /** Returns omitted work, as sentences. */
  boundsMet(): string[]
}

export interface UpgradeInput {
  readonly graph: DependencyGraph
  readonly locked: boolean
  readonly unresolved: readonly Unresolved[]
  readonly scheme: VersionScheme
  /** Undefined: upgrades are judged by the graph alone. */
  readonly resolver: WhatIfResolver | undefined
  /** Returns true if the package has any known vulnerability. */
  isAffected(candidate: Package): boolean
  readonly limits: UpgradeLimits
}

export interface UpgradeLimits {
  /** Limit of readings in the whole search. */
  readonly whatIfs: number
  /** Limit of readings per direct dependency. */
  readonly whatIfsPerPackage: number
  /** Returns true if no more work should start. */
  isOver(): boolean
}

interface Search extends UpgradeInput {
  readonly candidates: Map<string, Promise<readonly string[] | undefined>>
  readonly made: Map<string, Promise<WhatIf>>
  readonly fixes: Map<string, Promise<readonly string[]>>
  readonly results: Map<string, Promise<string | undefined>>
  readonly left: Map<string, number>
  readonly notes: Set<string>
  allLeft: number
  /** Consecutive unanswered queries. */
  failures: number
}

const OUT_OF_TIME = 'Upgrades are judged by the files alone where the registry gave no answer in time'
const UNPROVED = 'Some upgrades could not be proved: the registry did not answer for all that they lead to'
const NO_ANSWER = 'Upgrades are judged by the files alone where the registry gave no answer'
/** Hundreds of packages must not each wait for a timeout. */
const MAX_FAILURES = 3

/**
 * Finds the smallest upgrade of a direct dependency after which nothing below it is affected, by resolving the project
 * again. Searches line by line (version-lines.ts): if the newest version of a line helps, the smallest of the line that
 * does. With locked versions, an affected package moves alone if its dependent's range allows a fixed version, since
 * locking again selects it (upgrade.ts).
 */
export function createUpgradeSearch(input: UpgradeInput): UpgradeSearch {
  const search: Search = {
    ...input,
    candidates: new Map(),
    made: new Map(),
    fixes: new Map(),
    results: new Map(),
    left: new Map(),
    notes: new Set(),
    allLeft: input.limits.whatIfs,
    failures: 0,
  }
  return {
    prefetch: (needs) => prefetch(search, needs),
    find: (need) => find(search, need),
    listTogether: (need, path) => listTogether(search, need, path),
    pin: (need, nodes) => pin(search, need, nodes),
    boundsMet: () => [...search.notes],
  }
}

const ASKED_AT_ONCE = 16

async function prefetch(search: Search, needs: readonly UpgradeNeed[]): Promise<void> {
  const { graph, resolver, limits } = search
  if (resolver === undefined) return
  const packages = new Map<string, Package>()
  for (const { path } of needs) {
    for (const index of [path.at(-1)!, path[findDeclared(search, path)]]) {
      const node = index === undefined ? undefined : graph.nodes[index]!
      if (node !== undefined && !node.isProject) packages.set(toText(node.package), node.package)
    }
  }
  const waiting = [...packages.values()]
  const ask = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (limits.isOver() || search.failures >= MAX_FAILURES) return
      await candidatesOf(search, next).catch((error: unknown) => {
        if (!(error instanceof RegistryUnreachable)) throw error
      })
    }
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, ask))
}

async function find(search: Search, need: UpgradeNeed): Promise<string[]> {
  const { graph, resolver, locked, notes } = search
  const { path } = need
  const isDirect = isDeclared(path, graph)
  const judged = () => (locked || isDirect ? upgradePath(path, fixSearch(search, need, need.fixes)) : [])
  if (graph.nodes[path.at(-1)!]!.isProject) return []
  if (resolver?.read === undefined) return upgradePath(path, fixSearch(search, need, need.fixes))
  if (isTooLate(search)) return judged()
  try {
    if (isDirect || locked) {
      const fix = await fixOf(search, need)
      if (fix !== undefined) return pathWithFix(path, graph, fix)
      if (isDirect) return []
    }
    return toTexts((await upgradeOfDirect(search, need)) ?? (await upgradeOfShared(search, need)) ?? [])
  } catch (error) {
    if (!(error instanceof RegistryUnreachable)) throw error
    notes.add(NO_ANSWER)
    return judged()
  }
}

async function pin(search: Search, need: UpgradeNeed, nodes: readonly number[]): Promise<Pin | undefined> {
  const pinTo = (fixes: readonly string[]) => findPin(nodes, fixSearch(search, need, fixes))
  if (search.graph.nodes[need.path.at(-1)!]!.isProject) return undefined
  if (search.resolver === undefined || isTooLate(search)) return pinTo(need.fixes)
  try {
    return pinTo(await publishedFixes(search, need))
  } catch (error) {
    if (!(error instanceof RegistryUnreachable)) throw error
    search.notes.add(NO_ANSWER)
    return pinTo(need.fixes)
  }
}

function isTooLate({ limits, failures, notes }: Search): boolean {
  if (limits.isOver()) notes.add(OUT_OF_TIME)
  return limits.isOver() || failures >= MAX_FAILURES
}

function fixSearch(
  { graph, scheme, isAffected }: Search,
  { affected: { name } }: UpgradeNeed,
  fixes: readonly string[],
) {
  return { graph, scheme, fixes, isAffected: (version: string) => isAffected({ name, version }) }
}

/** Caches fixes: all paths with the same last two packages share one. */
function fixOf(search: Search, need: UpgradeNeed): Promise<string | undefined> {
  const { results } = search
  const { path, affected } = need
  const key = `${affected.key} ${path.at(-2) ?? ''} ${path.at(-1)}`
  const pending =
    results.get(key) ?? publishedFixes(search, need).then((fixes) => findFix(path, fixSearch(search, need, fixes)))
  results.set(key, pending)
  return pending
}

/** Returns published fixes; for a package unknown to the registry, those of the advisories. */
function publishedFixes(search: Search, { path, affected, fixes }: UpgradeNeed): Promise<readonly string[]> {
  const target = search.graph.nodes[path.at(-1)!]!.package
  const key = JSON.stringify([affected.key, target])
  const pending =
    search.fixes.get(key) ??
    candidatesOf(search, target).then(
      (published) => published?.filter((version) => !affected.affects(version)) ?? fixes,
    )
  search.fixes.set(key, pending)
  return pending
}

/** Returns the position of the first package that is declared by a project and is none itself. */
function findDeclared({ graph }: Search, path: readonly number[]): number {
  return path.findIndex((index) => !graph.nodes[index]!.isProject)
}

async function upgradeOfDirect(search: Search, need: UpgradeNeed): Promise<Package[] | undefined> {
  const { graph, isAffected } = search
  const direct = graph.nodes[need.path[findDeclared(search, need.path)]!]!.package
  const candidates = (await candidatesOf(search, direct)) ?? []
  // The version in use is a candidate only where resolving it again may help.
  const isClean = (version: string) => version === direct.version || !isAffected({ name: direct.name, version })
  for (const line of toLines(direct.version, candidates, isClean)) {
    const smallest = await smallestOf(search, need, { direct, line })
    if (smallest !== undefined) return smallest
  }
  return undefined
}

/** Bisects a line of versions whose newest helps. The result is verified, also where versions between do not help. */
async function smallestOf(
  search: Search,
  need: UpgradeNeed,
  { direct, line }: { direct: Package; line: readonly string[] },
): Promise<Package[] | undefined> {
  const attempt = (version: string) => afterUpgrade(search, need, { ...direct, version })
  let best = await attempt(line.at(-1)!)
  if (best === undefined) return undefined
  for (let [low, high] = [0, line.length - 1]; low < high; ) {
    const middle = (low + high) >> 1
    if (!mayTry(search, { ...direct, version: line[middle]! })) {
      search.notes.add(`${toText(direct)}: a smaller upgrade than the one shown was not looked for`)
      break
    }
    const after = await attempt(line[middle]!)
    if (after === undefined) low = middle + 1
    else [best, high] = [after, middle]
  }
  return best
}

/** Handles a package that the project itself requires, which may be the reason for the shared version. */
async function upgradeOfShared(search: Search, need: UpgradeNeed): Promise<Package[] | undefined> {
  const { graph, locked, isAffected } = search
  const last = graph.nodes[need.path.at(-1)!]!.package
  const isShared = graph.nodes[0]!.edges.some(({ to }) => graph.nodes[to]!.package.name === last.name)
  if (locked || !isShared) return undefined
  const isClean = (version: string) => !isAffected({ ...last, version })
  const version = preferredOf(last.version, await publishedFixes(search, need), isClean)
  return version === undefined ? undefined : afterUpgrade(search, need, { ...last, version })
}

async function afterUpgrade(
  search: Search,
  { affected, path }: UpgradeNeed,
  to: Package,
): Promise<Package[] | undefined> {
  const packages = path.map((index) => search.graph.nodes[index]!.package)
  const projects = packages.slice(0, findDeclared(search, path))
  const names = packages.slice(projects.length).map(({ name }) => name)
  const whatIf = await whatIfOf(search, to)
  return whatIf?.isFreeOf(names[0]!, affected) === true ? [...projects, ...whatIf.follow(names)] : undefined
}

async function listTogether(search: Search, { path }: UpgradeNeed, upgraded: readonly string[]): Promise<string[]> {
  const at = findDeclared(search, path)
  const direct = search.graph.nodes[path[at] ?? 0]!.package
  const to = upgraded[at]
  if (search.resolver?.read === undefined || to === undefined || to === toText(direct) || isTooLate(search)) return []
  try {
    return toTexts(await moveFamily(search, direct, to.slice(direct.name.length + 1)))
  } catch (error) {
    if (error instanceof RegistryUnreachable) return []
    throw error
  }
}

/** Returns the packages that are published together with a direct dependency, at the versions that fit its new one. */
async function moveFamily(search: Search, direct: Package, version: string): Promise<Package[]> {
  const { graph, scheme } = search
  const moved = await Promise.all(
    listFamily(graph, direct).map(async (member) => {
      const fitting = versionTogether((await candidatesOf(search, member)) ?? [], version, scheme)
      return fitting === undefined || fitting === member.version ? [] : [{ ...member, version: fitting }]
    }),
  )
  return moved.flat()
}

function candidatesOf(search: Search, direct: Package) {
  const { candidates, resolver } = search
  const key = toText(direct)
  const cached = candidates.get(key)
  if (cached) return cached
  const pending = resolver!.candidates(direct)
  candidates.set(key, pending)
  pending.then(
    () => {
      search.failures = 0
    },
    () => {
      search.failures++
    },
  )
  return pending
}

function mayTry({ allLeft, made, left, limits }: Search, to: Package): boolean {
  if (made.has(toText(to))) return true
  return allLeft > 0 && (left.get(to.name) ?? limits.whatIfsPerPackage) > 0 && !limits.isOver()
}

async function whatIfOf(search: Search, to: Package): Promise<WhatIf | undefined> {
  const { made, left, limits, notes } = search
  if (!mayTry(search, to)) {
    notes.add(`Upgrades of ${to.name} were not looked for: the search for upgrades has a bound`)
    return undefined
  }
  const key = toText(to)
  const cached = made.get(key)
  if (cached) return cached
  search.allLeft -= 1
  left.set(to.name, (left.get(to.name) ?? limits.whatIfsPerPackage) - 1)
  const whatIf = readWith(search, to).then((reading) => {
    if (reading.unresolved.some(({ code }) => code === 'registry-unreachable')) notes.add(UNPROVED)
    return toWhatIf(reading, search.unresolved)
  })
  made.set(key, whatIf)
  return whatIf
}

/** Resolves with another version of one package, together with the packages of its family. */
async function readWith(search: Search, to: Package): Promise<Reading> {
  const { graph, resolver } = search
  const direct = graph.nodes[0]!.edges.map((edge) => graph.nodes[edge.to]!.package).find(({ name }) => name === to.name)
  const others = direct === undefined ? [] : await moveFamily(search, direct, to.version)
  return resolver!.read!([to, ...others])
}

function toTexts(path: readonly Package[]): string[] {
  return path.map(toText)
}

function toText({ name, version }: Package): string {
  return `${name}@${version}`
}
