import { createRequire } from 'node:module'
import type { Reading } from '../../src/analysis/ecosystems/ecosystem.ts'
import { npm } from '../../src/analysis/ecosystems/javascript/npm/index.ts'

/** The used parts of npm's tree builder, which has no types. */
export interface ArboristNode {
  readonly packageName: string
  readonly version: string
  readonly location: string
  readonly isLink: boolean
  readonly isProjectRoot: boolean
  readonly isWorkspace: boolean
  readonly target: ArboristNode
  readonly edgesOut: Map<string, { readonly to: ArboristNode | null }>
  readonly inventory: Map<string, ArboristNode>
}

export interface Arborist {
  loadVirtual(): Promise<ArboristNode>
  buildIdealTree(): Promise<ArboristNode>
}

export const ArboristOfNpm = createRequire(import.meta.url)('@npmcli/arborist') as new (options: object) => Arborist
/** Every package, and every edge between packages, as lines. */
export function npmReadingLines({ graph }: Reading): Set<string> {
  const labels = graph.nodes.map((node, index) =>
    index === 0 ? 'project' : label(node.package.name, node.package.version),
  )
  const edges = graph.nodes.flatMap((node, from) => node.edges.map(({ to }) => `${labels[from]} → ${labels[to]}`))
  return new Set([...labels, ...edges])
}

export function treeLines(root: ArboristNode): Set<string> {
  const labelOf = (node: ArboristNode): string => {
    if (node.isLink) return labelOf(node.target)
    return node === root || node.isWorkspace ? 'project' : label(node.packageName, node.version)
  }
  const lines = new Set(['project'])
  for (const node of root.inventory.values()) {
    if (node.isLink) continue
    lines.add(labelOf(node))
    for (const { to } of node.edgesOut.values()) {
      if (to !== null && labelOf(to) !== 'project') lines.add(`${labelOf(node)} → ${labelOf(to)}`)
    }
  }
  return lines
}

/** Labels a package. Without a version, npm's tree has no version and ours has the source. */
function label(name: string, version: string | undefined): string {
  return `${name}@${version !== undefined && npm.versions.isValid(version) ? version : ''}`
}
