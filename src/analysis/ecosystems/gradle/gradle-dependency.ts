import type { ModuleDependency } from '../../registries/maven.ts'
import type { Dependency } from '../maven/effective-pom.ts'
import type { RichVersion } from './declared.ts'

/** What of a module is wanted. Platforms have no code, they say what versions others have. */
export type Category = 'library' | 'platform' | 'enforced-platform'

/** A dependency as Gradle sees it, whoever asks. */
export interface GradleDependency extends Dependency {
  readonly rich: RichVersion
  readonly category: Category
  /** `group:name` of what is wanted instead of the module's own. */
  readonly capabilities: readonly string[]
  /** Stand in for those of who asks. */
  readonly attributes: Readonly<Record<string, string>>
  /** Whether the strict versions of what is asked for count as one's own. */
  readonly endorsesStrict: boolean
  readonly isTransitive: boolean
}

const plain = {
  type: 'jar',
  classifier: undefined,
  scope: 'compile',
  optional: false,
  place: undefined,
  isTransitive: true,
} as const

/** What a variant of a module asks for. */
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

/** What a POM asks for; in it nothing is said in Gradle's words. */
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
