/** Published facts about a package's versions that resolution needs. */
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
  /** Optional names in `peerDependencies`. */
  readonly optionalPeers: readonly string[]
  /** Names in `dependencies` and `optionalDependencies` included in the archive, at versions known only from there. */
  readonly bundled?: readonly string[]
  readonly deprecated: boolean
  readonly license?: string
}

/** Packuments (npm's package-metadata documentation), abbreviated or full. */
export interface NpmReader {
  /** Returns undefined if the registry does not know the package. */
  get(name: string): Promise<PackageMetadata | undefined>
}
