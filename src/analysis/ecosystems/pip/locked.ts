import type { GraphNode } from '../../dependency-graph.ts'
import { type DirectPackage, findPin } from './asked-packages.ts'
import { toProjectName } from './project-name.ts'

/** Stands for a range that nobody wrote down: who asks for a package is known, and not what it accepts. */
const unknownRange = '?'

/**
 * True when the files list everything that is installed, each at one version: a tool wrote them (pip-compile, uv) and nobody
 * added to them, or every line has hashes, as pip then takes nothing that is not listed.
 */
export function isLocked(direct: readonly DirectPackage[], isGenerated: boolean): boolean {
  if (direct.length === 0) return false
  const versions = new Map<string, string>()
  for (const { requirement, elsewhere } of direct) {
    const version = elsewhere?.version ?? findPin(requirement)
    if (elsewhere === undefined && version === undefined) return false
    const known = versions.get(requirement.project)
    if (version !== undefined && known !== undefined && known !== version) return false
    if (version !== undefined) versions.set(requirement.project, version)
  }
  if (direct.every(({ isHashed }) => isHashed) || direct.every(({ via }) => via.length > 0)) return true
  return isGenerated && !direct.some(({ via }) => via.some(isOfProject))
}

/** Where a tool also says which packages the project itself asks for, a line that says nothing was added by hand. */
function isOfProject(via: string): boolean {
  return /^-[rc] |\.(?:in|txt|toml|cfg|py)\)?$/.test(via)
}

/** The locked packages; below each other where comments say who asks for them. */
export function graphOfLocked(direct: readonly DirectPackage[]): GraphNode[] {
  const nodes: GraphNode[] = [{ package: { name: '', version: '' }, edges: [] }]
  const indexes = new Map<string, number>()
  const ranges = ['']
  const known = direct.flatMap((each) => {
    const version = each.elsewhere?.version ?? findPin(each.requirement)
    return version === undefined ? [] : [{ ...each, version }]
  })
  for (const { requirement, version } of known) {
    if (indexes.has(requirement.project)) continue
    indexes.set(requirement.project, nodes.length)
    ranges.push(requirement.range)
    nodes.push({ package: { name: requirement.project, version }, edges: [] })
  }
  const connect = connector(nodes)
  for (const { requirement, via } of known) {
    const to = indexes.get(requirement.project)!
    const parents = via.map((name) => parentOf(name, indexes)).filter((parent) => parent !== to)
    const isDirect = parents.length === 0 || parents.includes(undefined)
    if (isDirect) connect(0, to, requirement.range)
    for (const parent of parents) if (parent !== undefined) connect(parent, to, unknownRange)
  }
  for (const stray of straysOf(nodes)) connect(0, stray, ranges[stray]!)
  return nodes
}

/** Undefined for what is no package of the lock: the file that the lock was made from, the project itself. */
function parentOf(via: string, indexes: ReadonlyMap<string, number>): number | undefined {
  const [, name] = /^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?$/.exec(via) ?? []
  return name === undefined ? undefined : indexes.get(toProjectName(name))
}

function connector(nodes: readonly GraphNode[]) {
  const known = new Set<string>()
  return (from: number, to: number, range: string) => {
    const key = `${from} ${to}`
    if (known.has(key)) return
    known.add(key)
    nodes[from]!.edges.push({ to, range, kind: 'prod' })
  }
}

/** Packages that only ask for each other are still installed: one of each ring. */
function straysOf(nodes: readonly GraphNode[]): number[] {
  const reached = new Set<number>()
  const strays: number[] = []
  for (let start = 0; start < nodes.length; start++) {
    if (reached.has(start)) continue
    if (start > 0) strays.push(start)
    reached.add(start)
    const queue = [start]
    for (const from of queue) {
      for (const { to } of nodes[from]!.edges) {
        if (reached.has(to)) continue
        reached.add(to)
        queue.push(to)
      }
    }
  }
  return strays
}
