import { createHash } from 'node:crypto'
import { toText } from '#analysis/discovery/file-kinds/text-encoding.ts'
import { POLICY_FILE } from '#analysis/discovery/policy-files/policy-file.ts'
import { MAX_POLICY_CHARACTERS } from '#analysis/discovery/policy-files/read-policy.ts'
import { isReadAround, isWanted } from '#analysis/discovery/projects-in-tree/find-projects.ts'
import type { FileBeside, TreeProject } from '#analysis/discovery/projects-in-tree/tree.ts'
import { folderOf, isBelow, seenFrom, within } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import { Problem } from '#foundation/problem.ts'
import type { RepositoryEntry, RepositorySource } from '#foundation/repositories/repository-source.ts'
import { ownThread, type SurveyChoice, type SurveyedTree, type TreeReader, type TreeSurvey } from './survey-tree.ts'
import type { ReadSubject, SentPolicy } from './task.ts'

/** Limit of the contents that are cached. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024
/** Size limit of files that describe project structure; larger files are read only by their own test. */
const MAX_STRUCTURE_BYTES = 2 * 1024 * 1024

/** Projects whose files are looked for in one task: another one handles the paths of the tree again. */
const RELATED_AT_ONCE = 100

type Content = { readonly bytes: Buffer } | { readonly problem: string }

export type ReadProject =
  | { readonly subject: ReadSubject; readonly digest: string; readonly problem?: undefined }
  | { readonly problem: string }

/** Untrusted files in which projects are searched for. The paths include links, which are reported instead of read. */
export interface SourceTree extends SurveyedTree {
  /** Finds the projects, and what excludes them. */
  survey(choice: SurveyChoice): Promise<TreeSurvey>
  /** Returns why a path cannot be read; undefined for files and missing paths. */
  whyNotRead(path: string): string | undefined
  /** Relevant entries with an unusable name, in printable form, and folders that cannot be listed. */
  readonly unusable: readonly { readonly path: string; readonly problem: string }[]
  /** Paths of the tree's Git submodules. */
  readonly submodules: readonly string[]
  /** Finds the files beside several projects at once, so that `readProject` has them. */
  relate(projects: readonly TreeProject[]): Promise<void>
  /** Reads the files of several projects at once, so that `readProject` finds them in the cache. */
  prepare(projects: readonly TreeProject[]): Promise<void>
  /** Reads the files of a project for its test. */
  readProject(project: TreeProject): Promise<ReadProject>
}

const reasons: Readonly<Record<Exclude<RepositoryEntry['kind'], 'file'>, string>> = {
  link: 'It is a link, and links are not followed',
  submodule: 'It is a submodule, and submodules are not read',
  'odd-name': 'Its name is not a plain path',
  'closed-folder': 'Its files cannot be listed: its name is not a plain path, or it may not be read',
}

/** Kinds of entries that may contain projects, whatever their name. */
const HIDING: readonly RepositoryEntry['kind'][] = ['submodule', 'closed-folder']

function isUnusable(kind: RepositoryEntry['kind']): kind is 'odd-name' | 'closed-folder' {
  return kind === 'odd-name' || kind === 'closed-folder'
}

function listUnusable(entries: readonly RepositoryEntry[]): SourceTree['unusable'] {
  const unusable = new Map(
    entries.flatMap(({ path, kind }) => (isUnusable(kind) ? [[path, reasons[kind]] as const] : [])),
  )
  return [...unusable].map(([path, problem]) => ({ path, problem }))
}

export interface TreeOpening {
  readonly more: ReadonlySet<string>
  readonly folder?: string | undefined
  readonly signal: AbortSignal
  readonly reader?: TreeReader
}

/**
 * Opens the tree with the entries that may belong to projects, and with the paths in `more`. Outside of `folder`, only
 * files that projects in it may read.
 */
export async function openSourceTree(
  source: RepositorySource,
  { more, folder = '', signal, reader = ownThread }: TreeOpening,
): Promise<SourceTree> {
  const isListed = (path: string, kind: RepositoryEntry['kind']) =>
    isBelow(path, folder) ? HIDING.includes(kind) || isWanted(path) : kind === 'file' && isReadAround(path)
  const listed = await source.list((path, kind) => isListed(path, kind) || more.has(path), signal)
  const submodules = listed.entries.filter(({ kind }) => kind === 'submodule').map(({ path }) => path)
  const entries = listed.entries.filter(({ kind, path }) => kind !== 'submodule' || isWanted(path) || more.has(path))
  const unusable = listUnusable(entries)
  // The printable form of an odd name may equal the name of another file, which must win.
  const byUse = [...entries].sort((a, b) => Number(b.kind === 'odd-name') - Number(a.kind === 'odd-name'))
  const entriesByPath = new Map<string, RepositoryEntry | undefined>(byUse.map((entry) => [entry.path, entry]))
  const kept = createContentCache()
  const relations = createRelations(reader)

  /** Fetches files that are known only because other files refer to them. */
  async function learn(paths: readonly string[]): Promise<void> {
    const unknown = new Set(paths.filter((path) => !entriesByPath.has(path)))
    if (unknown.size === 0) return
    const listing = await source.list((path) => unknown.has(path), signal)
    for (const path of unknown) entriesByPath.set(path, undefined)
    for (const entry of listing.entries) entriesByPath.set(entry.path, entry)
  }

  /** Passes files on as they arrive, since not all may fit into memory. */
  async function load(paths: readonly string[], receive: (path: string, content: Content) => void): Promise<void> {
    await learn(paths)
    const missing: RepositoryEntry[] = []
    for (const path of new Set(paths)) {
      const [entry, content] = [entriesByPath.get(path), kept.get(path)]
      if (content !== undefined) receive(path, content)
      else if (entry?.kind === 'file') missing.push(entry)
      else if (entry !== undefined) receive(path, { problem: reasons[entry.kind] })
    }
    if (missing.length === 0) return
    for await (const { entry, content, problem } of source.readFiles(missing, signal)) {
      const read = content === undefined ? { problem } : toContent(content)
      kept.keep(entry.path, read)
      receive(entry.path, read)
    }
  }

  const tree: SourceTree = {
    paths: new Set(entries.filter(({ kind }) => !isUnusable(kind)).map(({ path }) => path)),
    unusable,
    submodules,

    async read(paths) {
      const texts = new Map<string, string>()
      await load(paths, (path, content) => {
        if ('bytes' in content && content.bytes.length <= MAX_STRUCTURE_BYTES) texts.set(path, toText(content.bytes))
      })
      return texts
    },

    whyNotRead(path) {
      const kind = entriesByPath.get(path)?.kind
      return kind === undefined || kind === 'file' ? undefined : reasons[kind]
    },

    survey: (choice) => reader.survey(tree, choice),

    relate: (projects) => relations.add(tree, projects),

    async prepare(projects) {
      relations.clear()
      await relations.add(tree, projects)
      await load(
        projects.flatMap(({ path, covers }) => [path, ...covers]),
        () => {},
      )
    },

    async readProject(project) {
      const files = await relations.find(tree, project)
      if ('problem' in files) return files
      const read = new Map<string, Content>()
      const policy = within(folderOf(project.path), POLICY_FILE)
      const paths = [project.path, ...files.map(({ path }) => path), ...(tree.paths.has(policy) ? [policy] : [])]
      await load(paths, (path, content) => read.set(path, content))
      return toProject(project, { beside: files, read, policy: toPolicy(policy, read.get(policy)) })
    },
  }
  return tree
}

/** Caches contents, since neighboring projects read the same files. */
function createContentCache() {
  const kept = new Map<string, Content>()
  let keptBytes = 0

  function forget(path: string): void {
    const content = kept.get(path)
    if (content === undefined) return
    keptBytes -= sizeOf(content)
    kept.delete(path)
  }

  return {
    get: (path: string) => kept.get(path),
    keep(path: string, content: Content): void {
      forget(path)
      kept.set(path, content)
      keptBytes += sizeOf(content)
      for (const oldest of kept.keys()) {
        if (keptBytes <= MAX_KEPT_BYTES || oldest === path) break
        forget(oldest)
      }
    },
  }
}

type Related = readonly FileBeside[] | { readonly problem: string }

/** Finds the files beside projects; a project for which this takes too long does not fail the others. */
function createRelations(reader: TreeReader) {
  const relations = new Map<string, readonly FileBeside[]>()
  const keyOf = ({ ecosystem, path }: TreeProject) => `${ecosystem} ${path}`

  async function findOne(tree: SurveyedTree, project: TreeProject): Promise<Related> {
    try {
      const [files = []] = await reader.filesBeside(tree, [project])
      return files
    } catch (error) {
      if (error instanceof Problem && error.code === 'test-too-expensive') return { problem: error.message }
      throw error
    }
  }

  return {
    clear: () => relations.clear(),
    find: async (tree: SurveyedTree, project: TreeProject) =>
      relations.get(keyOf(project)) ?? (await findOne(tree, project)),
    async add(tree: SurveyedTree, projects: readonly TreeProject[]): Promise<void> {
      for (let at = 0; at < projects.length; at += RELATED_AT_ONCE) {
        const some = projects.slice(at, at + RELATED_AT_ONCE)
        const files = await reader.filesBeside(tree, some).catch((error: unknown) => {
          if (error instanceof Problem && error.code === 'test-too-expensive') return []
          throw error
        })
        for (const [index, relatedFiles] of files.entries()) relations.set(keyOf(some[index]!), relatedFiles)
      }
    },
  }
}

function toProject(
  { path, workspace, unreadLocks, unreadJars }: TreeProject,
  {
    beside,
    read,
    policy,
  }: { beside: readonly FileBeside[]; read: ReadonlyMap<string, Content>; policy: SentPolicy | undefined },
): ReadProject {
  const target = read.get(path)
  if (target === undefined) return { problem: 'The commit has no such file' }
  if ('problem' in target) return { problem: target.problem }
  const digest = createHash('sha256')
  const additional: string[] = []
  const seen: string[] = []
  const add = (bytes: Buffer) => {
    digest.update(`${bytes.length}\n`).update(bytes)
    return bytes.toString('base64')
  }
  const first = add(target.bytes)
  for (const fileBeside of beside) {
    const content = read.get(fileBeside.path)
    if (content === undefined) continue
    // Skipping a lockfile would silently change the findings.
    if ('problem' in content) return { problem: `${fileBeside.path}: ${content.problem}` }
    additional.push(add(content.bytes))
    seen.push(fileBeside.seen)
  }
  if (workspace !== undefined) digest.update(`member ${path}\n`)
  for (const jar of unreadJars ?? []) digest.update(`${jar}\n`)
  return {
    digest: digest.digest('hex'),
    subject: {
      kind: 'files',
      encoding: 'base64',
      target: first,
      additional,
      ...(policy && { policy }),
      places: {
        target: path,
        additional: seen,
        ...(workspace !== undefined && { member: seenFrom(workspace, folderOf(path)) }),
        ...(unreadLocks && { unreadLocks: unreadLocks.map((unreadLock) => seenFrom(folderOf(path), unreadLock)) }),
        ...(unreadJars && { unreadJars: unreadJars.map((unreadJar) => seenFrom(folderOf(path), unreadJar)) }),
      },
    },
  }
}

/** Returns a policy file, or its problem: it only hides findings, so the test continues without it. */
function toPolicy(path: string, content: Content | undefined): SentPolicy | undefined {
  if (content === undefined) return undefined
  if ('problem' in content) return { path, problem: content.problem }
  // A character takes up to four bytes; longer files are not read at all.
  if (content.bytes.length > 4 * MAX_POLICY_CHARACTERS) return { path, problem: 'It is too large' }
  return { path, text: toText(content.bytes) }
}

const MAX_POINTER_BYTES = 1024
const POINTER_START = /^version https?:\/\/(?:git-lfs\.github\.com|hawser\.github\.com)\/spec\//

/**
 * Returns the content of a file; a pointer of Git LFS (its specification, "The Pointer") says nothing about the
 * content.
 */
function toContent(bytes: Buffer): Content {
  const isPointer = bytes.length <= MAX_POINTER_BYTES && POINTER_START.test(bytes.toString('latin1'))
  return isPointer ? { problem: 'It is kept by Git LFS, whose files are not fetched' } : { bytes }
}

function sizeOf(content: Content): number {
  return 'bytes' in content ? content.bytes.length : content.problem.length
}
