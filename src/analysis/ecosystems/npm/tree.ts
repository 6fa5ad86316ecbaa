import { npmVersions } from '#analysis/versions/npm.ts'
import type { Dependency } from './dependency.ts'
import { type OverrideRule, overriddenRange, ruleFor } from './overrides.ts'
import { parseSpec, type Spec } from './spec.ts'

/** A tree of `node_modules` folders while it is being built. */
export interface Tree {
  readonly root: TreeNode
  /** Every dependency of an attached node, by name. */
  readonly edgesByName: Map<string, Set<TreeEdge>>
  size: number
  /** Nodes whose dependencies were changed by a rule since they were last looked at. */
  readonly disturbed: Set<TreeNode>
}

/** A package version that can be placed in a tree, or the project, or a workspace member. */
export interface TreeNode {
  /** The name it is found by. */
  readonly name: string
  readonly packageName: string
  readonly version: string
  readonly licence: string | undefined
  readonly dependencies: readonly Dependency[]
  /** The project and its members: never moved or replaced. */
  readonly isTop: boolean
  /** For the root of a peer set: the node in the real tree that it stands for. */
  readonly source: TreeNode | undefined
  readonly edges: Map<string, TreeEdge>
  readonly edgesIn: Set<TreeEdge>
  readonly children: Map<string, TreeNode>
  tree: Tree | undefined
  /** The next folder above in which its dependencies are looked for. */
  parent: TreeNode | undefined
  depth: number
  path: string
  /** The override rule that holds for its dependencies. */
  rule: OverrideRule | undefined
}

export interface TreeEdge {
  readonly from: TreeNode
  readonly dependency: Dependency
  readonly name: string
  readonly isPeer: boolean
  spec: Spec
  rule: OverrideRule | undefined
  to: TreeNode | undefined
  /** Conflicting peers were accepted here, as npm does with a warning: not looked at again. */
  isConflicted: boolean
  /** Nothing can be installed for it; already reported. */
  isFailed: boolean
}

interface NewNode {
  readonly name: string
  readonly packageName: string
  readonly version: string
  readonly licence: string | undefined
  readonly dependencies: readonly Dependency[]
  readonly rule: OverrideRule | undefined
  readonly isTop?: boolean
  readonly source?: TreeNode
}

export function newNode(facts: NewNode): TreeNode {
  const node: TreeNode = {
    isTop: false,
    source: undefined,
    ...facts,
    edges: new Map(),
    edgesIn: new Set(),
    children: new Map(),
    tree: undefined,
    parent: undefined,
    depth: 0,
    path: '',
  }
  for (const dependency of facts.dependencies) node.edges.set(dependency.name, newEdge(node, dependency))
  return node
}

/** Makes a node the root of a tree of its own. */
export function plant(root: TreeNode): Tree {
  const tree: Tree = { root, edgesByName: new Map(), size: 0, disturbed: new Set() }
  root.tree = tree
  register(root)
  return tree
}

/** Puts a detached node into a folder, in place of one of the same name, whose own folder it takes over. */
export function attach(node: TreeNode, target: TreeNode): void {
  const old = target.children.get(node.name)
  if (old !== undefined && old.parent === target) takeOver(node, old)
  target.children.set(node.name, node)
  node.parent = target
  node.depth = node.isTop ? 0 : target.depth + 1
  node.path = `${target.path}/node_modules/${node.name}`
  node.tree = target.tree
  target.tree!.size++
  register(node)
  reresolve(target.tree!, node.name)
}

/** Takes a node and all it contains out of the tree. */
export function detach(node: TreeNode): void {
  const { tree, parent } = node
  if (tree === undefined || parent === undefined) return
  if (parent.children.get(node.name) === node) parent.children.delete(node.name)
  const names = new Set<string>()
  const open = [node]
  for (const gone of open) {
    for (const child of gone.children.values()) if (child.parent === gone) open.push(child)
    names.add(gone.name)
    unregister(gone)
    tree.size--
  }
  for (const name of names) reresolve(tree, name)
}

/** Lets a name in a folder lead to a node elsewhere, as npm links where packages would nest for ever. */
export function linkTo(target: TreeNode, node: TreeNode): void {
  target.children.set(node.name, node)
  reresolve(target.tree!, node.name)
}

export function resolveFrom(start: TreeNode | undefined, name: string): TreeNode | undefined {
  for (let node = start; node !== undefined; node = node.parent) {
    const found = node.children.get(name)
    if (found?.tree !== undefined) return found
  }
  return undefined
}

export function isWithin(node: TreeNode, ancestor: TreeNode): boolean {
  for (let at: TreeNode | undefined = node; at !== undefined; at = at.parent) if (at === ancestor) return true
  return false
}

export function satisfies(node: TreeNode, edge: TreeEdge): boolean {
  if (node.name !== edge.name) return false
  const { wanted, elsewhere } = edge.spec
  if (elsewhere !== undefined) return node.isTop
  if (wanted === '*') return true
  return isSatisfied(node.version, wanted) || (edge.rule?.name === edge.name && satisfiesUnruled(node, edge, edge.rule))
}

/** Nothing is wrong with the edge: it leads to what it asks for, or may lead nowhere. */
export function isValid(edge: TreeEdge): boolean {
  const { from, to, dependency } = edge
  if (to === undefined) return dependency.mayBeAbsent || edge.isFailed
  if (edge.isPeer && to.parent === from && !from.isTop) return false
  return satisfies(to, edge)
}

export function isSame(a: TreeNode, b: TreeNode): boolean {
  return (
    a === b || (a.name === b.name && a.packageName === b.packageName && a.version === b.version && a.isTop === b.isTop)
  )
}

function newEdge(from: TreeNode, dependency: Dependency): TreeEdge {
  const { name, range, kind } = dependency
  const rule = from.rule === undefined ? undefined : ruleFor(from.rule, name, range)
  const spec = parseSpec(name, rule === undefined ? range : overriddenRange(rule, name, range))
  return {
    from,
    dependency,
    name,
    isPeer: kind === 'peer',
    spec,
    rule,
    to: undefined,
    isConflicted: false,
    isFailed: false,
  }
}

/** A version that the declared range allows is fine too when the override's key does not speak of it. */
function satisfiesUnruled(node: TreeNode, edge: TreeEdge, rule: OverrideRule): boolean {
  if (rule.keyRange === '*') return false
  const declared = parseSpec(edge.name, edge.dependency.range)
  return isSatisfied(node.version, declared.wanted) && !isSatisfied(node.version, rule.keyRange)
}

/** A tag is taken as satisfied: whatever was installed was tagged once. */
function isSatisfied(version: string, wanted: string): boolean {
  let known = satisfactions.get(wanted)
  if (known === undefined) {
    if (satisfactions.size >= mostRangesRemembered) satisfactions.clear()
    known = new Map()
    satisfactions.set(wanted, known)
  }
  let isFine = known.get(version)
  if (isFine === undefined) {
    isFine = npmVersions.isRange(wanted) ? npmVersions.satisfies(version, wanted) : true
    known.set(version, isFine)
  }
  return isFine
}

/** Pure facts, asked again and again while a tree is built. */
const satisfactions = new Map<string, Map<string, boolean>>()
const mostRangesRemembered = 5_000

function takeOver(node: TreeNode, old: TreeNode): void {
  for (const [name, child] of old.children) {
    node.children.set(name, child)
    if (child.parent === old) child.parent = node
  }
  old.children.clear()
  unregister(old)
  if (old.parent?.tree !== undefined) old.parent.tree.size--
  old.parent = undefined
}

function register(node: TreeNode): void {
  const { edgesByName } = node.tree!
  for (const edge of node.edges.values()) {
    const same = edgesByName.get(edge.name)
    if (same === undefined) edgesByName.set(edge.name, new Set([edge]))
    else same.add(edge)
    point(edge)
  }
}

function unregister(node: TreeNode): void {
  for (const edge of node.edges.values()) {
    node.tree?.edgesByName.get(edge.name)?.delete(edge)
    edge.to?.edgesIn.delete(edge)
    edge.to = undefined
  }
  node.tree = undefined
}

function reresolve(tree: Tree, name: string): void {
  for (const edge of tree.edgesByName.get(name) ?? []) point(edge)
}

function point(edge: TreeEdge): void {
  const to = resolveFrom(edge.from, edge.name)
  if (to === edge.to) return
  edge.to?.edgesIn.delete(edge)
  edge.to = to
  to?.edgesIn.add(edge)
  if (to !== undefined) inheritRule(edge, to)
}

/**
 * A package found through several edges obeys the most specific of their rules; what it asks for changes with it, so
 * that it has to be looked at again.
 */
function inheritRule(edge: TreeEdge, node: TreeNode): void {
  const open = [{ edge, node }]
  for (const { edge, node } of open) {
    if (node.isTop || edge.rule === undefined || edge.rule === node.rule || !isBelow(edge.rule, node.rule)) continue
    node.rule = edge.rule
    node.tree?.disturbed.add(node)
    for (const own of node.edges.values()) {
      const { name, range } = own.dependency
      own.rule = ruleFor(edge.rule, name, range)
      own.spec = parseSpec(name, overriddenRange(own.rule, name, range))
      if (own.to !== undefined) open.push({ edge: own, node: own.to })
    }
  }
}

function isBelow(rule: OverrideRule, above: OverrideRule | undefined): boolean {
  for (let at: OverrideRule | undefined = rule; at !== undefined; at = at.parent) if (at === above) return true
  return above === undefined
}
