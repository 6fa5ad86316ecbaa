import type { DependencyGraph, Package, Unresolved } from '../dependency-graph.ts'
import type { Registries } from '../registries/registries.ts'
import type { VersionScheme } from '../versions/version-scheme.ts'
import type { PythonTarget } from './pip/environment.ts'

/** The registries' names as OSV spells them. */
export type Registry = 'npm' | 'PyPI' | 'RubyGems' | 'Maven' | 'Go'

/** The text of a project's files, decoded. */
export interface Manifest {
  readonly target: string
  readonly additional: readonly string[]
  /** Where they lie, when all were taken from a repository. */
  readonly places?: ManifestPlaces
}

/**
 * Every manifest of a repository is tested by itself, so that modules which are not among the files of one are no part of
 * its project.
 */
export interface ManifestPlaces {
  /** From the repository's root. */
  readonly target: string
  /** Seen from the target's folder. */
  readonly additional: readonly string[]
  /** Locks of other tools that say which versions are meant and are not read; seen from there, too. */
  readonly unreadLocks?: readonly string[]
}

/** Bounds on what one manifest may cost. */
export interface ReadLimits {
  /** Packages in the graph. */
  readonly maxNodes: number
}

export interface ReadOptions {
  /** Whether dependencies that only developers of the project need are part of the graph. */
  readonly includeDev: boolean
  /** Base URLs of further repositories that the request names, in its order. */
  readonly repositories: readonly string[]
  /** The interpreter and system that Python packages are chosen for. */
  readonly python?: PythonTarget
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
  readonly excluded: {
    readonly reason: 'dev' | 'build' | 'inactive-profile' | 'other-environment'
    readonly packages: number
  }[]
  /** Bounds that were met while reading or resolving, as sentences. */
  readonly boundsMet: string[]
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

/** How a path names one published package. */
export interface Coordinates {
  /** Its parameters before `:version`. */
  readonly parameters: readonly string[]
  toName(parameters: Readonly<Record<string, string>>): string
  /** The result's `packageManager` for such a test; default: the ecosystem's id. */
  readonly packageManager?: string
}

/** A published version that a direct dependency could be asked for instead. */
export interface UpgradeCandidate {
  readonly version: string
  /** Candidates that ask for the same have one text here: resolving one of them tells of all. Undefined when not known. */
  readonly asksFor?: string
}

/** One project, and what becomes of it when it asks for other versions of its direct dependencies. */
export interface UpgradeTrials {
  /** True when `read` depends on nothing of the project, so that its readings are the same for every project. */
  readonly isSameForAll: boolean
  /** Published versions newer than that one, oldest first; undefined when the registry does not know the package. */
  candidates(direct: Package): Promise<readonly UpgradeCandidate[] | undefined>
  /**
   * The project as if it asked for exactly these versions of its direct dependencies. Only what lies below those has to
   * be right: where versions are locked, they may be resolved by themselves.
   */
  read(wanted: readonly Package[]): Promise<Reading>
}

/**
 * A package manager whose manifests we read. Its declaration is cheap to load; the code that reads is loaded when there is
 * something to read, since most processes and threads meet few of the ecosystems.
 */
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
  /**
   * What a finding advises: to upgrade a direct dependency, to pin the affected package itself (whatever brought it), or
   * nothing, where the interface has no word for it.
   */
  readonly fixAdvice: 'upgrade' | 'pin' | 'none'
  /** Whether requests may name further repositories. */
  readonly takesRepositories: boolean
  /** What a caller has to know to send its files, for the documentation. */
  readonly about?: string
  /** Whether requests may say for which Python they ask. */
  readonly takesPython?: true
  /** Undefined where the interface has no test by coordinates; then `readPackage` is too. */
  readonly coordinates?: Coordinates
  /**
   * The dependency graph of a project. Uses what is locked, and asks `registries` only for what is not. Throws
   * `Unreadable` for text that is not such a manifest and `RegistryUnreachable` only if a registry's reader does.
   */
  read(manifest: Manifest, registries: Registries, options: ReadOptions): Promise<Reading>
  /** The graph below one published package: `nodes[0]` is a nameless project whose only dependency is that package. */
  readPackage?(coordinates: Package, registries: Registries, options: ReadOptions): Promise<Reading>
  /**
   * How upgrades are proved by resolving again, begun without work of any size: most tests make no trial. Undefined
   * where upgrades are judged by the graph alone. Without a manifest
   * the project is the nameless one of `readPackage`.
   */
  upgradeTrials?(manifest: Manifest | undefined, registries: Registries, options: ReadOptions): Promise<UpgradeTrials>
}
