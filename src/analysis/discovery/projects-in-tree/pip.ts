import { toPath } from '#analysis/documents/file-paths.ts'
import { parseRequirementsFile } from '#analysis/ecosystems/python/requirements/requirements-file.ts'
import { findPythonFile, isPythonFile } from './python-beside.ts'
import { findLists, mayBeList } from './requirements-lists.ts'
import { type FileBeside, type Layout, MAX_FILES_BESIDE } from './tree.ts'
import { folderOf, nameOf, resolve } from './tree-paths.ts'

/**
 * Every requirements list separately, read with the files it refers to (`-r`, `-c`), even if those are projects too,
 * and the file that declares its Python.
 */
export const pip: Layout = {
  ecosystems: ['pip'],
  isWanted: (path) => mayBeList(path) || isPythonFile(path),
  async find(tree) {
    return (await findLists(tree)).map(({ path, sources }) => ({ ecosystem: 'pip', path, covers: sources }))
  },
  nameManifest: (path) => (/\.(?:txt|in|pip)$|requirements[^/]*\.lock$/.test(path) ? 'pip' : undefined),
  async filesBeside({ path }, tree) {
    const files = new Map<string, FileBeside>()
    let open: FileBeside[] = [{ path, seen: nameOf(path) }]
    while (open.length > 0 && files.size < MAX_FILES_BESIDE) {
      const texts = await tree.read(open.map((beside) => beside.path))
      const next = open.flatMap((beside) =>
        referencesIn(texts.get(beside.path) ?? '', beside.seen).flatMap((seen): FileBeside[] => {
          const place = resolve(folderOf(path), seen)
          return place === undefined || place === path || files.has(seen) ? [] : [{ path: place, seen }]
        }),
      )
      const present = await tree.read(next.map((beside) => beside.path))
      open = next.filter((beside) => present.has(beside.path) && !files.has(beside.seen))
      for (const beside of open) if (files.size < MAX_FILES_BESIDE) files.set(beside.seen, beside)
    }
    const python = await findPythonFile(path, tree)
    if (python !== undefined && !files.has(python.seen)) files.set(python.seen, python)
    return [...files.values()]
  },
}

function referencesIn(text: string, seen: string): string[] {
  const paths = parseRequirementsFile(text).entries.flatMap((entry) => ('path' in entry ? [entry.path] : []))
  return [...new Set(paths.flatMap((path) => toPath(path, seen) ?? []))]
}
