import { readdir } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import {
  filesBeside,
  findProjects,
  isReadAround,
  projectsBelow,
} from '#analysis/discovery/projects-in-tree/find-projects.ts'
import { folderOf, isBelow, upwardFrom, within } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import { openFolderSource } from '#foundation/repositories/folder-source.ts'
import type { RepositoryBounds, RepositoryEntry, RepositorySource } from '#foundation/repositories/repository-source.ts'
import { openSourceTree } from '#scanning/reading/source-tree.ts'
import { askGit, type GitContext } from '../git.ts'

/** A folder, seen from the outermost folder whose files its projects may read. */
export interface RootedFolder {
  /** The outermost folder, as an absolute path. */
  readonly root: string
  /** The folder, from the outermost one; empty if they are the same. */
  readonly folder: string
}

/**
 * Finds the outermost folder whose files the projects of a folder may read. In a git work tree, folders up to its root
 * count, and git lists their files quickly; elsewhere, only folders with files that these projects do read.
 */
export async function findRoot(folder: string, bounds: RepositoryBounds, context: GitContext): Promise<RootedFolder> {
  const answer = await askGit(folder, ['rev-parse', '--show-prefix'], context)
  const prefix = answer !== undefined && 'output' in answer ? String(answer.output).replace(/\/?\n$/, '') : undefined
  const depth = prefix === undefined ? Number.POSITIVE_INFINITY : prefix.split('/').filter((part) => part !== '').length
  const above = foldersAbove(folder).slice(0, depth)
  const files = await Promise.all(above.map(listFiles))
  const top = above.findLast((_, at) => files[at]!.some(isReadAround))
  if (top === undefined) return { root: folder, folder: '' }
  const root =
    prefix === undefined ? await findReadFolder({ root: top, folder: inner(top, folder) }, bounds, context) : top
  return { root, folder: inner(root, folder) }
}

function foldersAbove(folder: string): string[] {
  const folders: string[] = []
  for (let current = folder; dirname(current) !== current; current = dirname(current)) folders.push(dirname(current))
  return folders
}

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name)
}

/** Returns the outermost folder with a file that the projects read, of the files directly in the folders above. */
async function findReadFolder(
  { root, folder }: RootedFolder,
  bounds: RepositoryBounds,
  { signal }: GitContext,
): Promise<string> {
  const source = await openFolderSource({ path: root, within: [root] }, bounds)
  const own = await openFolderSource({ path: join(root, folder), within: [root] }, bounds)
  const list: RepositorySource['list'] = async (isWanted, by) => {
    const inside = await own.list((path, kind) => isWanted(within(folder, path), kind), by)
    const entries: RepositoryEntry[] = inside.entries.map((entry) => ({
      ...entry,
      path: within(folder, entry.path),
    }))
    for (const ancestor of upwardFrom(folder).slice(1)) {
      const paths = (await listFiles(join(root, ancestor))).map((name) => within(ancestor, name))
      const files = paths.filter((path) => isWanted(path, 'file'))
      entries.push(...files.map((path) => ({ path, kind: 'file' as const, id: path, sizeBytes: undefined })))
    }
    return { ...inside, entries }
  }
  const tree = await openSourceTree({ ...source, list }, { more: new Set(), folder, signal })
  const projects = projectsBelow(await findProjects(tree), folder)
  const read = (await Promise.all(projects.map((project) => filesBeside(project, tree)))).flat()
  const outer = read.map(({ path }) => folderOf(path)).filter((outerFolder) => !isBelow(outerFolder, folder))
  const shortest = outer.toSorted((a, b) => a.length - b.length)[0]
  return shortest === undefined ? join(root, folder) : join(root, shortest)
}

function inner(root: string, folder: string): string {
  return relative(root, folder).split(sep).join('/')
}
