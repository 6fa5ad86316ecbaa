import { detectKind } from '../file-kinds/index.ts'
import { type Layout, MAX_FILES_BESIDE, type Tree, type TreeProject } from './tree.ts'
import { folderOf, isBelow, nameOf, seenFrom, within } from './tree-paths.ts'

/** Bundler's lock names: usual ones, and those of a Gemfile with another name (`BUNDLE_GEMFILE`, Appraisal). */
const LOCK = /^(?:Gemfile(?:[-_.][^/]+)?|[^/]+\.gemfile)\.lock$|^gems\.locked$/
const USUAL_MANIFEST = /^(?:Gemfile|gems\.rb)$/
/** Gemfiles with another name, many of which are parts that a Gemfile includes. */
const OTHER_MANIFEST = /^(?:Gemfile[-_.][^/]+|[^/]+\.gemfile)$/
const GEMSPEC = /\.gemspec$/

/**
 * Every Bundler lock with its manifest, every manifest without a lock, and gemspecs in folders without either. With
 * both kinds of usual names both are projects: which one is used depends on machine settings.
 */
export const rubygems: Layout = {
  ecosystems: ['rubygems'],
  isWanted: (path) => isRuby(nameOf(path)),
  async find(tree) {
    const paths = [...tree.paths].filter((path) => isRuby(nameOf(path)))
    const locks = paths.filter((path) => LOCK.test(nameOf(path)))
    const locked = await Promise.all(locks.map((path) => toLocked(path, tree)))
    const covered = new Set(locked.flatMap(({ path, covers }) => [...covers, manifestOf(path)]))
    const free = paths.filter((path) => !LOCK.test(nameOf(path)) && !covered.has(path))
    const usual = free.filter((path) => USUAL_MANIFEST.test(nameOf(path)))
    const others = await findOthers(free, paths, tree)
    const projects = [...locked, ...[...usual, ...others].map((path) => toProject(path))]
    return [...projects, ...(await findLoneGemspecs(free, { projects, locks, tree })).map((path) => toProject(path))]
  },
  nameManifest: (path) => (isRuby(nameOf(path)) ? 'rubygems' : undefined),
  async filesBeside({ path, covers }, tree) {
    const folder = folderOf(path)
    const gemspecs = LOCK.test(nameOf(path))
      ? []
      : [...tree.paths].filter((file) => file !== path && folderOf(file) === folder && GEMSPEC.test(file)).sort()
    return [...covers, ...gemspecs.slice(0, MAX_FILES_BESIDE)].map((cover) => ({
      path: cover,
      seen: seenFrom(folder, cover),
    }))
  },
}

function isRuby(name: string): boolean {
  return LOCK.test(name) || USUAL_MANIFEST.test(name) || OTHER_MANIFEST.test(name) || GEMSPEC.test(name)
}

function toProject(path: string): TreeProject {
  return { ecosystem: 'rubygems', path, covers: [] }
}

function manifestOf(lock: string): string {
  return nameOf(lock) === 'gems.locked' ? within(folderOf(lock), 'gems.rb') : lock.replace(/\.lock$/, '')
}

async function toLocked(path: string, tree: Tree): Promise<TreeProject> {
  const own = manifestOf(path)
  const isUsual = USUAL_MANIFEST.test(nameOf(own))
  // Gemfile.next is often a link to the Gemfile, and links are not read.
  const isReadable = isUsual ? tree.paths.has(own) : (await tree.read([own])).has(own)
  const beside = isReadable ? own : within(folderOf(path), 'Gemfile')
  const isThere = isReadable || (/^Gemfile/.test(nameOf(path)) && tree.paths.has(beside))
  return { ecosystem: 'rubygems', path, covers: isThere ? [beside] : [] }
}

/** Returns Gemfiles with other names that no Gemfile evaluates. */
async function findOthers(free: readonly string[], paths: readonly string[], tree: Tree): Promise<string[]> {
  const others = free.filter((path) => OTHER_MANIFEST.test(nameOf(path)))
  if (others.length === 0) return []
  const texts = await tree.read(paths.filter((path) => !LOCK.test(nameOf(path)) && !GEMSPEC.test(path)))
  const evaluated = [...texts.values()].flatMap((text) => text.match(/\beval_gemfile\b[^\n]*/g) ?? []).join('\n')
  return others.filter(
    (path) => detectKind(texts.get(path) ?? '')?.id === 'Gemfile' && !evaluated.includes(nameOf(path)),
  )
}

/** Returns gemspecs in folders without a project that no lock at or above them lists as a gem of the repository. */
async function findLoneGemspecs(
  free: readonly string[],
  { projects, locks, tree }: { projects: readonly TreeProject[]; locks: readonly string[]; tree: Tree },
): Promise<string[]> {
  const taken = new Set(projects.map(({ path }) => folderOf(path)))
  const lone = free.filter((path) => GEMSPEC.test(path) && !taken.has(folderOf(path)))
  const texts = lone.length === 0 ? new Map<string, string>() : await tree.read(locks)
  const gems = [...texts].map(([path, text]) => ({ folder: folderOf(path), names: namesInPaths(text) }))
  const first = new Map<string, string>()
  for (const path of lone.sort()) {
    const name = nameOf(path).replace(GEMSPEC, '')
    if (gems.some(({ folder, names }) => isBelow(path, folder) && names.has(name))) continue
    if (!first.has(folderOf(path))) first.set(folderOf(path), path)
  }
  return [...first.values()]
}

/** Returns the gems that a lock takes from folders. */
function namesInPaths(lock: string): Set<string> {
  const blocks = lock.match(/^PATH\r?\n(?: .*\r?\n)*/gm) ?? []
  return new Set(blocks.flatMap((block) => [...block.matchAll(/^ {4}(\S+) \(/gm)].map(([, name = '']) => name)))
}
