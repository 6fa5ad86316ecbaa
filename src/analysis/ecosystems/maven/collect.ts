import { mavenVersions } from '#analysis/versions/maven.ts'
import { isFat } from './artifact-type.ts'
import { type Candidate, type CandidateMeans, toCandidate } from './candidate.ts'
import { type ConflictGroups, createConflictGroups } from './conflict-groups.ts'
import type { Coordinates, Dependency, EffectivePom } from './effective-pom.ts'
import type { Exclusions } from './exclusions.ts'
import { isHard } from './requirement.ts'
import type { Problem } from './version-choice.ts'

/** A package that was kept. */
export interface Kept {
  readonly coordinates: Coordinates
  readonly pom: EffectivePom | undefined
}

/** One declared dependency: from a package that was kept to the one that stands for it. */
export interface Way {
  /** 0 is the project, 1 the first of those kept. */
  readonly from: number
  readonly dependency: Dependency
  /** Undefined when no version of it could be kept. */
  readonly to: number | undefined
  readonly problem: Problem | undefined
  readonly isScopeManaged: boolean
}

export interface Collection {
  readonly kept: readonly Kept[]
  readonly ways: readonly Way[]
  readonly boundsMet: readonly string[]
}

export interface CollectSettings extends Omit<CandidateMeans, 'rangesOn'> {
  readonly maxPackages: number
}

interface Place extends Kept {
  readonly number: number
  /** The number of what asks for it. */
  readonly parent: number
  readonly depth: number
  readonly exclusions: Exclusions
  readonly below: readonly Dependency[]
}

const MAX_PASSES = 100
const UNSETTLED = 'Version ranges contradict each other in more ways than were tried'

/**
 * Collects and mediates as Maven's resolver does (DefaultDependencyCollector, ConflictResolver, NearestVersionSelector,
 * ClassicDependencyManager): level by level, so that the first place of an artifact is the nearest and first declared;
 * what lies below a place that loses is not looked at. Ranges in brackets hold for all places: when a version that was
 * kept meets one that it does not fit, everything is collected anew without it.
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
  const means = { ...settings, rangesOn: groups.rangesOn }
  const tree = createTree(maxPackages, groups)
  const ways: (Omit<Way, 'to'> & { readonly key: string })[] = []
  for (let level = [projectOf(direct)]; level.length > 0; ) {
    const candidates = await Promise.all(
      level.flatMap((from) =>
        from.below.map(async (dependency) => ({
          from,
          candidate: await toCandidate(dependency, { ...from, isDirect: from.depth === 0 }, means),
        })),
      ),
    )
    const next = new Map<number, Place>()
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
      const found = tree.find(key)
      const isCutOff = isFull && found === undefined && way.problem === undefined
      const isUnmet = groups.isFrozen && found !== undefined && !isMet(way.dependency, found)
      const reason = isCutOff ? full : isUnmet ? UNSETTLED : undefined
      return { ...way, to: found?.number, ...(reason === undefined ? {} : { problem: { code: 'bound-met', reason } }) }
    }),
    boundsMet: [...(groups.isFrozen ? [UNSETTLED] : []), ...(isFull ? [full] : [])],
  }
}

/** Of a range in brackets, whether the version that was kept is in it. */
function isMet({ version }: Dependency, { coordinates }: Place): boolean {
  return version === undefined || !isHard(version) || mavenVersions.satisfies(coordinates.version, version)
}

function projectOf(below: readonly Dependency[]): Place {
  const coordinates = { group: '', artifact: '', version: '' }
  return { number: 0, parent: -1, depth: 0, coordinates, pom: undefined, exclusions: undefined, below }
}

/** The packages kept so far, one of each artifact. */
function createTree(maxPackages: number, groups: ConflictGroups) {
  const winners = new Map<string, Place>()
  const kept: Place[] = []

  /** False when both artifacts have a place already: only one of them may keep it. */
  function join(key: string, originalKey: string): boolean {
    const joined = groups.join(key, originalKey)
    if (joined === undefined) return true
    const moving = winners.get(joined.from)
    if (moving === undefined) return true
    if (winners.has(joined.into)) return false
    winners.set(joined.into, moving)
    return true
  }

  function keep(candidate: Candidate, from: Place, number: number): Place | undefined {
    const { coordinates, pom, exclusions, dependency, key } = candidate
    if (coordinates === undefined || number > maxPackages) return undefined
    const below = pom === undefined || isFat(dependency.type) || isInvalid(pom) ? [] : pom.dependencies
    const place = { number, parent: from.number, depth: from.depth + 1, coordinates, pom, exclusions, below }
    winners.set(groups.find(key), place)
    kept[number - 1] = place
    return place
  }

  /** Of what one package asks for twice, by an old name and a new one, the newer version counts. */
  function replace(winner: Place, candidate: Candidate, from: Place): Place | undefined {
    const { coordinates } = candidate
    if (winner.parent !== from.number || coordinates === undefined) return undefined
    const isNewer = mavenVersions.compare(coordinates.version, winner.coordinates.version) > 0
    return isNewer && groups.accepts(candidate.key, coordinates.version)
      ? keep(candidate, from, winner.number)
      : undefined
  }

  /** In a circle, what a package asks of itself does not count. */
  function isBelowItself({ key }: Candidate, from: Place): boolean {
    const winner = winners.get(groups.find(key))
    if (winner === undefined) return false
    let at: Place | undefined = from
    while (at !== undefined && at.depth > winner.depth) at = kept[at.parent - 1]
    return at === winner
  }

  return {
    kept,
    find: (key: string) => winners.get(groups.find(key)),
    /** The candidate's place if it gets one; `again` when what it says would have changed places that are given. */
    offer(candidate: Candidate, from: Place): Place | 'again' | undefined {
      const { key, originalKey, dependency, coordinates } = candidate
      if (!join(key, originalKey)) return 'again'
      if (isBelowItself(candidate, from)) return undefined
      const range = dependency.version !== undefined && isHard(dependency.version) ? dependency.version : undefined
      const isNews = range !== undefined && mavenVersions.isRange(range) && groups.constrain(key, range)
      const winner = winners.get(groups.find(key))
      if (winner !== undefined && isNews && !groups.accepts(key, winner.coordinates.version)) return 'again'
      if (winner !== undefined) return replace(winner, candidate, from)
      if (coordinates === undefined || groups.accepts(key, coordinates.version)) {
        return keep(candidate, from, kept.length + 1)
      }
      return isNews ? 'again' : undefined
    },
  }
}

/** Maven takes no dependencies from a published POM that builds on what cannot be had, or leaves a version open. */
export function isInvalid({ faults, dependencies, lineage }: EffectivePom): boolean {
  if (lineage[0]?.pom.origin === 'project') return false
  return faults.length > 0 || dependencies.some(({ version }) => version === undefined)
}
