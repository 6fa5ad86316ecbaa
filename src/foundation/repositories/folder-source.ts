import { fstatSync } from 'node:fs'
import { opendir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Problem } from '../problem.ts'
import {
  type ConfinedFolder,
  insideOf,
  leadsOutside,
  OutsideConfinement,
  openConfinedFile,
  openConfinedFolder,
  readUpTo,
} from './confined-files.ts'
import { isCleanPath, readEntryPath } from './entry-path.ts'
import { reasonOf, tooLarge, tooManyFiles, tooManyFilesToTest, tooMuchToRead } from './refusals.ts'
import type {
  FileRead,
  IsWanted,
  RepositoryBounds,
  RepositoryEntry,
  RepositoryListing,
  RepositorySource,
} from './repository-source.ts'

/** Version-control folders beside the files. */
const NOT_CONTENT: readonly string[] = ['.git', '.hg', '.svn']

/**
 * A folder on this machine as a repository, in its current state. Never follows links: the real path of an opened file
 * must be inside the folder.
 */
export async function openFolderSource(
  { path, within }: { readonly path: string; readonly within: readonly string[] },
  bounds: RepositoryBounds,
): Promise<RepositorySource> {
  const root = await realpath(path)
  if (!insideOf(within)(root)) throw leadsOutside('The folder')

  async function list(isWanted: IsWanted, signal?: AbortSignal): Promise<RepositoryListing> {
    const deadline = Date.now() + bounds.seconds * 1000
    const entries: RepositoryEntry[] = []
    let fileCount = 0
    for await (const entry of walk(root, root)) {
      fileCount++
      if (fileCount > bounds.files) throw tooManyFiles(bounds)
      if (signal?.aborted) throw new Problem('unavailable', 'Reading the folder was stopped')
      if (Date.now() > deadline) throw tooSlow(bounds)
      if (!isWanted(entry.path, entry.kind)) continue
      if (entries.length === bounds.testedFiles) throw tooManyFilesToTest(bounds)
      entries.push(entry)
    }
    return { entries, fileCount }
  }

  async function* readFiles(entries: readonly RepositoryEntry[], signal?: AbortSignal): AsyncGenerator<FileRead> {
    let readBytes = 0
    for (const entry of entries) {
      if (signal?.aborted) throw new Problem('unavailable', 'Reading the folder was stopped')
      const read = entry.kind === 'file' ? await readFile(root, entry, bounds) : reasonOf(entry.kind)
      if (typeof read === 'string') yield { entry, problem: read }
      else {
        readBytes += read.length
        if (readBytes > bounds.readBytes) throw tooMuchToRead(bounds)
        yield { entry, content: read }
      }
    }
  }

  return { revision: null, reference: null, list, readFiles, close: async () => {} }
}

async function* walk(root: string, folder: string): AsyncGenerator<RepositoryEntry> {
  using place = tryOpenFolder(folder)
  const children: { name: Buffer; isFolder: boolean; isFile: boolean; isLink: boolean }[] = []
  // Names are read as bytes: invalid UTF-8 could not be distinguished from its replacement.
  const opened =
    place && (await opendir(place.through, { encoding: 'buffer' as BufferEncoding }).catch(() => undefined))
  if (opened === undefined) {
    if (folder !== root) yield closedFolder(toPath(root, folder))
    return
  }
  for await (const child of opened) {
    const name = Buffer.from(child.name as unknown as Uint8Array)
    const isFolder = child.isDirectory()
    children.push({ name, isFolder, isFile: child.isFile(), isLink: child.isSymbolicLink() })
  }
  children.sort((one, other) => one.name.compare(other.name))
  for (const { name, isFolder, isFile, isLink } of children) {
    const { path, isOdd } = readEntryPath(Buffer.concat([Buffer.from(toPath(root, folder)), name]))
    if (isFolder) {
      const inner = name.toString()
      if (!isOdd && !NOT_CONTENT.includes(inner)) yield* walk(root, join(folder, inner))
      else if (isOdd) yield closedFolder(`${path}/`)
    } else if (isLink || isFile) {
      const kind = isLink ? 'link' : isOdd ? 'odd-name' : 'file'
      yield { path, kind, id: path, sizeBytes: undefined }
    }
  }
}

/** Returns an entry that reports the folder: otherwise its files would be missing silently. */
function closedFolder(path: string): RepositoryEntry {
  return { path, kind: 'closed-folder', id: path, sizeBytes: undefined }
}

function tryOpenFolder(folder: string): ConfinedFolder | undefined {
  try {
    return openConfinedFolder(folder, (real) => real === folder)
  } catch (error) {
    if (error instanceof OutsideConfinement) return undefined
    throw error
  }
}

/** Returns the folder's path from the root with a final slash; empty for the root. */
function toPath(root: string, folder: string): string {
  const inner = relative(root, folder)
  return inner === '' ? '' : `${inner.split(sep).join('/')}/`
}

const reasonsNotRead = {
  outside: reasonOf('link'),
  'other-kind': 'It is not a file',
  denied: 'The file no longer exists, or the server may not read it',
} as const

/** Returns the content, or the reason for which it is not read. */
async function readFile(root: string, { path }: RepositoryEntry, bounds: RepositoryBounds): Promise<Buffer | string> {
  if (!isCleanPath(path)) return reasonOf('odd-name')
  const full = join(root, path)
  try {
    using file = openConfinedFile(full, (real) => real === full)
    if (file === undefined) return reasonsNotRead.denied
    const { size } = fstatSync(file.fd)
    return size > bounds.fileBytes ? tooLarge(bounds) : await readUpTo(file.fd, size)
  } catch (error) {
    if (!(error instanceof OutsideConfinement)) throw error
    return reasonsNotRead[error.reason]
  }
}

function tooSlow({ seconds }: RepositoryBounds): Problem {
  return new Problem('repository-too-large', `The folder was not read within ${seconds} s`)
}
