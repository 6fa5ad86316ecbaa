import type { GraphNode, Unresolved } from '#analysis/dependency-graph.ts'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { toLine } from '../reading.ts'
import type { Chosen, Resolution } from './coursier.ts'
import type { ProjectDependencies } from './project-dependencies.ts'

export interface Frame {
  readonly options: ReadOptions
  /** The project in the root folder. */
  readonly root: { readonly name: string; readonly version: string }
  readonly filesRead: readonly string[]
  readonly unresolved: readonly Unresolved[]
  readonly notes: readonly string[]
  /** Plugins of the build itself. */
  readonly plugins: readonly string[]
  /** All projects with their included and excluded modules. */
  readonly projects: readonly ProjectDependencies[]
}

/** Merges all projects into one graph: they share the first node, below which each has its own versions. */
export function toReading(resolutions: readonly Resolution[], frame: Frame): Reading {
  const { options, root, filesRead, plugins, projects } = frame
  const nodes: GraphNode[] = [{ package: root, edges: [] }]
  const unresolved = [...frame.unresolved]
  const notes = new Set(frame.notes)
  for (const resolution of resolutions) {
    addPart(nodes, resolution)
    unresolved.push(...problemsOf(resolution, `${root.name}@${root.version}`))
    for (const bound of resolution.boundsMet) {
      notes.add(bound)
      unresolved.push({ name: 'build.sbt', range: '', code: 'bound-met', reason: bound, requiredBy: 'build.sbt' })
    }
  }
  for (const project of projects) {
    unresolved.push(...project.unresolved)
    for (const note of project.notes) notes.add(note)
  }
  const present = new Set(nodes.map((node) => node.package.name))
  const tests = projects.flatMap(({ dependencies }) =>
    dependencies.filter(({ kind }) => kind === 'tests').map(({ group, artifact }) => `${group}:${artifact}`),
  )
  const dev = options.includeDev ? 0 : new Set(tests.filter((test) => !present.has(test))).size
  const build = new Set([...plugins, ...projects.flatMap(({ ofBuild }) => ofBuild)]).size
  return {
    graph: { nodes },
    unresolved: distinct(unresolved),
    filesRead: [...filesRead],
    locked: false,
    excluded: [
      ...(dev === 0 ? [] : [{ reason: 'dev' as const, packages: dev }]),
      ...(build === 0 ? [] : [{ reason: 'build' as const, packages: build }]),
    ],
    boundsMet: [...notes],
  }
}

function addPart(nodes: GraphNode[], { chosen, ways }: Resolution): void {
  const indexes = new Map<string, number>()
  for (const module of chosen.values()) {
    indexes.set(module.name, nodes.length)
    nodes.push(toNode(module))
  }
  for (const { from, to, range, declared } of ways) {
    const source = from === undefined ? 0 : indexes.get(from)
    const target = indexes.get(to)
    if (source === undefined || target === undefined) continue
    const { edges } = nodes[source]!
    const kind = declared?.kind === 'tests' ? 'dev' : 'prod'
    if (!edges.some((edge) => edge.to === target && edge.range === range && edge.kind === kind)) {
      edges.push({ to: target, range, kind })
    }
  }
}

function toNode({ name, version, pom }: Chosen): GraphNode {
  const licenses = pom?.licenses ?? []
  return {
    package: { name, version },
    edges: [],
    ...(licenses.length === 0 ? {} : { license: licenses.join(' OR ') }),
  }
}

function problemsOf({ chosen, ways, problems }: Resolution, project: string): Unresolved[] {
  const asker = (name: string) => {
    const way = ways.find(({ to }) => to === name)
    const from = way?.from === undefined ? undefined : chosen.get(way.from)
    return {
      range: way?.range ?? '',
      requiredBy: from === undefined ? project : `${from.name}@${from.version}`,
      ...toLine(way?.declared?.place),
    }
  }
  const unresolved: Unresolved[] = []
  for (const [name, { code, reason }] of problems) unresolved.push({ name, code, reason, ...asker(name) })
  for (const { name, version, pom, problem } of chosen.values()) {
    if (problem !== undefined) unresolved.push({ name, ...problem, ...asker(name), range: version })
    for (const fault of pom?.faults ?? []) {
      const { code, reason, range } = fault
      unresolved.push({ name: fault.name, range, code, reason, requiredBy: `${name}@${version}` })
    }
  }
  return unresolved
}

function distinct(unresolved: readonly Unresolved[]): Unresolved[] {
  // A plugin is named once, where it is first enabled.
  const keyOf = (unresolved: Unresolved) =>
    unresolved.name.startsWith('plugin ') ? unresolved.name : JSON.stringify(unresolved)
  return [
    ...new Map(unresolved.toReversed().map((unresolved) => [keyOf(unresolved), unresolved])).values(),
  ].toReversed()
}
