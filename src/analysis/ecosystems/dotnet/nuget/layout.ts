import {
  type FileBeside,
  type Layout,
  MAX_FILES_BESIDE,
  type Tree,
  type TreeProject,
} from '../../../discovery/projects-in-tree/tree.ts'
import {
  folderOf,
  isBelow,
  nameOf,
  resolve,
  seenFrom,
  upwardFrom,
  within,
} from '../../../discovery/projects-in-tree/tree-paths.ts'

const PROJECT = /\.(?:cs|fs|vb)proj$/i
const LOCK = /(?:^|\/)packages(?:\.[^/]+)?\.lock\.json$/i
const CONFIG = /(?:^|\/)packages(?:\.[^/]+)?\.config$/i
const ASSETS = /(?:^|\/)project\.assets\.json$/i
const SETTINGS = /\.(?:props|targets)$/i
/** Files that MSBuild imports from the folder of a project or one above it. */
const ABOVE = /^Directory\.(?:Build\.props|Build\.targets|Packages\.props)$/i
const DECLARES = /<(?:PackageReference|GlobalPackageReference|DotNetCliToolReference)\b/

/**
 * Projects of .NET: each project file with its lock, its packages.config or the result of its restore. A project file
 * without any of them is a project if it declares packages itself, or if a file above declares them for all projects.
 */
export const nugetLayout: Layout = {
  ecosystems: ['nuget'],
  readsAround: true,
  isWanted: (path) => [PROJECT, LOCK, CONFIG, ASSETS, SETTINGS].some((pattern) => pattern.test(path)),
  find,
  nameManifest: (path) => ([PROJECT, LOCK, CONFIG, ASSETS].some((pattern) => pattern.test(path)) ? 'nuget' : undefined),
  filesBeside,
}

async function find(tree: Tree): Promise<TreeProject[]> {
  const paths = [...tree.paths]
  const projects = paths.filter((path) => PROJECT.test(path))
  const inFolder = Map.groupBy(
    paths.filter((path) => LOCK.test(path) || CONFIG.test(path)),
    folderOf,
  )
  const shared = paths.filter((path) => ABOVE.test(nameOf(path)))
  const texts = await tree.read([...projects, ...shared])
  const declares = (path: string) => DECLARES.test(texts.get(path) ?? '')
  const declaringAbove = new Set(shared.filter(declares).map(folderOf))
  const covers = new Map<string, string[]>()
  for (const path of [...inFolder.values()].flat()) covers.set(path, [])
  for (const path of projects) {
    const beside = inFolder.get(folderOf(path)) ?? []
    const lock = ownOf(path, beside, LOCK)
    const config = ownOf(path, beside, CONFIG)
    const assets = within(folderOf(path), 'obj/project.assets.json')
    const isDeclaring = declares(path) || upwardFrom(folderOf(path)).some((folder) => declaringAbove.has(folder))
    if (lock !== undefined) covers.get(lock)!.push(path, ...(config === undefined ? [] : [config]))
    else if (config !== undefined) covers.get(config)!.push(path)
    else if (tree.paths.has(assets)) covers.set(assets, [...(covers.get(assets) ?? []), path])
    else if (isDeclaring) covers.set(path, [])
  }
  const folders = new Set(projects.map((path) => within(folderOf(path), 'obj')))
  for (const path of paths.filter((path) => ASSETS.test(path) && !folders.has(folderOf(path)))) covers.set(path, [])
  const covered = new Set([...covers.values()].flat())
  return [...covers].flatMap(([path, files]) =>
    covered.has(path) ? [] : [{ ecosystem: 'nuget', path, covers: files.sort() }],
  )
}

/** Returns the lock or packages.config of a project: the one with its name, else the one without any. */
function ownOf(project: string, beside: readonly string[], pattern: RegExp): string | undefined {
  const stem = nameOf(project).replace(PROJECT, '').replaceAll(' ', '_').toLowerCase()
  const fitting = beside.filter((path) => pattern.test(path))
  return (
    fitting.find((path) => nameOf(path).toLowerCase().startsWith(`packages.${stem}.`)) ??
    fitting.find((path) => /^packages\.(?:lock\.json|config)$/i.test(nameOf(path)))
  )
}

const IMPORT = /<Import\b[^>]{0,1000}?\bProject\s*=\s*["']([^"']+)["']/g

/** Returns the project files, what MSBuild imports from the folders above, and what these files import. */
async function filesBeside({ path, covers }: TreeProject, tree: Tree): Promise<FileBeside[]> {
  const folder = folderOf(path)
  const above = [...tree.paths]
    .filter((file) => ABOVE.test(nameOf(file)) && isBelow(path, folderOf(file)))
    .sort((a, b) => b.length - a.length)
  const files = new Set([...covers, ...above])
  let unread = [path, ...files].filter((file) => PROJECT.test(file) || SETTINGS.test(file))
  while (unread.length > 0 && files.size < MAX_FILES_BESIDE) {
    const texts = await tree.read(unread)
    const imported = [...texts].flatMap(([file, text]) => importsOf(file, text)).filter((file) => tree.paths.has(file))
    unread = [...new Set(imported)].filter((file) => !files.has(file) && file !== path)
    for (const file of unread) files.add(file)
  }
  files.delete(path)
  return [...files].slice(0, MAX_FILES_BESIDE).map((file) => ({ path: file, seen: seenFrom(folder, file) }))
}

/** Returns the paths of imports that depend on no property but the folder of the file. */
function importsOf(file: string, text: string): string[] {
  return [...text.matchAll(IMPORT)].flatMap(([, written]) => {
    const relative = written!.replaceAll('\\', '/').replace(/^\$\(MSBuildThisFileDirectory\)\/?/i, '')
    const imported = relative.includes('$(') ? undefined : resolve(folderOf(file), relative)
    return imported === undefined || !SETTINGS.test(imported) ? [] : [imported]
  })
}
