import type { Unresolved } from '#analysis/dependency-graph.ts'
import { withoutCredentials } from '#analysis/documents/without-credentials.ts'
import type { ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { NpmReader } from '#analysis/registries/npm.ts'
import { type Dependency, metadataDependencies } from '../dependency.ts'
import type { OverrideRule } from '../overrides.ts'
import { compareNames, createNodeQueue, type NodeQueue } from './node-queue.ts'
import { loadWithPeers } from './peer-set.ts'
import { pickPreferred } from './pick-version.ts'
import { place } from './place.ts'
import { createRegistryReads, type RegistryReads } from './registry-reads.ts'
import { peerEntries } from './replace.ts'
import {
  attach,
  isValid,
  newNode,
  plant,
  requireAnew,
  satisfies,
  type Tree,
  type TreeEdge,
  type TreeNode,
} from './tree.ts'

/** A project without a lockfile. */
export interface OpenProject {
  readonly name: string
  readonly version: string
  /** The label in `requiredBy`. */
  readonly label: string
  readonly dependencies: readonly Dependency[]
  /** Dependencies that the tree was built for before; npm changes that tree. */
  readonly earlier?: readonly Dependency[]
  readonly overrides: OverrideRule | undefined
  readonly members: readonly Omit<OpenProject, 'overrides' | 'members'>[]
}

export interface IdealTree {
  readonly root: TreeNode
  readonly members: readonly TreeNode[]
  readonly unresolved: Unresolved[]
  readonly boundsMet: string[]
}

interface Build {
  readonly tree: Tree
  readonly reads: RegistryReads
  readonly options: ReadOptions
  readonly labels: ReadonlyMap<TreeNode, string>
  readonly queue: NodeQueue
  readonly seen: Set<TreeNode>
  /** Nodes placed for excluded dev dependencies: they keep their place but are not followed. */
  readonly placeholders: Set<TreeNode>
  readonly unresolved: Map<string, Unresolved>
  steps: number
}

const MAX_LIMIT_REPORTS = 100

/**
 * Builds the tree that `npm install` would create today for a project without a lockfile: dependencies by level and
 * name, each as high as possible, with their peers (arborist's build-ideal-tree, install strategy "hoisted"). Peer
 * conflicts for which npm would refuse the project are reported instead.
 *
 * Without dev dependencies only their own versions are looked up, since they affect versions shared with others.
 * Does not open tarballs for bundled packages, which are resolved like others and reported by the caller.
 */
export async function buildIdealTree(
  project: OpenProject,
  reader: NpmReader,
  options: ReadOptions,
): Promise<IdealTree> {
  const { build, members } = startBuild(project, reader, options)
  if (project.earlier !== undefined) {
    await placeAll(build)
    for (const [top, { dependencies }] of [
      [build.tree.root, project] as const,
      ...members.map((member, at) => [member, project.members[at]!] as const),
    ]) {
      requireAnew(top, dependencies)
      revisit(build, top)
    }
  }
  await placeAll(build)
  const boundsMet = reportLimit(build)
  return { root: build.tree.root, members, unresolved: [...build.unresolved.values()], boundsMet }
}

async function placeAll(build: Build): Promise<void> {
  for (let node = build.queue.pop(); node !== undefined; node = build.queue.pop()) {
    if (isAtLimit(build)) {
      build.queue.push(node)
      break
    }
    if (build.seen.has(node) || build.placeholders.has(node) || node.tree !== build.tree) continue
    build.seen.add(node)
    build.steps++
    await placeDependencies(build, node)
  }
}

function startBuild(project: OpenProject, reader: NpmReader, options: ReadOptions) {
  const root = newTop(project, project.overrides)
  const tree = plant(root)
  const labels = new Map([[root, project.label]])
  const members = project.members.map((member) => {
    const node = newTop(member, project.overrides)
    attach(node, root)
    labels.set(node, member.label)
    return node
  })
  const build: Build = {
    tree,
    reads: createRegistryReads(reader),
    options,
    labels,
    queue: createNodeQueue(),
    seen: new Set(),
    placeholders: new Set(),
    unresolved: new Map(),
    steps: 0,
  }
  for (const node of [root, ...members]) build.queue.push(node)
  return { build, members }
}

function newTop(project: Omit<OpenProject, 'overrides' | 'members'>, rule: OverrideRule | undefined): TreeNode {
  const { name, version, earlier, dependencies: current } = project
  const dependencies = earlier ?? current
  return newNode({ name, packageName: name, version, license: undefined, dependencies, rule, isTop: true })
}

async function placeDependencies(build: Build, node: TreeNode): Promise<void> {
  const edges = problemsOf(node).sort((a, b) => compareNames(a.name, b.name))
  for (const { spec } of edges) if (spec.elsewhere === undefined) build.reads.prefetch(spec.name)
  const loaded: [TreeEdge, TreeNode][] = []
  for (const edge of edges) {
    const placed = isOptionalPeer(edge) ? findPlaced(build.tree.root, edge) : undefined
    const dependency = placed ?? (await loadWithPeers((treeEdge) => load(build, treeEdge), edge))
    if (dependency !== undefined) loaded.push([edge, dependency])
  }
  for (const [edge, dependency] of loaded) placeWithPeers(build, edge, dependency)
  release(build, node)
  for (const disturbed of build.tree.disturbed) revisit(build, disturbed)
  build.tree.disturbed.clear()
}

function placeWithPeers(build: Build, edge: TreeEdge, node: TreeNode): void {
  const { placed, toRevisit, conflicts } = place(node, edge)
  for (const added of placed) {
    if (isLeftOut(build, edge)) build.placeholders.add(added)
    build.queue.push(added)
  }
  for (const invalid of toRevisit) revisit(build, invalid)
  for (const conflict of conflicts) {
    // An optional peer at another version only prevents a package from taking the place of a locked one.
    const isTolerated = isOptionalPeer(conflict) && build.options.preferred === undefined
    if (isLeftOut(build, edge) || (conflict.to !== undefined && !isOfProject(edge)) || isTolerated) continue
    const reason = 'This peer conflicts with other requirements of the project; npm refuses such a project'
    report(build, conflict, { code: 'no-matching-version', reason })
  }
}

/** Returns true for an edge of the project. Conflicts elsewhere are only warnings in npm. */
function isOfProject({ from, isPeer }: TreeEdge): boolean {
  if (from.isTop) return true
  if (!isPeer) return false
  for (const edge of from.edgesIn) if (edge.from.isTop) return true
  return [...peerEntries(from).keys()].some((entry) => entry.from.isTop)
}

/** Follows the dependencies of a followed package, even if a dev dependency placed it. */
function release(build: Build, node: TreeNode): void {
  for (const edge of node.edges.values()) {
    if (edge.to === undefined || !build.placeholders.has(edge.to) || isLeftOut(build, edge)) continue
    build.placeholders.delete(edge.to)
    build.queue.push(edge.to)
  }
}

function revisit(build: Build, node: TreeNode): void {
  build.seen.delete(node)
  build.queue.push(node)
}

/** Returns dependencies that are missing in the tree or have a disallowed version. */
function problemsOf(node: TreeNode): TreeEdge[] {
  return [...node.edges.values()].filter((edge) => {
    if (edge.isFailed || edge.isConflicted) return false
    return edge.to === undefined ? !isOptionalPeer(edge) : !isValid(edge)
  })
}

function isOptionalPeer({ isPeer, dependency }: TreeEdge): boolean {
  return isPeer && dependency.mayBeAbsent
}

/** Returns a version in the tree for an optional peer, so that none is fetched just for it. */
function findPlaced(root: TreeNode, edge: TreeEdge): TreeNode | undefined {
  const open = [...root.children.values()]
  for (const node of open) {
    if (!node.isTop && node.name === edge.name && satisfies(node, edge)) return node
    for (const child of node.children.values()) if (child.parent === node) open.push(child)
  }
  return undefined
}

async function load(build: Build, edge: TreeEdge): Promise<TreeNode | undefined> {
  const { name, selector, elsewhere } = edge.spec
  if (elsewhere !== undefined) {
    const reason = `It comes from ${elsewhere}, which is not read without a lockfile`
    return fail(build, edge, { code: 'not-from-registry', reason })
  }
  const answer = await build.reads.get(name)
  if ('code' in answer) return fail(build, edge, answer)
  const version = pickPreferred(answer.metadata, selector, build.options.preferred?.of(name) ?? [])
  if (version === undefined) {
    return fail(build, edge, { code: 'no-matching-version', reason: 'No published version matches' })
  }
  const metadata = answer.metadata.versions[version]!
  const dependencies = metadataDependencies(metadata)
  for (const next of dependencies) {
    const isPeer = next.kind === 'peer'
    if (isPeer ? !next.mayBeAbsent : !isLeftOut(build, edge)) prefetch(build, next)
  }
  const { license } = metadata
  return newNode({ name: edge.name, packageName: name, version, license, dependencies, rule: edge.rule })
}

function prefetch(build: Build, { name, range }: Dependency): void {
  if (!/[:/]/.test(range)) build.reads.prefetch(name)
}

function isLeftOut({ options }: Build, { dependency }: TreeEdge): boolean {
  return dependency.kind === 'dev' && !options.includeDev
}

/** Records a failure. npm tolerates a missing optional dependency; an unknown one is still reported. */
function fail(build: Build, edge: TreeEdge, why: Pick<Unresolved, 'code' | 'reason'>): undefined {
  edge.isFailed = true
  const isTolerated =
    edge.dependency.mayBeAbsent && (why.code === 'not-in-registry' || why.code === 'no-matching-version')
  if (edge.from.tree === build.tree && !isTolerated && !isLeftOut(build, edge)) report(build, edge, why)
}

function report(build: Build, edge: TreeEdge, { code, reason }: Pick<Unresolved, 'code' | 'reason'>): void {
  const { from, dependency } = edge
  const requiredBy = build.labels.get(from) ?? `${from.packageName}@${from.version}`
  const range = withoutCredentials(dependency.range)
  const key = JSON.stringify([dependency.name, range, requiredBy])
  if (!build.unresolved.has(key)) build.unresolved.set(key, { name: dependency.name, range, code, reason, requiredBy })
}

function isAtLimit({ tree, steps, options: { limits } }: Build): boolean {
  return tree.size > limits.maxNodes || steps > 10 * limits.maxNodes + 100
}

function reportLimit(build: Build): string[] {
  const { maxNodes } = build.options.limits
  if (build.queue.nodes.length === 0) return []
  let left = MAX_LIMIT_REPORTS
  for (const node of build.queue.nodes) {
    if (build.seen.has(node) || build.placeholders.has(node) || node.tree !== build.tree) continue
    for (const edge of problemsOf(node)) {
      if (isLeftOut(build, edge) || left-- <= 0) continue
      report(build, edge, { code: 'bound-met', reason: `Only ${maxNodes} packages are resolved for one project` })
    }
  }
  return [`The project has more than ${maxNodes} packages; the rest was not resolved`]
}
