/** The published facts about a package's versions that resolution needs. */
export interface PackageMetadata {
  readonly name: string
  /** Dist-tags, e.g. `latest`. */
  readonly tags: Readonly<Record<string, string>>
  readonly versions: Readonly<Record<string, VersionMetadata>>
}

export interface VersionMetadata {
  readonly dependencies: Readonly<Record<string, string>>
  readonly optionalDependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  /** Names in `peerDependencies` that may be absent. */
  readonly optionalPeers: readonly string[]
  /** Names in `dependencies` and `optionalDependencies` that the archive itself holds, in a version only it tells. */
  readonly bundled?: readonly string[]
  readonly deprecated: boolean
  readonly licence?: string
}

/** Packuments (npm's package-metadata documentation), abbreviated or full. */
export interface NpmReader {
  /** Undefined when the registry does not know the package. */
  get(name: string): Promise<PackageMetadata | undefined>
}
