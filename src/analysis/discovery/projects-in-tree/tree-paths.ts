/** Returns the folder of a path without a final slash; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

export function within(folder: string, path: string): string {
  return folder === '' ? path : `${folder}/${path}`
}

export function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`)
}

/** Resolves a reference from a folder; undefined outside of the tree. */
export function resolve(folder: string, reference: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/')
  for (const part of reference.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** Returns a path relative to a folder. */
export function seenFrom(folder: string, path: string): string {
  const from = folder === '' ? [] : folder.split('/')
  const to = path.split('/')
  let same = 0
  while (same < from.length && same < to.length - 1 && from[same] === to[same]) same++
  return [...from.slice(same).map(() => '..'), ...to.slice(same)].join('/')
}

/** Returns the folder and its ancestors, up to the root. */
export function upwardFrom(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/')
  return Array.from({ length: parts.length + 1 }, (_, above) => parts.slice(0, parts.length - above).join('/'))
}
