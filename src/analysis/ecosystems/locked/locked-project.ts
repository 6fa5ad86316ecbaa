import type { Registry } from '#analysis/registries/registry.ts'
import type { VersionScheme } from '#analysis/versions/version-scheme.ts'
import type { DependencyKind, Unresolved } from '../../dependency-graph.ts'

/** A package of a lockfile. */
export interface LockedPackage {
  /** The registry's spelling. */
  readonly name: string
  readonly version: string
  readonly requires: readonly Requirement[]
  /** Its source, if no registry published it: `a git repository`. */
  readonly elsewhere?: string
  /** True for a project of the repository, which is followed but not tested. */
  readonly isProject?: true
  /** True for a package that the lock has for development only, false for others; absent if the lock does not tell. */
  readonly isDev?: boolean
  /** A sentence, if the version does not tell which advisories apply. */
  readonly doubt?: string
  readonly registry?: Registry | 'none'
  readonly license?: string
  readonly commit?: string
}

export interface Requirement {
  /** Key of the locked package; undefined if the lock has no entry for it. */
  readonly key: string | undefined
  readonly name: string
  /** Empty if any version is allowed. */
  readonly range: string
  /** The versions that the range may allow, if not that of the locked package; none if they are not known. */
  readonly versions?: readonly string[]
  readonly kind: DependencyKind
  /** Line in the manifest, counted from 1. */
  readonly line?: number
  /** The manifest, if it is not the target: `additional file 1`. */
  readonly file?: string
}

/** A lockfile with the declarations of its project. */
export interface LockedProject {
  readonly name: string
  readonly version: string
  readonly lock: {
    /** `Cargo.lock`. */
    readonly name: string
    readonly file: 'target' | number
    /** The command that writes it again: `cargo update`. */
    readonly update: string
  }
  /** `Cargo.toml`, for messages. */
  readonly manifestName: string
  readonly packages: ReadonlyMap<string, LockedPackage>
  /** The project's dependencies; undefined if no file tells them, so that packages which nothing requires are direct. */
  readonly direct: readonly Requirement[] | undefined
  readonly versions: Pick<VersionScheme, 'isValid' | 'isRange' | 'satisfies'>
  /** Contradictions and gaps that the reader of the files reports itself. */
  readonly unresolved: readonly Unresolved[]
  readonly filesRead: readonly string[]
}
