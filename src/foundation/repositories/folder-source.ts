import { constants } from 'node:fs'
import { lstat, open, opendir, realpath } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { Problem } from '../problem.ts'
import { isCleanPath, readEntryPath } from './entry-path.ts'
import { reasonOf, tooLarge, tooManyFiles, tooManyWanted, tooMuchToRead } from './refusals.ts'
import type {
  FileRead,
  IsWanted,
  RepositoryBounds,
  RepositoryEntry,
  RepositoryListing,
  RepositorySource,
} from './repository-source.ts'

/** What version control keeps beside the files. */
const NOT_CONTENT: readonly string[] = ['.git', '.hg', '.svn']

/**
 * A folder of this machine as a repository, as it is at the moment it is read. Links are never followed, wherever they
 * lead: what is opened must be found again, by its real path, inside of the folder.
 */
export async function openFolderSource(folder: string, bounds: RepositoryBounds): Promise<RepositorySource> {
  const root = await realpath(folder)

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
      if (entries.length === bounds.wantedFiles) throw tooManyWanted(bounds)
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
  if ((await realpath(folder).catch(() => '')) !== folder) return
  const children: { name: Buffer; isFolder: boolean; isFile: boolean; isLink: boolean }[] = []
  // names are asked for as bytes: what is no UTF-8 could not be told from its replacement
  const opened = await opendir(folder, { encoding: 'buffer' as BufferEncoding }).catch(() => undefined)
  if (opened === undefined) return
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
      else if (isOdd) yield { path, kind: 'odd-name', id: path, sizeBytes: undefined }
    } else if (isLink || isFile) {
      const kind = isLink ? 'link' : isOdd ? 'odd-name' : 'file'
      yield { path, kind, id: path, sizeBytes: undefined }
    }
  }
}

/** How the folder is called from the root, with a slash at its end; empty for the root itself. */
function toPath(root: string, folder: string): string {
  const inner = relative(root, folder)
  return inner === '' ? '' : `${inner.split(sep).join('/')}/`
}

/** The content, or why it is not read. */
async function readFile(root: string, { path }: RepositoryEntry, bounds: RepositoryBounds): Promise<Buffer | string> {
  if (!isCleanPath(path)) return reasonOf('odd-name')
  const full = join(root, path)
  // without waiting for whoever writes to a pipe
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(full, flags).catch(() => undefined)
  if (file === undefined) return 'The file is no longer there, or may not be read'
  try {
    const [opened, found, real] = await Promise.all([
      file.stat({ bigint: true }),
      lstat(full, { bigint: true }).catch(() => undefined),
      realpath(full).catch(() => ''),
    ])
    if (!opened.isFile()) return 'It is no file'
    if (real !== full || opened.ino !== found?.ino || opened.dev !== found.dev) return reasonOf('link')
    if (opened.size > bounds.fileBytes) return tooLarge(bounds)
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Number(opened.size)), 0, Number(opened.size), 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function tooSlow({ seconds }: RepositoryBounds): Problem {
  return new Problem('repository-too-large', `The folder was not read within ${seconds} s (GATEHOUSE_IMPORT_SECONDS)`)
}
