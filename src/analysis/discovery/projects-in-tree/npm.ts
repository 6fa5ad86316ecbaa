import { isObject, ownValue } from '#analysis/documents/json-document.ts'
import { workspacePatterns } from '#analysis/ecosystems/javascript/package-json.ts'
import { BRANCH_LOCK } from '#analysis/ecosystems/javascript/pnpm/branch-lock.ts'
import { budgetOf, Globs } from './glob.ts'
import { PNPM_LOCK, PNPM_WORKSPACE, pnpmPatterns } from './pnpm-workspace.ts'
import { type Layout, MAX_FILES_BESIDE, type Tree, type TreeProject } from './tree.ts'
import { folderOf, isBelow, nameOf, seenFrom, within } from './tree-paths.ts'
import { findUnreadLocks, unreadLockNames } from './unread-locks.ts'

type Tool = 'npm' | 'yarn' | 'pnpm' | 'bun'
/** The locks of each tool, preferred ones first; earlier tools have precedence over later ones. */
const locksByTool: Readonly<Record<Tool, readonly string[]>> = {
  yarn: ['yarn.lock'],
  pnpm: [PNPM_LOCK],
  bun: ['bun.lock'],
  npm: ['npm-shrinkwrap.json', 'package-lock.json'],
}
const tools = Object.keys(locksByTool) as Tool[]
const lockNames = Object.values(locksByTool).flat()
const wantedNames = new Set(['package.json', ...lockNames])
const YARN_SETTINGS = '.yarnrc.yml'
const extraNames = new Set([...unreadLockNames, PNPM_WORKSPACE, YARN_SETTINGS])

/** A tree whose locks of git branches are listed by their folders. */
interface JavaScriptTree extends Tree {
  readonly branchLocks: ReadonlyMap<string, readonly string[]>
}

/**
 * npm, yarn, pnpm and bun: a folder with a package.json or a lockfile, except workspace members of a folder above. If
 * there are locks of several tools, `packageManager` selects one; without it, the order above does. The other locks are
 * listed as unread. Locks that pnpm writes for git branches are separate projects with the same manifests.
 */
export const javascript: Layout = {
  ecosystems: tools,
  readsAround: true,
  isWanted: (path) => isProjectFile(path) || extraNames.has(nameOf(path)),
  async find(baseTree) {
    const tree = { ...baseTree, branchLocks: listBranchLocks(baseTree) }
    const folders = new Set([...tree.paths].filter(isProjectFile).map(folderOf))
    const manifests = await readManifests(tree, folders)
    const members = membersOf(folders, await patternsOf(folders, manifests, tree), tree)
    const taken = new Set([...members.values()].flat())
    return [...folders]
      .filter((folder) => !taken.has(folder))
      .flatMap((folder) =>
        toProjects(folder, { tree, members: members.get(folder) ?? [], manifest: manifests.get(folder) }),
      )
  },
  async filesBeside({ ecosystem, path, covers, workspace }, tree) {
    const folder = folderOf(path)
    const root = workspace ?? folder
    const isLock = (path: string) => toolOf(nameOf(path)) === ecosystem && folderOf(path) === root
    const lock = isLock(path) ? undefined : covers.find(isLock)
    const manifests = covers.filter((cover) => nameOf(cover) === 'package.json').slice(0, MAX_FILES_BESIDE)
    const ofYarn = within(root, YARN_SETTINGS)
    const ownSettings = covers.filter((cover) => cover === within(root, PNPM_WORKSPACE))
    const settings = ecosystem === 'yarn' && tree.paths.has(ofYarn) ? [ofYarn] : ownSettings
    const above = ecosystem === 'pnpm' && settings.length === 0 ? await findSettingsAbove(folder, tree) : []
    return [...manifests, ...(lock === undefined ? [] : [lock]), ...settings, ...above].map((manifest) => ({
      path: manifest,
      seen: seenFrom(folder, manifest),
    }))
  },
}

function isProjectFile(path: string): boolean {
  const name = nameOf(path)
  return wantedNames.has(name) || BRANCH_LOCK.test(name)
}

function listBranchLocks({ paths }: Tree): Map<string, string[]> {
  const locks = [...paths].filter((path) => BRANCH_LOCK.test(nameOf(path))).sort()
  const folders = Map.groupBy(locks, folderOf)
  return new Map([...folders].map(([folder, own]) => [folder, own.map(nameOf)]))
}

/** Returns the settings files of the workspace above a member that has its own lock. */
async function findSettingsAbove(folder: string, tree: Tree): Promise<string[]> {
  const roots = foldersAbove(folder).filter((ancestor) => tree.paths.has(within(ancestor, PNPM_WORKSPACE)))
  const texts = await tree.read(roots.map((root) => within(root, PNPM_WORKSPACE)))
  const root = roots.findLast((root) =>
    globsIn(texts.get(within(root, PNPM_WORKSPACE)), tree).names(seenFrom(root, folder)),
  )
  if (root === undefined) return []
  return [PNPM_WORKSPACE, 'package.json'].map((name) => within(root, name)).filter((path) => tree.paths.has(path))
}

/** Cached patterns by the text of the settings, which many folders share. */
const knownGlobs = new WeakMap<Tree, Map<string | undefined, WorkspaceGlobs>>()

function globsIn(settings: string | undefined, tree: Tree): WorkspaceGlobs {
  const globsBySettings = knownGlobs.get(tree) ?? new Map<string | undefined, WorkspaceGlobs>()
  knownGlobs.set(tree, globsBySettings)
  const globs = globsBySettings.get(settings) ?? toWorkspaceGlobs(pnpmPatterns(settings, undefined) ?? [], tree)
  globsBySettings.set(settings, globs)
  return globs
}

type PackageJson = Readonly<Record<string, unknown>>

/** Reads the manifests that may be workspace roots or name their tool. */
async function readManifests(
  tree: JavaScriptTree,
  folders: ReadonlySet<string>,
): Promise<ReadonlyMap<string, PackageJson>> {
  const parents = new Set([...folders].flatMap(foldersAbove))
  const manifestPaths = [...folders]
    .filter((folder) => parents.has(folder) || locksOf(folder, tree).length > 1)
    .map((folder) => within(folder, 'package.json'))
    .filter((path) => tree.paths.has(path))
  const texts = manifestPaths.length === 0 ? new Map<string, string>() : await tree.read(manifestPaths)
  return new Map([...texts].flatMap(([path, text]) => (parse(text) ? [[folderOf(path), parse(text)!] as const] : [])))
}

function foldersAbove(folder: string): string[] {
  if (folder === '') return []
  const parts = folder.split('/')
  return parts.map((_, index) => parts.slice(0, index).join('/'))
}

/** Ignores errors, which the test itself reports. */
function parse(text: string): PackageJson | undefined {
  try {
    const content: unknown = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
    return isObject(content) ? content : undefined
  } catch {
    return undefined
  }
}

const MAX_PATTERNS = 200
/** A pnpm lockfile lists each folder. */
const MAX_FOLDERS = 2_000

/** Returns the folder patterns of each root: from pnpm's settings if it has them, else from package.json. */
async function patternsOf(
  folders: ReadonlySet<string>,
  manifests: ReadonlyMap<string, PackageJson>,
  tree: JavaScriptTree,
): Promise<Map<string, readonly string[]>> {
  const roots = [...folders].filter((folder) => isPnpmRoot(folder, tree, manifests.get(folder)))
  const lockOf = (root: string) =>
    within(root, locksOf(root, tree).find((name) => toolOf(name) === 'pnpm') ?? PNPM_LOCK)
  const paths = roots.flatMap((root) => [within(root, PNPM_WORKSPACE), lockOf(root)])
  const texts = roots.length === 0 ? new Map<string, string>() : await tree.read(paths)
  const declared = [...manifests].map(
    ([root, manifest]) => [root, workspacePatterns(ownValue(manifest, 'workspaces'))] as const,
  )
  const patterns = new Map<string, readonly string[]>(declared)
  for (const root of roots) {
    const own = pnpmPatterns(texts.get(within(root, PNPM_WORKSPACE)), texts.get(lockOf(root)))
    if (own !== undefined) patterns.set(root, own)
  }
  return patterns
}

/** Maps each root folder to its member folders. A folder with its own lockfile is not a member. */
function membersOf(
  folders: ReadonlySet<string>,
  patternsByRoot: ReadonlyMap<string, readonly string[]>,
  tree: JavaScriptTree,
) {
  const membersByRoot = new Map<string, string[]>()
  const taken = new Set<string>()
  for (const [root, all] of [...patternsByRoot].sort(([a], [b]) => a.length - b.length)) {
    const isOfPnpm = tree.paths.has(within(root, PNPM_WORKSPACE))
    const patterns = taken.has(root) ? [] : all.slice(0, isOfPnpm ? MAX_FOLDERS : MAX_PATTERNS)
    if (patterns.length === 0) continue
    const globs = toWorkspaceGlobs(patterns, tree)
    const members = [...folders]
      .filter((folder) => folder !== root && isBelow(folder, root) && !taken.has(folder))
      .filter((folder) => locksOf(folder, tree).length === 0 && tree.paths.has(within(folder, 'package.json')))
      .filter((folder) => globs.names(seenFrom(root, folder)))
      .sort()
    for (const member of members) taken.add(member)
    membersByRoot.set(root, members)
  }
  return membersByRoot
}

/** Returns true for a folder with settings of pnpm, unless its lock is another tool's: those ignore the settings. */
function isPnpmRoot(folder: string, tree: JavaScriptTree, manifest: PackageJson | undefined): boolean {
  return (
    tree.paths.has(within(folder, PNPM_WORKSPACE)) && (chooseTool(locksOf(folder, tree), manifest) ?? 'pnpm') === 'pnpm'
  )
}

interface WorkspaceGlobs {
  /** Returns true for a member's folder: the last pattern that matches it decides. */
  names(folder: string): boolean
}

function toWorkspaceGlobs(patterns: readonly string[], tree: Tree): WorkspaceGlobs {
  const isOut = patterns.map((pattern) => pattern.startsWith('!'))
  const bare = patterns.map((pattern, index) => (isOut[index] ? pattern.slice(1) : pattern))
  const globs = new Globs(bare, budgetOf(tree))
  return {
    names(folder) {
      if (/(?:^|\/)node_modules(?:\/|$)/.test(folder)) return false
      const last = Math.max(...globs.matching(folder))
      return isOut[last] === false
    },
  }
}

/** Returns the names of a folder's locks, those of the git branches last. */
function locksOf(folder: string, tree: JavaScriptTree): string[] {
  const usual = lockNames.filter((name) => tree.paths.has(within(folder, name)))
  return [...usual, ...(tree.branchLocks.get(folder) ?? [])]
}

function toolOf(lock: string): Tool | undefined {
  return BRANCH_LOCK.test(lock) ? 'pnpm' : tools.find((tool) => locksByTool[tool].includes(lock))
}

function toProjects(
  folder: string,
  { tree, members, manifest }: { tree: JavaScriptTree; members: readonly string[]; manifest: PackageJson | undefined },
): TreeProject[] {
  const locks = locksOf(folder, tree)
  const own = within(folder, 'package.json')
  const others = members.map((member) => within(member, 'package.json'))
  const isOfPnpm = isPnpmRoot(folder, tree, manifest)
  const settings = isOfPnpm ? [within(folder, PNPM_WORKSPACE)] : []
  // Without a package.json of its own, a workspace is known by its lock.
  const ecosystem = chooseTool(locks, manifest) ?? (isOfPnpm ? 'pnpm' : 'npm')
  const further = ecosystem === 'pnpm' ? locks.filter((lock) => toolOf(lock) === 'pnpm').slice(1) : []
  const first = locks.filter((lock) => !further.includes(lock)).map((lock) => within(folder, lock))
  const manifests = [own, ...others, ...settings].filter((path) => tree.paths.has(path))
  const [path, ...covers] = [own, ...first, ...others, ...settings].filter((path) => tree.paths.has(path))
  const unreadLocks = [...findUnreadLocks(folder, tree), ...passedOver(folder, ecosystem, locks)]
  const unread = unreadLocks.length > 0 ? { unreadLocks } : {}
  const branches = further.map((lock) => ({ ecosystem, path: within(folder, lock), covers: manifests, ...unread }))
  return [{ ecosystem, path: path!, covers, ...unread }, ...branches]
}

/** Returns the tool that `packageManager` names if it has a lock, else the first tool with a lock. */
function chooseTool(locks: readonly string[], manifest: PackageJson | undefined): Tool | undefined {
  const withLock = tools.filter((tool) => locks.some((lock) => toolOf(lock) === tool))
  return withLock.find((tool) => tool === namedTool(manifest)) ?? withLock[0]
}

function namedTool(manifest: PackageJson | undefined): string | undefined {
  const tool = manifest && ownValue(manifest, 'packageManager')
  return typeof tool === 'string' ? tool.split('@')[0] : undefined
}

/** Returns the locks that are neither followed nor projects of their own: another tool may install from them. */
function passedOver(folder: string, ecosystem: Tool, locks: readonly string[]): string[] {
  const followed = locks.find((lock) => toolOf(lock) === ecosystem)
  const others = locks.filter((lock) => lock !== followed && !BRANCH_LOCK.test(lock))
  return others.map((lock) => within(folder, lock))
}
