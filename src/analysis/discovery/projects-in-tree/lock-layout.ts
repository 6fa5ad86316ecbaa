import { type FileBeside, type Layout, MAX_FILES_BESIDE, type Tree, type TreeProject } from './tree.ts'
import { folderOf, isBelow, seenFrom } from './tree-paths.ts'

/** The places of a tool's files in a tree. Patterns match paths. */
export interface LockRule {
  readonly ecosystem: string
  /** Matches lockfiles; absent if the tool has none. */
  readonly lock?: RegExp
  /** Matches manifests. One that no lock covers is a project of its own. */
  readonly manifest?: RegExp
  /** A lock covers the manifests of its folder, or those of the folders below too, up to the next lock. */
  readonly covers?: 'folder' | 'below'
  /** Returns true for the text of a manifest below a lock's folder that the lock covers. Default: all. */
  isMember?(text: string): boolean
  /** Matches further files in the project's folder that are read with it. */
  readonly beside?: RegExp
  /** Matches further files in the folders above it that are read with it. */
  readonly above?: RegExp
  /** Returns the folder whose manifests a lock covers. Default: its own. */
  toFolder?(lock: string): string
  /** Returns false for the text of a manifest without a lock that is no project. */
  isProject?(text: string): boolean
}

/** The usual layout: a lockfile with the manifests that it covers, and manifests without a lockfile. */
export function lockLayout(rule: LockRule): Layout {
  const { ecosystem, lock, manifest, beside, above, isMember, isProject } = rule
  const toFolder = rule.toFolder ?? folderOf
  const isLock = (path: string) => lock?.test(path) === true
  const isManifest = (path: string) => manifest?.test(path) === true
  const isRead = (path: string) => beside?.test(path) === true || above?.test(path) === true

  async function find(tree: Tree): Promise<TreeProject[]> {
    const paths = [...tree.paths]
    const lockOf = new Map(paths.filter(isLock).map((path) => [toFolder(path), path]))
    const manifests = paths.filter(isManifest)
    const owners = new Map(manifests.map((path) => [path, ownerOf(folderOf(path), lockOf)]))
    if (isMember !== undefined) {
      const below = manifests.filter((path) => owners.get(path) !== lockOf.get(folderOf(path)))
      for (const [path, text] of await tree.read(below)) if (!isMember(text)) owners.set(path, undefined)
    }
    const byOwner = Map.groupBy(manifests, (path) => owners.get(path))
    const locked = paths.filter(isLock).map((path) => ({ ecosystem, path, covers: byOwner.get(path)?.sort() ?? [] }))
    const free = byOwner.get(undefined) ?? []
    const texts = isProject === undefined ? undefined : await tree.read(free)
    const projects = texts === undefined ? free : free.filter((path) => isProject?.(texts.get(path) ?? ''))
    return [...locked, ...projects.map((path) => ({ ecosystem, path, covers: [] }))]
  }

  /** Returns the lock of a folder, or the nearest one above it if locks cover the folders below. */
  function ownerOf(folder: string, lockOf: ReadonlyMap<string, string>): string | undefined {
    const own = lockOf.get(folder)
    if (own !== undefined || rule.covers !== 'below' || folder === '') return own
    return ownerOf(folderOf(folder), lockOf)
  }

  return {
    ecosystems: [ecosystem],
    ...((rule.covers === 'below' || above !== undefined) && { readsAround: true as const }),
    isWanted: (path) => isLock(path) || isManifest(path) || isRead(path),
    find,
    nameManifest: (path) => (isLock(path) || isManifest(path) ? ecosystem : undefined),
    async filesBeside({ path, covers }, tree) {
      const folder = folderOf(path)
      const further = [...tree.paths].filter(
        (file) =>
          (beside?.test(file) === true && folderOf(file) === folder) ||
          (above?.test(file) === true && isBelow(path, folderOf(file))),
      )
      const files = new Set([...covers, ...further.sort((a, b) => b.length - a.length)])
      files.delete(path)
      return [...files]
        .slice(0, MAX_FILES_BESIDE)
        .map((file): FileBeside => ({ path: file, seen: seenFrom(folder, file) }))
    },
  }
}

/** Returns a pattern for paths whose last part is one of the names. */
export function pathsOf(...names: readonly string[]): RegExp {
  return new RegExp(`(?:^|/)(?:${names.map((name) => RegExp.escape(name)).join('|')})$`)
}
