/** A published package at one version. `name` is spelled as the registry spells it (Maven: `group:artifact`). */
export interface Package {
  readonly name: string
  readonly version: string
}

export type DependencyKind = 'prod' | 'dev' | 'optional' | 'peer'

/** One declared dependency that was resolved to a node. */
export interface Edge {
  /** Index into `nodes`. */
  readonly to: number
  /** The range as it was declared. */
  readonly range: string
  readonly kind: DependencyKind
}

export interface GraphNode {
  readonly package: Package
  readonly edges: Edge[]
  /** SPDX expression or the registry's own word, when the lockfile or the registry tells it. */
  readonly licence?: string
  /** Other names under which advisories may speak of it: modules of the same Go repository. */
  readonly advisoryNames?: readonly string[]
  /** The commit it was taken at, where that is known. */
  readonly commit?: string
  /** True when the version only says when the commit was made, not on which release it is built. */
  readonly isVersionGuessed?: boolean
}

/** The resolved packages of a project. `nodes[0]` is the project itself and is never counted or reported. May have cycles. */
export interface DependencyGraph {
  readonly nodes: GraphNode[]
}

/** A dependency that could not be turned into a package at a version, and why: it never hides behind a clean result. */
export interface Unresolved {
  readonly name: string
  readonly range: string
  /** A stable word for programs. */
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
  /** The package that asks for it as `name@version`, or the project's own manifest. */
  readonly requiredBy: string
  /** Where the manifest asks for it, counted from 1, when known. */
  readonly line?: number
  /** The file of that line, when it is not the target. */
  readonly file?: string
}
