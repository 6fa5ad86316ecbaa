import type { Tree, TreeProject } from './tree.ts'
import { folderOf, nameOf, within } from './tree-paths.ts'
import { type UnreadFiles, unreadFiles } from './unread-files.ts'

interface Unread extends UnreadFiles {
  readonly manager: string
}

const unread: readonly Unread[] = Object.entries(unreadFiles).flatMap(([manager, all]) => [
  { manager, names: all.filter((entry) => typeof entry === 'string') },
  ...all.filter((entry) => typeof entry !== 'string').map((files) => ({ manager, ...files })),
])
const byName = Map.groupBy(
  unread.flatMap((unread) => unread.names.map((name) => ({ name, each: unread }))),
  ({ name }) => name,
)
const namesInFolders = new Set([...byName.keys()].filter((name) => name.includes('/')).map(nameOf))
/** Patterns that are more than an ending, which is looked up like a name. */
const patterns = [...byName.keys()].filter((name) => name.includes('*', 1))
const isPattern = new RegExp(`^(?:${patterns.map(toSource).join('|')})$`)

function toSource(pattern: string): string {
  return pattern.replaceAll('.', '\\.').replaceAll('*', '.*')
}

/** Returns the pattern of a name's ending, such as `*.jar`. */
function endingOf(name: string): string {
  return `*${name.slice(Math.max(0, name.lastIndexOf('.')))}`
}

/** Returns what the table knows by the name of a file, and by its folder if the table names one. */
function findUnread(path: string): readonly Unread[] {
  const name = nameOf(path)
  const fitting = patterns.filter((pattern) => new RegExp(`^${toSource(pattern)}$`).test(name))
  const keys = [name, within(nameOf(folderOf(path)), name), endingOf(name), ...fitting]
  return keys.flatMap((key) => byName.get(key)?.map(({ each: unread }) => unread) ?? [])
}

/** Files that often contain only tool settings: they indicate a project if nothing else in the folder does. */
const PYTHON_PROJECT = new Set(['pyproject.toml', 'setup.py', 'setup.cfg'])
const pythonManagers = new Set(['pip', 'poetry', 'uv', 'pipenv', 'pyproject', 'conda', 'PDM', 'Pixi'])

/** Returns true if a file indicates a project that cannot be tested. */
export function indicatesUnsupported(path: string): boolean {
  const name = nameOf(path)
  if (PYTHON_PROJECT.has(name) || byName.has(name) || byName.has(endingOf(name)) || isPattern.test(name)) return true
  return namesInFolders.has(name) && findUnread(path).length > 0
}

export interface NotRead {
  /** The first indicating file in its folder. */
  readonly path: string
  readonly manager: string
  /** A sentence without its period. */
  readonly reason: string
  /** True for files that no test of packages covers; the test is complete without them. */
  readonly isOutOfScope: boolean
}

/** Jars of the build tool itself, which its wrapper script starts. */
const WRAPPER = /(?:^|\/)(?:gradle\/wrapper\/gradle-wrapper|\.mvn\/wrapper\/maven-wrapper)\.jar$/

const NO_PYTHON_LIST =
  'No file beside it lists dependencies of Python in a form that is read. Add a lockfile or a requirements.txt if it has any'

/** Returns the files of a tree that are known but not read, one per folder and manager, by path. */
export async function findNotRead(tree: Tree, projects: readonly TreeProject[]): Promise<NotRead[]> {
  const read = new Set(
    projects.flatMap(({ path, covers, unreadLocks = [], unreadJars = [] }) => [
      path,
      ...covers,
      ...unreadLocks,
      ...unreadJars,
    ]),
  )
  const paths = [...tree.paths]
    .filter((path) => indicatesUnsupported(path) && !read.has(path) && !WRAPPER.test(path))
    .sort()
  const texts = await tree.read(paths.filter((path) => findUnread(path).some(({ content }) => content !== undefined)))
  const matches = paths.flatMap((path) => {
    const unreadKind = findUnread(path).find(({ content }) => content?.test(texts.get(path) ?? '') !== false)
    return unreadKind === undefined ? [] : [{ path, found: unreadKind }]
  })
  const seen = new Set<string>()
  const unsupported = matches.flatMap(({ path, found: { manager, reason, isOutOfScope = false } }): NotRead[] => {
    const key = `${manager} ${folderOf(path)}`
    if (seen.has(key)) return []
    seen.add(key)
    return [{ path, manager, reason: reason ?? `${manager} is not read here`, isOutOfScope }]
  })
  return [...unsupported, ...findUnlistedPython(paths, projects, unsupported)].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  )
}

/** Returns the first settings file of Python in each folder in which no other file lists dependencies of Python. */
function findUnlistedPython(
  paths: readonly string[],
  projects: readonly TreeProject[],
  unsupported: readonly NotRead[],
): NotRead[] {
  const seen = new Set([
    ...projects
      .filter(({ ecosystem }) => pythonManagers.has(ecosystem))
      .flatMap(({ path, covers }) => [path, ...covers].map(folderOf)),
    ...unsupported.filter(({ manager }) => pythonManagers.has(manager)).map(({ path }) => folderOf(path)),
  ])
  return paths.flatMap((path): NotRead[] => {
    const folder = folderOf(path)
    if (!PYTHON_PROJECT.has(nameOf(path)) || seen.has(folder)) return []
    seen.add(folder)
    return [{ path, manager: 'Python', reason: NO_PYTHON_LIST, isOutOfScope: false }]
  })
}
