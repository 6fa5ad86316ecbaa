import { mavenVersions } from '#analysis/versions/maven.ts'
import { containsDependencies } from './artifact-type.ts'
import { type Candidate, type CandidateDeps, toCandidate } from './candidate.ts'
import { type ConflictGroups, createConflictGroups } from './conflict-groups.ts'
import type { Coordinates } from './coordinates.ts'
import type { Dependency, EffectivePom } from './effective-pom.ts'
import type { Exclusions } from './exclusions.ts'
import { isHard } from './requirement.ts'
import type { Problem } from './version-choice.ts'

/** A package that was kept. */
export interface Kept {
  readonly coordinates: Coordinates
  readonly pom: EffectivePom | undefined
}

/** A declared dependency: from a kept package to the one that represents the target. */
export interface Way {
  /** 0 is the project, 1 the first kept package. */
  readonly from: number
  readonly dependency: Dependency
  /** Undefined if no version could be kept. */
  readonly to: number | undefined
  readonly problem: Problem | undefined
  readonly isScopeManaged: boolean
}

export interface Collection {
  readonly kept: readonly Kept[]
  readonly ways: readonly Way[]
  readonly boundsMet: readonly string[]
}

export interface CollectSettings extends Omit<CandidateDeps, 'rangesOn'> {
  readonly maxPackages: number
}

interface TreePosition extends Kept {
  readonly number: number
  /** The number of the requiring package. */
  readonly parent: number
  readonly depth: number
  readonly exclusions: Exclusions
  readonly below: readonly Dependency[]
}

const MAX_PASSES = 100
const UNSETTLED = 'Too many combinations of conflicting version ranges'

/**
 * Collects and mediates as Maven's resolver does (DefaultDependencyCollector, ConflictResolver, NearestVersionSelector,
 * ClassicDependencyManager): breadth first, so that the first place of an artifact is the nearest and first declared;
 * subtrees of losing places are not visited. Bracketed ranges apply to all places: if a kept version violates one,
 * collection restarts without that version.
 */
export async function collect(direct: readonly Dependency[], settings: CollectSettings): Promise<Collection> {
  const groups = createConflictGroups()
  for (let pass = 1; ; pass++) {
    const collection = await collectOnce(direct, settings, groups)
    if (collection !== 'again') return collection
    if (pass === MAX_PASSES) groups.freeze()
  }
}

async function collectOnce(
  direct: readonly Dependency[],
  settings: CollectSettings,
  groups: ConflictGroups,
): Promise<Collection | 'again'> {
  const { maxPackages } = settings
  const deps = { ...settings, rangesOn: groups.rangesOn }
  const tree = createTree(maxPackages, groups)
  const ways: (Omit<Way, 'to'> & { readonly key: string })[] = []
  for (let level = [projectOf(direct)]; level.length > 0; ) {
    const candidates = await Promise.all(
      level.flatMap((from) =>
        from.below.map(async (dependency) => ({
          from,
          candidate: await toCandidate(dependency, { ...from, isDirect: from.depth === 0 }, deps),
        })),
      ),
    )
    const next = new Map<number, TreePosition>()
    for (const { from, candidate } of candidates) {
      if (candidate === undefined) continue
      const { dependency, key, problem, isScopeManaged } = candidate
      ways.push({ from: from.number, dependency, problem, isScopeManaged, key })
      const place = tree.offer(candidate, from)
      if (place === 'again') return 'again'
      if (place !== undefined) next.set(place.number, place)
    }
    level = [...next.values()]
  }
  const isFull = tree.kept.length >= maxPackages
  const full = `There are more than ${maxPackages} packages`
  return {
    kept: tree.kept,
    ways: ways.map(({ key, ...way }) => {
      const existing = tree.find(key)
      const isCutOff = isFull && existing === undefined && way.problem === undefined
      const isUnmet = groups.isFrozen && existing !== undefined && !isMet(way.dependency, existing)
      const reason = isCutOff ? full : isUnmet ? UNSETTLED : undefined
      return {
        ...way,
        to: existing?.number,
        ...(reason === undefined ? {} : { problem: { code: 'bound-met', reason } }),
      }
    }),
    boundsMet: [...(groups.isFrozen ? [UNSETTLED] : []), ...(isFull ? [full] : [])],
  }
}

/** Returns true if the kept version is within the bracketed range. */
function isMet({ version }: Dependency, { coordinates }: TreePosition): boolean {
  return version === undefined || !isHard(version) || mavenVersions.satisfies(coordinates.version, version)
}

function projectOf(below: readonly Dependency[]): TreePosition {
  const coordinates = { group: '', artifact: '', version: '' }
  return { number: 0, parent: -1, depth: 0, coordinates, pom: undefined, exclusions: undefined, below }
}

/** The packages kept so far, one per artifact. */
function createTree(maxPackages: number, groups: ConflictGroups) {
  const winners = new Map<string, TreePosition>()
  const kept: TreePosition[] = []

  /** Joins two artifacts; false if both already have a place, of which only one may remain. */
  function join(key: string, originalKey: string): boolean {
    const joined = groups.join(key, originalKey)
    if (joined === undefined) return true
    const moving = winners.get(joined.from)
    if (moving === undefined) return true
    if (winners.has(joined.into)) return false
    winners.set(joined.into, moving)
    return true
  }

  function keep(candidate: Candidate, from: TreePosition, number: number): TreePosition | undefined {
    const { coordinates, pom, exclusions, dependency, key } = candidate
    if (coordinates === undefined || number > maxPackages) return undefined
    const below = pom === undefined || containsDependencies(dependency.type) || isInvalid(pom) ? [] : pom.dependencies
    const place = { number, parent: from.number, depth: from.depth + 1, coordinates, pom, exclusions, below }
    winners.set(groups.find(key), place)
    kept[number - 1] = place
    return place
  }

  /** Keeps the newer version of a package required twice, by an old name and a new one. */
  function replace(winner: TreePosition, candidate: Candidate, from: TreePosition): TreePosition | undefined {
    const { coordinates } = candidate
    if (winner.parent !== from.number || coordinates === undefined) return undefined
    const isNewer = mavenVersions.compare(coordinates.version, winner.coordinates.version) > 0
    return isNewer && groups.accepts(candidate.key, coordinates.version)
      ? keep(candidate, from, winner.number)
      : undefined
  }

  /** Returns true for a package that requires itself in a cycle, which does not count. */
  function isBelowItself({ key }: Candidate, from: TreePosition): boolean {
    const winner = winners.get(groups.find(key))
    if (winner === undefined) return false
    let at: TreePosition | undefined = from
    while (at !== undefined && at.depth > winner.depth) at = kept[at.parent - 1]
    return at === winner
  }

  return {
    kept,
    find: (key: string) => winners.get(groups.find(key)),
    /** Returns the candidate's place if it gets one; `again` if it would have changed earlier places. */
    offer(candidate: Candidate, from: TreePosition): TreePosition | 'again' | undefined {
      const { key, originalKey, dependency, coordinates } = candidate
      if (!join(key, originalKey)) return 'again'
      if (isBelowItself(candidate, from)) return undefined
      const range = dependency.version !== undefined && isHard(dependency.version) ? dependency.version : undefined
      const isNew = range !== undefined && mavenVersions.isRange(range) && groups.constrain(key, range)
      const winner = winners.get(groups.find(key))
      if (winner !== undefined && isNew && !groups.accepts(key, winner.coordinates.version)) return 'again'
      if (winner !== undefined) return replace(winner, candidate, from)
      if (coordinates === undefined || groups.accepts(key, coordinates.version)) {
        return keep(candidate, from, kept.length + 1)
      }
      return isNew ? 'again' : undefined
    },
  }
}

/** Returns true for a published POM with missing parents or open versions; Maven ignores its dependencies. */
export function isInvalid({ faults, dependencies, lineage }: EffectivePom): boolean {
  if (lineage[0]?.pom.origin === 'project') return false
  return faults.length > 0 || dependencies.some(({ version }) => version === undefined)
}
