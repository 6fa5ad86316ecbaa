import { isObject, ownValue } from '../ecosystems/npm/json-document.ts'
import { workspacePatterns } from '../ecosystems/npm/package-json.ts'
import { matchesGlob } from './glob.ts'
import { type Layout, MAX_FILES_BESIDE, type Tree, type TreeProject } from './tree.ts'
import { folderOf, isBelow, nameOf, seenFrom, within } from './tree-paths.ts'
import { findUnreadLocks, PNPM_WORKSPACE, unreadLockNames } from './unread-locks.ts'

const npmLocks = ['npm-shrinkwrap.json', 'package-lock.json'] as const
const wanted = new Set(['package.json', 'yarn.lock', ...npmLocks])
const told = new Set([...unreadLockNames, PNPM_WORKSPACE])

/**
 * npm and yarn: a folder with a package.json or a lockfile, except members of the workspace of a folder above it. When
 * both have locked it, `packageManager` decides, else yarn.
 */
export const npmAndYarn: Layout = {
  ecosystems: ['npm', 'yarn'],
  isWanted: (path) => wanted.has(nameOf(path)) || told.has(nameOf(path)),
  async find(tree) {
    const folders = new Set([...tree.paths].filter((path) => wanted.has(nameOf(path))).map(folderOf))
    const manifests = await readManifests(tree, folders)
    const members = membersOf(folders, manifests, tree)
    const taken = new Set([...members.values()].flat())
    return [...folders]
      .filter((folder) => !taken.has(folder))
      .map((folder) => toProject(folder, { tree, members: members.get(folder) ?? [], manifest: manifests.get(folder) }))
  },
  async filesBeside({ ecosystem, path, covers }) {
    const folder = folderOf(path)
    const locks = ecosystem === 'yarn' ? ['yarn.lock'] : npmLocks
    const lock = locks.map((name) => within(folder, name)).find((each) => covers.includes(each))
    const manifests = covers.filter((each) => nameOf(each) === 'package.json').slice(0, MAX_FILES_BESIDE)
    return [...manifests, ...(lock === undefined ? [] : [lock])].map((each) => ({
      path: each,
      seen: seenFrom(folder, each),
    }))
  },
}

type PackageJson = Readonly<Record<string, unknown>>

/** Those that may be roots of workspaces, or say which tool they are for. */
async function readManifests(tree: Tree, folders: ReadonlySet<string>): Promise<ReadonlyMap<string, PackageJson>> {
  const parents = new Set([...folders].flatMap((folder) => (folder === '' ? [] : foldersAbove(folder))))
  const asked = [...folders]
    .filter((folder) => parents.has(folder) || locksOf(folder, tree).length > 1)
    .map((folder) => within(folder, 'package.json'))
    .filter((path) => tree.paths.has(path))
  const texts = asked.length === 0 ? new Map<string, string>() : await tree.read(asked)
  return new Map([...texts].flatMap(([path, text]) => (parse(text) ? [[folderOf(path), parse(text)!] as const] : [])))
}

function foldersAbove(folder: string): string[] {
  const parts = folder.split('/')
  return parts.map((_, index) => parts.slice(0, index).join('/'))
}

/** What is wrong with it is said when it is tested. */
function parse(text: string): PackageJson | undefined {
  try {
    const content: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    return isObject(content) ? content : undefined
  } catch {
    return undefined
  }
}

/** Against patterns that are made to take time: what is left over is no workspace. */
const MAX_COMPARISONS = 2_000_000
const MAX_PATTERNS = 200

/** By the folder of the root, the folders of its members. A folder with a lockfile of its own is nobody's member. */
function membersOf(folders: ReadonlySet<string>, manifests: ReadonlyMap<string, PackageJson>, tree: Tree) {
  const found = new Map<string, string[]>()
  const taken = new Set<string>()
  let comparisons = 0
  for (const [root, manifest] of [...manifests].sort(([a], [b]) => a.length - b.length)) {
    const patterns = taken.has(root) ? [] : workspacePatterns(ownValue(manifest, 'workspaces')).slice(0, MAX_PATTERNS)
    comparisons += folders.size * patterns.length
    if (patterns.length === 0 || comparisons > MAX_COMPARISONS) continue
    const members = [...folders]
      .filter((folder) => folder !== root && isBelow(folder, root) && !taken.has(folder))
      .filter((folder) => locksOf(folder, tree).length === 0 && tree.paths.has(within(folder, 'package.json')))
      .filter((folder) => isNamed(seenFrom(root, folder), patterns))
      .sort()
    for (const member of members) taken.add(member)
    found.set(root, members)
  }
  return found
}

function isNamed(folder: string, patterns: readonly string[]): boolean {
  if (/(?:^|\/)node_modules(?:\/|$)/.test(folder)) return false
  return patterns.reduce(
    (named, pattern) =>
      pattern.startsWith('!') ? named && !matchesGlob(folder, pattern.slice(1)) : named || matchesGlob(folder, pattern),
    false,
  )
}

function locksOf(folder: string, tree: Tree): string[] {
  return ['yarn.lock', ...npmLocks].filter((name) => tree.paths.has(within(folder, name)))
}

function toProject(
  folder: string,
  { tree, members, manifest }: { tree: Tree; members: readonly string[]; manifest: PackageJson | undefined },
): TreeProject {
  const locks = locksOf(folder, tree)
  const manifests = [folder, ...members].map((each) => within(each, 'package.json'))
  const files = [...manifests, ...locks.map((lock) => within(folder, lock))].filter((each) => tree.paths.has(each))
  const unreadLocks = findUnreadLocks(folder, { tree, locks })
  return {
    ecosystem: chooseLock(locks, manifest) === 'yarn.lock' ? 'yarn' : 'npm',
    path: files[0]!,
    covers: files.slice(1),
    ...(unreadLocks.length > 0 && { unreadLocks }),
  }
}

function chooseLock(locks: readonly string[], manifest: PackageJson | undefined): string | undefined {
  const tool = manifest && ownValue(manifest, 'packageManager')
  if (typeof tool === 'string' && tool.startsWith('npm@')) return locks.find((lock) => lock !== 'yarn.lock') ?? locks[0]
  return locks[0]
}
