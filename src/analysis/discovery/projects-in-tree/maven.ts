import { type Pom, parsePom } from '#analysis/ecosystems/jvm/pom.ts'
import { type Layout, MAX_FILES_BESIDE, type Tree } from './tree.ts'
import { folderOf, resolve, seenFrom, upwardFrom, within } from './tree-paths.ts'

/** Files of `.mvn` that affect the dependencies of a build. */
const CONFIG = /(?:^|\/)\.mvn\/(?:maven\.config|jvm\.config|extensions\.xml)$/

function isPom(path: string): boolean {
  return /(?:^|\/)pom\.xml$/.test(path)
}

function isOtherFile(path: string): boolean {
  return /[^/]\.xml$/.test(path) && !isPom(path)
}

/** Returns the files of the nearest `.mvn` in or above the folder, which Maven's start script uses. */
function configOf(folder: string, tree: Tree): readonly string[] {
  const configsByFolder =
    configs.get(tree) ?? Map.groupBy([...tree.paths].filter((path) => CONFIG.test(path)).sort(), folderOf)
  configs.set(tree, configsByFolder)
  return (
    upwardFrom(folder)
      .flatMap((ancestor) => [configsByFolder.get(within(ancestor, '.mvn')) ?? []])
      .find((paths) => paths.length > 0) ?? []
  )
}

/** By their folders, once for a tree. */
const configs = new WeakMap<Tree, ReadonlyMap<string, readonly string[]>>()

/**
 * Every pom.xml and every other file that a POM lists as a module, separately, read with the POMs of the
 * tree that Maven would take from the reactor: parents, imported BOMs, required modules, and their own.
 */
export const maven: Layout = {
  ecosystems: ['maven'],
  readsAround: true,
  isWanted: (path) => isPom(path) || CONFIG.test(path),
  async find(tree) {
    const poms = [...tree.paths].filter(isPom)
    const { moduleFiles } = poms.length === 0 ? noReactor : await reactorOf(tree)
    return [...poms, ...moduleFiles].map((path) => ({ ecosystem: 'maven', path, covers: [] }))
  },
  nameManifest: (path) => (/(?:^|\/)(?:[^/]+\.pom|[^/]*pom[^/]*\.xml)$/i.test(path) ? 'maven' : undefined),
  async filesBeside({ path }, tree) {
    const reactor = await reactorOf(tree)
    const paths = new Set<string>()
    const own = reactor.byPath.get(path) ?? (await readOne(path, tree))
    const open = own === undefined ? [] : [{ path, asks: own }]
    for (const { path: from, asks } of open) {
      for (const key of asks.wants) {
        const next = nearest(reactor.byKey.get(key) ?? new Set(), from)
        if (next === undefined || next === path || paths.has(next) || paths.size >= MAX_FILES_BESIDE) continue
        paths.add(next)
        open.push({ path: next, asks: reactor.byPath.get(next)! })
      }
    }
    const folder = folderOf(path)
    return [...paths, ...configOf(folder, tree)].map((path) => ({ path, seen: seenFrom(folder, path) }))
  },
}

/** A POM's coordinates and the POMs it requires, as `group:artifact`. */
interface Asks {
  readonly key: string
  readonly wants: readonly string[]
  /** References to modules in files of other names than pom.xml. */
  readonly moduleFiles: readonly string[]
  readonly parentFiles: readonly string[]
}

interface Reactor {
  /** Modules in files of other names than pom.xml. */
  readonly moduleFiles: ReadonlySet<string>
  readonly byPath: ReadonlyMap<string, Asks>
  readonly byKey: ReadonlyMap<string, ReadonlySet<string>>
}

const noReactor: Pick<Reactor, 'moduleFiles'> = { moduleFiles: new Set() }
const reactors = new WeakMap<Tree, Promise<Reactor>>()
const BATCH = 200
const MAX_WANTS = 5_000
/** Limit of files of other names, each batch of which takes a listing of the tree. */
const MAX_OTHER_FILES = 5_000

/** Reads the reactor once per tree, keeping only the relations. */
function reactorOf(tree: Tree): Promise<Reactor> {
  const reactor = reactors.get(tree) ?? readReactor(tree)
  reactors.set(tree, reactor)
  return reactor
}

async function readReactor(tree: Tree): Promise<Reactor> {
  const byPath = new Map<string, Asks>()
  const byKey = new Map<string, Set<string>>()
  const modules = new Set<string>()
  const existing = new Set<string>()
  const listed = new Set([...tree.paths].filter(isPom).sort())
  // Files that POMs refer to are appended meanwhile.
  const paths = [...listed]
  const maxListed = listed.size + MAX_OTHER_FILES
  while (paths.length > 0) {
    for (const [path, text] of await tree.read(paths.splice(0, BATCH))) {
      existing.add(path)
      const asks = toAsks(text)
      if (asks === undefined) continue
      byPath.set(path, asks)
      byKey.set(asks.key, (byKey.get(asks.key) ?? new Set()).add(path))
      const ownModules = resolveAll(path, asks.moduleFiles)
      for (const file of ownModules) modules.add(file)
      for (const file of [...ownModules, ...resolveAll(path, asks.parentFiles)]) {
        if (listed.has(file) || listed.size >= maxListed) continue
        listed.add(file)
        paths.push(file)
      }
    }
  }
  return { byPath, byKey, moduleFiles: modules.intersection(existing) }
}

function resolveAll(path: string, references: readonly string[]): string[] {
  return references.flatMap((reference) => resolve(folderOf(path), reference) ?? [])
}

async function readOne(path: string, tree: Tree): Promise<Asks | undefined> {
  const text = (await tree.read([path])).get(path)
  return text === undefined ? undefined : toAsks(text)
}

/** Returns undefined for an unreadable POM, which its own test reports. */
function toAsks(text: string): Asks | undefined {
  let pom: Pom
  try {
    pom = parsePom({ file: 'target', text }, 'project')
  } catch {
    return undefined
  }
  const group = pom.group ?? pom.parent?.group ?? ''
  const own = (name: string) => (/^\$\{(?:project\.|pom\.)?groupId\}$/.test(name) ? group : name)
  const parts = [pom, ...pom.profiles]
  const dependencies = parts.flatMap((part) => part.dependencies)
  const imported = parts.flatMap((part) => part.managed).filter(({ scope }) => scope === 'import')
  const parent = pom.parent === undefined ? [] : [`${pom.parent.group}:${pom.parent.artifact}`]
  const others = [...imported, ...dependencies].map((dependency) => `${own(dependency.group)}:${dependency.artifact}`)
  return {
    key: `${group}:${pom.artifact ?? ''}`,
    wants: [...new Set([...parent, ...others])].slice(0, MAX_WANTS),
    moduleFiles: parts.flatMap(({ modules }) => modules.map((module) => module.path)).filter(isOtherFile),
    parentFiles: [pom.parent?.relativePath ?? ''].filter(isOtherFile),
  }
}

/** Returns the one of several POMs that lies in a folder above, else the first. */
function nearest(candidates: ReadonlySet<string>, from: string): string | undefined {
  const above = upwardFrom(folderOf(from)).map((folder) => within(folder, 'pom.xml'))
  return (
    above.find((path) => path !== from && candidates.has(path)) ??
    [...candidates.values().take(2)].find((path) => path !== from)
  )
}
