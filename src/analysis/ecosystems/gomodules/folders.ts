import { Unreadable } from '../ecosystem.ts'
import { type ModFile, parseModFile } from './mod-file.ts'

/** Folders that a go.work uses, as written; none if it is not readable. */
export function usedFolders(text: string): readonly string[] {
  return parseOrNone(text)?.uses ?? []
}

/** Folders that replace modules in a go.mod or go.work, as written; none if it is not readable. */
export function folderReplacements(text: string): string[] {
  const replaces = parseOrNone(text)?.replaces ?? []
  return replaces.flatMap(({ by }) => (by.version === undefined ? [by.path] : []))
}

/** A file that cannot be read is refused when its project is tested. */
function parseOrNone(text: string): ModFile | undefined {
  try {
    return parseModFile(text)
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}
