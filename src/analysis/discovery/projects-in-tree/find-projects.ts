import { fileLists } from '../../ecosystems/file-lists.ts'
import { POLICY_FILE } from '../policy-files/policy-file.ts'
import { gomodules } from './gomodules.ts'
import { govendor } from './govendor.ts'
import { gradle } from './gradle.ts'
import { VIRTUAL_ENVIRONMENT } from './installed-folders.ts'
import { maven } from './maven.ts'
import { indicatesUnsupported } from './not-read.ts'
import { javascript } from './npm.ts'
import { pip } from './pip.ts'
import { pythonProjects } from './python-projects.ts'
import { rubygems } from './rubygems.ts'
import { sbom } from './sbom.ts'
import { sbt } from './sbt.ts'
import type { FileBeside, Layout, Tree, TreeProject } from './tree.ts'
import { folderOf, isBelow, nameOf } from './tree-paths.ts'

/** Every layout; together they cover all ecosystems. */
export const layouts: readonly Layout[] = [
  javascript,
  gomodules,
  govendor,
  maven,
  gradle,
  rubygems,
  pip,
  pythonProjects,
  sbt,
  sbom,
  ...fileLists.map(({ layout }) => layout),
]

/** Returns true if a file of that path may matter to an import. */
export function isWanted(path: string): boolean {
  const name = nameOf(path)
  if (name === POLICY_FILE || name === VIRTUAL_ENVIRONMENT) return true
  return layouts.some((layout) => layout.isWanted(path)) || indicatesUnsupported(path)
}

/** Returns true if a project in a folder below or beside may read such a file. */
export function isReadAround(path: string): boolean {
  return layouts.some((layout) => layout.readsAround && layout.isWanted(path))
}

/** Returns every project of a tree, sorted by path. */
export async function findProjects(tree: Tree): Promise<TreeProject[]> {
  const projectLists = await Promise.all(layouts.map((layout) => layout.find(tree)))
  return projectLists.flat().sort(byPath)
}

function byPath(a: TreeProject, b: TreeProject): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0
}

/** Returns the projects in a folder. Members of a workspace above it are projects of their own. */
export function projectsBelow(treeProjects: readonly TreeProject[], folder: string): TreeProject[] {
  if (folder === '') return [...treeProjects]
  const members = treeProjects.flatMap((project) =>
    project.covers.filter((path) => isBelow(path, folder)).flatMap((path) => toMember(project, path) ?? []),
  )
  const byKey = new Map([...members].reverse().map((member) => [`${member.ecosystem} ${member.path}`, member]))
  return [...treeProjects.filter(({ path }) => isBelow(path, folder)), ...byKey.values()].sort(byPath)
}

/** Returns a member of a workspace as a project of its own; undefined for other files. */
export function toMember(project: TreeProject, path: string): TreeProject | undefined {
  const workspace = folderOf(project.path)
  const isManifest = nameOf(path) === 'package.json' || nameOf(path) === 'pyproject.toml'
  if (!isManifest || folderOf(path) === workspace || !project.covers.includes(path)) return undefined
  const covers = [project.path, ...project.covers].filter((cover) => cover !== path)
  return { ...project, path, covers, workspace }
}

/** A requested path: its project, or the reason for having none. */
export type NamedProject = { readonly project: TreeProject } | { readonly path: string; readonly problem: string }

/**
 * Returns the projects for named files: their own, the one they belong to, or, for files that discovery ignores, the
 * one that their name suggests. The manifest of a workspace member stands for this member alone.
 */
export function nameProjects(
  treeProjects: readonly TreeProject[],
  files: readonly string[],
  tree: Tree,
): NamedProject[] {
  const own = Map.groupBy(treeProjects, ({ path }) => path)
  const covered = treeProjects.flatMap((project) => project.covers.map((path) => ({ path, project })))
  const covering = Map.groupBy(covered, ({ path }) => path)
  const results = files.flatMap((path): NamedProject[] => {
    const projects = own.get(path) ?? covering.get(path)?.map(({ project }) => toMember(project, path) ?? project) ?? []
    if (projects.length > 0) return projects.map((project) => ({ project }))
    if (!tree.paths.has(path)) return [{ path, problem: 'The commit has no such file' }]
    const ecosystem = layouts.map((layout) => layout.nameManifest?.(path)).find((ecosystem) => ecosystem !== undefined)
    if (ecosystem !== undefined) return [{ project: { ecosystem, path, covers: [] } }]
    return [{ path, problem: 'Files of this name are not manifests that are read here' }]
  })
  const seen = new Set<string>()
  return results.filter((result) => {
    const key = 'project' in result ? `${result.project.ecosystem} ${result.project.path}` : result.path
    return !seen.has(key) && seen.add(key)
  })
}

/** Returns the files read with a project besides its manifest. */
export function filesBeside(project: TreeProject, tree: Tree): Promise<FileBeside[]> {
  const layout = layouts.find(({ ecosystems }) => ecosystems.includes(project.ecosystem))
  if (layout === undefined) throw new Error(`No layout knows ${project.ecosystem}`)
  return layout.filesBeside(project, tree)
}
