import type { DependencyGraph, Package, Unresolved } from '../dependency-graph.ts'
import type { Reading } from '../ecosystems/ecosystem.ts'

/** A project read again with another version of a direct dependency, and its effect on vulnerabilities. */
export interface WhatIf {
  /** Returns true if nothing below the direct dependency is at an affected version. */
  isFreeOf(direct: string, affected: AffectedVersions): boolean
  /**
   * Returns the packages on a path of names after the upgrade. Ends early where the next name is no longer required.
   */
  follow(names: readonly string[]): Package[]
}

export interface AffectedVersions {
  /** Identifies a vulnerability. */
  readonly key: string
  readonly name: string
  affects(version: string): boolean
}

/** Compares a reading with `before`, the earlier unresolved dependencies. New conflicts mean that it is no upgrade. */
export function toWhatIf({ graph, unresolved }: Reading, before: readonly Unresolved[]): WhatIf {
  const answers = new Map<string, boolean>()
  const reached = new Map<string, Set<number>>()
  const isUnknown = unresolved.some(({ code }) => code === 'registry-unreachable' || code === 'bound-met')
  const previousNames = new Set(before.map(({ name }) => name))
  const isBroken = unresolved.some(({ code, name }) => code === 'no-matching-version' && !previousNames.has(name))
  const open = new Set(unresolved.map(({ name }) => name))

  function below(direct: string): Set<number> {
    const nodes = reached.get(direct) ?? reachedFrom(graph, declaredAs(graph, direct))
    reached.set(direct, nodes)
    return nodes
  }

  return {
    isFreeOf(direct, { key, name, affects }) {
      const text = JSON.stringify([direct, key, name])
      let isFree = answers.get(text)
      if (isFree === undefined) {
        const nodes = [...below(direct)].map((index) => graph.nodes[index]!.package)
        isFree =
          !isUnknown &&
          !isBroken &&
          !open.has(name) &&
          nodes.length > 0 &&
          !nodes.some((node) => node.name === name && affects(node.version))
        answers.set(text, isFree)
      }
      return isFree
    },
    follow(names) {
      const path: Package[] = []
      let [at] = declaredAs(graph, names[0]!)
      for (const name of [...names.slice(1), '']) {
        if (at === undefined) break
        path.push(graph.nodes[at]!.package)
        at = childrenCalled(graph, at, name)[0]
      }
      return path
    },
  }
}

/** Returns the direct dependencies of a name; else, for a dependency of another project, all packages of the name. */
function declaredAs(graph: DependencyGraph, name: string): number[] {
  const direct = childrenCalled(graph, 0, name)
  return direct.length > 0 ? direct : [...graph.nodes.keys()].filter((to) => graph.nodes[to]!.package.name === name)
}

function childrenCalled({ nodes }: DependencyGraph, from: number, name: string): number[] {
  return nodes[from]!.edges.map(({ to }) => to).filter((to) => nodes[to]!.package.name === name)
}

function reachedFrom({ nodes }: DependencyGraph, starts: readonly number[]): Set<number> {
  const reached = new Set(starts)
  for (const index of reached) for (const { to } of nodes[index]!.edges) if (to !== 0) reached.add(to)
  return reached
}
