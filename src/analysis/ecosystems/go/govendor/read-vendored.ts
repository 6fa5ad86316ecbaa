import type { GraphNode, Unresolved } from '#analysis/dependency-graph.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import { findRepository, hasHost, isImportPath, otherModules, sameRepositories, sharedPrefix } from '../module-path.ts'
import { findModuleVersion, type ModuleVersion, majorOf } from './locked-version.ts'
import { linesOfPaths, parseVendorJson, type Vendored } from './vendor-json.ts'

/** The packages of one repository that share a version. */
interface VendoredModule extends ModuleVersion {
  readonly repository: string
  readonly packages: readonly Vendored[]
}

/**
 * Reads a vendor.json: packages are grouped into modules by repository and revision, all of them direct dependencies,
 * since the file does not record who requires whom. The version of an untagged commit is estimated from its time;
 * matching reports advisories that this cannot decide.
 */
export function readVendored(text: string, options: ReadOptions): Reading {
  const { rootPath = '', packages } = parseVendorJson(text)
  const modules = toModules(packages.flatMap(toSources).filter(isKnown))
  if (modules.length > options.limits.maxNodes) {
    throw new Unreadable(`The file has more than ${options.limits.maxNodes} modules, the limit`)
  }
  const root: GraphNode = { package: { name: rootPath, version: '' }, edges: [] }
  const nodes = [root]
  for (const module of modules) {
    root.edges.push({ to: nodes.length, range: module.version, kind: 'prod' })
    nodes.push(toNode(module))
  }
  const unresolved = packages.flatMap((vendored) => toUnresolved(vendored, rootPath || 'vendor.json'))
  return {
    graph: { nodes },
    unresolved: withLines(unresolved, text),
    filesRead: ['vendor.json'],
    locked: true,
    excluded: [],
    boundsMet: [],
  }
}

/**
 * Returns a package under its own path, and a copy of a fork under the fork's path too. Tags belong to the repository
 * it was copied from, so only the commit is known for its own path.
 */
function toSources(vendored: Vendored): Vendored[] {
  const { origin, path } = vendored
  if (origin === undefined || placeOf(origin) === placeOf(path)) return [vendored]
  const own = { ...vendored, version: undefined, versionExact: undefined, comment: undefined }
  const isFork = !`/${origin}`.includes('/vendor/') && hasHost(origin)
  return isFork ? [own, { ...vendored, path: origin, origin: undefined }] : [own]
}

/** Returns the repository of a path as its host compares names, or the path itself. */
function placeOf(path: string): string {
  return `/${path}`.includes('/vendor/') ? path : (findRepository(path) ?? path).toLowerCase()
}

/** Groups packages into modules. Those with an unknown repository are grouped by host and revision. */
function toModules(packages: readonly Vendored[]): VendoredModule[] {
  const groups = Map.groupBy(packages, ({ path, revision, versionExact, version, origin }) => {
    const place = findRepository(path) ?? `? ${path.split('/', 1)[0]}`
    return `${place} ${revision || (versionExact ?? version)} ${origin === undefined ? '' : 'copied'}`
  })
  const revisions = [...groups.values()].flatMap((group) => {
    const repository = findRepository(group[0]!.path) ?? sharedPrefix(group.map(({ path }) => path))
    return findVersions(repository, group).map((moduleVersion) => ({ repository, packages: group, ...moduleVersion }))
  })
  const modules = Map.groupBy(revisions, ({ repository, version }) => `${repository}@${version}`)
  return [...modules]
    .map(([, group]) => ({ ...group[0]!, packages: group.flatMap(({ packages: own }) => own) }))
    .sort((a, b) => (a.repository < b.repository ? -1 : a.repository > b.repository ? 1 : 0))
}

/** Returns every version stated for packages of the repository, else the latest estimate. */
function findVersions(repository: string, packages: readonly Vendored[]): ModuleVersion[] {
  const versions = packages.flatMap((vendored) => findModuleVersion(repository, vendored) ?? [])
  const stated = new Map(versions.filter(({ isKnown }) => isKnown).map((version) => [version.version, version]))
  if (stated.size > 0) return [...stated.values()]
  return versions.toSorted((a, b) => (a.version < b.version ? 1 : -1)).slice(0, 1)
}

const MAX_NAMES = 64

function isKnown(vendored: Vendored): boolean {
  return (
    isImportPath(vendored.path) && hasHost(vendored.path) && findModuleVersion(vendored.path, vendored) !== undefined
  )
}

function toNode({ repository, packages, version, isKnown }: VendoredModule): GraphNode {
  const { revision, origin } = packages[0]!
  const paths = packages.map(({ path }) => path)
  const major = isKnown ? majorOf(version) : undefined
  const alike = [...otherModules(repository, paths, major), ...sameRepositories(repository)]
  const otherNames = withoutCase(repository, paths, alike, major)
  const isCommit = origin === undefined && /^[0-9a-f]{40}$/.test(revision)
  return {
    package: { name: repository, version },
    edges: [],
    packages: packages.map(({ path, isTree }) => (isTree ? `${path}/...` : path)).sort(),
    ...(otherNames.length > 0 && { advisoryNames: otherNames }),
    ...(isCommit && { commit: revision }),
    ...(!isKnown && { isVersionGuessed: true }),
  }
}

/**
 * Returns the names in lower case if the host ignores case: a module may be published under another spelling than the
 * vendored one (`Sirupsen/logrus`).
 */
function withoutCase(
  repository: string,
  paths: readonly string[],
  names: readonly string[],
  major: number | undefined,
): readonly string[] {
  const lower = repository.toLowerCase()
  if (lower === repository || !/^(?:github\.com|gitlab\.com|bitbucket\.org|gitee\.com)\//.test(lower)) return names
  const lowered = paths.map((path) => lower + path.slice(repository.length))
  return [...new Set([...names, lower, ...otherModules(lower, lowered, major)])].slice(0, MAX_NAMES)
}

function toUnresolved(vendored: Vendored, requiredBy: string): Unresolved[] {
  const { path, revision: range, isTree } = vendored
  if (!hasHost(path)) {
    const reason = 'No registry publishes packages under this path, so no advisory can be matched'
    return [{ name: path, range, code: 'not-from-registry', reason, requiredBy }]
  }
  if (!isImportPath(path)) {
    const reason = 'Invalid import path, so no advisory can be matched. Run govendor fetch to write it again'
    return [{ name: path, range, code: 'not-from-registry', reason, requiredBy }]
  }
  if (path.includes('/vendor/')) {
    const reason = 'It lies in the vendor folder of another package, which tells its version'
    return [{ name: path, range, code: 'version-unknown', reason, requiredBy }]
  }
  if (!toSources(vendored).every(isKnown)) {
    const reason = 'vendor.json gives no revision of it, so no advisory can be matched'
    return [{ name: path, range, code: 'not-in-lockfile', reason, requiredBy }]
  }
  if (!isTree) return []
  const reason = 'It was copied with every folder below it; packages that are vendored in there are not listed'
  return [{ name: `${path}/^`, range, code: 'not-static', reason, requiredBy }]
}

function withLines(unresolved: readonly Unresolved[], text: string): Unresolved[] {
  if (unresolved.length === 0) return []
  const lines = linesOfPaths(text)
  return unresolved.map((unresolved) => {
    const line = lines.get(unresolved.name.replace(/\/\^$/, '')) ?? lines.get(unresolved.name)
    return line === undefined ? unresolved : { ...unresolved, line }
  })
}
