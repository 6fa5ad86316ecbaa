import type { Unresolved } from '#analysis/dependency-graph.ts'
import type { Exclusion } from '../pom.ts'
import type { Build, OwnedProject } from './build.ts'
import { toRule } from './module-values.ts'
import type { SentFiles } from './sent-files.ts'
import { findUnfollowed } from './unfollowed-keys.ts'
import {
  type Cross,
  flat,
  isNothing,
  type Module,
  type Platform,
  type SourcePosition,
  toUnknown,
  toUnresolved,
  type Value,
} from './values.ts'

/** A module required by a project, under its published name. */
export interface Dependency {
  readonly group: string
  readonly artifact: string
  /** Undefined if the version is set elsewhere. */
  readonly version: string | undefined
  readonly exclusions: readonly Exclusion[]
  readonly isTransitive: boolean
  readonly kind: 'product' | 'tests'
  readonly place: SourcePosition | undefined
}

/** The modules of one project of a build. */
export interface ProjectDependencies {
  readonly name: string
  readonly dependencies: readonly Dependency[]
  /** Versions that override all demands, by `group:artifact`. */
  readonly forced: ReadonlyMap<string, string>
  readonly exclusions: readonly Exclusion[]
  readonly repositories: readonly string[]
  readonly unresolved: readonly Unresolved[]
  /** Modules needed only for building. */
  readonly ofBuild: readonly string[]
  readonly notes: readonly string[]
}

interface Naming {
  readonly scala: string | undefined
  readonly binary: string | undefined
  readonly platform: Platform
  readonly suffixes: Readonly<Record<Platform, string>>
}

/** Returns every project with its modules, its own and through `dependsOn`. */
export function listProjectDependencies(build: Build, files: SentFiles): ProjectDependencies[] {
  const own = new Map(build.projects.map((project) => [project.axis, dependenciesOf(project, build, files)]))
  return build.projects.map((project) => {
    const dependencies = withoutRepeats([...own.get(project.axis)!.dependencies, ...inherited(project, build, own)])
    return { ...own.get(project.axis)!, dependencies }
  })
}

function withoutRepeats(dependencies: readonly Dependency[]): Dependency[] {
  const byContent = new Map<string, Dependency>()
  for (const dependency of dependencies) {
    const key = JSON.stringify({ ...dependency, place: undefined })
    if (!byContent.has(key)) byContent.set(key, dependency)
  }
  return [...byContent.values()]
}

function dependenciesOf({ axis, project }: OwnedProject, build: Build, files: SentFiles): ProjectDependencies {
  const { settings } = build
  const scala = textOf(settings.valueIn(axis, 'scalaVersion'))
  const binary = textOf(settings.valueIn(axis, 'scalaBinaryVersion'))
  const naming = { scala, binary, platform: project.platform, suffixes: platformSuffixes(build) }
  const unresolved: Unresolved[] = []
  const items = (key: string) => {
    const value = settings.valueIn(axis, key)
    return value === undefined ? [] : flat(value).filter((value) => !isNothing(value))
  }
  const dependencies: Dependency[] = scalaLibrary(
    settings.valueIn(axis, 'autoScalaLibrary'),
    textOf(settings.valueIn(axis, 'scalaOrganization')),
    naming,
  )
  const ofBuild: string[] = []
  for (const value of items('libraryDependencies')) {
    if (value.kind !== 'module') {
      unresolved.push(toUnresolved(value, 'libraryDependencies'))
      continue
    }
    const { module } = value
    if (module.isPlugin || isOfBuild(module.configurations)) {
      ofBuild.push(`${module.group}:${module.name}`)
      continue
    }
    const dependency = toDependency(module, naming)
    if ('code' in dependency) unresolved.push(dependency)
    else dependencies.push(dependency)
  }
  const forced = new Map<string, string>()
  const pins = items('libraryDependencies').filter(
    (dependency) => dependency.kind === 'module' && dependency.module.isForced,
  )
  for (const value of [...items('dependencyOverrides'), ...pins]) {
    const override =
      value.kind === 'module' ? toDependency(value.module, naming) : toUnresolved(value, 'dependencyOverrides')
    if ('code' in override) unresolved.push(override)
    else if (override.version !== undefined) forced.set(`${override.group}:${override.artifact}`, override.version)
  }
  for (const [name, version] of scalaModules(naming, files.sbtVersion)) if (!forced.has(name)) forced.set(name, version)
  return {
    name: project.id ?? axis,
    dependencies,
    forced,
    exclusions: items('excludeDependencies').flatMap((value) => toExclusion(value, naming) ?? []),
    repositories: items('resolvers').flatMap((resolver) =>
      resolver.kind === 'resolver' && resolver.url !== undefined ? resolver.url : [],
    ),
    unresolved: [...unresolved, ...findUnfollowed({ axis, project }, build), ...findMissing(project, build)],
    ofBuild,
    notes: notesOn({ axis, project }, build, scala),
  }
}

function notesOn({ axis }: OwnedProject, { settings }: Build, scala: string | undefined): string[] {
  const notes: string[] = []
  const cross = settings.valueIn(axis, 'crossScalaVersions')
  const others =
    cross === undefined
      ? []
      : flat(cross).flatMap((version) => (version.kind === 'text' && version.text !== scala ? version.text : []))
  if (others.length > 0) notes.push(`Scala ${scala} counts; the build is also made with ${others.join(', ')}`)
  if (!settings.isSet(axis, 'scalaVersion')) notes.push(`No scalaVersion is set: Scala ${scala} is taken`)
  return notes
}

/** Returns projects in `dependsOn` that no sent file defines. */
function findMissing({ dependsOn, platform }: OwnedProject['project'], build: Build): Unresolved[] {
  return dependsOn.flatMap(({ project, configurations }) => {
    if (isOnlyTests(configurations) || findProject(build, project, platform) !== undefined) return []
    const reason = 'Nothing that was sent defines this project, so what it needs is not known'
    return { name: `project ${project}`, range: '', code: 'not-from-registry', reason, requiredBy: 'build.sbt' }
  })
}

/** Returns the product modules of other projects through `dependsOn`; `compile->test` includes those of their tests. */
function inherited({ axis }: OwnedProject, build: Build, own: ReadonlyMap<string, ProjectDependencies>): Dependency[] {
  const kinds = new Map<string, Dependency['kind']>([[axis, 'product']])
  const open: { at: string; kind: Dependency['kind'] }[] = [{ at: axis, kind: 'product' }]
  const dependencies: Dependency[] = []
  for (const { at, kind } of open) {
    const owned = build.byAxis.get(at)
    for (const { project, configurations } of owned?.project.dependsOn ?? []) {
      const next = findProject(build, project, owned!.project.platform)
      const nextKind: Dependency['kind'] = kind === 'tests' || isOnlyTests(configurations) ? 'tests' : 'product'
      if (
        next === undefined ||
        next.axis === axis ||
        kinds.get(next.axis) === 'product' ||
        kinds.get(next.axis) === nextKind
      )
        continue
      kinds.set(next.axis, nextKind)
      open.push({ at: next.axis, kind: nextKind })
      const takesTests = takesTestsOf(configurations)
      const theirs = own
        .get(next.axis)!
        .dependencies.filter((dependency) => takesTests || dependency.kind === 'product')
      dependencies.push(...theirs.map((their) => ({ ...their, kind: nextKind })))
    }
  }
  return dependencies
}

/** Finds a project; a cross project's name means its part for the same platform. */
function findProject(build: Build, id: string, platform: Platform): OwnedProject | undefined {
  const { byId } = build
  const suffix = { jvm: 'JVM', js: 'JS', native: 'Native' }[platform]
  return byId.get(id) ?? byId.get(`${id}${suffix}`)
}

function toDependency(module: Module, naming: Naming): Dependency | Unresolved {
  const { group, version, place, configurations } = module
  const artifact = artifactName(module, naming)
  const name = `${group}:${artifact ?? module.name}`
  if (artifact === undefined) {
    return toUnresolved(toUnknown('its name ends with a version of Scala that is not known', place), name)
  }
  if (version === undefined && module.reason !== undefined) return toUnresolved(toUnknown(module.reason, place), name)
  if (module.isFromUrl) {
    const reason = 'It comes from an address of its own, which no repository tells about'
    return { ...toUnresolved(toUnknown(reason, place), name), code: 'not-from-registry', reason, range: version ?? '*' }
  }
  return {
    group,
    artifact,
    version,
    exclusions: module.exclusions.flatMap((rule) => exclusionOf(rule, naming)),
    isTransitive: module.isTransitive,
    kind: isOnlyTests(configurations) ? 'tests' : 'product',
    place,
  }
}

function artifactName({ name, cross, isOfPlatform }: Pick<Module, 'name' | 'cross' | 'isOfPlatform'>, naming: Naming) {
  const ending = crossEnding(cross, naming)
  if (ending === undefined) return undefined
  return `${name}${isOfPlatform ? naming.suffixes[naming.platform] : ''}${ending}`
}

function crossEnding(cross: Cross, { scala, binary }: Naming): string | undefined {
  const ending = (version: string | undefined) => (version === undefined ? undefined : `_${version}`)
  switch (cross.kind) {
    case 'none':
      return ''
    case 'full':
      return ending(scala)
    case 'for3Use2':
      return ending(binary === '3' || binary?.startsWith('0.') ? '2.13' : binary)
    case 'for2Use3':
      return ending(binary === '2.13' ? '3' : binary)
    default:
      return ending(binary)
  }
}

function exclusionOf(
  { group, name, cross }: { group: string; name: string; cross: Cross },
  naming: Naming,
): Exclusion[] {
  const ending = crossEnding(cross, naming)
  return ending === undefined ? [] : [{ group, artifact: name === '*' ? '*' : `${name}${ending}` }]
}

function toExclusion(value: Value, naming: Naming): Exclusion[] | undefined {
  const rule = toRule(value)
  return rule && exclusionOf(rule, naming)
}

/** Returns Scala's library, which sbt adds. */
function scalaLibrary(isAuto: Value | undefined, group: string | undefined, { scala }: Naming): Dependency[] {
  if (scala === undefined || (isAuto?.kind === 'boolean' && !isAuto.isTrue)) return []
  const artifact = scala.startsWith('3.') ? 'scala3-library_3' : 'scala-library'
  const rest = { exclusions: [], isTransitive: true, kind: 'product', place: undefined } as const
  return [{ group: group ?? 'org.scala-lang', artifact, version: scala, ...rest }]
}

/**
 * Returns the compiler's own modules, which share its version; since sbt 1.10 those of Scala 2.13 and 3 may be newer
 * (SIP-51).
 */
function scalaModules({ scala }: Naming, sbtVersion: string | undefined): [string, string][] {
  if (scala === undefined || !scala.startsWith('2.')) return []
  const [major = 1, minor = 10] = (sbtVersion ?? '1.10').split('.').map(Number)
  const isFree = scala.startsWith('2.13.') && (major > 1 || (major === 1 && minor >= 10))
  const names = isFree
    ? ['scala-compiler', 'scala-reflect', 'scalap']
    : ['scala-library', 'scala-compiler', 'scala-reflect', 'scalap']
  return names.map((name) => [`org.scala-lang:${name}`, scala])
}

/** Returns the suffixes of `%%%`, defined by plugins for other platforms. */
function platformSuffixes({ plugins: { modules } }: Build): Naming['suffixes'] {
  const versionOf = (name: string) => modules.find((module) => module.name === name)?.version
  const js = versionOf('sbt-scalajs')
  const native = /^0\.\d+/.exec(versionOf('sbt-scala-native') ?? '0.5')?.[0]
  return { jvm: '', js: js?.startsWith('0.6') ? '_sjs0.6' : '_sjs1', native: `_native${native}` }
}

const tests = /^(?:test|it|integrationtest|integration-test|e2e|bench|benchmark|test-internal|.*[-_]?tests?)$/i

/** Matches `test`, `test,it`, `test->test`: only test configurations on the left. */
function isOnlyTests(configurations: string | undefined): boolean {
  return mappingsOf(configurations).every(([left]) => tests.test(left)) && configurations !== undefined
}

function takesTestsOf(configurations: string | undefined): boolean {
  return mappingsOf(configurations).some(([left, right]) => tests.test(right) && !tests.test(left))
}

function isOfBuild(configurations: string | undefined): boolean {
  return (
    configurations !== undefined && mappingsOf(configurations).every(([left]) => /^(?:plugin|scala-tool)$/.test(left))
  )
}

/** Returns the sides of `compile->compile;test->test`. */
function mappingsOf(configurations = ''): [left: string, right: string][] {
  return configurations
    .slice(0, 1_000)
    .split(/[;,]/)
    .map((mapping) => {
      const [left = '', right = ''] = mapping.split('->')
      return [left.trim(), right.trim()]
    })
}

function textOf(value: Value | undefined): string | undefined {
  return value?.kind === 'text' ? value.text : undefined
}
