import type { TomlTable } from 'smol-toml'
import type { LeftOut } from '#analysis/documents/plain-toml.ts'
import { parseToml } from '#analysis/documents/toml.ts'

/**
 * Lockfiles list thousands of files. Readers ask for no digests, and for the names of only those files that might be of
 * another package.
 */
const leftOut: LeftOut = {
  members: new Set(['hash', 'hashes', 'size', 'upload-time']),
  files: new Set(['files', 'sdist', 'wheels']),
}

/** Parses a lockfile in TOML, without most files of its packages. Throws `Unreadable` as `parseToml` does. */
export function parseLockDocument(text: string, file: 'target' | number): TomlTable {
  return parseToml(text, file, leftOut)
}
