import type { DependencyGraph, Edge, GraphNode, Package, Unresolved } from '#analysis/dependency-graph.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import { findExactVersion, npmVersions } from '#analysis/versions/npm.ts'
import { toBundledProblem } from '../dependency.ts'
import { nameProject, type PackageJson } from '../package-json.ts'
import type { SortedFiles } from '../sort-files.ts'
import { parseSpec } from '../spec.ts'
import { buildIdealTree, type IdealTree, type OpenProject } from './ideal-tree.ts'
import { isValid, type TreeEdge, type TreeNode } from './tree.ts'

/** Reads a project without locked versions. */
export async function resolveProject(
  files: Omit<SortedFiles<unknown>, 'root' | 'files'> & { readonly project: PackageJson },
  metadata: NpmReader,
  options: ReadOptions,
): Promise<Reading> {
  const { project, members, filesRead } = files
  const direct = options.preferred?.direct ?? []
  const toTop = (json: PackageJson) => ({
    ...toOpen(json),
    ...(direct.length === 0 ? {} : { earlier: askingFor(json, direct).dependencies }),
  })
  const tree = await buildIdealTree(
    { ...toTop(project), overrides: project.overrides, members: members.map(toTop) },
    metadata,
    options,
  )
  const { graph, bundled } = graphOf(tree, options)
  const dev = options.includeDev ? 0 : countLeftOut([project, ...members], graph)
  return {
    graph,
    unresolved: [...tree.unresolved, ...bundled, ...copies(project, members), ...missingMembers(project, members)],
    filesRead,
    locked: false,
    excluded: dev === 0 ? [] : [{ reason: 'dev', packages: dev }],
    boundsMet: tree.boundsMet,
  }
}

/** Returns the project with other versions of some packages, under its own names for them. */
export function askingFor(project: PackageJson, upgrades: readonly Package[]): PackageJson {
  const versions = new Map(upgrades.map(({ name, version }) => [name, version]))
  const dependencies = project.dependencies.map((dependency) => {
    const { name, elsewhere } = parseSpec(dependency.name, dependency.range)
    const version = versions.get(name)
    if (version === undefined || elsewhere !== undefined) return dependency
    return { ...dependency, range: name === dependency.name ? version : `npm:${name}@${version}` }
  })
  return { ...project, dependencies }
}

/** Reads the graph of one published package, by exact version or tag. */
export async function resolvePackage(
  { name, version }: Package,
  metadata: NpmReader,
  options: ReadOptions,
): Promise<Reading> {
  if (!isOneVersion(name, version)) {
    const reason = 'Not a SemVer version'
    const unresolved = { name, range: version, code: 'no-matching-version', reason, requiredBy: REQUEST } as const
    const graph = { nodes: [{ package: { name: '', version: '' }, edges: [] }] }
    return { graph, unresolved: [unresolved], filesRead: [], locked: false, excluded: [], boundsMet: [] }
  }
  const dependency = { name, range: version, kind: 'prod', mayBeAbsent: false } as const
  return resolveBelow({ dependencies: [dependency], overrides: undefined }, metadata, options)
}

const REQUEST = 'the request'

/** Reads the graph of a nameless project with these dependencies. */
export async function resolveBelow(
  request: Pick<OpenProject, 'dependencies' | 'overrides'>,
  metadata: NpmReader,
  options: ReadOptions,
): Promise<Reading> {
  const project: OpenProject = { ...request, name: '', version: '', label: REQUEST, members: [] }
  const tree = await buildIdealTree(project, metadata, options)
  const { boundsMet } = tree
  const { graph, bundled } = graphOf(tree, options)
  const unresolved = [...tree.unresolved, ...bundled]
  return { graph, unresolved, filesRead: [], locked: false, excluded: [], boundsMet }
}

function isOneVersion(name: string, version: string): boolean {
  const spec = parseSpec(name, version)
  if (spec.elsewhere !== undefined || spec.name !== name || version.trim() === '') return false
  return findExactVersion(version) !== undefined || !npmVersions.isRange(version)
}

function toOpen(project: PackageJson): Omit<OpenProject, 'overrides' | 'members'> {
  const { name, version, dependencies } = project
  return { name: name ?? '', version: version ?? '', label: nameProject(project), dependencies }
}

interface Reached {
  readonly graph: DependencyGraph
  readonly bundled: readonly Unresolved[]
}

/** Builds the graph reached from the project, which shares the first node with its members. */
function graphOf({ root, members }: IdealTree, options: ReadOptions): Reached {
  const tops = [root, ...members]
  const indexes = new Map<TreeNode, number>(tops.map((top) => [top, 0]))
  const nodes: GraphNode[] = [{ package: { name: root.name, version: root.version }, edges: [] }]
  const order = [...tops]
  const bundled = new Map<string, Unresolved>()
  for (const node of order) {
    const from = nodes[indexes.get(node)!]!
    for (const edge of node.edges.values()) {
      const { to, dependency } = edge
      if (dependency.isBundled) {
        const problem = toBundledProblem(dependency, `${node.packageName}@${node.version}`)
        bundled.set(`${problem.requiredBy} ${problem.name}`, problem)
      }
      if (to === undefined || to.isTop || !leadsThere(edge, options)) continue
      let index = indexes.get(to)
      if (index === undefined) {
        index = nodes.length
        const { packageName: name, version, license } = to
        nodes.push({ package: { name, version }, edges: [], ...(license === undefined ? {} : { license }) })
        indexes.set(to, index)
        order.push(to)
      }
      from.edges.push(toEdge(edge, index))
    }
  }
  return { graph: { nodes }, bundled: [...bundled.values()] }
}

function leadsThere(edge: TreeEdge, { includeDev }: ReadOptions): boolean {
  if (edge.dependency.kind === 'dev' && !includeDev) return false
  return isValid(edge) || edge.isConflicted
}

function toEdge({ spec, dependency }: TreeEdge, to: number): Edge {
  return {
    to,
    range: spec.elsewhere === undefined ? spec.selector : withoutCredentials(dependency.range),
    kind: dependency.kind,
  }
}

/** Counts excluded dev dependencies; without a lockfile their own dependencies are unknown. */
export function countLeftOut(projects: readonly PackageJson[], { nodes }: DependencyGraph): number {
  const present = new Set(nodes.slice(1).map((node) => node.package.name))
  const dev = projects.flatMap(({ dependencies }) => dependencies.filter(({ kind }) => kind === 'dev'))
  return new Set(dev.map(({ name }) => name).filter((name) => !present.has(name))).size
}

/**
 * Returns folders that the project requires as packages, with a sent package.json. Their dependencies are read, but
 * they may be copies of published packages. Workspace folders are the project's own.
 */
function copies(project: PackageJson, members: readonly PackageJson[]): Unresolved[] {
  if (project.workspaces.length > 0) return []
  const sent = new Set(members.map(({ name }) => name))
  const reason = 'It is a folder of the project, which may hold a copy of a published package'
  return [project, ...members].flatMap((member) =>
    member.dependencies.flatMap(({ name, range }): Unresolved[] => {
      if (!sent.has(name) || parseSpec(name, range).elsewhere === undefined) return []
      const requiredBy = nameProject(member)
      return [{ name, range: withoutCredentials(range), code: 'not-from-registry', reason, requiredBy }]
    }),
  )
}

/** Returns workspace folders whose package.json was not sent. */
export function missingMembers(project: PackageJson, members: readonly PackageJson[]): Unresolved[] {
  if (members.length > 0) return []
  const reason = 'The package.json files of these workspace folders were not sent, so what they need is not known'
  return project.workspaces.map((name) => ({
    name,
    range: '*',
    code: 'not-from-registry',
    reason,
    requiredBy: nameProject(project),
  }))
}
