import type { Dependency } from '#analysis/ecosystems/jvm/effective-pom.ts'
import type { ModuleDependency } from '#analysis/registries/maven.ts'
import type { RichVersion } from '../facts.ts'

/** The requested category of a module. Platforms contain no code; they set versions of others. */
export type Category = 'library' | 'platform' | 'enforced-platform'

/** A dependency in Gradle's model, independent of the requiring module. */
export interface GradleDependency extends Dependency {
  readonly rich: RichVersion
  readonly category: Category
  /** Requested capabilities (`group:name`) instead of the module's own. */
  readonly capabilities: readonly string[]
  /** Replace the attributes of the requiring module. */
  readonly attributes: Readonly<Record<string, string>>
  /** True if the strict versions of the dependency count as one's own. */
  readonly endorsesStrict: boolean
  readonly isTransitive: boolean
}

/** A dependency without any options. */
export const plain = {
  type: 'jar',
  classifier: undefined,
  scope: 'compile',
  optional: false,
  place: undefined,
  isTransitive: true,
} as const

/** Converts a dependency of a module's variant. */
export function toGradleDependency(dependency: ModuleDependency): GradleDependency {
  const { group, artifact, version, exclusions, attributes, capabilities, endorsesStrict } = dependency
  return {
    ...plain,
    group,
    artifact,
    version: version.strictly ?? version.requires ?? version.prefers,
    exclusions,
    rich: version,
    category: categoryOf(attributes),
    capabilities,
    attributes,
    endorsesStrict,
  }
}

function categoryOf(attributes: ModuleDependency['attributes']): Category {
  const category = attributes['org.gradle.category']
  return category === 'platform' || category === 'enforced-platform' ? category : 'library'
}

/** Converts a dependency of a POM, which has no Gradle attributes. */
export function fromPom(dependency: Dependency): GradleDependency {
  const { version } = dependency
  return {
    ...dependency,
    rich: { ...(version === undefined ? {} : { requires: version }), rejects: [] },
    category: 'library',
    capabilities: [],
    attributes: {},
    endorsesStrict: false,
    isTransitive: true,
  }
}
