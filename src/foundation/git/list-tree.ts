import { Problem } from '../problem.ts'
import { readEntryPath } from '../repositories/entry-path.ts'
import { tooManyFiles, tooManyFilesToTest } from '../repositories/refusals.ts'
import type {
  EntryKind,
  IsWanted,
  RepositoryBounds,
  RepositoryEntry,
  RepositoryListing,
} from '../repositories/repository-source.ts'
import type { GitRunner } from './git-task.ts'

const TAB = 9
const MAX_RECORD_BYTES = 64 * 1024
const MODE_CHARACTERS = 6

const KINDS: Readonly<Record<string, EntryKind>> = {
  '100644': 'file',
  '100755': 'file',
  '100664': 'file',
  '120000': 'link',
  '160000': 'submodule',
}

export interface TreeWanted {
  readonly commit: string
  readonly isWanted: IsWanted
  readonly signal?: AbortSignal | undefined
}

/** Lists every path of a commit as a stream; keeps only wanted ones. */
export async function listTree(
  git: GitRunner,
  bounds: RepositoryBounds,
  request: TreeWanted,
): Promise<RepositoryListing> {
  const entries: RepositoryEntry[] = []
  let fileCount = 0
  const onRecord = (record: Buffer): void => {
    fileCount++
    if (fileCount > bounds.files) throw tooManyFiles(bounds)
    const entry = toEntry(record)
    if (!request.isWanted(entry.path, entry.kind)) return
    if (entries.length === bounds.testedFiles) throw tooManyFilesToTest(bounds)
    entries.push(entry)
  }
  const split = createSplitter(onRecord)
  await git.local({
    args: ['ls-tree', '-r', '-z', '--full-tree', request.commit],
    outputBytes: Number.POSITIVE_INFINITY,
    onOutput: split,
    signal: request.signal,
  })
  return { entries, fileCount }
}

/** Parses `<mode> <type> <id>\t<path>` (git-ls-tree(1), "Output format"). */
function toEntry(record: Buffer): RepositoryEntry {
  const tab = record.indexOf(TAB)
  const mode = record.toString('latin1', 0, MODE_CHARACTERS)
  const id = record.toString('latin1', record.lastIndexOf(' ', tab) + 1, tab)
  const { path, isOdd } = readEntryPath(record.subarray(tab + 1))
  const kind = KINDS[mode] ?? 'odd-name'
  return { path, kind: kind === 'file' && isOdd ? 'odd-name' : kind, id, sizeBytes: undefined }
}

/** Cuts a stream at its NULs. */
function createSplitter(onRecord: (record: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    let start = 0
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    for (let end = bytes.indexOf(0, start); end !== -1; end = bytes.indexOf(0, start)) {
      onRecord(bytes.subarray(start, end))
      start = end + 1
    }
    rest = Buffer.from(bytes.subarray(start))
    if (rest.length > MAX_RECORD_BYTES)
      throw new Problem('repository-unreadable', 'The repository has a path beyond the length limit')
  }
}
