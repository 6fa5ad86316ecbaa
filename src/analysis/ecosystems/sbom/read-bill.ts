import type { IdentifiedFile } from '#analysis/discovery/file-kinds/identify-files.ts'
import { normalizeName, withoutCase } from '../../advisories/package-names.ts'
import { schemes } from '../../advisories/schemes.ts'
import type { DependencyGraph, GraphNode, Unresolved } from '../../dependency-graph.ts'
import { type ModulesAbove, modulesAbove } from '../../registries/go-package.ts'
import { readPackageUrl } from '../../registries/package-url.ts'
import { splitPlatform } from '../../versions/rubygems.ts'
import type { Reading, ReadLimits } from '../ecosystem.ts'
import type { Bill, Entry } from './bill.ts'
import { readCycloneDx } from './cyclonedx.ts'
import { readCycloneDxXml } from './cyclonedx-xml.ts'
import { readSpdxTags } from './spdx-tags.ts'
import { readSpdx2 } from './spdx2.ts'
import { readSpdx3 } from './spdx3.ts'

const BILL = 'the bill of materials'
/** Bills do not say what their packages allow. This is no range, so that nothing satisfies it. */
const UNKNOWN_RANGE = '(not told)'
/** Entries that are no package; without a package URL they are left out on purpose. */
const NO_PACKAGES = new Set(['file', 'data', 'cryptographic-asset'])
const noModules: ModulesAbove = { modules: [], isPackage: false }
/** Files that are packages, whatever their entry says of them. */
const ARCHIVE = /\.(?:jar|war|ear|aar|whl|egg|gem|tgz|tar\.\w+|zip|crate|nupkg|apk)$/i
/** Characters of a name or a version, as in graphs that clients send. */
const LONGEST = 1_000
// PostgreSQL stores no NUL, terminals obey other control characters, and half a surrogate pair is no text.
const UNWRITABLE = /[\p{Cc}\p{Cs}\u2028\u2029]/u
/** Most texts, which the other pattern takes longer for. */
const ASCII = /^[ -~]*$/
const ALL_UNWRITABLE = new RegExp(UNWRITABLE, 'gu')

/** Reads a bill of materials into a graph whose packages may be of several registries. */
export function readBill(file: IdentifiedFile, limits: ReadLimits): Reading {
  const bill = withLoneSubject(parseBill(file))
  const { subject, entries, format } = bill
  const { files = [], items = [] } = Object.groupBy(entries, (entry) => (isNoPackage(entry) ? 'files' : 'items'))
  const kept = items.slice(0, limits.maxNodes - 1)
  const nodes: GraphNode[] = [{ package: { name: subject?.name ?? '', version: subject?.version ?? '' }, edges: [] }]
  const unresolved: Unresolved[] = []
  for (const entry of kept) {
    const { node, problem } = toNode(entry)
    nodes.push(node)
    if (problem !== undefined) unresolved.push(problem)
  }
  const graph = { nodes: withoutListedModules(nodes) }
  unresolved.push(...connect(graph, { bill, kept }))
  if (items.length > kept.length) unresolved.push(toLimit(items.length, limits))
  unresolved.push(...describeWhole(bill, items.length))
  return {
    graph,
    unresolved,
    filesRead: [`bill of materials (${format})`],
    locked: true,
    excluded: [
      ...(files.length === 0 ? [] : [{ reason: 'not-a-package' as const, packages: files.length }]),
      ...(bill.buildPackages === 0 ? [] : [{ reason: 'build' as const, packages: bill.buildPackages }]),
    ],
    boundsMet: [],
  }
}

/** Returns true for source files and data; not for packages in the form of a file, which may be vulnerable. */
function isNoPackage({ type, purl, name, version }: Entry): boolean {
  return NO_PACKAGES.has(type) && purl === undefined && version === '' && !ARCHIVE.test(name)
}

function parseBill(file: IdentifiedFile): Bill {
  const { kind, text, json } = file
  if (kind === 'cyclonedx-xml') return readCycloneDx(readCycloneDxXml(file))
  if (kind === 'spdx-tag') return readSpdx2(readSpdxTags(text))
  if (Object.hasOwn(json(), 'bomFormat')) return readCycloneDx(json())
  return Object.hasOwn(json(), 'spdxVersion') ? readSpdx2(json()) : readSpdx3(json())
}

/** The bill of a published package that depends on nothing describes the package alone: it is tested itself. */
function withLoneSubject(bill: Bill): Bill {
  const { subject, entries } = bill
  if (subject?.purl === undefined || entries.length > 0) return bill
  return 'code' in readPackageUrl(subject.purl) ? bill : { ...bill, subject: undefined, entries: [subject] }
}

function toNode(entry: Entry): { readonly node: GraphNode; readonly problem?: Unresolved } {
  const untested = (code: Unresolved['code'], reason: string) => {
    const packageId = { name: toWritable(entry.name || entry.purl || entry.ref), version: toWritable(entry.version) }
    const problem = { name: packageId.name, range: packageId.version, code, reason, requiredBy: BILL }
    return { node: { package: packageId, edges: [], registry: 'none' as const, ...licenseOf(entry) }, problem }
  }
  if (entry.purl === undefined) {
    return untested('not-from-registry', `This ${toWritable(entry.type)} has no package URL, so it cannot be looked up`)
  }
  const parsed = readPackageUrl(entry.purl)
  if ('code' in parsed) return untested('not-from-registry', parsed.reason)
  const { registry } = parsed
  const declared = registry === 'RubyGems' ? splitPlatform(entry.version).version : entry.version
  const version = parsed.package.version || declared
  if (version === '') return untested('version-unknown', 'The bill of materials gives no version of it')
  if (!schemes[registry].isValid(version)) {
    return untested('version-unknown', 'Its version is not valid in its registry')
  }
  if (isUnwritable(parsed.package.name) || isUnwritable(version)) {
    return untested('not-from-registry', 'Its name or version has control characters')
  }
  if (Math.max(parsed.package.name.length, version.length) > LONGEST) {
    return untested('not-from-registry', `Its name or version has more than ${LONGEST} characters`)
  }
  const name = normalizeName(registry, parsed.package.name)
  // The type of npm says that names have no capitals, though some packages do.
  const lower = registry === 'npm' ? name.toLowerCase() : withoutCase(registry, name)
  const { modules, isPackage } = registry === 'Go' ? modulesAbove(entry.purl, { name, version }) : noModules
  const others = [
    ...(lower === name ? [] : [lower]),
    ...spelledAs(entry, { registry, name }),
    ...(isPackage ? modules : []),
  ]
  const node: { -readonly [K in keyof GraphNode]: GraphNode[K] } = { package: { name, version }, edges: [], registry }
  if (entry.license !== undefined) node.license = toWritable(entry.license)
  if (others.length > 0) node.advisoryNames = others
  if (modules.length > 0 && !isPackage) node.possibleModules = modules
  const { isValid, compare } = schemes[registry]
  // RubyGems takes an empty version for 0.
  const isComparable = declared !== version && declared !== '' && isValid(declared)
  if (!isComparable || compare(declared, version) === 0) return { node }
  const range = toWritable(entry.version)
  const reason = `Its package URL has version ${version}, which is tested, but the component has ${range}`
  return { node, problem: { name, range, code: 'lockfile-contradiction', reason, requiredBy: BILL } }
}

/**
 * Some programs write package URLs of npm in small letters, as their type says; the component's name keeps the
 * capitals.
 */
function spelledAs(entry: Entry, { registry, name }: { registry: string; name: string }): string[] {
  return registry === 'npm' && entry.name !== name && entry.name.toLowerCase() === name ? [entry.name] : []
}

/** A module that the bill lists is tested; a build has one version of each, so the path is a module of its own. */
function withoutListedModules(nodes: GraphNode[]): GraphNode[] {
  if (nodes.every(({ possibleModules }) => possibleModules === undefined)) return nodes
  const listed = new Set(nodes.slice(1).map(({ package: { name } }) => name))
  return nodes.map((node) => {
    if (node.possibleModules === undefined) return node
    const { possibleModules, ...rest } = node
    return possibleModules.some((module) => listed.has(module)) ? rest : node
  })
}

function isUnwritable(text: string): boolean {
  return !ASCII.test(text) && UNWRITABLE.test(text)
}

function licenseOf({ license }: Entry) {
  return license === undefined ? {} : { license: toWritable(license) }
}

function toWritable(text: string): string {
  if (ASCII.test(text)) return text.slice(0, LONGEST)
  return text.replace(ALL_UNWRITABLE, '\ufffd').slice(0, LONGEST)
}

/** Adds the edges. What nothing leads to depends on the project directly. Reports references without an entry. */
function connect({ nodes }: DependencyGraph, { bill, kept }: { bill: Bill; kept: readonly Entry[] }): Unresolved[] {
  const indexes = new Map(kept.map(({ ref }, at) => [ref, at + 1]))
  const { subject } = bill
  // Made only for references that lead to no package.
  let others: ReadonlySet<string> | undefined
  const isKnown = (ref: string) => {
    others ??= new Set([...bill.entries.map((entry) => entry.ref), ...bill.aside])
    return others.has(ref)
  }
  if (subject !== undefined && !indexes.has(subject.ref)) indexes.set(subject.ref, 0)
  const missing = new Set<string>()
  for (const [from, all] of bill.dependencies) {
    const at = indexes.get(from)
    if (at === undefined && !isKnown(from) && from !== subject?.ref) missing.add(from)
    const edges = at === undefined ? undefined : nodes[at]!.edges
    for (const ref of all) {
      const to = indexes.get(ref)
      if (to === undefined && !isKnown(ref)) missing.add(ref)
      if (to !== undefined && to !== 0 && to !== at) edges?.push({ to, range: UNKNOWN_RANGE, kind: 'prod' })
    }
  }
  attachUnreached(nodes)
  const reason = 'The bill of materials lists no component of this reference'
  return [...missing].map((ref) => ({
    name: toWritable(ref),
    range: '',
    code: 'not-in-lockfile',
    reason,
    requiredBy: BILL,
  }))
}

function attachUnreached(nodes: readonly GraphNode[]): void {
  const isReached = new Uint8Array(nodes.length)
  const reach = (start: number) => {
    const open = [start]
    isReached[start] = 1
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      for (const { to } of nodes[node]!.edges) {
        if (isReached[to]) continue
        isReached[to] = 1
        open.push(to)
      }
    }
  }
  const attach = (node: number) => {
    if (isReached[node]) return
    nodes[0]!.edges.push({ to: node, range: UNKNOWN_RANGE, kind: 'prod' })
    reach(node)
  }
  reach(0)
  const isNeeded = new Uint8Array(nodes.length)
  for (const { edges } of nodes) for (const { to } of edges) isNeeded[to] = 1
  for (const node of nodes.keys()) if (!isNeeded[node]) attach(node)
  // The rest are cycles.
  for (const node of nodes.keys()) attach(node)
}

function toLimit(items: number, { maxNodes }: ReadLimits): Unresolved {
  const reason = `The bill of materials lists ${items} components; only the first ${maxNodes - 1} were tested`
  return { name: 'further components', range: '', code: 'bound-met', reason, requiredBy: BILL }
}

/** A bill without components, or one that names its own gaps, must not look clean. */
function describeWhole({ gaps, format }: Bill, items: number): Unresolved[] {
  const none = { name: BILL, reason: 'It lists no component, so nothing was tested' }
  return [...(items === 0 ? [none] : []), ...gaps].map(({ name, reason }) => ({
    name: toWritable(name),
    range: name === BILL ? format : '',
    code: 'not-in-lockfile',
    reason: toWritable(reason),
    requiredBy: BILL,
  }))
}
