import { pipeline } from 'node:stream/promises'
import yauzl from 'yauzl'
import { Problem } from '../problem.ts'
import type { Member, WantsContent } from './tar.ts'

const LINK = 0o120000
const KIND_OF_FILE = 0o170000
const MADE_ON_UNIX = 3

/** Limits for reading a zip. */
export interface ZipBounds {
  readonly members: number
  /** Unpacked bytes of all members. */
  readonly totalBytes: number
}

/**
 * Yields the members of a zip archive in the order of its central directory, which is authoritative. Skips folders.
 * Refuses encrypted members and methods other than stored and deflated when they are read.
 */
export async function* readZip(path: string, bounds: ZipBounds, wants: WantsContent): AsyncGenerator<Member> {
  const zip = await yauzl.openPromise(path, { decodeStrings: false, autoClose: false }).catch(rethrow)
  try {
    if (zip.entryCount > bounds.members) throw new TooManyMembers()
    let ordinal = 0
    let totalBytes = 0
    for await (const entry of zip.eachEntry()) {
      const name = Buffer.from(entry.fileName as unknown as Uint8Array)
      totalBytes += entry.uncompressedSize
      if (totalBytes > bounds.totalBytes) throw new TooManyBytes()
      if (name.at(-1) !== SLASH) {
        const isRead = wants(ordinal, entry.uncompressedSize)
        const content = isRead ? await readMember(zip, entry) : undefined
        yield { ordinal, name, kind: kindOf(entry), sizeBytes: entry.uncompressedSize, content }
      }
      ordinal++
    }
  } catch (error) {
    rethrow(error)
  } finally {
    zip.close()
  }
}

export class TooManyMembers extends Error {}
export class TooManyBytes extends Error {}

const SLASH = 0x2f

function kindOf({ versionMadeBy, externalFileAttributes }: yauzl.Entry): Member['kind'] {
  const isUnix = versionMadeBy >> 8 === MADE_ON_UNIX
  return isUnix && ((externalFileAttributes >>> 16) & KIND_OF_FILE) === LINK ? 'link' : 'file'
}

/** Reads one member. yauzl fails if its length differs from the directory's. */
async function readMember(zip: yauzl.ZipFile, entry: yauzl.Entry): Promise<Buffer> {
  if (entry.isEncrypted()) throw new Problem('repository-unreadable', 'The archive is encrypted')
  const chunks: Buffer[] = []
  await pipeline(await zip.openReadStreamPromise(entry), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk)
  })
  return Buffer.concat(chunks)
}

function rethrow(error: unknown): never {
  if (error instanceof Problem || error instanceof TooManyMembers || error instanceof TooManyBytes) throw error
  const why = error instanceof Error ? error.message : String(error)
  throw new Problem(
    'repository-unreadable',
    `The archive is damaged: ${why.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)}`,
    {
      cause: error,
    },
  )
}
