import { schemes } from '#analysis/advisories/schemes.ts'
import { parsePackage } from '#analysis/discovery/policy-files/ignore-path.ts'
import { matchGraph } from '#analysis/findings/match-graph.ts'
import type { Advice } from '#analysis/findings/stored-graph.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import { recommendableFixes } from '#analysis/versions/prerelease.ts'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'
import type { Db } from '#foundation/db/database.ts'
import type { AdvisoryHolder } from '#scanning/advisories/advisory-holder.ts'
import type { OpenAdvisories } from '#scanning/advisories/open-advisories.ts'
import { toPackageKey } from '../issue-index/storage/packages-store.ts'
import { findIssues, type IssuePlace, managerOfPlace, type ReadIssues } from './project-issues.ts'

/** Returns true if a package, as `name@version`, has known issues. */
type IsAffected = (text: string) => boolean

/**
 * Removes advised versions with known issues: the last test examined one issue at a time, and more may have become
 * known since.
 */
export async function findIssuesWithSafeAdvice(
  db: Db,
  project: Parameters<typeof findIssues>[1],
  { now, advisories }: { now: number; advisories: AdvisoryHolder },
): Promise<ReadIssues | undefined> {
  const lease = advisories.acquire()
  try {
    const read = await findIssues(db, project, { now, epssOf: advisories.epssOf })
    return read && withSafeAdvice(read, lease.advisories)
  } finally {
    lease.release()
  }
}

function withSafeAdvice(read: ReadIssues, { snapshot }: OpenAdvisories): ReadIssues {
  const { manager, graph } = read
  const cache = new Map<string, boolean>()
  const others = new Map(graph.packages.map(({ name, advisoryNames }) => [name, advisoryNames]))
  const registriesOf = Map.groupBy(graph.packages, ({ name }) => name)
  const isAffectedIn = (text: string, registry: Registry) => {
    const reference = parsePackage(text)
    const { name, version } = toPackageKey(registry, reference)
    const advisoryNames = others.get(reference.name)
    const node = { package: { name, version }, edges: [], ...(advisoryNames && { advisoryNames }) }
    const of = { registry, versions: schemes[registry] }
    return matchGraph([{ package: node.package, nodes: [0], node }], of, snapshot).length > 0
  }
  return adviseSafely(read, (text) => {
    const all = registriesOf.get(parsePackage(text).name) ?? [{ registry: undefined }]
    const registries = new Set(all.map(({ registry = manager.registry }) => registry))
    // Packages of different registries may have the same name.
    const isAffected =
      cache.get(text) ?? [...registries].some((registry) => registry !== 'none' && isAffectedIn(text, registry))
    cache.set(text, isAffected)
    return isAffected
  })
}

export function adviseSafely(read: ReadIssues, isAffected: IsAffected): ReadIssues {
  const direct = listDirectUpgrades(read, isAffected)
  const safeFixesOf = createFixSearch(read, isAffected)
  const toSafe = (place: IssuePlace, fixedIn: readonly string[]): IssuePlace => {
    const { versions } = managerOfPlace(read, place)
    const pinTo = findPin(versions, { place, fixedIn, isAffected })
    const advice =
      place.advice && narrow(place.advice, { versions, direct, isAffected, isPinnable: pinTo !== undefined })
    return { ...place, advice, ...(pinTo !== undefined && { pinTo }) }
  }
  const issues = read.issues.map((issue) => {
    const fixedIn = issue.facts?.fixedIn ?? []
    const places = issue.places.map((place) => toSafe(place, fixedIn))
    return { ...issue, places, safeFixes: safeFixesOf(issue) }
  })
  return { ...read, issues }
}

/**
 * Creates a search for fixed versions without known issues, which may have been published as the fix of any issue of
 * the package.
 */
function createFixSearch({ issues, manager }: ReadIssues, isAffected: IsAffected) {
  const fixes = new Map<string, Set<string>>()
  for (const { facts, places } of issues) {
    for (const { name } of places) fixes.set(name, (fixes.get(name) ?? new Set()).union(new Set(facts?.fixedIn)))
  }
  return ({ places }: ReadIssues['issues'][number]): string[] => {
    const { versions } = managerOfPlace({ manager }, places[0])
    const names = [...new Set(places.map(({ name }) => name))]
    const all = new Set(names.flatMap((name) => [...fixes.get(name)!]))
    const safe = [...all].filter((fix) => !names.some((name) => isAffected(`${name}@${fix}`)))
    return safe.sort((a, b) => versions.compare(a, b))
  }
}

/** Returns the smallest version accepted by all dependents; older tests did not store these. */
function findPin(
  versions: VersionScheme,
  { place, fixedIn, isAffected }: { place: IssuePlace; fixedIn: readonly string[]; isAffected: IsAffected },
): string | undefined {
  const { advice, name, version } = place
  if (!advice?.isPinnable) return undefined
  const fixes = advice.pins ?? fixedIn.filter((fix) => versions.compare(fix, version) > 0)
  const candidates = recommendableFixes(fixes, version, versions)
  return candidates.find((fix) => !isAffected(`${name}@${fix}`))
}

/** Lists, per direct dependency, the versions to which some issue upgrades it, lowest first. */
function listDirectUpgrades(
  { issues, manager }: ReadIssues,
  isAffected: IsAffected,
): ReadonlyMap<string, readonly string[]> {
  const upgrades = new Map<string, Set<string>>()
  const schemeOf = new Map<string, VersionScheme>()
  for (const place of issues.flatMap(({ places }) => places)) {
    const { advice } = place
    for (const [at, from] of (advice?.upgradedPaths ?? []).entries()) {
      const upgraded = advice!.upgradePaths[at]![0]!
      if (isAffected(upgraded)) continue
      upgrades.set(from[0]!, (upgrades.get(from[0]!) ?? new Set()).add(upgraded))
      schemeOf.set(from[0]!, managerOfPlace({ manager }, place).versions)
    }
  }
  const compare = (current: string) => (a: string, b: string) =>
    schemeOf.get(current)!.compare(versionOf(a), versionOf(b))
  return new Map([...upgrades].map(([current, all]) => [current, [...all].sort(compare(current))]))
}

interface Narrowing {
  readonly versions: VersionScheme
  readonly direct: ReadonlyMap<string, readonly string[]>
  readonly isAffected: IsAffected
  readonly isPinnable: boolean
}

function narrow(advice: Advice, { versions, direct, isAffected, isPinnable }: Narrowing): Advice {
  const kept = advice.upgradedPaths.flatMap((from, at) => {
    const to = advice.upgradePaths[at]!
    if (!to.some((text) => !from.includes(text) && isAffected(text))) return [{ from, to }]
    // Continue to a higher version that fixes another issue of the same direct dependency.
    const all = from.length === 1 ? (direct.get(from[0]!) ?? []) : []
    const further = all.find((text) => versions.compare(versionOf(text), versionOf(to[0]!)) >= 0)
    return further === undefined ? [] : [{ from, to: [further] }]
  })
  return {
    ...advice,
    isPinnable,
    isUpgradable: kept.length > 0,
    upgradedPaths: kept.map(({ from }) => from),
    upgradePaths: kept.map(({ to }) => to),
  }
}

function versionOf(text: string): string {
  return parsePackage(text).version
}
