import type { GraphNode } from '#analysis/dependency-graph.ts'
import type { GoRequirement } from '#analysis/registries/go.ts'
import { type GoVersionLine, type Replacement, toReleaseOfGo } from './mod-file.ts'
import { keyOf, type ModuleGraph } from './module-graph.ts'
import type { VendoredModule } from './modules-txt.ts'
import type { ProjectFiles } from './project-files.ts'
import type { TestedModules } from './tested-modules.ts'

/** The name under which advisories list Go's standard library. */
const STANDARD_LIBRARY = 'stdlib'

interface Building {
  readonly nodes: GraphNode[]
  /** Indexes of nodes by the path that requirements name; several if the version is not certain. */
  readonly indexes: ReadonlyMap<string, readonly number[]>
}

/**
 * Builds the graph of the tested modules: direct requirements below the project, others below the modules that require
 * them; modules without a known dependent also go below the project. A replaced module is represented by its
 * replacement.
 */
export function buildGraph(files: ProjectFiles, graph: ModuleGraph, { modules }: TestedModules): GraphNode[] {
  const { target, mains, replaces, vendored = [] } = files
  const replacementOf = indexReplacements(replaces)
  const copies = new Map(vendored.map((module) => [keyOf(module), module]))
  const root: GraphNode = { package: { name: target.path, version: '' }, edges: [] }
  const nodes = [root]
  const indexes = new Map<string, number[]>()
  for (const module of modules) {
    const copy = copies.get(keyOf(module))
    const by = replacementOf(module) ?? copy?.replacedBy
    const name = by?.version === undefined ? module.path : by.path
    const version = by === undefined ? module.version : (by.version ?? '')
    indexes.set(module.path, [...(indexes.get(module.path) ?? []), nodes.length])
    nodes.push({
      package: { name, version },
      edges: [],
      ...(by !== undefined && by.version === undefined && { isProject: true }),
      ...(copy && { packages: packagesOf(copy) }),
    })
  }
  const building: Building = { nodes, indexes }
  const sources = mains.includes(target) ? [target] : mains
  for (const requirement of sources.flatMap(({ requires }) => requires)) {
    if (!requirement.isIndirect) connect(building, 0, requirement)
  }
  for (const module of modules) {
    for (const from of indexes.get(module.path)!) {
      for (const required of graph.requires.get(keyOf(module)) ?? []) connect(building, from, required)
    }
  }
  connectUnreached(building, modules)
  if (files.buildingGo !== undefined) addStandardLibrary(nodes, files.buildingGo)
  return nodes
}

/** Returns the vendored packages, also under the path of a replacement, which its advisories use. */
function packagesOf({ path, replacedBy, packages }: VendoredModule): readonly string[] {
  if (replacedBy?.version === undefined) return packages
  return packages.flatMap((packagePath) => [packagePath, replacedBy.path + packagePath.slice(path.length)])
}

function indexReplacements(replaces: readonly Replacement[]) {
  const replacements = new Map(replaces.map(({ path, version, by }) => [`${path}@${version ?? ''}`, by]))
  return (module: GoRequirement) => replacements.get(keyOf(module)) ?? replacements.get(`${module.path}@`)
}

function connect({ nodes, indexes }: Building, from: number, { path, version }: GoRequirement): void {
  const { edges } = nodes[from]!
  for (const to of indexes.get(path) ?? []) {
    if (to !== from && !edges.some((edge) => edge.to === to)) edges.push({ to, range: version, kind: 'prod' })
  }
}

function connectUnreached({ nodes, indexes }: Building, modules: readonly GoRequirement[]): void {
  const reached = new Set([0])
  const reach = (start: number) => {
    const open = [start]
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const { to } of nodes[at]!.edges) if (!reached.has(to) && reached.add(to)) open.push(to)
    }
  }
  reach(0)
  for (const { path, version } of modules) {
    for (const to of indexes.get(path)!) {
      if (reached.has(to)) continue
      nodes[0]!.edges.push({ to, range: version, kind: 'prod' })
      reached.add(to)
      reach(to)
    }
  }
}

function addStandardLibrary(nodes: GraphNode[], { version, file, line }: GoVersionLine): void {
  nodes[0]!.edges.push({ to: nodes.length, range: version, kind: 'prod', declaredAt: { file, line } })
  nodes.push({ package: { name: STANDARD_LIBRARY, version: toReleaseOfGo(version) }, edges: [] })
}
