import { mavenVersions } from '#analysis/versions/maven.ts'
import type { EffectivePom, PomBuilder } from '../effective-pom.ts'
import type { Exclusion } from '../pom.ts'
import { isCoordinate, type PomReads } from '../pom-reads.ts'
import { keyOf } from '../profiles.ts'
import type { Problem } from '../version-choice.ts'
import { createExclusionSets, type ExclusionSet } from './exclusion-sets.ts'
import type { ManagementRules } from './management.ts'
import type { Dependency } from './project-dependencies.ts'
import { chooseVersion, type VersionChoice } from './reconciliation.ts'

/** A chosen module. */
export interface Chosen {
  readonly name: string
  readonly version: string
  readonly pom: EffectivePom | undefined
  /** The reason for which its dependencies are unknown. */
  readonly problem: Problem | undefined
}

/** An edge from the project (undefined) or a module to a dependency. */
export interface Way {
  readonly from: string | undefined
  readonly to: string
  readonly range: string
  /** The project's own declaration. */
  readonly declared: Dependency | undefined
}

export interface Resolution {
  readonly chosen: ReadonlyMap<string, Chosen>
  readonly ways: readonly Way[]
  /** Modules without a possible version. */
  readonly problems: ReadonlyMap<string, Problem>
  readonly boundsMet: readonly string[]
}

export interface ResolutionParts {
  readonly builder: PomBuilder
  readonly reads: PomReads
  readonly forced: ReadonlyMap<string, string>
  /** Exclusions for all modules. */
  readonly exclusions: readonly Exclusion[]
  readonly management: ManagementRules
  readonly maxPackages: number
}

const MAX_PASSES = 60

/**
 * Resolves as Coursier does: one version per module, the newest that any included module requires; ranges apply to all.
 * A module's management applies to its own dependencies. Below published modules only compile and runtime dependencies
 * count, no optional ones. A module is excluded only if all paths exclude it. If a choice changes the demands,
 * collection restarts with the choices so far.
 */
export async function resolve(dependencies: readonly Dependency[], parts: ResolutionParts): Promise<Resolution> {
  let choices = new Map<string, string>()
  for (let pass = 1; ; pass++) {
    const collected = await collect(dependencies, choices, parts)
    const next = await reconcile(collected.requests, parts)
    const isLast = pass === MAX_PASSES
    const isSettled = [...next.versions].every(([name, version]) => collected.chosen.get(name)?.version === version)
    if (isSettled || isLast || collected.isFull) {
      const unsettled = isLast && !isSettled ? ['Versions still changed each other when the search was stopped'] : []
      const full = collected.isFull ? [`There are more than ${parts.maxPackages} packages`] : []
      const boundsMet = [...unsettled, ...full]
      return { chosen: collected.chosen, ways: collected.ways, problems: next.problems, boundsMet }
    }
    // Two alternating choices would never end, so later versions only increase.
    choices = pass < MAX_PASSES / 2 ? next.versions : rising(choices, next.versions)
  }
}

function rising(before: ReadonlyMap<string, string>, next: ReadonlyMap<string, string>): Map<string, string> {
  const higher = [...next].map(([name, version]) => {
    const old = before.get(name)
    return [name, old !== undefined && mavenVersions.compare(old, version) > 0 ? old : version] as const
  })
  return new Map([...before, ...higher])
}

async function reconcile(requests: Requests, parts: ResolutionParts) {
  const versions = new Map<string, string>()
  const problems = new Map<string, Problem>()
  const choices = await Promise.all(
    [...requests].map(async ([name, requested]) => {
      const forced = parts.forced.get(name)
      return forced === undefined ? chooseVersion(name, requested, parts.reads) : { version: forced }
    }),
  )
  for (const [index, name] of [...requests.keys()].entries()) {
    const { version, problem }: VersionChoice = choices[index]!
    if (version !== undefined) versions.set(name, version)
    if (problem !== undefined) problems.set(name, problem)
  }
  return { versions, problems }
}

/** The versions that are requested of each module; undefined if left to others. */
type Requests = ReadonlyMap<string, (string | undefined)[]>

interface Collected {
  readonly chosen: Map<string, Chosen>
  readonly ways: Way[]
  readonly requests: Requests
  readonly isFull: boolean
}

interface Visit {
  readonly name: string
  readonly exclusions: ExclusionSet
}

async function collect(
  dependencies: readonly Dependency[],
  choices: ReadonlyMap<string, string>,
  parts: ResolutionParts,
): Promise<Collected> {
  const { maxPackages, forced } = parts
  const sets = createExclusionSets(parts.exclusions)
  const chosen = new Map<string, Chosen>()
  const ways = new Map<string, Way>()
  const requests = new Map<string, (string | undefined)[]>()
  let isFull = false
  let level: Visit[] = []

  function ask(way: Way, exclusions: ExclusionSet): void {
    const { from, to, range } = way
    const key = `${from ?? ''}\n${to}\n${range}`
    if (!ways.has(key)) {
      ways.set(key, way)
      requests.set(to, [...(requests.get(to) ?? []), range === '' ? undefined : range])
    }
    const visited = sets.visit(to, exclusions)
    if (visited !== undefined) level.push({ name: to, exclusions: visited })
  }

  for (const dependency of dependencies) {
    const name = `${dependency.group}:${dependency.artifact}`
    if (sets.excludes(sets.everywhere, dependency)) continue
    const inner = dependency.isTransitive
      ? dependency.exclusions
      : [...dependency.exclusions, { group: '*', artifact: '*' }]
    const way = { from: undefined, to: name, range: dependency.version ?? '', declared: dependency }
    ask(way, sets.add(sets.everywhere, inner))
  }
  while (level.length > 0) {
    const visits = level
    level = []
    const choosing = [...new Set(visits.map(({ name }) => name))].filter((name) => !chosen.has(name))
    isFull ||= chosen.size + choosing.length > maxPackages
    const room = choosing.slice(0, maxPackages - chosen.size)
    const made = await Promise.all(
      room.map(async (name) => {
        const version =
          forced.get(name) ?? choices.get(name) ?? (await chooseVersion(name, requests.get(name)!, parts.reads)).version
        return version === undefined ? undefined : read(name, version, parts.builder)
      }),
    )
    for (const module of made) if (module !== undefined) chosen.set(module.name, module)
    for (const { name, exclusions } of visits) {
      for (const { dependency, way, below } of demandsOf(chosen.get(name), parts.management)) {
        if (!sets.excludes(exclusions, dependency)) ask(way, sets.add(exclusions, below))
      }
    }
  }
  return { chosen, ways: [...ways.values()], requests, isFull }
}

async function read(name: string, version: string, builder: PomBuilder): Promise<Chosen> {
  const [group = '', artifact = ''] = name.split(':')
  const coordinates = { group, artifact, version }
  if (!Object.values(coordinates).every(isCoordinate)) {
    const reason = 'No repository can hold a package of these coordinates'
    return { name, version, pom: undefined, problem: { code: 'not-in-registry', reason } }
  }
  const pom = await builder.get(coordinates)
  return 'findManaged' in pom
    ? { name, version, pom, problem: undefined }
    : { name, version, pom: undefined, problem: pom }
}

interface Asks {
  readonly dependency: { readonly group: string; readonly artifact: string }
  readonly way: Way
  readonly below: readonly Exclusion[]
}

const none: readonly Exclusion[] = []

/** Returns the demands of a module; a relocated one requires its new name. */
function demandsOf(chosen: Chosen | undefined, rules: ManagementRules): Asks[] {
  if (chosen?.pom === undefined) return []
  const { relocation, dependencies, findManaged } = chosen.pom
  const toWay = (group: string, artifact: string, range: string): Way => {
    return { from: chosen.name, to: `${group}:${artifact}`, range, declared: undefined }
  }
  if (relocation !== undefined) {
    const { group, artifact, version } = relocation
    const way = toWay(group, artifact, version)
    return way.to === chosen.name ? [] : [{ dependency: relocation, way, below: none }]
  }
  return (
    dependencies
      // Unknown scopes count: Selenium 4.11 has classifiers there.
      .filter(({ scope }) => scope === undefined || !/^(?:test|provided|system|import)$/.test(scope))
      // Unlike Maven, Coursier lets management make a dependency optional.
      .filter((dependency) => !dependency.optional && findManaged(keyOf(dependency))?.optional !== true)
      .map((dependency) => {
        const { group, artifact, exclusions } = dependency
        const managed = findManaged(keyOf(dependency))
        const version = (rules.reach === 'own' ? managed?.version : undefined) ?? dependency.version ?? ''
        const added = rules.exclusions === 'added' ? (managed?.exclusions ?? none) : none
        const below = added.length === 0 ? exclusions : [...exclusions, ...added]
        return { dependency, way: toWay(group, artifact, version), below }
      })
  )
}
