import type { Registry } from './registry-facts.ts'

/** A published package version. `name` has the registry's spelling (Maven: `group:artifact`). */
export interface Package {
  readonly name: string
  readonly version: string
}

export type DependencyKind = 'prod' | 'dev' | 'optional' | 'peer'

/** A declared dependency, resolved to a node. */
export interface Edge {
  /** Index into `nodes`. */
  readonly to: number
  /** The declared range. */
  readonly range: string
  readonly kind: DependencyKind
  /** For a dependency of the project: the place of its declaration, if the reader knows it. */
  readonly declaredAt?: FilePlace
}

/** A line of a sent file. */
export interface FilePlace {
  readonly file: 'target' | number
  /** Counted from 1. */
  readonly line: number
}

export interface GraphNode {
  readonly package: Package
  readonly edges: Edge[]
  /** True for another project of the same repository, whose own files declare what it requires. */
  readonly isProject?: true
  /** The registry of the package, in graphs of several; `none` for what no registry published. */
  readonly registry?: Registry | 'none'
  /** SPDX expression or the registry's own word, from the lockfile or the registry. */
  readonly license?: string
  /** Other names used by advisories: modules of the same Go repository. */
  readonly advisoryNames?: readonly string[]
  /** Go modules that may contain this package; bills of materials do not always name the module. */
  readonly possibleModules?: readonly string[]
  /**
   * Import paths of the module's packages that the project has, if its files list them; `a/b/...` is a folder with all
   * below it.
   */
  readonly packages?: readonly string[]
  /** The commit of the source, if known. */
  readonly commit?: string
  /** True if the version only reflects the commit time, not the release it builds on. */
  readonly isVersionGuessed?: boolean
}

/**
 * The resolved packages of a project. `nodes[0]` is the project itself, never counted or reported. May contain cycles.
 */
export interface DependencyGraph {
  readonly nodes: GraphNode[]
}

/** A dependency without a resolved version, and the reason. Reported, so that no result looks clean by omission. */
export interface Unresolved {
  readonly name: string
  readonly range: string
  /** A stable code for programs. */
  readonly code:
    | 'lockfile-not-read'
    | 'not-in-lockfile'
    | 'lockfile-contradiction'
    | 'not-in-registry'
    | 'no-matching-version'
    | 'registry-unreachable'
    | 'not-from-registry'
    | 'not-static'
    | 'version-unknown'
    | 'bound-met'
    | 'other-environment'
  /** A sentence for people. */
  readonly reason: string
  /** The requiring package as `name@version`, or the project's own manifest. */
  readonly requiredBy: string
  /** Line of the declaration, counted from 1, if known. */
  readonly line?: number
  /** The file of that line, if it is not the target. */
  readonly file?: string
}
