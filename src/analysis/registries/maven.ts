export interface MavenArtifact {
  readonly group: string
  readonly artifact: string
}

export interface MavenCoordinates extends MavenArtifact {
  readonly version: string
}

/** The text of a POM with its repository's base URL. */
export interface PomFile {
  readonly text: string
  readonly repository: string
}

/** Versions of an artifact in `maven-metadata.xml` of all repositories that have it. */
export interface MavenVersions {
  readonly versions: readonly string[]
  readonly latest?: string
  readonly release?: string
}

/** A version request in Gradle's terms: strictness and rejections. */
export interface ModuleVersion {
  readonly requires?: string
  readonly strictly?: string
  readonly prefers?: string
  readonly rejects: readonly string[]
}

/** A dependency or constraint of a variant. */
export interface ModuleDependency extends MavenArtifact {
  readonly version: ModuleVersion
  readonly exclusions: readonly MavenArtifact[]
  /** Replace the attributes of the requiring module. */
  readonly attributes: Readonly<Record<string, string>>
  /** Requested capabilities (`group:name`) instead of the module's own. */
  readonly capabilities: readonly string[]
  /** True if the strict versions of the dependency count as one's own. */
  readonly endorsesStrict: boolean
}

/** A variant of a module. */
export interface ModuleVariant {
  readonly name: string
  /** Numbers and booleans as text. */
  readonly attributes: Readonly<Record<string, string>>
  /** `group:name`; none means the module's own. */
  readonly capabilities: readonly string[]
  /** Its location, if published as a separate module. */
  readonly availableAt?: MavenCoordinates
  readonly dependencies: readonly ModuleDependency[]
  readonly constraints: readonly ModuleDependency[]
}

/** Gradle Module Metadata 1.1 without files and documentation. */
export interface ModuleMetadata {
  readonly variants: readonly ModuleVariant[]
}

/** Base URLs of further repositories, in order of preference. */
export interface MavenRepositories {
  /** Named by the request; they replace the configured ones. */
  readonly requested: readonly string[]
  /** Named by the project's own files. */
  readonly declared: readonly string[]
}

/**
 * Repositories in Maven's layout ("Maven Repository Layout - Final", `maven-metadata.xml` of the repository metadata
 * model). The first repository with an answer counts; versions are merged.
 */
export interface MavenReader {
  /** Returns undefined if no repository has it. */
  pom(coordinates: MavenCoordinates, repositories?: MavenRepositories): Promise<PomFile | undefined>
  /** Returns Gradle's metadata from the repository of the POM; missing in readers with POMs only. */
  module?(coordinates: MavenCoordinates, repositories?: MavenRepositories): Promise<ModuleMetadata | undefined>
  versions(artifact: MavenArtifact, repositories?: MavenRepositories): Promise<MavenVersions | undefined>
}
