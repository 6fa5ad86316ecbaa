import type { Coordinates } from '#analysis/ecosystems/jvm/coordinates.ts'
import type { EffectivePom, PomBuilder } from '#analysis/ecosystems/jvm/effective-pom.ts'
import type { PomReads } from '#analysis/ecosystems/jvm/pom-reads.ts'
import type { Problem } from '#analysis/ecosystems/jvm/version-choice.ts'
import type { ModuleDependency, ModuleMetadata, ModuleVariant } from '#analysis/registries/maven.ts'
import type { RichVersion } from '../facts.ts'
import { fromPom, type GradleDependency, toGradleDependency } from './gradle-dependency.ts'
import { type Attributes, chooseVariants } from './variants.ts'

/** The published metadata of a module version. */
export interface Published {
  readonly pom: EffectivePom | undefined
  /** Gradle's own metadata, which takes precedence over the POM. */
  readonly module: ModuleMetadata | undefined
  readonly problem: Problem | undefined
}

/** Versions that a module sets for others if they are required. */
export interface Managed {
  find(module: string): readonly RichVersion[]
  /** Modules with a strict version. */
  readonly strict: ReadonlySet<string>
}

/** The consequences of requiring a part of a module. */
export interface Below {
  readonly dependencies: readonly GradleDependency[]
  readonly managed: Managed | undefined
  readonly problem: Problem | undefined
}

/** The target platform for which variants are chosen. */
export type Consumer = 'jvm' | 'android'

/**
 * Reads the POM, and the module metadata of the same repository if the POM has Gradle's mark; if that is missing, the
 * POM counts.
 */
export async function readPublished(
  coordinates: Coordinates,
  builder: PomBuilder,
  reads: PomReads,
): Promise<Published> {
  const { group, artifact, version } = coordinates
  const pom = await builder.get({ group, artifact, version })
  if (!('findManaged' in pom)) return { pom: undefined, module: undefined, problem: pom }
  if (pom.lineage[0]?.pom.isMarkedForGradle !== true) return { pom, module: undefined, problem: undefined }
  const answer = await reads.module(coordinates)
  if ('code' in answer) return { pom, module: undefined, problem: answer }
  // The POM's parents are not requested if the POM does not count.
  return { pom: answer.module ? { ...pom, faults: [] } : pom, module: answer.module, problem: undefined }
}

/** Caches its results, so that equal requests of a module return the same list. */
export function createBelow(consumer: Consumer) {
  const cache = new WeakMap<Published, Map<string, Below>>()

  return (published: Published, dependency: GradleDependency): Below => {
    const byRequest = cache.get(published) ?? new Map<string, Below>()
    cache.set(published, byRequest)
    const key = requestOf(dependency)
    const before = byRequest.get(key)
    if (before !== undefined) return before
    const below = read(published, dependency, consumer)
    byRequest.set(key, below)
    return below
  }
}

/** Returns a key of the requested part of a module. */
export function requestOf({
  group,
  artifact,
  category,
  capabilities,
  attributes,
  isTransitive,
}: GradleDependency): string {
  const said = Object.entries(attributes).map((attribute) => attribute.join('='))
  return [`${group}:${artifact}`, category, ...capabilities, ...said, ...(isTransitive ? [] : ['alone'])].join(' ')
}

const nothing: Below = { dependencies: [], managed: undefined, problem: undefined }

function read({ pom, module }: Published, dependency: GradleDependency, consumer: Consumer): Below {
  const own = `${dependency.group}:${dependency.artifact}`
  if (module === undefined) {
    const other = dependency.capabilities.find((capability) => capability !== own)
    const problem = other === undefined ? undefined : missing(`It has no variant with the capability ${other}`)
    return pom === undefined ? nothing : { ...readPom(pom, dependency), problem }
  }
  // The file that makes this an Android build may not have been sent.
  for (const platform of new Set([consumer, 'android'] as const)) {
    const [toRun, toCompile] = (['java-runtime', 'java-api'] as const).map((usage) => {
      const wish = { attributes: wishOf(dependency, platform, usage), capabilities: dependency.capabilities }
      return chooseVariants(module.variants, wish, own)
    })
    // A runtime variant can serve for compiling, but not the reverse.
    if (toRun!.length > 0) return readVariants([...new Set([...toRun!, ...toCompile!])], dependency)
  }
  const problem = missing('It has no variant for the JVM or Android')
  return { ...(pom === undefined ? nothing : readPom(pom, dependency)), problem }
}

function missing(reason: string): Problem {
  return { code: 'no-matching-version', reason }
}

/**
 * Gradle takes a POM's compile and runtime dependencies, but not optional ones. A BOM only manages versions. A
 * relocated module requires its new name (GradlePomModuleDescriptorParser).
 */
function readPom(pom: EffectivePom, { category, isTransitive }: GradleDependency): Below {
  if (!isTransitive) return nothing
  if (category !== 'library') {
    const find = (name: string) => {
      const version = pom.findManaged(`${name}:jar`)?.version
      return version === undefined ? [] : [{ requires: version, rejects: [] }]
    }
    return { ...nothing, managed: { find, strict: new Set() } }
  }
  if (pom.relocation !== undefined) return { ...nothing, dependencies: [toGradleDependency(elsewhere(pom.relocation))] }
  const counting = pom.dependencies.filter(
    ({ scope, optional }) => !optional && (scope === 'compile' || scope === 'runtime'),
  )
  return { ...nothing, dependencies: counting.map(fromPom) }
}

/** Returns the requested attributes. Compile and runtime class path are one, so both usages are accepted. */
function wishOf({ category, attributes }: GradleDependency, consumer: Consumer, usage: string): Attributes {
  return new Map([
    ['org.gradle.category', 'library'],
    ['org.gradle.usage', usage],
    ['org.gradle.dependency.bundling', 'external'],
    ['org.gradle.jvm.version', '17'],
    ...(consumer === 'android' ? android : jvm),
    ...Object.entries(attributes),
    ...(category === 'library' ? [] : ([['org.gradle.category', 'platform']] as const)),
  ])
}

const jvm = [
  ['org.gradle.libraryelements', 'jar'],
  ['org.gradle.jvm.environment', 'standard-jvm'],
  ['org.jetbrains.kotlin.platform.type', 'jvm'],
] as const
const android = [
  ['org.gradle.libraryelements', 'aar'],
  ['org.gradle.jvm.environment', 'android'],
  ['org.jetbrains.kotlin.platform.type', 'androidJvm'],
  ['com.android.build.api.attributes.BuildTypeAttr', 'release'],
] as const

/**
 * Follows variants published as modules of their own even if no transitive dependencies are requested: they are the
 * module (NodeState).
 */
function readVariants(variants: readonly ModuleVariant[], dependency: GradleDependency): Below {
  const { category, capabilities, attributes, isTransitive } = dependency
  const places = distinct(variants.flatMap(({ availableAt }) => availableAt ?? []).map(elsewhere))
  const moved = places.map((place) => ({
    ...toGradleDependency(place),
    ...{ category, capabilities, attributes, isTransitive },
  }))
  if (!isTransitive) return { ...nothing, dependencies: moved }
  const constraints = variants.flatMap((variant) => variant.constraints)
  const required = distinct(variants.flatMap(({ dependencies }) => dependencies))
  return {
    dependencies: [...moved, ...required.map(toGradleDependency)],
    managed: constraints.length === 0 ? undefined : toManaged(distinct(constraints)),
    problem: undefined,
  }
}

/** Returns the module of a variant published separately. */
function elsewhere({ group, artifact, version }: Coordinates): ModuleDependency {
  const rest = { exclusions: [], attributes: {}, capabilities: [], endorsesStrict: false }
  return { group, artifact, version: { requires: version, rejects: [] }, ...rest }
}

function distinct(dependencies: readonly ModuleDependency[]): ModuleDependency[] {
  return [...new Map(dependencies.map((dependency) => [JSON.stringify(dependency), dependency])).values()]
}

function toManaged(constraints: readonly ModuleDependency[]): Managed {
  const byModule = Map.groupBy(constraints, ({ group, artifact }) => `${group}:${artifact}`)
  const strict = constraints.filter(({ version }) => version.strictly !== undefined)
  return {
    find: (name) => byModule.get(name)?.map(({ version }) => version) ?? [],
    strict: new Set(strict.map(({ group, artifact }) => `${group}:${artifact}`)),
  }
}
