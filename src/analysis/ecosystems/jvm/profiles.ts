import { type MavenConfig, noConfig } from './maven-config.ts'
import type { Pom, PomBase, PomDependency, PomProfile } from './pom.ts'
import { isActivated } from './profile-activation.ts'

export interface ActiveProfiles {
  readonly active: readonly PomProfile[]
  readonly inactive: readonly PomProfile[]
  /** The inactive ones that only the build machine can decide. */
  readonly undecided: readonly PomProfile[]
}

/**
 * Selects profiles as Maven's DefaultProfileSelector does: all conditions of a profile must hold; default profiles are
 * active only if no other profile of the same POM is. `-P` takes precedence over conditions.
 */
export function selectProfiles({ profiles }: Pom, config: MavenConfig = noConfig): ActiveProfiles {
  const allowed = profiles.filter(({ id }) => !config.deactivated.has(id))
  const { activated = [], undecided = [] } = Object.groupBy(allowed, ({ id, activation }) => {
    const isActive = config.activated.has(id) || isActivated(activation, config)
    return isActive === undefined ? 'undecided' : isActive ? 'activated' : 'other'
  })
  const active = new Set(activated.length > 0 ? activated : allowed.filter(({ activation }) => activation.byDefault))
  return {
    active: [...active],
    inactive: profiles.filter((profile) => !active.has(profile)),
    undecided: undecided.filter((profile) => !active.has(profile)),
  }
}

export function changesDependencies({ dependencies, managed, modules, properties, copied }: PomBase): boolean {
  return copied.length > 0 || dependencies.length > 0 || managed.length > 0 || modules.length > 0 || properties.size > 0
}

/** Follows Maven's DefaultProfileInjector: a profile's values override the POM's. */
export function injectProfiles(pom: Pom, active: readonly PomProfile[]): Pom {
  if (active.length === 0) return pom
  const all: readonly PomBase[] = [pom, ...active]
  return {
    ...pom,
    properties: new Map(all.flatMap(({ properties }) => [...properties])),
    dependencies: override(all.map(({ dependencies }) => dependencies)),
    managed: override(all.map(({ managed }) => managed)),
    repositories: joinRepositories(all.map(({ repositories }) => repositories)),
    modules: all.flatMap(({ modules }) => modules),
    copied: all.flatMap(({ copied }) => copied),
    processors: all.flatMap(({ processors }) => processors),
  }
}

/** Puts those of the last profile first; of one id, only those of the last level that has it count. */
function joinRepositories(levels: readonly Pom['repositories'][]): Pom['repositories'] {
  const ids = new Set<string>()
  return levels.toReversed().flatMap((level) => {
    const added = level.filter(({ id }) => !ids.has(id))
    for (const { id } of level) ids.add(id)
    return added
  })
}

/** Returns Maven's management key as written. */
export function keyOf({
  group,
  artifact,
  type,
  classifier,
}: {
  readonly group: string
  readonly artifact: string
  readonly type: string
  readonly classifier: string | undefined
}): string {
  return classifier === undefined ? `${group}:${artifact}:${type}` : `${group}:${artifact}:${type}:${classifier}`
}

/** Replaces entries of equal key in place and appends new ones. */
function override(levels: readonly (readonly PomDependency[])[]): readonly PomDependency[] {
  const [base = [], ...changes] = levels
  if (changes.every(({ length }) => length === 0)) return base
  return [...new Map(levels.flat().map((entry) => [keyOf(entry), entry])).values()]
}
