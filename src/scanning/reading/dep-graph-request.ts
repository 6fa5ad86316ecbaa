import { type Static, Type } from 'typebox'
import { MAX_POLICY_CHARACTERS } from '#analysis/discovery/policy-files/read-policy.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'

const Id = Type.String({ minLength: 1, maxLength: 2000 })

/** A resolved graph in the format that clients of the interface send; members that are not described are ignored. */
export const DepGraph = Type.Object({
  schemaVersion: Type.String({ pattern: '^1\\.\\d{1,4}\\.\\d{1,4}$' }),
  pkgManager: Type.Object({
    name: Type.String({
      minLength: 1,
      maxLength: 100,
      description: 'For example npm, maven, pip, rubygems, gomodules',
    }),
  }),
  pkgs: Type.Array(
    Type.Object({
      id: Id,
      info: Type.Object({
        name: Type.String({ minLength: 1, maxLength: 1000 }),
        version: Type.Optional(Type.Union([Type.String({ maxLength: 1000 }), Type.Null()])),
      }),
    }),
    { minItems: 1 },
  ),
  graph: Type.Object({
    rootNodeId: Id,
    nodes: Type.Array(Type.Object({ nodeId: Id, pkgId: Id, deps: Type.Array(Type.Object({ nodeId: Id })) }), {
      minItems: 1,
    }),
  }),
})
export type DepGraph = Static<typeof DepGraph>

/** The text of a policy file. Clients send an empty one, or null, for none. */
export const PolicyText = Type.Optional(
  Type.Union([
    Type.String({ maxLength: MAX_POLICY_CHARACTERS, description: 'The text of a `.snyk` file' }),
    Type.Null(),
  ]),
)

export const DepGraphRequest = Type.Object({ depGraph: DepGraph, policy: PolicyText })

nameSchemas({ DepGraph, DepGraphRequest })

/** Counts the entries of a graph. */
export function sizeOf({ pkgs, graph }: DepGraph): number {
  return graph.nodes.reduce((sum, { deps }) => sum + 1 + deps.length, pkgs.length)
}
