import { Unreadable } from '#analysis/documents/unreadable.ts'
import { type ModFile, parseModFile } from './mod-file.ts'

/** Returns the folders that a go.work uses, as written; none if it is unreadable. */
export function usedFolders(text: string): readonly string[] {
  return parseOrNone(text)?.uses ?? []
}

/** Returns the folders that replace modules in a go.mod or go.work, as written; none if it is unreadable. */
export function folderReplacements(text: string): string[] {
  const replaces = parseOrNone(text)?.replaces ?? []
  return replaces.flatMap(({ by }) => (by.version === undefined ? [by.path] : []))
}

/** Ignores errors: the test of the project refuses an unreadable file. */
function parseOrNone(text: string): ModFile | undefined {
  try {
    return parseModFile(text)
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}
