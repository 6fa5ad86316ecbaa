import { type FileBeside, type Layout, MAX_FILES_BESIDE, type Tree } from './tree.ts'
import { folderOf, nameOf, resolve, seenFrom, upwardFrom, within } from './tree-paths.ts'

const settings = ['settings.gradle', 'settings.gradle.kts']
const scripts = ['build.gradle', 'build.gradle.kts']
const locks = ['gradle.lockfile', 'dependencies.lock']
/** Locks of single configurations, which Gradle wrote before version 7; excludes those of a script's plugins. */
const CONFIGURATION_LOCK = /(?:^|\/)gradle\/dependency-locks\/(?!(?:buildscript|settings)-)[^/]+\.lockfile$/

/** Matches Spring's convention: a module's script has its folder's name. */
function isNamedLikeFolder(path: string): boolean {
  const folder = nameOf(folderOf(path))
  return folder !== '' && (nameOf(path) === `${folder}.gradle` || nameOf(path) === `${folder}.gradle.kts`)
}

function isScript(path: string, tree: Pick<Tree, 'paths'>): boolean {
  if (scripts.includes(nameOf(path))) return true
  if (!isNamedLikeFolder(path) || nameOf(folderOf(path)) === 'gradle') return false
  return !scripts.some((name) => tree.paths.has(within(folderOf(path), name)))
}

/** Locks of the plugins of a build script or of the settings: one file, or before Gradle 7 one per configuration. */
const PLUGIN_LOCK =
  /(?:^|\/)(?:gradle\/dependency-locks\/(?:buildscript|settings)-[^/]+|(?:buildscript|settings)-gradle)\.lockfile$/

function isLoneLock(path: string): boolean {
  return nameOf(path) === 'gradle.lockfile' || PLUGIN_LOCK.test(path)
}

/**
 * Returns true for a lock without a script in its folder, the catalog of a build without any script, and the lock of
 * the build's own plugins, which are not part of the product.
 */
function isAlone(path: string, folders: ReadonlySet<string>): boolean {
  const folder = folderOf(path)
  if (PLUGIN_LOCK.test(path)) return true
  if (isLoneLock(path)) return !folders.has(folder)
  if (nameOf(path) !== 'libs.versions.toml') return false
  const root = nameOf(folder) === 'gradle' ? folderOf(folder) : folder
  return ![...folders].some((folder) => folder === root || root === '' || folder.startsWith(`${root}/`))
}

/**
 * Every module's build script separately, read with the settings, properties and version catalogs of its build, the
 * scripts of the folders above, applied scripts, and its lock. Locks and catalogs without a script are projects too,
 * and every lock of plugins.
 */
export const gradle: Layout = {
  ecosystems: ['gradle'],
  readsAround: true,
  isWanted: (path) =>
    /\.gradle(?:\.kts)?$|(?:^|\/)gradle\.properties$|\.versions\.toml$/.test(path) ||
    locks.includes(nameOf(path)) ||
    CONFIGURATION_LOCK.test(path) ||
    isLoneLock(path),
  async find(tree) {
    const built = [...tree.paths].filter((path) => isScript(path, tree))
    const folders = new Set(built.map(folderOf))
    const alone = [...tree.paths].filter((path) => isAlone(path, folders))
    return [
      ...built.map((path) => {
        return { ecosystem: 'gradle', path, covers: locksOf(path, tree) }
      }),
      ...alone.map((path) => ({ ecosystem: 'gradle', path, covers: [] })),
    ]
  },
  nameManifest: (path) =>
    /\.gradle(?:\.kts)?$|\.versions\.toml$/.test(path) || isLoneLock(path) ? 'gradle' : undefined,
  async filesBeside({ path, covers }, tree) {
    if (!/\.gradle(?:\.kts)?$/.test(path)) return []
    const folder = folderOf(path)
    const root = rootOf(folder, tree)
    const between = upwardFrom(folder).filter(
      (ancestor) => ancestor === root || ancestor.startsWith(root === '' ? '' : `${root}/`),
    )
    const build = [
      ...settings.map((name) => within(root, name)),
      ...[...tree.paths].filter((path) => isCatalogOf(root, path)).sort(),
      ...(await catalogsNamedBy(root, tree)),
      ...between.map((ancestor) => within(ancestor, 'gradle.properties')),
    ].filter((path) => tree.paths.has(path))
    const above = between.slice(1).flatMap((ancestor) => scripts.map((name) => within(ancestor, name)))
    const parents = above.filter((path) => tree.paths.has(path)).reverse()
    const applied = await appliedBy([path, ...parents], { root, folder, tree })
    const all = new Set([...build, ...parents, ...applied, ...covers])
    all.delete(path)
    return [...all].slice(0, MAX_FILES_BESIDE).map((path): FileBeside => ({ path, seen: seenFrom(folder, path) }))
  },
}

/** Returns the locks of a build script. A single lock for all configurations replaces those of each. */
function locksOf(path: string, tree: Pick<Tree, 'paths'>): string[] {
  const folder = folderOf(path)
  const whole = locks.map((name) => within(folder, name)).filter((lock) => tree.paths.has(lock))
  if (whole.length > 0) return whole
  const place = within(folder, 'gradle/dependency-locks')
  return [...tree.paths].filter((path) => folderOf(path) === place && CONFIGURATION_LOCK.test(path)).sort()
}

/**
 * Returns the nearest folder with settings; without any, the outermost with a build script. `buildSrc` is a separate
 * build.
 */
function rootOf(folder: string, tree: Tree): string {
  const has = (folder: string, names: readonly string[]) => names.some((name) => tree.paths.has(within(folder, name)))
  if (nameOf(folder) === 'buildSrc') return folder
  const upward = upwardFrom(folder)
  return (
    upward.find((ancestor) => has(ancestor, settings)) ??
    upward.findLast((ancestor) => has(ancestor, scripts)) ??
    folder
  )
}

function isCatalogOf(root: string, path: string): boolean {
  return path.endsWith('.versions.toml') && folderOf(path) === within(root, 'gradle')
}

/** Cached by the folder of the settings, which many modules share. */
const knownCatalogs = new WeakMap<Tree, Map<string, Promise<readonly string[]>>>()

function catalogsNamedBy(root: string, tree: Tree): Promise<readonly string[]> {
  const catalogsByRoot = knownCatalogs.get(tree) ?? new Map<string, Promise<readonly string[]>>()
  knownCatalogs.set(tree, catalogsByRoot)
  const catalogs = catalogsByRoot.get(root) ?? readCatalogNames(root, tree)
  catalogsByRoot.set(root, catalogs)
  return catalogs
}

/** Returns the catalogs that the settings take from files, also of other folders: `from(files("../x.versions.toml"))`. */
async function readCatalogNames(root: string, tree: Tree): Promise<readonly string[]> {
  const paths = settings.map((name) => within(root, name)).filter((path) => tree.paths.has(path))
  const texts = paths.length === 0 ? new Map<string, string>() : await tree.read(paths)
  const written = /\bfrom\s*\(?\s*[\w.]*files?\s*\(\s*(["'])([^"'\r\n]{1,300}\.versions\.toml)\1/g
  return [...texts.values()].flatMap((text) =>
    [...text.matchAll(written)].flatMap(([, , reference]) => {
      const place = resolve(root, reference!)
      return place !== undefined && tree.paths.has(place) ? [place] : []
    }),
  )
}

const MAX_ROUNDS = 5

/** Returns scripts applied with a static path. */
async function appliedBy(
  first: readonly string[],
  { root, folder, tree }: { root: string; folder: string; tree: Tree },
): Promise<Set<string>> {
  const paths = new Set<string>()
  let open = [...first]
  for (let round = 0; round < MAX_ROUNDS && open.length > 0; round++) {
    const texts = await tree.read(open)
    open = [...texts].flatMap(([path, text]) =>
      applications(text).flatMap((written) => {
        const reference = written.replace(
          /^\$\{?(?:rootDir|rootProject\.(?:projectDir|rootDir)|projectDir|project\.projectDir)\}?\//,
          '',
        )
        const places = [folderOf(path), root, folder].map((base) => resolve(base, reference))
        const place = places.find((place) => place !== undefined && tree.paths.has(place))
        return place === undefined || paths.has(place) || first.includes(place) ? [] : [place]
      }),
    )
    for (const path of open) if (paths.size < MAX_FILES_BESIDE) paths.add(path)
  }
  return paths
}

/** Reads `apply from: 'x.gradle'`, `apply(from = "x.gradle.kts")`, also with `file(…)` around the path. */
function applications(text: string): string[] {
  const written = /\bapply(?:\s*\()?\s*from\s*[:=]\s*(?:[\w.]*file\s*\(\s*)?(["'])([^"'\r\n]{1,300})\1/g
  return [...text.matchAll(written)].map(([, , path]) => path!)
}
