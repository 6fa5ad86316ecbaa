import type { DependencyGraph, Package, Unresolved } from '../dependency-graph.ts'
import type { Registries } from '../registries/registries.ts'
import type { Registry } from '../registries/registry.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import type { Declaration } from './declaration.ts'
import type { PythonTarget } from './python-target.ts'

/** The decoded files of a project. */
export interface Manifest {
  readonly target: string
  readonly additional: readonly string[]
  /** Paths of the files, if they come from a repository. */
  readonly places?: ManifestPlaces
}

/**
 * Paths of a project's files. Each manifest of a repository is tested separately, so modules outside its files are not
 * part of the project.
 */
export interface ManifestPlaces {
  /** Relative to the repository's root. */
  readonly target: string
  /** Relative to the target's folder. */
  readonly additional: readonly string[]
  /** The target's folder, from the root of its workspace; only for a member that is tested alone. */
  readonly member?: string
  /** Lockfiles of other tools that pin the versions but are not supported; relative to the target's folder. */
  readonly unreadLocks?: readonly string[]
  /** Jars that the build takes from a folder automatically; relative to the target's folder. */
  readonly unreadJars?: readonly string[]
}

/** Limits for one manifest. */
export interface ReadLimits {
  /** Packages in the graph. */
  readonly maxNodes: number
}

export interface ReadOptions {
  /** True to include dependencies that only developers of the project need. */
  readonly includeDev: boolean
  /** Base URLs of further repositories named by the request, in order. */
  readonly repositories: readonly string[]
  /** The interpreter and system for which Python packages are chosen. */
  readonly python?: PythonTarget
  /** False to leave out the standard library of the language, if it is tested as a package. */
  readonly standardLibrary?: boolean
  /** Without a lockfile: versions to choose before newer ones, as a tool does that renews its lockfile. */
  readonly preferred?: PreferredVersions
  readonly limits: ReadLimits
}

/** Versions of an earlier resolution. */
export interface PreferredVersions {
  /** Versions that the project itself required, for npm, which changes the earlier tree. */
  readonly direct: readonly Package[]
  /** Returns all versions of a package, in any order. */
  of(name: string): readonly string[]
  /** Returns the version of a requirement in its own spelling. */
  by(name: string, range: string): string | undefined
}

/** The result of reading a project's files. */
export interface Reading {
  readonly graph: DependencyGraph
  readonly unresolved: Unresolved[]
  /** The files read, in order: e.g. `package.json`, `package-lock.json (lockfileVersion 3)`. */
  readonly filesRead: string[]
  /** True if versions come from a lockfile, false if they were resolved. */
  readonly locked: boolean
  /** Dependencies excluded on purpose: the number of distinct packages and the reason. */
  readonly excluded: {
    readonly reason:
      | 'dev'
      | 'build'
      | 'inactive-profile'
      | 'other-environment'
      | 'not-imported'
      | 'not-a-package'
      | 'standard-library'
    readonly packages: number
  }[]
  /** Limits reached during reading or resolution, as sentences. */
  readonly boundsMet: string[]
}

/** A registry gave no usable answer (network, timeout, 5xx), so nothing is known about the package. */
export class RegistryUnreachable extends Error {}

/** The path form that names one published package. */
export interface Coordinates {
  /** Parameters before `:version`. */
  readonly parameters: readonly string[]
  toName(parameters: Readonly<Record<string, string>>): string
  /** The result's `packageManager` for such a test; default: the ecosystem's id. */
  readonly packageManager?: string
}

/** Resolves a project with other versions of its direct dependencies. */
export interface WhatIfResolver {
  /** True if `read` does not depend on the project, so that readings are the same for all projects. */
  readonly isSameForAll: boolean
  /**
   * Returns newer versions that can be installed, oldest first: none that was yanked, retracted or unpublished.
   * Undefined if the registry does not know the package.
   */
  candidates(current: Package): Promise<readonly string[] | undefined>
  /**
   * Resolves the project as if it required exactly these versions of its direct dependencies. Only their subtrees have
   * to be right: with locked versions they may be resolved separately. Undefined if affected packages are pinned.
   */
  read?(requested: readonly Package[]): Promise<Reading>
}

/**
 * A supported package manager. The declaration loads cheaply; the reading code is loaded on demand, since most
 * processes and threads need few ecosystems.
 */
export interface Ecosystem {
  /** Spelling in paths and in the result's `packageManager`. */
  readonly id: string
  /** Its name in texts for people. */
  readonly label: string
  /** Value of `language` in findings. */
  readonly language: string
  /** Value of `packageManager` in findings. */
  readonly packageManager: string
  /** The registry of its packages; advisories are looked up under this name. Unused if `isMixed`. */
  readonly registry: Registry
  readonly versions: VersionScheme
  /** True if every package of its graphs has a registry of its own (`GraphNode.registry`). */
  readonly isMixed?: true
  /** File names that mark a folder as a project of this ecosystem. */
  readonly manifestName: RegExp
  /**
   * The advice of findings: upgrade a direct dependency, pin the affected package itself, or none if the interface has
   * no word for it.
   */
  readonly fixAdvice: 'upgrade' | 'pin' | 'none'
  /** Returns the text of a range raised to at least a version, in its own notation; undefined if that is impossible. */
  raiseRange?(written: string, version: string): string | undefined
  /** The reason why fixes do not change its files, as a clause. */
  readonly noEdits?: string
  /** True if requests may name further repositories. */
  readonly takesRepositories: boolean
  /** Hints for callers about sending its files, for the documentation. */
  readonly about?: string
  /** True if requests may choose a Python version. */
  readonly takesPython?: true
  /** True if the standard library of its language is tested as a package, unless a request leaves it out. */
  readonly testsStandardLibrary?: true
  /** Undefined if the interface has no test by coordinates; then `readPackage` is too. */
  readonly coordinates?: Coordinates
  /**
   * Reads the dependency graph of a project. Uses locked versions and asks `registries` only for others. Throws
   * `Unreadable` for an invalid manifest and `RegistryUnreachable` only if a registry reader does.
   */
  read(manifest: Manifest, registries: Registries, options: ReadOptions): Promise<Reading>
  /** Reads the graph of one published package: `nodes[0]` is a nameless project that depends only on it. */
  readPackage?(coordinates: Package, registries: Registries, options: ReadOptions): Promise<Reading>
  /**
   * Finds the lines that declare the project's direct dependencies, those of manifests before those of lockfiles.
   * `Edge.declaredAt`, which some readers set in the graph, has precedence. Called only for projects with issues.
   */
  locate?(manifest: Manifest): Promise<readonly Declaration[]>
  /**
   * Starts verifying upgrades by resolving again; must be cheap, since most tests verify none. Undefined if upgrades
   * are judged by the graph alone. Without a manifest the project is the nameless one of `readPackage`.
   */
  whatIfResolver?(manifest: Manifest | undefined, registries: Registries, options: ReadOptions): Promise<WhatIfResolver>
}
