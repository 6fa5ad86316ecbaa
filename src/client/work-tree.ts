import { constants } from 'node:fs'
import { access, lstat, readFile, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { toText } from '#analysis/discovery/file-kinds/text-encoding.ts'
import { POLICY_FILE } from '#analysis/discovery/policy-files/policy-file.ts'
import { readEntryPath } from '#foundation/repositories/entry-path.ts'
import { openFolderSource } from '#foundation/repositories/folder-source.ts'
import type { EntryKind, RepositoryBounds, RepositorySource } from '#foundation/repositories/repository-source.ts'
import { ClientFailure } from './failure.ts'
import { askGit, type GitContext } from './git.ts'
import { findRoot, type RootedFolder } from './workspace/find-root.ts'

const MB = 1024 ** 2
const GB = 1024 ** 3
/** Limits against mistakes, such as testing a whole disk. */
export const localBounds: RepositoryBounds = {
  fileBytes: 100 * 1024 * 1024,
  readBytes: GB,
  diskBytes: 2 * GB,
  files: 5_000_000,
  testedFiles: 200_000,
  seconds: 600,
}

const SUBMODULE_MODE = '160000'

/** The files of a folder, and of the folders around it up to that of its workspace. */
export type WorkTree = RepositorySource & RootedFolder

/**
 * Opens a folder of this machine: what git would commit of a work tree, or all files of another folder. Folders above
 * it are opened too if they may hold the lock, the settings or the parents of its projects.
 */
export async function openWorkTree(path: string, context: GitContext): Promise<WorkTree> {
  await requireFolder(path)
  const place = await findRoot(await realpath(path), localBounds, context)
  const folder = place.root
  const source = { ...(await openFolderSource({ path: folder, within: [folder] }, localBounds)), ...place }
  const listed = await listWithGit(folder, context)
  if (listed === undefined) return source
  return {
    ...source,
    async list(isWanted) {
      const entries = []
      for (const { name, isSubmodule } of listed) {
        const { path: inner, isOdd } = readEntryPath(name)
        if (!isWanted(inner, isSubmodule ? 'submodule' : isOdd ? 'odd-name' : 'file')) continue
        const kind = isSubmodule ? 'submodule' : isOdd ? 'odd-name' : await kindOf(join(folder, inner))
        if (kind !== undefined) entries.push({ path: inner, kind, id: inner, sizeBytes: undefined })
      }
      return { entries, fileCount: listed.length }
    },
  }
}

/** Returns the bytes of the bill of materials at a path; undefined for folders and other files. */
export async function readBillAt(path: string): Promise<Uint8Array | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile()) return undefined
  if (stats.size > localBounds.fileBytes) {
    throw new ClientFailure(`"${path}" exceeds ${localBounds.fileBytes / MB} MB. Name a smaller file.`)
  }
  const bytes = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    throw new ClientFailure(`"${path}" cannot be read (${error.code}). Name a file that this user may read.`)
  })
  const { isBill } = await import('#analysis/discovery/projects-in-tree/sbom.ts')
  return isBill(toText(bytes)) ? bytes : undefined
}

/** Opens a file, even one that git ignores, and the policy file beside it. */
export async function openLoneFile(file: string): Promise<WorkTree> {
  const folder = dirname(file)
  const source = await openFolderSource({ path: folder, within: [folder] }, localBounds)
  return {
    ...source,
    root: folder,
    folder: '',
    async list(isWanted) {
      const entries = []
      for (const name of [basename(file), POLICY_FILE]) {
        const kind = isWanted(name, 'file') ? await kindOf(join(folder, name)) : undefined
        if (kind !== undefined) entries.push({ path: name, kind, id: name, sizeBytes: undefined })
      }
      return { entries, fileCount: entries.length }
    },
  }
}

/** Throws `ClientFailure` unless the path is a folder that this user may read. */
export async function requireFolder(folder: string): Promise<void> {
  const stats = await stat(folder).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === 'ENOENT' ? 'does not exist' : `cannot be read (${error.code})`
    throw new ClientFailure(`The folder "${folder}" ${why}. Name a folder that this user may read.`)
  })
  if (!stats.isDirectory()) {
    throw new ClientFailure(`"${folder}" is not a folder. Name its folder, and the file with --file.`)
  }
  await access(folder, constants.R_OK | constants.X_OK).catch(() => {
    throw new ClientFailure(`The folder "${folder}" cannot be read. Name a folder that this user may read.`)
  })
}

async function kindOf(path: string): Promise<EntryKind | undefined> {
  const stats = await lstat(path).catch(() => undefined)
  if (stats?.isSymbolicLink()) return 'link'
  return stats?.isFile() ? 'file' : undefined
}

interface ListedFile {
  readonly name: Buffer
  readonly isSubmodule: boolean
}

/** Returns tracked files and untracked ones that are not ignored, by name; undefined outside a work tree. */
async function listWithGit(folder: string, context: GitContext): Promise<ListedFile[] | undefined> {
  const tracked = await listOnce(['-s'], folder, context)
  if (tracked === undefined) return undefined
  const others = (await listOnce(['-o', '--exclude-standard'], folder, context)) ?? []
  const all = new Map<string, boolean>()
  for (const line of tracked) all.set(line.slice(line.indexOf('\t') + 1), line.startsWith(SUBMODULE_MODE))
  // A repository inside the work tree is listed as a folder.
  for (const name of others) all.set(name.replace(/\/$/, ''), name.endsWith('/'))
  const names = [...all.keys()].sort()
  return names.map((name) => ({ name: Buffer.from(name, 'latin1'), isSubmodule: all.get(name)! }))
}

async function listOnce(args: readonly string[], folder: string, context: GitContext): Promise<string[] | undefined> {
  const answer = await askGit(folder, ['ls-files', '-z', ...args], context)
  if (answer === undefined) return undefined
  if ('refusal' in answer) throw new ClientFailure(`git cannot list the files of "${folder}": ${answer.refusal}`)
  return answer.output
    .toString('latin1')
    .split('\0')
    .filter((line) => line !== '')
}
