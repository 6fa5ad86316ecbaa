import type { Severity } from '#analysis/advisories/cvss.ts'
import type { ExploitSignals } from '#analysis/advisories/exploit-signals.ts'
import type { Package } from '#analysis/dependency-graph.ts'
import { partsOf, toPackageUrl } from '#analysis/registries/package-url.ts'
import type { Registry } from '#analysis/registries/registry.ts'
import type { Coverage, Vulnerability } from '#scanning/results/test-result.ts'

/** A project with its packages, their relations and vulnerabilities: the input of every writer of bills of materials. */
export interface Bill {
  readonly name: string
  /** Empty if unknown. */
  readonly version: string
  /** A stored project; undefined for the project of a request. */
  readonly stored?: StoredProject
  readonly components: readonly Component[]
  /** `nodes[0]` is the project; `component` is an index into `components`. */
  readonly nodes: readonly { readonly component: number; readonly edges: readonly number[] }[]
  /** One entry per vulnerability, over all affected packages. */
  readonly vulnerabilities: readonly BillVulnerability[]
  readonly coverage: Pick<Coverage, 'complete' | 'unresolved' | 'boundsMet'> & {
    readonly advisories: Pick<Coverage['advisories'], 'digest' | 'builtAt'>
  }
}

/** A stored project, or several: those of a repository or an organization. */
export interface StoredProject {
  readonly kind: 'project' | 'target' | 'organization'
  readonly id: string
  /** Its page in the console. */
  readonly url: string
  /** Time of the test with this graph, epoch milliseconds. */
  readonly testedAt: number
}

export interface Component {
  readonly package: Package
  /** `none` for a package that no registry published. */
  readonly registry: Registry | 'none'
  /** Set in bills of several registries, where names are not unique. */
  readonly ref?: string
  readonly license?: License
  /** Violations of the license policy, as sentences. */
  readonly licenseIssues: readonly string[]
  /** Set for a project in a bill of several. */
  readonly project?: BilledProject
}

export interface BilledProject extends StoredProject {
  /** False if its test was incomplete, or there was none. */
  readonly isComplete: boolean
}

export interface License {
  readonly text: string
  /** True if `text` is a valid SPDX expression. */
  readonly isSpdx: boolean
}

export interface BillVulnerability
  extends Pick<
      Vulnerability,
      'id' | 'url' | 'title' | 'description' | 'identifiers' | 'references' | 'publicationTime' | 'credit' | 'fixedIn'
    >,
    ExploitSignals {
  readonly severity: Severity
  readonly exploitMaturity: string
  /** Empty if no vector decided the severity. */
  readonly rating: { readonly score: number; readonly vector: string } | undefined
  /** Upgrades, as sentences. */
  readonly advice: readonly string[]
  /** Indices of affected components. */
  readonly components: readonly number[]
  readonly assessment?: Assessment
}

export interface Assessment {
  /** `partial`: only some dependency paths are ignored, so the issue as a whole is not assessed. */
  readonly verdict: 'not-vulnerable' | 'wont-fix' | 'temporary-ignore' | 'partial'
  /** Their reasons, with the time of expiry. */
  readonly text: string
}

/** The reference of the project; references of packages contain an `@`. */
export const ROOT = 'project'

export function refOf({ ref, package: { name, version } }: Component): string {
  return ref ?? `${name}@${version}`
}

/** Returns undefined for a package that no registry published. */
export function purlOf({ registry, package: identity }: Component): string | undefined {
  return registry === 'none' ? undefined : toPackageUrl(registry, identity)
}

/** Splits a name where its registry has namespaces that tools show separately. */
export function splitName({ registry, package: { name } }: Component) {
  if (registry !== 'npm' && registry !== 'Maven') return { group: '', name }
  const parts = partsOf(registry, name)
  return { group: parts.slice(0, -1).join('/'), name: parts.at(-1)! }
}

export interface Dependency {
  readonly ref: string
  /** Sorted; without the component itself. */
  readonly dependsOn: readonly string[]
}

/** Yields the direct dependencies of the project, then of each component. */
export function* listDependencies({ nodes, components }: Bill): Generator<Dependency> {
  const refs = components.map(refOf)
  const placesOf = Map.groupBy(nodes.keys().drop(1), (node) => nodes[node]!.component)
  const dependsOn = (ref: string, places: readonly number[]) => {
    const all = places.flatMap((place) =>
      nodes[place]!.edges.map((to) => (to === 0 ? ROOT : refs[nodes[to]!.component]!)),
    )
    return [...new Set(all)].filter((target) => target !== ref).sort()
  }
  yield { ref: ROOT, dependsOn: dependsOn(ROOT, nodes.length === 0 ? [] : [0]) }
  for (const [at, ref] of refs.entries()) yield { ref, dependsOn: dependsOn(ref, placesOf.get(at) ?? []) }
}

export function listOmissions({ unresolved, boundsMet }: Bill['coverage']): string[] {
  const open = unresolved.map(({ name, range, code, reason }) => `${name} ${range}: ${code}: ${reason}`)
  return [...open, ...boundsMet]
}
