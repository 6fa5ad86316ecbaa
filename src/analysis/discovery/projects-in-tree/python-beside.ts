import { pythonFileNames, readDeclaredPython } from '#analysis/ecosystems/python/packaging/python-of-files.ts'
import type { FileBeside, Tree } from './tree.ts'
import { folderOf, nameOf, seenFrom, upwardFrom, within } from './tree-paths.ts'

export function isPythonFile(path: string): boolean {
  return pythonFileNames.includes(nameOf(path))
}

/** Returns the nearest file in or above a project's folder that declares its Python. */
export async function findPythonFile(path: string, tree: Tree): Promise<FileBeside | undefined> {
  const folder = folderOf(path)
  const candidates = upwardFrom(folder)
    .flatMap((above) => pythonFileNames.map((name) => within(above, name)))
    .filter((candidate) => tree.paths.has(candidate) && candidate !== path)
  for (const candidate of candidates) {
    const content = (await tree.read([candidate])).get(candidate)
    if (content === undefined || readDeclaredPython(candidate, content) === undefined) continue
    return { path: candidate, seen: seenFrom(folder, candidate) }
  }
  return undefined
}
