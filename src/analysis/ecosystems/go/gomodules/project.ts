import type { Unresolved } from '#analysis/dependency-graph.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import type { Manifest, Reading, ReadOptions } from '#analysis/ecosystems/ecosystem.ts'
import type { GoReader, GoRequirement } from '#analysis/registries/go.ts'
import { goVersions } from '#analysis/versions/go.ts'
import { buildGraph } from './build-graph.ts'
import type { Requirement } from './mod-file.ts'
import { createModReads, NO_PROXY } from './mod-reads.ts'
import { keyOf, loadModuleGraph, type ModFailure, type ModuleGraph } from './module-graph.ts'
import { type ProjectFiles, sortFiles } from './project-files.ts'
import { chooseTested, type TestedModules } from './tested-modules.ts'

/** Reads a project by its go.mod and selects versions as the go command does. */
export async function readProject(manifest: Manifest, reader: GoReader, options: ReadOptions): Promise<Reading> {
  return readFiles(sortFiles(manifest), reader, options)
}

/** Reads sorted files, with further requirements of the tested module if an upgrade is tried. */
export async function readFiles(
  files: ProjectFiles,
  reader: GoReader,
  options: ReadOptions,
  extra: readonly GoRequirement[] = [],
): Promise<Reading> {
  const { limits } = options
  const required = files.mains.reduce((sum, { requires }) => sum + requires.length, 0)
  if (required > limits.maxNodes)
    throw new Unreadable(`The file requires more than ${limits.maxNodes} modules, the limit`)
  const project = extra.length === 0 ? files : withRequirements(files, extra)
  const reads = createModReads(reader, (module, folder) => project.findInFolder(module, folder))
  const { mains, isWorkspace, replaces } = project
  const excludes = mains.flatMap((main) => main.excludes)
  const graph = await loadModuleGraph({ mains, isWorkspace, replaces, excludes, reads, maxModules: limits.maxNodes })
  const tested = chooseTested(project, graph)
  const { isLocked, unneeded } = tested
  const buildingGo = options.standardLibrary === false ? undefined : project.buildingGo
  const excluded: Reading['excluded'] = []
  if (unneeded > 0) excluded.push({ reason: 'not-imported', packages: unneeded })
  if (buildingGo !== project.buildingGo) excluded.push({ reason: 'standard-library', packages: 1 })
  return {
    graph: { nodes: buildGraph({ ...project, buildingGo }, graph, tested) },
    unresolved: toUnresolved(project, graph, tested),
    filesRead: project.filesRead,
    locked: isLocked,
    excluded,
    boundsMet: isLocked ? notesOn(graph) : [],
  }
}

/** The files as if the tested go.mod required these versions at least. */
function withRequirements(files: ProjectFiles, extra: readonly GoRequirement[]): ProjectFiles {
  const changed = new Map(extra.map((requirement) => [requirement.path, requirement]))
  const old = files.mains.includes(files.target) ? files.target : files.mains[0]
  if (old === undefined) return files
  const updated = old.requires.map((require): Requirement => ({ ...require, ...changed.get(require.path) }))
  const added = extra.filter(({ path }) => !updated.some((requirement) => requirement.path === path))
  const requires = [
    ...updated,
    ...added.map((requirement): Requirement => ({ ...requirement, isIndirect: false, line: 1 })),
  ]
  const main = { ...old, requires }
  return {
    ...files,
    target: files.target === old ? main : files.target,
    mains: files.mains.map((file) => (file === old ? main : file)),
  }
}

function toUnresolved(files: ProjectFiles, graph: ModuleGraph, { isLocked, isOpen }: TestedModules): Unresolved[] {
  const { target, missingMembers } = files
  const lines = new Map(target.requires.map((require) => [keyOf(require), require.line]))
  const failures = graph.failures.filter(({ path, code, reason }) => {
    if (graph.selected.get(path) === '') return false
    return !isOfRegistry(code) || !(isLocked || (isOpen && reason === NO_PROXY))
  })
  const requiredBy = nameOf(files)
  return [
    ...missingMembers.map((name): Unresolved => {
      const reason = 'The workspace uses this module, which is not among the files'
      return { name, range: '', code: 'not-from-registry', reason, requiredBy: 'go.work' }
    }),
    ...target.unread.map(({ text, line }): Unresolved => {
      const reason = 'Unknown directive; it was not applied'
      return { name: text, range: '', code: 'not-static', reason, requiredBy, line }
    }),
    ...(isOpen ? [toOpenList(requiredBy)] : []),
    ...toContradictions(files, graph),
    ...toForks(files, graph).map((fork) => ({ ...fork, requiredBy })),
    ...failures.map(({ path, version, code, reason, by }): Unresolved => {
      const line = lines.get(`${path}@${version}`)
      const isOwn = files.mains.some((main) => main.path === by)
      const unresolved = { name: path, range: version, code, reason, requiredBy: isOwn ? requiredBy : by }
      return line === undefined || !isOwn ? unresolved : { ...unresolved, line }
    }),
  ]
}

/** Reports modules that are vendored in another version than go.mod requires; the go command refuses to build them. */
function toContradictions(
  { vendored = [], isVendoredTogether, target }: ProjectFiles,
  { selected }: ModuleGraph,
): Unresolved[] {
  const required = new Set(target.requires.map(({ path }) => path))
  return vendored.flatMap(({ path, version, line }): Unresolved[] => {
    const requiredVersion = required.has(path) ? selected.get(path) : undefined
    if (requiredVersion === undefined || requiredVersion === '' || requiredVersion === version) return []
    // Without a proxy, the requirements of the members' dependencies are not known.
    if (isVendoredTogether && goVersions.compare(version, requiredVersion) > 0) return []
    const reason = `It is vendored in another version than ${requiredVersion}, which go.mod requires. Run go mod vendor`
    const place = { requiredBy: 'modules.txt', line, file: 'modules.txt' }
    return [{ name: path, range: version, code: 'lockfile-contradiction', reason, ...place }]
  })
}

/**
 * Reports published modules of others that a folder of the project replaces: its code is a copy of some version. A
 * module of the project's own repository is replaced by its own code.
 */
function toForks({ replaces, mains, findInFolder }: ProjectFiles, { selected }: ModuleGraph) {
  const own = new Set(mains.map(({ path }) => repositoryOf(path)))
  return replaces.flatMap(({ path, version: only, by }): Omit<Unresolved, 'requiredBy'>[] => {
    const version = selected.get(path) ?? ''
    const isPublished = version !== '' && !/^v0\.0\.0(?:-|$)/.test(version)
    if (by.version !== undefined || !isPublished || own.has(repositoryOf(path))) return []
    if ((only !== undefined && only !== version) || findInFolder({ path }, by.path) === undefined) return []
    const reason = `It is replaced by the folder ${by.path}, which was not compared with the advisories of this version`
    return [{ name: path, range: version, code: 'not-from-registry', reason }]
  })
}

/** Returns host, owner and repository of a module's path. */
function repositoryOf(path: string): string {
  return path.split('/', 3).join('/')
}

function isOfRegistry(code: ModFailure['code']): boolean {
  return code === 'not-in-registry' || code === 'registry-unreachable' || code === 'bound-met'
}

function toOpenList(requiredBy: string): Unresolved {
  const reason =
    'It lists no "// indirect" module, and no go.sum shows that it needs none. Run go mod tidy, or send go.sum'
  return { name: 'go.mod', range: '', code: 'not-in-lockfile', reason, requiredBy }
}

function nameOf({ mains, target, vendored }: ProjectFiles): string {
  if (vendored !== undefined && target.path === '') return 'modules.txt'
  return mains.includes(target) ? 'go.mod' : 'go.work'
}

/** Describes unknown dependency paths, although go.mod or go.sum lists all modules. */
function notesOn({ failures, selected }: ModuleGraph): string[] {
  const unread = failures.filter(({ path, code }) => isOfRegistry(code) && selected.get(path) !== '')
  if (unread.length === 0) return []
  if (unread.some(({ reason }) => reason === NO_PROXY))
    return [`${NO_PROXY}: indirect modules are shown as required by the project`]
  const count = unread.length === 1 ? '1 module' : `${unread.length} modules`
  return [`What ${count} require is not known, so some dependency paths may be missing`]
}
