import type { DependencyGraph, Package, Unresolved } from '../dependency-graph.ts'
import { RegistryUnreachable, type UpgradeCandidate, type WhatIfResolver } from '../ecosystems/ecosystem.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import { findFix, pathWithFix, upgradePath } from './upgrade.ts'
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
  readonly candidates: Map<string, Promise<readonly UpgradeCandidate[] | undefined>>
  readonly made: Map<string, Promise<WhatIf>>
  readonly fixes: Map<string, Promise<readonly string[]>>
  readonly found: Map<string, Promise<string | undefined>>
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
 * again. Tries the newest version first: if it does not help, proposes none. With locked versions, an affected package
 * moves alone if its dependent's range allows a fixed version, since locking again selects it (upgrade.ts).
 */
export function createUpgradeSearch(input: UpgradeInput): UpgradeSearch {
  const search: Search = {
    ...input,
    candidates: new Map(),
    made: new Map(),
    fixes: new Map(),
    found: new Map(),
    left: new Map(),
    notes: new Set(),
    allLeft: input.limits.whatIfs,
    failures: 0,
  }
  return {
    prefetch: (needs) => prefetch(search, needs),
    find: (need) => find(search, need),
    boundsMet: () => [...search.notes],
  }
}

const ASKED_AT_ONCE = 16

async function prefetch(search: Search, needs: readonly UpgradeNeed[]): Promise<void> {
  const { graph, resolver, limits } = search
  if (resolver === undefined) return
  const wanted = new Map<string, Package>()
  for (const { path } of needs) {
    for (const index of [path.at(-1)!, path[0]!]) {
      const found = graph.nodes[index]!.package
      wanted.set(toText(found), found)
    }
  }
  const waiting = [...wanted.values()]
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
  const { graph, scheme, resolver, locked, limits, notes } = search
  const isDirect = need.path.length === 1
  const judged = () => (locked || isDirect ? upgradePath(need.path, { graph, scheme, fixes: need.fixes }) : [])
  if (resolver === undefined) return upgradePath(need.path, { graph, scheme, fixes: need.fixes })
  if (limits.isOver()) notes.add(OUT_OF_TIME)
  if (limits.isOver() || search.failures >= MAX_FAILURES) return judged()
  try {
    if (isDirect || locked) {
      const fix = await fixOf(search, need)
      if (fix !== undefined) return pathWithFix(need.path, graph, fix)
      if (isDirect) return []
    }
    const path = need.path.map((index) => graph.nodes[index]!.package)
    return toTexts((await upgradeOfDirect(search, need, path)) ?? (await upgradeOfShared(search, need, path)) ?? [])
  } catch (error) {
    if (!(error instanceof RegistryUnreachable)) throw error
    notes.add(NO_ANSWER)
    return judged()
  }
}

/** Caches fixes: all paths with the same last two packages share one. */
function fixOf(search: Search, need: UpgradeNeed): Promise<string | undefined> {
  const { found, graph, scheme } = search
  const { path, affected } = need
  const key = `${affected.key} ${path.at(-2) ?? ''} ${path.at(-1)}`
  const known = found.get(key) ?? publishedFixes(search, need).then((fixes) => findFix(path, { graph, scheme, fixes }))
  found.set(key, known)
  return known
}

/** Returns published fixes; for a package unknown to the registry, those of the advisories. */
function publishedFixes(search: Search, { path, affected, fixes }: UpgradeNeed): Promise<readonly string[]> {
  const found = search.graph.nodes[path.at(-1)!]!.package
  const key = JSON.stringify([affected.key, found])
  const known =
    search.fixes.get(key) ??
    candidatesOf(search, found).then(
      (published) => published?.map(({ version }) => version).filter((version) => !affected.affects(version)) ?? fixes,
    )
  search.fixes.set(key, known)
  return known
}

async function upgradeOfDirect(
  search: Search,
  need: UpgradeNeed,
  path: readonly Package[],
): Promise<Package[] | undefined> {
  const direct = path[0]!
  const candidates = (await candidatesOf(search, direct)) ?? []
  const newest = candidates.at(-1)
  if (newest === undefined) return undefined
  const attempt = ({ version }: UpgradeCandidate) => afterUpgrade(search, need, { path, to: { ...direct, version } })
  const best = await attempt(newest)
  if (best === undefined) return undefined
  const failed = new Set<string | undefined>()
  for (const candidate of candidates.slice(0, -1)) {
    const { asksFor, version } = candidate
    if (asksFor !== undefined && failed.has(asksFor)) continue
    if (asksFor !== undefined && asksFor === newest.asksFor) return [{ ...direct, version }, ...best.slice(1)]
    if (!mayTry(search, { ...direct, version })) {
      search.notes.add(`${direct.name}@${direct.version}: a smaller upgrade than the one shown was not looked for`)
      break
    }
    const found = await attempt(candidate)
    if (found !== undefined) return found
    failed.add(asksFor)
  }
  return best
}

/** Handles a package that the project itself requires, which may be the reason for the shared version. */
async function upgradeOfShared(
  search: Search,
  need: UpgradeNeed,
  path: readonly Package[],
): Promise<Package[] | undefined> {
  const { graph, locked } = search
  const last = path.at(-1)!
  const isShared = graph.nodes[0]!.edges.some(({ to }) => graph.nodes[to]!.package.name === last.name)
  if (locked || !isShared) return undefined
  const [version] = await publishedFixes(search, need)
  return version === undefined ? undefined : afterUpgrade(search, need, { path, to: { ...last, version } })
}

async function afterUpgrade(
  search: Search,
  { affected }: UpgradeNeed,
  { path, to }: { path: readonly Package[]; to: Package },
): Promise<Package[] | undefined> {
  const whatIf = await whatIfOf(search, to)
  if (whatIf?.isFreeOf(path[0]!.name, affected) !== true) return undefined
  return whatIf.follow(path.map(({ name }) => name))
}

function candidatesOf(search: Search, direct: Package) {
  const { candidates, resolver } = search
  const key = toText(direct)
  const known = candidates.get(key)
  if (known) return known
  const asked = resolver!.candidates(direct)
  candidates.set(key, asked)
  asked.then(
    () => {
      search.failures = 0
    },
    () => {
      search.failures++
    },
  )
  return asked
}

function mayTry({ allLeft, made, left, limits }: Search, to: Package): boolean {
  if (made.has(toText(to))) return true
  return allLeft > 0 && (left.get(to.name) ?? limits.whatIfsPerPackage) > 0 && !limits.isOver()
}

async function whatIfOf(search: Search, to: Package): Promise<WhatIf | undefined> {
  const { made, left, limits, resolver, notes } = search
  if (!mayTry(search, to)) {
    notes.add(`Upgrades of ${to.name} were not looked for: the search for upgrades has a bound`)
    return undefined
  }
  const key = toText(to)
  const known = made.get(key)
  if (known) return known
  search.allLeft -= 1
  left.set(to.name, (left.get(to.name) ?? limits.whatIfsPerPackage) - 1)
  const whatIf = resolver!.read([to]).then((reading) => {
    if (reading.unresolved.some(({ code }) => code === 'registry-unreachable')) notes.add(UNPROVED)
    return toWhatIf(reading, search.unresolved)
  })
  made.set(key, whatIf)
  return whatIf
}

function toTexts(path: readonly Package[]): string[] {
  return path.map(toText)
}

function toText({ name, version }: Package): string {
  return `${name}@${version}`
}
