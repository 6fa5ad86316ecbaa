import { govendor } from './govendor.ts'
import { gradle } from './gradle.ts'
import { maven } from './maven.ts'
import { isToldOf } from './not-read.ts'
import { npmAndYarn } from './npm.ts'
import { pip } from './pip.ts'
import { rubygems } from './rubygems.ts'
import { sbt } from './sbt.ts'
import type { FileBeside, Layout, Tree, TreeProject } from './tree.ts'

/** Every layout; together they know every ecosystem. */
export const layouts: readonly Layout[] = [npmAndYarn, govendor, maven, gradle, rubygems, pip, sbt]

/** Whether a file of that path may matter to an import. */
export function isWanted(path: string): boolean {
  return layouts.some((layout) => layout.isWanted(path)) || isToldOf(path)
}

/** Every project of a tree, by path. */
export async function findProjects(tree: Tree): Promise<TreeProject[]> {
  const found = await Promise.all(layouts.map((layout) => layout.find(tree)))
  return found.flat().sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** What was asked for by its path: a project, or in a sentence why it is none. */
export type NamedProject = { readonly project: TreeProject } | { readonly path: string; readonly problem: string }

/**
 * The projects that files stand for: their own, the one that they are part of, or, for files that were not looked for, the
 * one that their name speaks of.
 */
export function nameProjects(found: readonly TreeProject[], files: readonly string[], tree: Tree): NamedProject[] {
  const own = Map.groupBy(found, ({ path }) => path)
  const covering = new Map(found.flatMap((project) => project.covers.map((path) => [path, project] as const)))
  const named = files.flatMap((path): NamedProject[] => {
    const projects = own.get(path) ?? (covering.has(path) ? [covering.get(path)!] : [])
    if (projects.length > 0) return projects.map((project) => ({ project }))
    if (!tree.paths.has(path)) return [{ path, problem: 'There is no such file at this commit' }]
    const ecosystem = layouts.map((layout) => layout.nameManifest?.(path)).find((each) => each !== undefined)
    if (ecosystem !== undefined) return [{ project: { ecosystem, path, covers: [] } }]
    return [{ path, problem: 'Files of this name are not manifests that are read here' }]
  })
  const seen = new Set<string>()
  return named.filter((each) => {
    const key = 'project' in each ? `${each.project.ecosystem} ${each.project.path}` : each.path
    return !seen.has(key) && seen.add(key)
  })
}

/** What is read with a project, besides its manifest. */
export function filesBeside(project: TreeProject, tree: Tree): Promise<FileBeside[]> {
  const layout = layouts.find(({ ecosystems }) => ecosystems.includes(project.ecosystem))
  if (layout === undefined) throw new Error(`No layout knows ${project.ecosystem}`)
  return layout.filesBeside(project, tree)
}
