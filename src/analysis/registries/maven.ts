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
  versions(artifact: MavenArtifact, repositories?: MavenRepositories): Promise<MavenVersions | undefined>
}
