import { parseFileName } from './packaging/file-name.ts'

/** Returns the file's name at the end of an address or a path. */
export function nameAt(place: string): string {
  const end = place.includes('#') || place.includes('?') ? place.search(/[?#]/) : -1
  const path = end === -1 ? place : place.slice(0, end)
  const name = path.slice(path.lastIndexOf('/') + 1)
  return name.includes('%') ? name.replace(/%2b/gi, '+') : name
}

/** Returns the version in the name of an archive, for entries without one. */
export function versionOfArchive(place: string | undefined, project: string): string | undefined {
  return place === undefined ? undefined : parseFileName(nameAt(place), project)?.version
}

/** Returns true for a folder outside of the project. */
export function isOutside(folder: string): boolean {
  return /^(?:\.\.|\/|~|[A-Za-z]:)/.test(folder)
}
