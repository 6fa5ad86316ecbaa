import type { DependencyGraph, Package, Unresolved } from '../dependency-graph.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'

/** The registries' names as OSV spells them. */
export type Registry = 'npm' | 'PyPI' | 'RubyGems' | 'Maven' | 'Go'

/** The text of a project's files, decoded. */
export interface Manifest {
  readonly target: string
  readonly additional: readonly string[]
}

/** Bounds on what one manifest may cost. */
export interface ReadLimits {
  /** Packages in the graph. */
  readonly maxNodes: number
}

export interface ReadOptions {
  /** Whether dependencies that only developers of the project need are part of the graph. */
  readonly includeDev: boolean
  readonly limits: ReadLimits
}

/** What was understood of a project's files. */
export interface Reading {
  readonly graph: DependencyGraph
  readonly unresolved: Unresolved[]
  /** The files that were read, in the order they came: e.g. `package.json`, `package-lock.json (lockfileVersion 3)`. */
  readonly filesRead: string[]
  /** True when versions come from a lockfile, false when we resolved them ourselves. */
  readonly locked: boolean
  /** Dependencies left out on purpose: how many distinct packages, and why. */
  readonly excluded: { readonly reason: 'dev'; readonly packages: number }[]
  /** Bounds that were met while reading or resolving, as sentences. */
  readonly boundsMet: string[]
}

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
  readonly deprecated: boolean
  readonly licence?: string
}

/** How resolution reads a registry. Throws `RegistryUnreachable` when the registry gives no answer at all. */
export interface MetadataReader {
  /** Undefined when the registry does not know the package. */
  get(name: string): Promise<PackageMetadata | undefined>
}

/** A registry gave no usable answer (network, time-out, 5xx): nothing is known about the package, not even its absence. */
export class RegistryUnreachable extends Error {}

/** A manifest that cannot be understood; `message` says what and where, for the person who sent it. */
export class Unreadable extends Error {
  /** Which of the sent files: `target`, or the index into `additional`. */
  readonly file: 'target' | number
  /** Counted from 1, when known. */
  readonly line: number | undefined

  constructor(message: string, options: { file?: 'target' | number; line?: number | undefined; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.file = options.file ?? 'target'
    this.line = options.line
  }
}

/** A package manager whose manifests we read. */
export interface Ecosystem {
  /** As the interface spells it in paths and in the result's `packageManager`. */
  readonly id: string
  /** The word for `language` in findings. */
  readonly language: string
  /** The word for `packageManager` in findings. */
  readonly packageManager: string
  /** Where its packages are published; advisories are looked up under this name. */
  readonly registry: Registry
  readonly versions: VersionScheme
  /** File names that make a folder of a repository a project of this ecosystem. */
  readonly manifestName: RegExp
  /** How a path names one published package: its parameters before `:version`, and the name they make. */
  readonly coordinates: {
    readonly parameters: readonly string[]
    toName(parameters: Readonly<Record<string, string>>): string
  }
  /**
   * The dependency graph of a project. Uses what is locked, and asks `metadata` only for what is not. Throws
   * `Unreadable` for text that is not such a manifest and `RegistryUnreachable` only if `metadata` does.
   */
  read(manifest: Manifest, metadata: MetadataReader, options: ReadOptions): Promise<Reading>
  /** The graph below one published package: `nodes[0]` is a nameless project whose only dependency is that package. */
  readPackage(coordinates: Package, metadata: MetadataReader, options: ReadOptions): Promise<Reading>
}
