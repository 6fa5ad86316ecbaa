import type { ArchivedFile } from './sdist.ts'

const BLOCK_BYTES = 512
const MAX_FILE_BYTES = 4 * 1024 * 1024
const MAX_FILES = 100_000

/** The files of a tar archive (POSIX ustar); what follows a header that cannot be read is left out. */
export function filesOfTar(archive: Buffer): ArchivedFile[] {
  const files: ArchivedFile[] = []
  for (let at = 0; at + BLOCK_BYTES <= archive.length && archive[at] !== 0 && files.length < MAX_FILES; ) {
    const size = Number.parseInt(textAt(archive, at + 124, 12), 8)
    if (!Number.isSafeInteger(size) || size < 0) return files
    const content = at + BLOCK_BYTES
    files.push({
      parts: nameAt(archive, at).replace(/^\.\//, '').split('/'),
      read: () => archive.toString('utf8', content, content + Math.min(size, MAX_FILE_BYTES)),
    })
    at = content + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES
  }
  return files
}

function nameAt(archive: Buffer, at: number): string {
  const name = textAt(archive, at, 100)
  const isUstar = archive.toString('latin1', at + 257, at + 262) === 'ustar'
  const prefix = isUstar ? textAt(archive, at + 345, 155) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

function textAt(archive: Buffer, at: number, length: number): string {
  const [text = ''] = archive.toString('utf8', at, at + length).split('\0', 1)
  return text.trim()
}
