import { toPath } from '#analysis/documents/file-paths.ts'
import { parseToml } from '#analysis/documents/toml.ts'
import { Unreadable } from '#analysis/documents/unreadable.ts'
import { readPipfile } from '#analysis/ecosystems/python/pipfile.ts'
import { readPyproject } from '#analysis/ecosystems/python/pyproject.ts'
import { findPythonFile, isPythonFile } from './python-beside.ts'
import { type Layout, MAX_FILES_BESIDE, type Tree, type TreeProject } from './tree.ts'
import { folderOf, nameOf, seenFrom, within } from './tree-paths.ts'

/** Lockfiles with their ecosystem and the manifest for which they are written. */
const locks: ReadonlyMap<string, { readonly ecosystem: string; readonly manifest: string }> = new Map([
  ['poetry.lock', { ecosystem: 'poetry', manifest: 'pyproject.toml' }],
  ['uv.lock', { ecosystem: 'uv', manifest: 'pyproject.toml' }],
  ['Pipfile.lock', { ecosystem: 'pipenv', manifest: 'Pipfile' }],
  ['pylock.toml', { ecosystem: 'pyproject', manifest: 'pyproject.toml' }],
])
const NAMED_PYLOCK = /^pylock\.[^.]+\.toml$/
/** The lock of a script, which uv writes beside it. */
const SCRIPT_LOCK = /\.py\.lock$/
const UNREAD_LOCK = 'pdm.lock'
/**
 * Every lockfile of Poetry, uv (also of scripts) and Pipenv and every pylock.toml, with its manifest; a manifest
 * without a lockfile, if it lists dependencies, even none. Manifests of uv's workspace members belong to the project with the
 * lockfile.
 */
export const pythonProjects: Layout = {
  ecosystems: ['poetry', 'uv', 'pipenv', 'pyproject'],
  readsAround: true,
  isWanted: (path) =>
    locks.has(nameOf(path)) ||
    NAMED_PYLOCK.test(nameOf(path)) ||
    SCRIPT_LOCK.test(path) ||
    isPythonFile(path) ||
    nameOf(path) === UNREAD_LOCK,
  async find(tree) {
    const paths = [...tree.paths]
    const locked = await Promise.all(paths.map((path) => toLocked(path, tree)))
    const projects = locked.filter((project) => project !== undefined)
    const taken = new Set(projects.flatMap(({ covers }) => covers))
    const free = paths.filter((path) => !taken.has(path))
    return [...projects, ...(await findManifests(free, tree))]
  },
  nameManifest: (path) =>
    SCRIPT_LOCK.test(path) ? 'uv' : /\.toml$/.test(path) && /^py/.test(nameOf(path)) ? 'pyproject' : undefined,
  async filesBeside({ path, covers }, tree) {
    const own = covers
      .slice(0, MAX_FILES_BESIDE)
      .map((cover) => ({ path: cover, seen: seenFrom(folderOf(path), cover) }))
    const python = await findPythonFile(path, tree)
    return python === undefined || covers.includes(python.path) ? own : [...own, python]
  },
}

async function toLocked(path: string, tree: Tree): Promise<TreeProject | undefined> {
  const folder = folderOf(path)
  if (NAMED_PYLOCK.test(nameOf(path))) return { ecosystem: 'pyproject', path, covers: [] }
  if (SCRIPT_LOCK.test(path)) {
    const text = (await tree.read([path])).get(path) ?? ''
    // Other programs use this name for mutual exclusion: such files are empty or contain a process id.
    return text.trim() === '' || /^\d+\s*$/.test(text) ? undefined : { ecosystem: 'uv', path, covers: [] }
  }
  const lock = locks.get(nameOf(path))
  if (lock === undefined) return undefined
  const { ecosystem, manifest } = lock
  const members = ecosystem === 'uv' ? await membersOf(path, tree) : []
  const covers = [...new Set([within(folder, manifest), ...members])].filter((member) => tree.paths.has(member))
  return { ecosystem, path, covers }
}

/** Returns the manifests of the packages that a uv.lock takes from folders of its workspace. */
async function membersOf(path: string, tree: Tree): Promise<string[]> {
  const text = (await tree.read([path])).get(path) ?? ''
  const sources = text.matchAll(/^source = \{ (?:editable|virtual|directory) = "([^"\\]{1,500})" \}/gm)
  return [...sources].flatMap(([, folder]) => {
    const seen = toPath(`${folder}/pyproject.toml`, '')
    return seen === undefined || seen.startsWith('../') ? [] : [within(folderOf(path), seen)]
  })
}

async function findManifests(paths: readonly string[], tree: Tree): Promise<TreeProject[]> {
  const manifests = paths.filter((path) => readers.has(nameOf(path)))
  const texts = manifests.length === 0 ? new Map<string, string>() : await tree.read(manifests)
  return manifests.flatMap((path): TreeProject[] => {
    const { ecosystem, read, isBroken } = readers.get(nameOf(path))!
    const text = texts.get(path) ?? ''
    const declared = declaredIn(text, read)
    if (declared === undefined ? !isBroken.test(text) : !declared.isListed) return []
    const unread = within(folderOf(path), UNREAD_LOCK)
    const isLocked = ecosystem === 'pyproject' && tree.paths.has(unread)
    return [{ ecosystem, path, covers: [], ...(isLocked && { unreadLocks: [unread] }) }]
  })
}

/** Manifests with their readers, and a text that identifies a broken one, whose test reports the fault. */
const readers = new Map([
  ['pyproject.toml', { ecosystem: 'pyproject', read: readPyproject, isBroken: /^\[(?:project|tool\.poetry)\]/m }],
  ['Pipfile', { ecosystem: 'pipenv', read: readPipfile, isBroken: /^\[(?:dev-)?packages\]/m }],
])

/** Returns the declared dependencies; undefined for invalid TOML. */
function declaredIn(text: string, read: typeof readPyproject) {
  try {
    return read(parseToml(text, 'target'))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    return undefined
  }
}
