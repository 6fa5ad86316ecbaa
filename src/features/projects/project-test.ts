import type { Registry } from '#analysis/ecosystems/ecosystem.ts'
import type { Coverage } from '#features/package-tests/resource.ts'
import type { KnownIssue } from './package-issue.ts'

/** A package of a stored graph. */
export interface StoredPackage {
  /** As the project's files spell it. */
  readonly name: string
  readonly version: string
  /** What lockfile or registry said of its licence, in their own words; absent when nobody told. */
  readonly licence?: string
  /** Other names under which advisories may speak of it. */
  readonly advisoryNames?: readonly string[]
  /** The commit it was taken at, where that is known. */
  readonly commit?: string
}

/** The resolved packages of a project as they are kept. `nodes[0]` is the project itself. May have cycles. */
export interface StoredGraph {
  readonly packages: readonly StoredPackage[]
  /** `package` is an index into `packages`; `edges` are indices into `nodes`. */
  readonly nodes: readonly { readonly package: number; readonly edges: readonly number[] }[]
}

/** What ends an issue of one package of the graph, as of the last test. */
export interface Advice {
  readonly issueId: string
  /** An index into the graph's packages. */
  readonly package: number
  /** Some path ends with an upgrade. */
  readonly isUpgradable: boolean
  readonly isPinnable: boolean
  /** Each as `name@version` from the direct dependency on; `upgradePaths[n]` is what becomes of `upgradedPaths[n]`. */
  readonly upgradePaths: readonly (readonly string[])[]
  readonly upgradedPaths: readonly (readonly string[])[]
  /** Versions that end an affected range, oldest first. */
  readonly fixedIn: readonly string[]
}

/** What a test of a project gives, as it is stored. */
export interface ProjectTest {
  /** The package manager's id: npm, yarn, maven …; of graphs that were resolved elsewhere, the name that they give. */
  readonly type: string
  /** The words for it in findings. */
  readonly packageManager: string
  readonly language: string
  readonly registry: Registry
  readonly graph: StoredGraph
  readonly advice: readonly Advice[]
  readonly coverage: Coverage
  /** Distinct packages at distinct versions. */
  readonly dependencyCount: number
  /** What the advisories of the test say of the graph's packages; `coverage.advisories.digest` names those. */
  readonly issues: readonly (KnownIssue & { readonly package: number })[]
}
