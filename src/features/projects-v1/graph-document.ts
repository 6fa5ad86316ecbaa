import { type Static, Type } from 'typebox'
import type { StoredGraph } from '#analysis/findings/stored-graph.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { DepGraph } from '#scanning/reading/dep-graph-request.ts'

export const GraphDocument = Type.Object({ depGraph: DepGraph })

nameSchemas({ GraphDocument })

/** Formats a stored graph like the graphs that clients send: each package once, nodes separately. */
export function toGraphDocument(
  { packages, nodes }: StoredGraph,
  { type, name }: { type: string; name: string },
): Static<typeof GraphDocument> {
  const root = packages[0] ?? { name, version: '' }
  const ids = packages.map((entry) => `${entry.name}@${entry.version}`)
  const shown = nodes.length === 0 ? [{ package: 0, edges: [] }] : nodes
  const nodeIds = shown.map((node, at) => (at === 0 ? 'root-node' : `${ids[node.package]}|${at}`))
  const used = [...new Set(shown.map((node) => node.package))].sort((a, b) => a - b)
  // A project may depend on a package with its own name and version.
  const pkgs = new Map(
    used.map((index) => {
      const entry = packages[index] ?? root
      return [`${entry.name}@${entry.version}`, { name: entry.name, ...versionOf(entry) }]
    }),
  )
  return {
    depGraph: {
      schemaVersion: '1.2.0',
      pkgManager: { name: type },
      pkgs: [...pkgs].map(([id, info]) => ({ id, info })),
      graph: {
        rootNodeId: 'root-node',
        nodes: shown.map((node, at) => ({
          nodeId: nodeIds[at]!,
          pkgId: ids[node.package] ?? `${root.name}@${root.version}`,
          deps: node.edges.map((to) => ({ nodeId: nodeIds[to]! })),
        })),
      },
    },
  }
}

function versionOf({ version }: { version: string }) {
  return version === '' ? {} : { version }
}
