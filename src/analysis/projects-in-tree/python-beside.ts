import { pythonFileNames, readDeclaredPython } from '../ecosystems/pip/python-of-files.ts'
import type { FileBeside, Tree } from './tree.ts'
import { folderOf, nameOf, seenFrom, upwardsFrom, within } from './tree-paths.ts'

export function isPythonFile(path: string): boolean {
  return pythonFileNames.includes(nameOf(path))
}

/** The file that says for which Python a project is: the nearest one, in its folder or above it, that names any. */
export async function findPythonFile(path: string, tree: Tree): Promise<FileBeside | undefined> {
  const folder = folderOf(path)
  const candidates = upwardsFrom(folder)
    .flatMap((above) => pythonFileNames.map((name) => within(above, name)))
    .filter((candidate) => tree.paths.has(candidate) && candidate !== path)
  for (const candidate of candidates) {
    const content = (await tree.read([candidate])).get(candidate)
    if (content === undefined || readDeclaredPython(candidate, content) === undefined) continue
    return { path: candidate, seen: seenFrom(folder, candidate) }
  }
  return undefined
}
