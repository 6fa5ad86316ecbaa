export interface MavenArtifact {
  readonly group: string
  readonly artifact: string
}

export interface MavenCoordinates extends MavenArtifact {
  readonly version: string
}

/** The text of a POM, and the base URL of the repository that had it. */
export interface PomFile {
  readonly text: string
  readonly repository: string
}

/** What `maven-metadata.xml` lists of an artifact, over all repositories that know it. */
export interface MavenVersions {
  readonly versions: readonly string[]
  readonly latest?: string
  readonly release?: string
}

/** Versions as Gradle asks for them: how firmly, and what not. */
export interface ModuleVersion {
  readonly requires?: string
  readonly strictly?: string
  readonly prefers?: string
  readonly rejects: readonly string[]
}

/** What a variant asks for, or says about the version of what others ask for. */
export interface ModuleDependency extends MavenArtifact {
  readonly version: ModuleVersion
  readonly exclusions: readonly MavenArtifact[]
  /** Stand in for those of who asks. */
  readonly attributes: Readonly<Record<string, string>>
  /** `group:name` of what is wanted instead of the module's own. */
  readonly capabilities: readonly string[]
  /** Whether the strict versions of what is asked for count as one's own. */
  readonly endorsesStrict: boolean
}

/** One of the forms that a module can be taken in. */
export interface ModuleVariant {
  readonly name: string
  /** Numbers and truth values as text. */
  readonly attributes: Readonly<Record<string, string>>
  /** `group:name`; none means the module's own. */
  readonly capabilities: readonly string[]
  /** Where it is published, if as a module of its own. */
  readonly availableAt?: MavenCoordinates
  readonly dependencies: readonly ModuleDependency[]
  readonly constraints: readonly ModuleDependency[]
}

/** Gradle Module Metadata 1.1 without files and documentation. */
export interface ModuleMetadata {
  readonly variants: readonly ModuleVariant[]
}

/** Which repositories are asked besides the configured ones, as base URLs; those in front first. */
export interface MavenRepositories {
  /** Named by the request, which then means these instead of the configured ones. */
  readonly requested: readonly string[]
  /** Named by the project's own files. */
  readonly declared: readonly string[]
}

/**
 * Repositories in Maven's layout ("Maven Repository Layout - Final", `maven-metadata.xml` of the repository metadata
 * model). An answer is that of the first repository that has one; of versions, all together.
 */
export interface MavenReader {
  /** Undefined when no repository has it. */
  pom(coordinates: MavenCoordinates, repositories?: MavenRepositories): Promise<PomFile | undefined>
  /** Gradle's metadata beside the POM, from the repository that has the POM; not offered by who has nothing but POMs. */
  module?(coordinates: MavenCoordinates, repositories?: MavenRepositories): Promise<ModuleMetadata | undefined>
  versions(artifact: MavenArtifact, repositories?: MavenRepositories): Promise<MavenVersions | undefined>
}
