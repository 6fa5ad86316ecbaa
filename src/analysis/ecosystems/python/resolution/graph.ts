import type { GraphNode, Unresolved } from '#analysis/dependency-graph.ts'
import type { PythonEnvironment } from '../packaging/environment.ts'
import type { Requirement } from '../packaging/requirement.ts'
import { type DirectPackage, findPin, withPlace } from '../requirements/requested-packages.ts'
import { type Candidate, toId } from './candidate.ts'
import type { ProjectReads } from './project-reads.ts'
import { applicableRequirements } from './provider.ts'

interface Demand {
  readonly requirement: Requirement
  readonly direct?: DirectPackage
}

export interface GraphParts {
  readonly chosen: ReadonlyMap<string, Candidate>
  readonly direct: readonly DirectPackage[]
  readonly reads: ProjectReads
  readonly environment: PythonEnvironment
}

export interface ResolvedGraph {
  readonly nodes: GraphNode[]
  /** Packages whose version or dependencies are unknown. */
  readonly unresolved: Unresolved[]
}

/**
 * Builds the graph reached from the project, level by level. A package with extras and the same package without extras
 * share one node.
 */
export async function toGraph({ chosen, direct, reads, environment }: GraphParts): Promise<ResolvedGraph> {
  const nodes: GraphNode[] = [{ package: { name: '', version: '' }, edges: [] }]
  const unresolved: Unresolved[] = []
  const indexes = new Map<string, number | undefined>()
  const connected = new Set<string>()
  const seen = new Set<string>()
  const queue: { readonly from: number; readonly id: string; readonly label: string }[] = []
  for (const directPackage of direct)
    await connect(0, { requirement: directPackage.requirement, direct: directPackage }, 'the project')
  for (const { from, id, label } of queue) {
    const candidate = chosen.get(id)!
    if (candidate.file === undefined) continue
    const facts = await reads.facts(candidate.project, candidate.file)
    for (const requirement of applicableRequirements(facts, candidate.extras, environment))
      await connect(from, { requirement }, label)
  }
  return { nodes, unresolved }

  async function connect(from: number, demand: Demand, by: string): Promise<void> {
    const { project, extras, range } = demand.requirement
    const to = indexes.has(project) ? indexes.get(project) : await enter(demand, by)
    if (to === undefined) return
    const key = `${from} ${to} ${range}`
    if (to !== from && !connected.has(key)) nodes[from]!.edges.push({ to, range, kind: 'prod' })
    connected.add(key)
    const { name, version } = nodes[to]!.package
    for (const id of new Set([project, toId(project, extras)])) {
      if (seen.has(id) || !chosen.has(id)) continue
      seen.add(id)
      queue.push({ from: to, id, label: `${name}@${version}` })
    }
  }

  /** Returns the node of a demand, if its version is known. */
  async function enter(demand: Demand, by: string): Promise<number | undefined> {
    const { project, range, url } = demand.requirement
    const candidate = chosen.get(project)
    if (candidate === undefined) {
      // The demand was dropped and reported; another one may still be met.
      return undefined
    }
    const { version, file } = candidate
    const name = (entry: Pick<Unresolved, 'code' | 'reason'>, requestedRange: string) => {
      const whole = { name: project, range: requestedRange, ...entry }
      unresolved.push(demand.direct === undefined ? { ...whole, requiredBy: by } : withPlace(whole, demand.direct))
    }
    if (version === undefined && demand.direct?.elsewhere === undefined) {
      const files = url === undefined ? await reads.files(project) : undefined
      const absence = files !== undefined && 'code' in files ? files : undefined
      name(
        absence ?? { code: 'not-from-registry', reason: 'It comes from an address, so its version is not known' },
        range,
      )
    }
    const facts = file === undefined ? undefined : await reads.facts(project, file)
    if (facts?.unknown !== undefined) name(facts.unknown, `==${version}`)
    const resolvedVersion = version ?? findPin(demand.requirement)
    const index = resolvedVersion === undefined ? undefined : nodes.length
    indexes.set(project, index)
    if (resolvedVersion !== undefined) {
      const license = facts?.license
      nodes.push({
        package: { name: project, version: resolvedVersion },
        edges: [],
        ...(license === undefined ? {} : { license }),
      })
    }
    return index
  }
}
