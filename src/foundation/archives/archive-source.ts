import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, type Readable, Transform } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Problem } from '../problem.ts'
import { readEntryPath } from '../repositories/entry-path.ts'
import { reasonOf, tooLarge, tooManyFiles, tooManyFilesToTest, tooMuchToRead } from '../repositories/refusals.ts'
import type {
  FileRead,
  IsWanted,
  RepositoryBounds,
  RepositoryEntry,
  RepositoryListing,
  RepositorySource,
} from '../repositories/repository-source.ts'
import { ARCHIVE_FORMS, type ArchiveForm, formOfStart } from './form.ts'
import { type Member, readTar, type WantsContent } from './tar.ts'
import { readZip, TooManyBytes, TooManyMembers } from './zip.ts'

/** Largest ratio of unpacked to packed bytes. Small archives are exempt. */
const MAX_RATIO = 200
const UNTIL_RATIO_COUNTS = 64 * 1024 * 1024

export interface ArchiveFile {
  readonly path: string
  readonly digest: string
  readonly sizeBytes: number
  readonly bounds: RepositoryBounds
  readonly onClose?: () => Promise<void>
}

/**
 * Opens a tar, tar.gz or zip archive as a repository. Reads it as a stream, once to check it and once per query;
 * unpacks nothing to disk. Removes a single top-level folder from the paths. Of members with the same path the last one
 * counts, as after unpacking.
 */
export async function openArchiveSource(archive: ArchiveFile, signal?: AbortSignal): Promise<RepositorySource> {
  const form = await formOf(archive.path)
  const members = (wants: WantsContent, during?: AbortSignal) => readMembers(archive, form, { wants, signal: during })
  const prefix = await findCommonFolder(members(() => false, signal))

  async function list(isWanted: IsWanted, during?: AbortSignal): Promise<RepositoryListing> {
    const entries = new Map<string, RepositoryEntry>()
    let fileCount = 0
    for await (const member of members(() => false, during)) {
      fileCount++
      const entry = toEntry(member, prefix)
      if (!isWanted(entry.path, entry.kind)) continue
      // The last one counts, at its position.
      entries.delete(entry.path)
      entries.set(entry.path, entry)
      if (entries.size > archive.bounds.testedFiles) throw tooManyFilesToTest(archive.bounds)
    }
    return { entries: [...entries.values()], fileCount }
  }

  async function* readFiles(entries: readonly RepositoryEntry[], during?: AbortSignal): AsyncGenerator<FileRead> {
    const { bounds } = archive
    const readable = new Map<number, RepositoryEntry>()
    for (const entry of entries) {
      const problem = whyNot(entry, bounds)
      if (problem === undefined) readable.set(Number(entry.id), entry)
      else yield { entry, problem }
    }
    const total = [...readable.values()].reduce((sum, { sizeBytes = 0 }) => sum + sizeBytes, 0)
    if (total > bounds.readBytes) throw tooMuchToRead(bounds)
    let missing = readable.size
    if (missing === 0) return
    for await (const { ordinal, content } of members((ordinal) => readable.has(ordinal), during)) {
      if (content === undefined) continue
      yield { entry: readable.get(ordinal)!, content }
      missing--
      if (missing === 0) return
    }
  }

  return {
    revision: archive.digest,
    reference: null,
    list,
    readFiles,
    close: async () => archive.onClose?.(),
  }
}

function whyNot({ kind, sizeBytes = 0 }: RepositoryEntry, bounds: RepositoryBounds): string | undefined {
  if (kind !== 'file') return reasonOf(kind)
  return sizeBytes > bounds.fileBytes ? tooLarge(bounds) : undefined
}

function toEntry(member: Member, prefix: string): RepositoryEntry {
  const { path, isOdd } = pathOf(member)
  const kind = member.kind === 'file' && isOdd ? 'odd-name' : member.kind
  const inner = !isOdd && path.startsWith(prefix) ? path.slice(prefix.length) : path
  return { path: inner, kind, id: String(member.ordinal), sizeBytes: member.sizeBytes }
}

function pathOf({ name }: Member) {
  const { path, isOdd } = readEntryPath(name)
  // `tar` of "." prefixes each name with `./`.
  return path.startsWith('./') ? readEntryPath(Buffer.from(path.slice(2))) : { path, isOdd }
}

/** Returns the one folder that contains all members, with a slash; empty if there is none. */
async function findCommonFolder(members: AsyncIterable<Member>): Promise<string> {
  let common: string | undefined
  for await (const member of members) {
    const { path, isOdd } = pathOf(member)
    if (isOdd) continue
    const slash = path.indexOf('/')
    const first = slash === -1 ? '' : path.slice(0, slash + 1)
    common = common === undefined || common === first ? first : ''
  }
  return common ?? ''
}

interface Reading {
  readonly wants: WantsContent
  readonly signal: AbortSignal | undefined
}

/** Yields all members under all limits. */
async function* readMembers(
  { path, sizeBytes, bounds }: ArchiveFile,
  form: ArchiveForm,
  reading: Reading,
): AsyncGenerator<Member> {
  const deadline = AbortSignal.timeout(bounds.seconds * 1000)
  const signal = reading.signal ? AbortSignal.any([reading.signal, deadline]) : deadline
  const totalBytes = Math.min(bounds.diskBytes, Math.max(UNTIL_RATIO_COUNTS, sizeBytes * MAX_RATIO))
  const isLight: WantsContent = (ordinal, bytes) => bytes <= bounds.fileBytes && reading.wants(ordinal, bytes)
  const bytes = form === 'zip' ? undefined : openBytes(path, { isPacked: form === 'tar.gz', totalBytes, signal })
  const members =
    bytes === undefined ? readZip(path, { members: bounds.files, totalBytes }, isLight) : readTar(bytes, isLight)
  let count = 0
  try {
    for await (const member of members) {
      count++
      if (count > bounds.files) throw tooManyFiles(bounds)
      signal.throwIfAborted()
      yield member
    }
  } catch (error) {
    throw toProblem(error, { bounds, isLate: deadline.aborted, isStopped: reading.signal?.aborted === true })
  } finally {
    bytes?.destroy()
  }
}

interface Opening {
  readonly isPacked: boolean
  readonly totalBytes: number
  readonly signal: AbortSignal
}

function openBytes(path: string, { isPacked, totalBytes, signal }: Opening): Readable {
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      if (bytes > totalBytes) done(new TooManyBytes())
      else done(null, chunk)
    },
  })
  const steps = [createReadStream(path, { signal }), ...(isPacked ? [createGunzip()] : []), counted]
  // The reader of the stream also receives its errors.
  pipeline(steps, () => {})
  return counted
}

function toProblem(
  error: unknown,
  context: { bounds: RepositoryBounds; isLate: boolean; isStopped: boolean },
): unknown {
  if (error instanceof Problem) return error
  if (error instanceof TooManyBytes)
    return new Problem(
      'repository-too-large',
      'The unpacked archive exceeds the limit (GATEHOUSE_IMPORT_DISK_MB). Raise the limit or import a smaller folder.',
    )
  if (error instanceof TooManyMembers) return tooManyFiles(context.bounds)
  if (context.isStopped) return new Problem('unavailable', 'Reading the archive was stopped', { cause: error })
  if (context.isLate) {
    const { seconds } = context.bounds
    return new Problem('repository-too-large', `The archive was not read within ${seconds} s`)
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code.startsWith('Z_'))
    return new Problem('repository-unreadable', 'The archive is damaged: it cannot be unpacked', { cause: error })
  return error
}

/** Determines the format from the first bytes. Throws for any other file. */
async function formOf(path: string): Promise<ArchiveForm> {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0)
  const form = formOfStart(buffer.subarray(0, bytesRead))
  if (form !== undefined) return form
  throw new Problem('repository-unreadable', `The file is not ${ARCHIVE_FORMS}.`)
}
