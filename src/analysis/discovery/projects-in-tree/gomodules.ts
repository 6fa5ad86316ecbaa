import { folderReplacements, usedFolders } from '#analysis/ecosystems/go/gomodules/folders.ts'
import { type FileBeside, type Layout, MAX_FILES_BESIDE, type Tree } from './tree.ts'
import { folderOf, nameOf, resolve, seenFrom, upwardFrom, within } from './tree-paths.ts'

/** Folders that the go command ignores, and vendored packages. */
const IGNORED = /(?:^|\/)(?:testdata|vendor|[_.][^/]*)\//

/**
 * Every go.mod separately, read with its go.sum and vendor/modules.txt, with the go.work that uses it and the other
 * members of that workspace, and with the go.mod files of folders that replace modules.
 */
export const gomodules: Layout = {
  ecosystems: ['gomodules'],
  readsAround: true,
  isWanted: (path) => /(?:^|\/)(?:go\.(?:mod|sum|work|work\.sum)|vendor\/modules\.txt)$/.test(path),
  async find(tree) {
    return [...tree.paths]
      .filter((path) => isProject(path, tree))
      .map((path) => {
        const covers = nameOf(path) === 'go.mod' ? present(locksOf(folderOf(path)), tree) : []
        return { ecosystem: 'gomodules', path, covers }
      })
  },
  nameManifest: (path) => (/(?:^|\/)(?:go\.(?:mod|work)|modules\.txt)$/.test(path) ? 'gomodules' : undefined),
  async filesBeside({ path }, tree) {
    const folder = folderOf(path)
    const workspace = await findWorkspace(path, tree)
    const mains = [path, ...workspace]
    const texts = await tree.read(mains)
    const replacing = [...texts].flatMap(([at, text]) =>
      folderReplacements(text).map((replacement) => resolve(folderOf(at), replacement)),
    )
    const folders = replacing.filter((folder) => folder !== undefined)
    const modules = present(
      folders.map((folder) => within(folder, 'go.mod')),
      tree,
    )
    const locks = nameOf(path) === 'go.mod' ? present(locksOf(folder), tree) : []
    const all = new Set([...locks, ...workspace, ...modules])
    all.delete(path)
    return [...all].slice(0, MAX_FILES_BESIDE).map((path): FileBeside => ({ path, seen: seenFrom(folder, path) }))
  },
}

/** Returns true for a go.mod, and for a vendor/modules.txt without one. */
function isProject(path: string, tree: Tree): boolean {
  if (nameOf(path) === 'go.mod') return !IGNORED.test(path)
  if (nameOf(path) !== 'modules.txt') return false
  const root = folderOf(folderOf(path))
  return !IGNORED.test(`${root}/`) && !tree.paths.has(within(root, 'go.mod'))
}

function locksOf(folder: string): string[] {
  return ['go.sum', 'vendor/modules.txt'].map((name) => within(folder, name))
}

function present(paths: readonly string[], { paths: all }: Pick<Tree, 'paths'>): string[] {
  return paths.filter((path) => all.has(path))
}

/**
 * Returns the nearest go.work with its sums and modules; none if it does not use the module. For a vendor/modules.txt,
 * only the go.work beside the vendor folder counts.
 */
async function findWorkspace(path: string, tree: Tree): Promise<string[]> {
  const isList = nameOf(path) === 'modules.txt'
  const above = isList ? [folderOf(folderOf(path))] : upwardFrom(folderOf(path))
  const folder = above.find((folder) => tree.paths.has(within(folder, 'go.work')))
  if (folder === undefined) return []
  const file = within(folder, 'go.work')
  const text = (await tree.read([file])).get(file)
  const members = usedFolders(text ?? '').flatMap((usedFolder) => {
    const place = resolve(folder, usedFolder)
    return place === undefined ? [] : [within(place, 'go.mod')]
  })
  if (path !== file && !isList && !members.includes(path)) return []
  return [file, ...present([within(folder, 'go.work.sum'), ...members], tree)]
}
