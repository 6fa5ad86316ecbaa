/** Returns the file's name at the end of an address or a path. */
export function nameAt(place: string): string {
  const end = place.search(/[?#]/)
  const path = end === -1 ? place : place.slice(0, end)
  return path.slice(path.lastIndexOf('/') + 1).replace(/%2b/gi, '+')
}

/** Returns true for a folder outside of the project. */
export function isOutside(folder: string): boolean {
  return /^(?:\.\.|\/|~|[A-Za-z]:)/.test(folder)
}
