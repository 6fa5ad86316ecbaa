import { npmVersions } from '#analysis/versions/npm.ts'
import type { Dependency } from '../dependency.ts'
import { type OverrideRule, overriddenRange, ruleFor } from '../overrides.ts'
import { parseSpec, type Spec } from '../spec.ts'

/** A tree of `node_modules` folders during construction. */
export interface Tree {
  readonly root: TreeNode
  /** All dependencies of attached nodes, by name. */
  readonly edgesByName: Map<string, Set<TreeEdge>>
  size: number
  /** Nodes whose dependencies a rule changed since their last visit. */
  readonly disturbed: Set<TreeNode>
}

/** A package version to place in a tree, or the project, or a workspace member. */
export interface TreeNode {
  /** The name by which dependents find it. */
  readonly name: string
  readonly packageName: string
  readonly version: string
  readonly license: string | undefined
  dependencies: readonly Dependency[]
  /** True for the project and its members, which are never moved or replaced. */
  readonly isTop: boolean
  /** For the root of a peer set: the represented node of the real tree. */
  readonly source: TreeNode | undefined
  readonly edges: Map<string, TreeEdge>
  readonly edgesIn: Set<TreeEdge>
  readonly children: Map<string, TreeNode>
  tree: Tree | undefined
  /** The next folder of the search for its dependencies. */
  parent: TreeNode | undefined
  depth: number
  path: string
  /** The override rule for its dependencies. */
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
  /** True if conflicting peers were accepted here, as npm does with a warning; not visited again. */
  isConflicted: boolean
  /** True if no package can be installed; already reported. */
  isFailed: boolean
}

interface NewNode {
  readonly name: string
  readonly packageName: string
  readonly version: string
  readonly license: string | undefined
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

/** Makes a node the root of its own tree. */
export function plant(root: TreeNode): Tree {
  const tree: Tree = { root, edgesByName: new Map(), size: 0, disturbed: new Set() }
  root.tree = tree
  register(root)
  return tree
}

/** Puts a detached node into a folder, replacing one of the same name and taking over its folder. */
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

/** Removes a node with its contents from the tree. */
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

/** Gives a node in a tree other dependencies; packages stay where they are. */
export function requireAnew(node: TreeNode, dependencies: readonly Dependency[]): void {
  const { tree } = node
  unregister(node)
  node.edges.clear()
  for (const dependency of dependencies) node.edges.set(dependency.name, newEdge(node, dependency))
  node.dependencies = dependencies
  node.tree = tree
  register(node)
}

/** Links a name in a folder to a node elsewhere, as npm does if packages would nest forever. */
export function linkTo(target: TreeNode, node: TreeNode): void {
  target.children.set(node.name, node)
  reresolve(target.tree!, node.name)
}

export function resolveFrom(start: TreeNode | undefined, name: string): TreeNode | undefined {
  for (let node = start; node !== undefined; node = node.parent) {
    const child = node.children.get(name)
    if (child?.tree !== undefined) return child
  }
  return undefined
}

export function isWithin(node: TreeNode, ancestor: TreeNode): boolean {
  for (let at: TreeNode | undefined = node; at !== undefined; at = at.parent) if (at === ancestor) return true
  return false
}

export function satisfies(node: TreeNode, edge: TreeEdge): boolean {
  if (node.name !== edge.name) return false
  const { selector, elsewhere } = edge.spec
  if (elsewhere !== undefined) return node.isTop
  if (selector === '*') return true
  return (
    isSatisfied(node.version, selector) || (edge.rule?.name === edge.name && satisfiesUnruled(node, edge, edge.rule))
  )
}

/** Returns true if the edge leads to an accepted version, or may lead nowhere. */
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

/** Accepts a version in the declared range to which the override's key does not apply. */
function satisfiesUnruled(node: TreeNode, edge: TreeEdge, rule: OverrideRule): boolean {
  if (rule.keyRange === '*') return false
  const declared = parseSpec(edge.name, edge.dependency.range)
  return isSatisfied(node.version, declared.selector) && !isSatisfied(node.version, rule.keyRange)
}

/** Returns true if a version satisfies a request. Tags always match: the installed version once had the tag. */
function isSatisfied(version: string, selector: string): boolean {
  let results = satisfactions.get(selector)
  if (results === undefined) {
    if (satisfactions.size >= MAX_CACHED_RANGES) satisfactions.clear()
    results = new Map()
    satisfactions.set(selector, results)
  }
  let isFine = results.get(version)
  if (isFine === undefined) {
    isFine = npmVersions.isRange(selector) ? npmVersions.satisfies(version, selector) : true
    results.set(version, isFine)
  }
  return isFine
}

/** Cached results; a tree asks for the same pairs repeatedly. */
const satisfactions = new Map<string, Map<string, boolean>>()
const MAX_CACHED_RANGES = 5_000

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

/** Applies the most specific override rule of a node's edges; if that changes its dependencies, it is visited again. */
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
