import { mavenVersions } from '#analysis/versions/maven.ts'
import { type MavenConfig, noConfig } from './maven-config.ts'
import type { Activation, OsActivation, Pom, PomBase, PomDependency, PomProfile } from './pom.ts'

/** The assumed build machine, for profile activation. */
const assumed = { jdk: '17', osName: 'linux', osFamily: 'unix', osArch: 'amd64' }

export interface ActiveProfiles {
  readonly active: readonly PomProfile[]
  readonly inactive: readonly PomProfile[]
}

/**
 * Selects profiles as Maven's DefaultProfileSelector does: all conditions of a profile must hold; default profiles are
 * active only if no other profile of the same POM is. `-P` takes precedence over conditions.
 */
export function selectProfiles({ profiles }: Pom, config: MavenConfig = noConfig): ActiveProfiles {
  const allowed = profiles.filter(({ id }) => !config.deactivated.has(id))
  const activated = allowed.filter(({ id, activation }) => config.activated.has(id) || isActivated(activation, config))
  const active = new Set(activated.length > 0 ? activated : allowed.filter(({ activation }) => activation.byDefault))
  return { active: [...active], inactive: profiles.filter((profile) => !active.has(profile)) }
}

/** Returns true if the decision may differ on another machine. */
export function dependsOnMachine({ activation }: PomProfile): boolean {
  return activation.jdk !== undefined || activation.os !== undefined || activation.asksForFile
}

export function changesDependencies({ dependencies, managed, modules, properties, copied }: PomBase): boolean {
  return copied.length > 0 || dependencies.length > 0 || managed.length > 0 || modules.length > 0 || properties.size > 0
}

export function describeMachine(): string {
  return `JDK ${assumed.jdk} on ${assumed.osName} ${assumed.osArch} without further properties`
}

function isActivated({ jdk, os, property, asksForFile }: Activation, config: MavenConfig): boolean {
  if (asksForFile) return false
  const conditions = [
    ...(jdk === undefined ? [] : [isJdk(jdk)]),
    ...(os === undefined ? [] : [isOs(os)]),
    ...(property === undefined ? [] : [isProperty(property, config)]),
  ]
  return conditions.length > 0 && conditions.every(Boolean)
}

/** Matches a version prefix, `!` and a prefix, or a range. */
function isJdk(jdk: string): boolean {
  if (jdk.startsWith('!')) return !assumed.jdk.startsWith(jdk.slice(1))
  if (/^[[(]/.test(jdk)) return mavenVersions.satisfies(assumed.jdk, jdk)
  return assumed.jdk.startsWith(jdk)
}

function isOs({ name, family, arch, version }: OsActivation): boolean {
  const conditions: [wanted: string | undefined, is: string][] = [
    [name, assumed.osName],
    [family, assumed.osFamily],
    [arch, assumed.osArch],
    [version, ''],
  ]
  const given = conditions.filter(([wanted]) => wanted !== undefined)
  return given.length > 0 && given.every(([wanted, is]) => matches(wanted!.toLowerCase(), is))
}

function matches(wanted: string, is: string): boolean {
  return wanted.startsWith('!') ? wanted.slice(1) !== is : wanted === is
}

/** Follows Maven's PropertyProfileActivator: `!` before the name or the value negates. */
function isProperty({ name, value }: NonNullable<Activation['property']>, config: MavenConfig): boolean {
  const key = name.replace(/^!/, '')
  const set = config.userProperties.get(key) ?? config.systemProperties.get(key) ?? ''
  if (value === undefined) return (set !== '') !== name.startsWith('!')
  return value.startsWith('!') ? value.slice(1) !== set : value === set
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
  const known = new Set<string>()
  return levels.toReversed().flatMap((level) => {
    const added = level.filter(({ id }) => !known.has(id))
    for (const { id } of level) known.add(id)
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
