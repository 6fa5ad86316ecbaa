import { Problem } from '../problem.ts'
import { reasonOf, tooLarge, tooMuchToRead } from '../repositories/refusals.ts'
import type { FileRead, RepositoryBounds, RepositoryEntry } from '../repositories/repository-source.ts'
import { isAllReceived, isNotServed } from './git-failure.ts'
import type { GitRunner } from './git-task.ts'

/** The first batch is small, for early results. */
const BATCHES = [32, 256] as const
const READ_AT_A_TIME_BYTES = 32 * 1024 * 1024

const FETCH_BLOBS = [
  'fetch',
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--filter=blob:none',
  '--stdin',
  'origin',
]
const FETCH_EVERYTHING = [
  'fetch',
  '--quiet',
  '--refetch',
  '--no-filter',
  '--depth=1',
  '--no-tags',
  '--no-write-fetch-head',
  'origin',
]

interface Blob {
  readonly id: string
  readonly bytes: number
}

export interface BlobsWanted {
  readonly commit: string
  readonly entries: readonly RepositoryEntry[]
  readonly signal?: AbortSignal | undefined
}

/** Fetches contents by id in batches and yields those within the size limit. */
export async function* readBlobs(
  git: GitRunner,
  bounds: RepositoryBounds,
  { commit, entries, signal }: BlobsWanted,
): AsyncGenerator<FileRead> {
  let readBytes = 0
  let batch: number = BATCHES[0]
  for (let at = 0; at < entries.length; ) {
    const some = entries.slice(at, at + batch)
    at += some.length
    batch = BATCHES[1]
    const files = some.filter(({ kind }) => kind === 'file')
    const unfetched = await fetchBlobs(git, { bounds, commit, ids: new Set(files.map(({ id }) => id)), signal })
    const sizes = await sizesOf(git, new Set(files.map(({ id }) => id)), signal)
    yield* some.flatMap((entry) => {
      const problem = whyNot(entry, { unfetched, size: sizes.get(entry.id), bounds })
      return problem === undefined ? [] : [{ entry, problem }]
    })
    const readable = files.filter(({ id }) => isReadable(id, { unfetched, sizes, bounds }))
    for (const piece of piecesOf(readable, sizes)) {
      readBytes += piece.reduce((sum, { id }) => sum + sizes.get(id)!, 0)
      if (readBytes > bounds.readBytes) throw tooMuchToRead(bounds)
      const contents = await contentsOf(git, [...new Set(piece.map(({ id }) => id))], { sizes, signal })
      for (const entry of piece) yield { entry, content: contents.get(entry.id)! }
    }
  }
}

/** Returns the reason for which an entry is not read; undefined for a readable one. */
function whyNot(
  { kind, id }: RepositoryEntry,
  { unfetched, size, bounds }: { unfetched: ReadonlySet<string>; size: number | undefined; bounds: RepositoryBounds },
): string | undefined {
  if (kind !== 'file') return reasonOf(kind)
  if (unfetched.has(id)) return tooLarge(bounds)
  if (size === undefined) return 'The server does not have the content of the file'
  return size > bounds.fileBytes ? tooLarge(bounds) : undefined
}

function isReadable(
  id: string,
  context: { unfetched: ReadonlySet<string>; sizes: ReadonlyMap<string, number>; bounds: RepositoryBounds },
): boolean {
  const size = context.sizes.get(id)
  return !context.unfetched.has(id) && size !== undefined && size <= context.bounds.fileBytes
}

interface Fetching {
  readonly bounds: RepositoryBounds
  readonly commit: string
  readonly ids: ReadonlySet<string>
  readonly signal: AbortSignal | undefined
}

/**
 * Fetches missing objects. Sizes are unknown before, so a batch that exceeds the disk limit is halved until the
 * oversized ids are found, which are returned. Fetches everything from servers that serve no single objects.
 */
async function fetchBlobs(git: GitRunner, { bounds, commit, ids, signal }: Fetching): Promise<Set<string>> {
  const sizes = await sizesOf(git, ids, signal)
  const missing = [...ids].filter((id) => !sizes.has(id))
  const tooLargeIds = new Set<string>()
  const pending = missing.length === 0 ? [] : [missing]
  for (let some = pending.pop(); some !== undefined; some = pending.pop()) {
    try {
      await git.remote({ args: FETCH_BLOBS, input: some.map((id) => `${id}\n`).join(''), wants: some, signal })
    } catch (error) {
      if (isNotServed(error)) {
        await git.remote({ args: [...FETCH_EVERYTHING, commit], wants: [commit], signal })
        return tooLargeIds
      }
      if (!(error instanceof Problem) || error.code !== 'repository-too-large' || isAllReceived(error)) throw error
      // Then the files are too large together, not singly.
      if ((await git.used()) > bounds.diskBytes / 2) throw error
      const half = Math.ceil(some.length / 2)
      if (some.length === 1) tooLargeIds.add(some[0]!)
      else pending.push(some.slice(half), some.slice(0, half))
    }
  }
  return tooLargeIds
}

/** Returns the sizes of the objects present (git-cat-file(1), "Batch output"). */
async function sizesOf(git: GitRunner, ids: ReadonlySet<string>, signal?: AbortSignal): Promise<Map<string, number>> {
  if (ids.size === 0) return new Map()
  const input = [...ids].map((id) => `${id}\n`).join('')
  const output = await git.local({ args: ['cat-file', '--batch-check'], input, signal })
  const lines = output.toString('latin1').split('\n')
  return new Map(
    lines.flatMap((line) => {
      const [, id, bytes] = /^([0-9a-f]+) blob (\d+)$/.exec(line) ?? []
      return id === undefined ? [] : [[id, Number(bytes)] as const]
    }),
  )
}

function* piecesOf(
  entries: readonly RepositoryEntry[],
  sizes: ReadonlyMap<string, number>,
): Generator<RepositoryEntry[]> {
  let piece: RepositoryEntry[] = []
  let bytes = 0
  for (const entry of entries) {
    const size = sizes.get(entry.id)!
    if (piece.length > 0 && bytes + size > READ_AT_A_TIME_BYTES) {
      yield piece
      piece = []
      bytes = 0
    }
    piece.push(entry)
    bytes += size
  }
  if (piece.length > 0) yield piece
}

async function contentsOf(
  git: GitRunner,
  ids: readonly string[],
  { sizes, signal }: { sizes: ReadonlyMap<string, number>; signal?: AbortSignal | undefined },
): Promise<Map<string, Buffer>> {
  const blobs: Blob[] = ids.map((id) => ({ id, bytes: sizes.get(id)! }))
  const headerBytes = ids.length * 128
  const outputBytes = blobs.reduce((sum, { bytes }) => sum + bytes, headerBytes)
  const input = ids.map((id) => `${id}\n`).join('')
  const output = await git.local({ args: ['cat-file', '--batch'], input, outputBytes, signal })
  const contents = new Map<string, Buffer>()
  let at = 0
  for (const { id, bytes } of blobs) {
    const start = output.indexOf('\n', at) + 1
    if (output.toString('latin1', at, start) !== `${id} blob ${bytes}\n`)
      throw new Problem(
        'repository-unreadable',
        'The repository is damaged: the content of a file does not match its id',
      )
    contents.set(id, output.subarray(start, start + bytes))
    at = start + bytes + 1
  }
  return contents
}
