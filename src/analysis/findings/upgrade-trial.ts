import type { DependencyGraph, Package, Unresolved } from '../dependency-graph.ts'
import type { Reading } from '../ecosystems/ecosystem.ts'

/** A project that was read once more with another version of a direct dependency, and what that tells of upgrades. */
export interface UpgradeTrial {
  /** Whether what lies below the direct dependency is free of the versions of a package that `affects` names. */
  isFreeOf(direct: string, affected: AffectedVersions): boolean
  /**
   * The packages on a path of that many names, as they are after the upgrade. It ends early where the next package is
   * no longer asked for.
   */
  follow(names: readonly string[]): Package[]
}

export interface AffectedVersions {
  /** Tells vulnerabilities apart. */
  readonly key: string
  readonly name: string
  affects(version: string): boolean
}

/** `before`: what was unresolved already. What does not go together any more is no upgrade. */
export function toTrial({ graph, unresolved }: Reading, before: readonly Unresolved[]): UpgradeTrial {
  const answers = new Map<string, boolean>()
  const reached = new Map<string, Set<number>>()
  const isUnknown = unresolved.some(({ code }) => code === 'registry-unreachable' || code === 'bound-met')
  const known = new Set(before.map(({ name }) => name))
  const isBroken = unresolved.some(({ code, name }) => code === 'no-matching-version' && !known.has(name))
  const open = new Set(unresolved.map(({ name }) => name))

  function below(direct: string): Set<number> {
    const known = reached.get(direct) ?? reachedFrom(graph, childrenCalled(graph, 0, direct))
    reached.set(direct, known)
    return known
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
          !nodes.some((each) => each.name === name && affects(each.version))
        answers.set(text, isFree)
      }
      return isFree
    },
    follow(names) {
      const path: Package[] = []
      let at = 0
      for (const name of names) {
        const [next] = childrenCalled(graph, at, name)
        if (next === undefined) break
        path.push(graph.nodes[next]!.package)
        at = next
      }
      return path
    },
  }
}

function childrenCalled({ nodes }: DependencyGraph, from: number, name: string): number[] {
  return nodes[from]!.edges.map(({ to }) => to).filter((to) => nodes[to]!.package.name === name)
}

function reachedFrom({ nodes }: DependencyGraph, starts: readonly number[]): Set<number> {
  const reached = new Set(starts)
  for (const index of reached) for (const { to } of nodes[index]!.edges) if (to !== 0) reached.add(to)
  return reached
}
