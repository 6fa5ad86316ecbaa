import type { DependencyKind } from '../../dependency-graph.ts'
import type { Marker } from './packaging/marker.ts'

/** The lockfile of a Python tool, in one form for all tools. */
export interface PythonLock {
  /** The name of the lockfile, for messages. */
  readonly name: string
  readonly file: 'target' | number
  /** The command that writes the lockfile again. */
  readonly update: string
  readonly packages: readonly LockedPackage[]
  /** Dependencies of the project and of its workspace members. */
  readonly roots: readonly LockedDependency[]
  /** The file that declares the roots. */
  readonly manifest: string
  /** The project's normalized name, which some of its own dependencies require and few lockfiles list. */
  readonly project?: string | undefined
  /** True if conditions on extras in dependencies are about the project's extras, as uv writes them. */
  readonly hasProjectExtras?: true
  /** The environments for which it was written: one of these markers holds. Undefined for all. */
  readonly environments?: readonly Marker[] | undefined
  /** The dependency groups that conditions name (PEP 751); undefined if the lockfile has none. */
  readonly groups?: { readonly byDefault: ReadonlySet<string>; readonly all: ReadonlySet<string> }
}

export interface LockedPackage {
  /** Normalized name. */
  readonly name: string
  /** Undefined if the lockfile has none: its source tells it when it is built. */
  readonly version: string | undefined
  /** The source, for the sentence "It comes from …"; undefined for registries. */
  readonly elsewhere: string | undefined
  /** True for a folder of the repository, which may have no version. */
  readonly isLocal?: boolean
  /** True for the project itself and its workspace members: their dependencies are roots. */
  readonly isProject: boolean
  /** The condition for installing it. */
  readonly marker: Marker | undefined
  /** The groups with which the tool installs it, whatever requires it (Poetry 2); undefined if something must require it. */
  readonly groups?: readonly LockedGroup[] | undefined
  readonly dependencies: readonly LockedDependency[]
  /** Names of the files that are installed. */
  readonly files: readonly string[]
}

export interface LockedGroup {
  readonly kind: DependencyKind
  readonly marker: Marker | undefined
}

export interface LockedDependency {
  /** Normalized name. */
  readonly name: string
  readonly extras: readonly string[]
  /** Specifiers of PEP 440; `unknownRange` if the lockfile does not record them. */
  readonly range: string
  /** The only accepted version, if the lockfile names it. */
  readonly version?: string | undefined
  /** True if that version is installed whatever the condition of its entry (uv). */
  readonly isExact?: boolean
  readonly marker: Marker | undefined
  /** Extras of the requiring package that require it; undefined if it is always required. */
  readonly ofExtras?: readonly string[] | undefined
  readonly kind: DependencyKind
}
