import { pip as ecosystem } from '#analysis/ecosystems/python/pip/index.ts'
import { parseRequirementsFile } from '#analysis/ecosystems/python/requirements/requirements-file.ts'
import { getKind } from '../file-kinds/index.ts'
import { toOutline } from '../file-kinds/outline.ts'
import type { Tree } from './tree.ts'
import { folderOf, nameOf, resolve } from './tree-paths.ts'

/** Names with the word, as OSV-Scanner and Dependabot accept them, and every list in a folder of that name. */
const NAMED = /(?:^|\/)(?:[^/]*requirements?[^/]*\.(?:txt|in|pip|lock)|requirements\/[^/]+\.(?:txt|in|pip))$/i
/** Other words for such lists in names of files and folders: `reqs/base.txt`, `deps-dev.txt`. */
const WORD = /(?:^|[-_./])(?:reqs?|requires|deps|dependencies|pip|pypi)(?:[-_.][^/]*)?(?:\/[^/]+)?\.(?:txt|in|pip)$/i
/** Dependabot looks at all texts beside the repository's own files. */
const AT_ROOT = /^[^/]+\.(?:txt|in)$/
/** Most files of a tree end otherwise, and the patterns above take longer. */
const ENDING = /\.(?:txt|in|pip|lock)$/i
const GENERATED = /\.egg-info\//
const CONSTRAINTS = /constraints?/i

/** Returns true for a list by its usual name, whatever it holds. */
function isUsual(path: string): boolean {
  return ecosystem.manifestName.test(nameOf(path)) || /(?:^|\/)requirements\/[^/]+\.txt$/.test(path)
}

/** Returns true for a file that is a list of requirements, or is one if its content is. */
export function mayBeList(path: string): boolean {
  if (!ENDING.test(path)) return false
  return isUsual(path) || (!GENERATED.test(path) && (NAMED.test(path) || WORD.test(path) || AT_ROOT.test(path)))
}

/** A list, and the sources from which it was compiled. */
export interface RequirementsList {
  readonly path: string
  readonly sources: readonly string[]
}

/** Maximum number of lists whose beginnings are read, since their names alone do not tell enough. */
const MAX_READ = 200
const HEAD_CHARACTERS = 4_000

/** Finds the lists of requirements of a tree by their names and contents. A source belongs to its compiled list. */
export async function findLists(tree: Tree): Promise<RequirementsList[]> {
  const paths = [...tree.paths].filter(mayBeList).sort(byEvidence)
  const heads = await readHeads(tree, paths.every(isUsual) ? [] : paths.slice(0, MAX_READ))
  const lists = paths.filter((path) => isUsual(path) || isList(path, heads.get(path)))
  const references = lists.flatMap((path) => referencesIn(path, heads.get(path)))
  const own = lists.filter((path) => isUsual(path) || !isPart(path, references))
  const sourcesOf = new Map(own.map((path) => [path, compiledFrom(path, heads.get(path), own)]))
  const sources = new Set([...sourcesOf.values()].flat())
  return own.filter((path) => !sources.has(path)).map((path) => ({ path, sources: sourcesOf.get(path)! }))
}

/** Orders lists whose names tell most first, else by path. */
function byEvidence(a: string, b: string): number {
  const rank = (path: string) => (isUsual(path) ? 0 : NAMED.test(path) ? 1 : WORD.test(path) ? 2 : 3)
  return rank(a) - rank(b) || (a < b ? -1 : 1)
}

async function readHeads(tree: Tree, paths: readonly string[]): Promise<Map<string, string>> {
  const heads = new Map<string, string>()
  for (const [path, text] of await tree.read(paths)) {
    const end = text.lastIndexOf('\n', HEAD_CHARACTERS)
    heads.set(path, text.length <= HEAD_CHARACTERS || end <= 0 ? text : text.slice(0, end))
  }
  return heads
}

/**
 * Returns true for a list in which pip can read most lines if its name says so; else all lines, and one has a version
 * or an option. Constraints require nothing.
 */
function isList(path: string, head: string | undefined): boolean {
  if (CONSTRAINTS.test(nameOf(path))) return false
  if (head === undefined) return NAMED.test(path)
  const { entries, unreadable } = parseRequirementsFile(head)
  const requirements = entries.filter((entry) => !('options' in entry)).length
  if (NAMED.test(path)) return requirements > 0 && unreadable.length <= requirements
  return requirements > 0 && unreadable.length === 0 && getKind('requirements.txt').isSure?.(toOutline(head)) === true
}

interface Reference {
  readonly path: string
  readonly kind: 'requirements' | 'constraints'
}

function referencesIn(path: string, head: string | undefined): Reference[] {
  if (head === undefined) return []
  return parseRequirementsFile(head).entries.flatMap((entry) => {
    const to = 'path' in entry ? resolve(folderOf(path), entry.path) : undefined
    return 'path' in entry && to !== undefined ? [{ path: to, kind: entry.kind }] : []
  })
}

/** Returns true for constraints, and for a list that is known by its content and that another one includes. */
function isPart(path: string, references: readonly Reference[]): boolean {
  return references.some(
    (reference) => reference.path === path && (reference.kind === 'constraints' || !NAMED.test(path)),
  )
}

/** A line in which pip-compile or uv says from which sources it compiled a list. */
const COMPILED = /^#.*\b(?:pip-compile|uv pip compile)\b(.*)$/gm

/** Returns the sources of a list: of its own name, or named in its first lines. */
function compiledFrom(path: string, head: string | undefined, lists: readonly string[]): string[] {
  if (path.endsWith('.in')) return []
  const own = `${path.replace(/\.[^.]+$/, '')}.in`
  const words = [...(head ?? '').matchAll(COMPILED)].flatMap(([, rest = '']) => rest.split(/\s+/))
  // Written relative to the list's folder or to the folder in which the tool ran.
  const sources = words.flatMap((word) => [word, resolve(folderOf(path), word) ?? word])
  return lists.filter((list) => list === own || (list.endsWith('.in') && sources.includes(list)))
}
