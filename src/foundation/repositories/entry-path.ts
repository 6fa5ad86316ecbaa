/** Longest path that fits into an index with its other columns. */
const MAX_PATH_BYTES = 1024
/** Characters shown of both ends of a longer path. Each takes at most three bytes. */
const SHOWN_CHARACTERS = 150
const PRINTABLE_ASCII = /^[\x20-\x7e]+$/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A path as an archive or tree spells it. */
export interface EntryPath {
  /** Always printable; usable only if the name is not odd. */
  readonly path: string
  readonly isOdd: boolean
}

/** Reads a path from bytes; paths that are not UTF-8, not printable or not below the root are odd. */
export function readEntryPath(bytes: Buffer): EntryPath {
  const latin1 = bytes.toString('latin1')
  if (PRINTABLE_ASCII.test(latin1)) return { path: shorten(latin1), isOdd: !isCleanPath(latin1) }
  try {
    const text = utf8.decode(bytes)
    const shown = text.replace(CONTROL, toEscape)
    return { path: shorten(shown), isOdd: shown !== text || !isCleanPath(text) }
  } catch {
    const shown = latin1.replace(/[^\x20-\x7e]/g, toEscape)
    return { path: shorten(shown), isOdd: true }
  }
}

/** Returns true for relative paths of limited length without empty parts, `.` and `..`. */
export function isCleanPath(path: string): boolean {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')
}

function toEscape(character: string): string {
  return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
}

function shorten(text: string): string {
  if (Buffer.byteLength(text) <= MAX_PATH_BYTES) return text
  return `${text.slice(0, SHOWN_CHARACTERS)}…${text.slice(-SHOWN_CHARACTERS)}`.toWellFormed()
}
