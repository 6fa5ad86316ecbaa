import type { Collection, Kept, Way } from '#analysis/ecosystems/jvm/collect.ts'
import type { Problem } from '#analysis/ecosystems/jvm/version-choice.ts'
import type { Edge, HighestSettings, Selected, Walk } from './walk.ts'

const UNSETTLED = 'The choice of versions does not converge'

interface Outcome {
  readonly settings: HighestSettings
  /** Modules whose version is uncertain. */
  readonly unsettled: ReadonlySet<string>
}

/**
 * Collects the modules with code and their dependents. Platforms are not packages unless they have dependencies; for
 * others only read errors are reported.
 */
export function toCollection(
  { reached, edges }: Walk,
  chosen: ReadonlyMap<string, Selected | Problem>,
  { settings, unsettled }: Outcome,
): Collection {
  const libraries = new Set(edges.filter(isLibrary).flatMap(({ from, to }) => [from, to]))
  const kept: Kept[] = []
  const numbers = new Map<string, number>([['', 0]])
  for (const [key, module] of reached) {
    const selected = chosen.get(key)
    if (selected === undefined || 'code' in selected || !libraries.has(key)) continue
    kept.push({ coordinates: { ...module, version: selected.version }, pom: selected.pom })
    numbers.set(key, kept.length)
  }
  const isFull = reached.size >= settings.maxPackages
  const full = `There are more than ${settings.maxPackages} packages`
  const problemOf = ({ to, dependency }: Edge): Problem | undefined => {
    const selected = chosen.get(to)
    if (selected === undefined) return { code: 'bound-met', reason: isFull ? full : UNSETTLED }
    if ('code' in selected) return selected
    if (unsettled.has(to)) return { code: 'bound-met', reason: UNSETTLED }
    return selected.problem ?? selected.doubt ?? settings.below(selected, dependency).problem
  }

  function toWays(edge: Edge): Way[] {
    const { from, to, dependency } = edge
    const number = numbers.get(from)
    const problem = problemOf(edge)
    if (isLibrary(edge)) {
      return number === undefined
        ? []
        : [{ from: number, dependency, to: numbers.get(to), problem, isScopeManaged: false }]
    }
    const selected = chosen.get(to)
    const faults = selected !== undefined && 'version' in selected ? (selected.pom?.faults ?? []) : []
    const missing = [
      ...(problem === undefined ? [] : [{ ...problem, dependency }]),
      ...faults.map(({ name, range, code, reason }) => {
        const [group = '', artifact = ''] = name.split(':')
        return { code, reason, dependency: { ...dependency, group, artifact, version: range } }
      }),
    ]
    return missing.map((fault) => ({
      from: number ?? 0,
      dependency: fault.dependency,
      to: undefined,
      problem: { code: fault.code, reason: `${fault.reason}; what this platform says is not known` },
      isScopeManaged: false,
    }))
  }

  return {
    kept,
    ways: edges.flatMap(toWays),
    boundsMet: [...(unsettled.size === 0 ? [] : [UNSETTLED]), ...(isFull ? [full] : [])],
  }
}

function isLibrary({ dependency }: Edge): boolean {
  return dependency.category === 'library'
}
