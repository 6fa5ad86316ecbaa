import { isTarHeader } from './tar.ts'

export type ArchiveForm = 'tar' | 'tar.gz' | 'zip'

export const ARCHIVE_FORMS = 'a tar, tar.gz or zip archive'

const BLOCK = 512

/** Determines the format from the first 512 bytes; undefined for any other. */
export function formOfStart(start: Buffer): ArchiveForm | undefined {
  if (start[0] === 0x1f && start[1] === 0x8b) return 'tar.gz'
  const mark = start.toString('latin1', 0, 4)
  if (mark === 'PK\x03\x04' || mark === 'PK\x05\x06') return 'zip'
  const isTar = start.length === BLOCK && (isTarHeader(start) || start.every((byte) => byte === 0))
  return isTar ? 'tar' : undefined
}
