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

/**
 * Repositories in Maven's layout ("Maven Repository Layout - Final", `maven-metadata.xml` of the repository metadata
 * model). `repositories` are base URLs that a POM or the request names, asked in their order beside the configured ones.
 */
export interface MavenReader {
  /** Undefined when no repository has it. */
  pom(coordinates: MavenCoordinates, repositories?: readonly string[]): Promise<PomFile | undefined>
  versions(artifact: MavenArtifact, repositories?: readonly string[]): Promise<MavenVersions | undefined>
}
