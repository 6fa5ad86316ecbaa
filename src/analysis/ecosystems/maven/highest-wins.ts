import type { Collection, Kept } from './collect.ts'
import type { Coordinates, Dependency, EffectivePom, PomBuilder } from './effective-pom.ts'
import { type Exclusions, isExcluded, withExclusions } from './exclusions.ts'
import type { Exclusion } from './pom.ts'
import { isCoordinate } from './pom-reads.ts'
import type { Problem } from './version-choice.ts'

/** A dependency that may say that nothing below what it asks for is wanted. */
export interface Asked extends Dependency {
  readonly isTransitive: boolean
}

/** How one build tool chooses among the versions that are asked for. */
export interface HighestSettings<T extends Asked> {
  readonly builder: PomBuilder
  /** The version of a module that all these ask for. */
  choose(module: Module, asked: readonly Demand<T>[]): Promise<{ readonly version: string } | Problem>
  /** What a published package asks for. */
  below(pom: EffectivePom): readonly T[]
  compare(a: string, b: string): number
  /** Excluded everywhere. */
  readonly excluded: readonly Exclusion[]
  readonly maxPackages: number
}

export interface Module {
  readonly group: string
  readonly artifact: string
}

export interface Demand<T> {
  readonly dependency: T
  /** Asked for by the project itself. */
  readonly isDirect: boolean
}

interface Selected {
  readonly version: string
  readonly pom: EffectivePom | undefined
  readonly problem: Problem | undefined
}

interface Edge<T> extends Demand<T> {
  /** The module that asks; empty for the project. */
  readonly from: string
  readonly to: string
}

interface Walk<T> {
  /** The modules that are reached, in the order they are. */
  readonly reached: ReadonlyMap<string, Module>
  readonly edges: readonly Edge<T>[]
}

/** After so many passes that changed a version they only go up, so that choices that undo each other come to an end. */
const CHANGES_BOTH_WAYS = 30
/** Each pass looks one level deeper. */
const MAX_PASSES = 1_000
/** Ways to a package with different exclusions that are told apart. */
const MAX_CONTEXTS = 16

/**
 * One version of each module, chosen among all that are asked for by what is itself chosen; repeated until nothing
 * changes. An exclusion holds where all ways to a package exclude (Gradle's and Coursier's rule).
 */
export async function collectHighest<T extends Asked>(
  direct: readonly T[],
  settings: HighestSettings<T>,
): Promise<Collection> {
  const chosen = new Map<string, Selected | Problem>()
  const poms = new Map<string, Promise<Pick<Selected, 'pom' | 'problem'>>>()
  let changed = 0
  for (let pass = 1; ; pass++) {
    const walk = walkOnce(direct, chosen, settings)
    const byModule = Map.groupBy(walk.edges, ({ to }) => to)
    const changes = await Promise.all(
      [...walk.reached].map(async ([key, module]) => {
        const choice = await choose(module, byModule.get(key) ?? [], settings)
        const before = chosen.get(key)
        return {
          key,
          choice: changed > CHANGES_BOTH_WAYS ? notLower(before, choice, settings) : choice,
          before,
          module,
        }
      }),
    )
    const news = changes.filter(({ choice, before }) => before === undefined || !isSame(before, choice))
    if (news.length === 0 || pass === MAX_PASSES)
      return toCollection(walk, chosen, { settings, isSettled: news.length === 0 })
    if (news.some(({ before }) => before !== undefined)) changed++
    for (const { key, choice, module } of news) {
      if ('code' in choice) chosen.set(key, choice)
      else chosen.set(key, { ...choice, ...(await readPom({ ...module, ...choice }, settings.builder, poms)) })
    }
  }
}

function walkOnce<T extends Asked>(
  direct: readonly T[],
  chosen: ReadonlyMap<string, Selected | Problem>,
  { below, excluded, maxPackages }: HighestSettings<T>,
): Walk<T> {
  const reached = new Map<string, Module>()
  const edges: Edge<T>[] = []
  const contexts = new Map<string, Set<Exclusions>>()
  const everywhere = withExclusions(undefined, excluded)
  const queue: { readonly from: string; readonly asked: readonly T[]; readonly exclusions: Exclusions }[] = [
    { from: '', asked: direct, exclusions: everywhere },
  ]
  const seen = new Set<string>()
  for (const { from, asked, exclusions } of queue) {
    for (const dependency of asked) {
      if (isExcluded(dependency, exclusions)) continue
      const key = keyOf(dependency)
      if (reached.size < maxPackages) reached.set(key, { group: dependency.group, artifact: dependency.artifact })
      const isDirect = from === ''
      const edgeKey = `${from} ${key} ${asked.indexOf(dependency)}`
      if (!seen.has(edgeKey)) edges.push({ from, to: key, dependency, isDirect })
      seen.add(edgeKey)
      const selected = chosen.get(key)
      if (!dependency.isTransitive || selected === undefined || !('version' in selected)) continue
      if (selected.pom === undefined) continue
      const inner = withExclusions(exclusions, dependency.exclusions)
      if (enter(contexts, key, inner === undefined ? everywhere : inner, everywhere)) {
        const context = contexts.get(key)!.has(everywhere) ? everywhere : inner
        queue.push({ from: key, asked: below(selected.pom), exclusions: context })
      }
    }
  }
  return { reached, edges }
}

/** Whether a package is to be looked into with these exclusions: not when it was without any, or with the same. */
function enter(
  contexts: Map<string, Set<Exclusions>>,
  key: string,
  exclusions: Exclusions,
  everywhere: Exclusions,
): boolean {
  const known = contexts.get(key) ?? new Set()
  contexts.set(key, known)
  if (known.has(everywhere)) return false
  const text = textOf(exclusions)
  if ([...known].some((each) => textOf(each) === text)) return false
  known.add(known.size >= MAX_CONTEXTS ? everywhere : exclusions)
  return true
}

const UNSETTLED = 'Versions depend on each other in a way that was not settled'

const texts = new WeakMap<object, string>()

function textOf(exclusions: Exclusions): string {
  if (exclusions === undefined) return ''
  const known = texts.get(exclusions)
  if (known !== undefined) return known
  const all: string[] = []
  for (let at: Exclusions = exclusions; at !== undefined; at = at.above) {
    all.push(...at.own.map(({ group, artifact }) => `${group}:${artifact}`))
  }
  const text = [...new Set(all)].sort().join(' ')
  texts.set(exclusions, text)
  return text
}

async function choose<T extends Asked>(
  module: Module,
  edges: readonly Edge<T>[],
  settings: HighestSettings<T>,
): Promise<{ readonly version: string } | Problem> {
  const choice = await settings.choose(module, edges)
  if ('code' in choice || [module.group, module.artifact, choice.version].every(isCoordinate)) return choice
  return { code: 'not-in-registry', reason: 'No repository can hold a package of these coordinates' }
}

function notLower<T extends Asked>(
  before: Selected | Problem | undefined,
  choice: { readonly version: string } | Problem,
  { compare }: HighestSettings<T>,
): { readonly version: string } | Problem {
  if (before === undefined || 'code' in before) return choice
  return 'code' in choice || compare(choice.version, before.version) < 0 ? before : choice
}

function isSame(before: Selected | Problem, choice: { readonly version: string } | Problem): boolean {
  if ('code' in before || 'code' in choice) return 'code' in before && 'code' in choice
  return before.version === choice.version
}

function readPom(
  coordinates: Coordinates,
  builder: PomBuilder,
  known: Map<string, Promise<Pick<Selected, 'pom' | 'problem'>>>,
): Promise<Pick<Selected, 'pom' | 'problem'>> {
  const key = `${coordinates.group}:${coordinates.artifact}:${coordinates.version}`
  const before = known.get(key)
  if (before !== undefined) return before
  const reading = find(coordinates, builder)
  known.set(key, reading)
  return reading
}

async function find(coordinates: Coordinates, builder: PomBuilder): Promise<Pick<Selected, 'pom' | 'problem'>> {
  const { group, artifact, version } = coordinates
  const found = await builder.get({ group, artifact, version })
  return 'findManaged' in found ? { pom: found, problem: undefined } : { pom: undefined, problem: found }
}

function toCollection<T extends Asked>(
  { reached, edges }: Walk<T>,
  chosen: ReadonlyMap<string, Selected | Problem>,
  { settings, isSettled }: { settings: HighestSettings<T>; isSettled: boolean },
): Collection {
  const kept: Kept[] = []
  const numbers = new Map<string, number>([['', 0]])
  for (const [key, module] of reached) {
    const selected = chosen.get(key)
    if (selected === undefined || 'code' in selected) continue
    kept.push({ coordinates: { ...module, version: selected.version }, pom: selected.pom })
    numbers.set(key, kept.length)
  }
  const isFull = reached.size >= settings.maxPackages
  const full = `There are more than ${settings.maxPackages} packages`
  const problemOf = (key: string): Problem | undefined => {
    const selected = chosen.get(key)
    if (selected === undefined) return { code: 'bound-met', reason: isFull ? full : UNSETTLED }
    return 'code' in selected ? selected : selected.problem
  }
  return {
    kept,
    ways: edges.flatMap(({ from, to, dependency }) => {
      const number = numbers.get(from)
      if (number === undefined) return []
      return [{ from: number, dependency, to: numbers.get(to), problem: problemOf(to), isScopeManaged: false }]
    }),
    boundsMet: [...(isSettled ? [] : [UNSETTLED]), ...(isFull ? [full] : [])],
  }
}

function keyOf({ group, artifact }: Module): string {
  return `${group}:${artifact}`
}
