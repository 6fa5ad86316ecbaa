import { realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, posix, relative, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DEFAULT_EXCLUSIONS, parseExclusions } from '#analysis/discovery/projects-in-tree/exclusions.ts'
import { seenFrom, within } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import { ecosystems } from '#analysis/ecosystems/index.ts'
import type { RepositorySource } from '#foundation/repositories/repository-source.ts'
import type { LeftOut, ProjectChoice } from '#scanning/reading/choose-projects.ts'
import { ApiError, type Operations } from './api/client.ts'
import { withoutBaseline } from './baseline.ts'
import { type CollectedFiles, collectFiles } from './collect-files.ts'
import type { Environment } from './connection.ts'
import { ClientFailure, exitCodes } from './failure.ts'
import { listFindings, type Severity } from './findings.ts'
import { openCommit } from './git-commit.ts'
import type { OpenServer } from './open-server.ts'
import { printable } from './printable.ts'
import {
  joinAnswers,
  joinDocuments,
  movePaths,
  parseTreeAnswer,
  type TestDocument,
  type TreeAnswer,
  toDocument,
} from './test-document.ts'
import { toFailure } from './to-failure.ts'
import { openLoneFile, openWorkTree, readBillAt, type WorkTree } from './work-tree.ts'
import { writeTar } from './write-tar.ts'

/** The choice of the user. */
export interface TestInput {
  /** Folders, and bills of materials. */
  readonly paths: readonly string[]
  /** Manifests to test, relative to the only folder. */
  readonly files: readonly string[]
  /** Folder names, separated by commas. */
  readonly exclude?: string | undefined
  readonly packageManager?: string | undefined
  readonly severityThreshold?: Severity | undefined
  readonly includeDev: boolean
  /** False to leave out the standard library of Go. */
  readonly standardLibrary?: boolean
  /** A commit; issues that the folders have there too are left out. */
  readonly against?: string | undefined
  /** Adds the bill of materials of each project, for CycloneDX. */
  readonly bill?: boolean
  /** Tests what the next lockfile would hold, without the locked versions of these packages. */
  readonly relock?: readonly string[]
}

/** One request to test a set of files. */
export interface TestRequest extends Pick<CollectedFiles, 'entries' | 'projects'> {
  /** Parameters of `POST /test/files`. */
  readonly query: TestQuery
  readonly signal: AbortSignal
}

/** A project of which only a part can be tested has results, and counts as incomplete here. */
export type TestQuery = Omit<Operations['testFiles']['query'], 'pythonPlatform'> & { readonly acceptPartial: true }

/** Tests every project of a set of files. */
export type TestFiles = (request: TestRequest) => Promise<TreeAnswer>

export interface TestContext {
  readonly testFiles: TestFiles
  readonly environment: Environment
  readonly signal: AbortSignal
  /** The current folder. */
  readonly cwd: string
  /** Says what happens now. */
  onProgress(text: string): void
}

/** Finds and tests the projects of folders. Throws `ClientFailure`, also if there is nothing to test. */
export async function runTest(input: TestInput, context: TestContext): Promise<TestDocument> {
  const { paths } = input
  if (input.files.length > 0 && paths.length > 1) {
    throw new ClientFailure('--file names files of one folder. Test one PATH at a time.')
  }
  const documents: TestDocument[] = []
  const refused: LeftOut[] = []
  let excluded = 0
  for (const path of paths) {
    const { folder, input: chosen, open } = await toPlace(path, input, context)
    const tree = await open()
    const inside = { ...context, folder: tree.folder }
    // A commit that cannot be read fails before anything is tested.
    const before =
      input.against === undefined ? undefined : await openCommit(folder, input.against, { ...context, root: tree.root })
    context.onProgress(`Looking for projects in ${path}`)
    const collected = await collectFiles(tree, toChoice(chosen, tree.folder), context.signal)
    excluded += collected.excluded
    refused.push(...collected.refused)
    if (collected.isEmpty) continue
    const prefix = prefixOf(folder, context.cwd, paths.length)
    const document = await testCollected(collected, chosen, inside)
    const only = before === undefined ? document : await onlyNew(document, before, chosen, inside)
    documents.push(
      movePaths(only, (path) => posix.join(prefix, tree.folder === '' ? path : seenFrom(tree.folder, path))),
    )
  }
  if (documents.length > 0) return joinDocuments(documents)
  throw nothingToTest(paths, { refused, excluded })
}

interface Untested {
  readonly refused: readonly LeftOut[]
  readonly excluded: number
}

function nothingToTest(paths: readonly string[], { refused, excluded }: Untested): ClientFailure {
  const reasons = refused.map(({ path, reason }) => ` ${printable(path)}: ${printable(reason)}.`).join('')
  const hint = excluded === 0 ? '' : ` ${excluded} are in excluded folders; --exclude= tests them.`
  const what = reasons === '' ? 'No manifest of a supported package manager' : 'Nothing to test'
  return new ClientFailure(`${what} in ${paths.join(', ')}.${reasons}${hint}`, { exitCode: exitCodes.nothingToTest })
}

interface TestLocation {
  readonly folder: string
  /** The choice within the folder. */
  readonly input: TestInput
  open(): Promise<WorkTree>
}

/** Returns a folder, or the one of a bill of materials whose path was given instead. */
async function toPlace(path: string, input: TestInput, context: TestContext): Promise<TestLocation> {
  if ((await readBillAt(path)) === undefined) return { folder: path, input, open: () => openWorkTree(path, context) }
  if (input.files.length > 0) throw new ClientFailure('A bill of materials is one project. Leave out --file.')
  const file = await realpath(path)
  const chosen = { ...input, files: [basename(file)], packageManager: input.packageManager ?? 'sbom' }
  return { folder: dirname(file), input: chosen, open: () => openLoneFile(file) }
}

/** Reads the files of a folder that its test needs. Throws `ClientFailure`. */
export async function collectFolder(
  path: string,
  input: Pick<TestInput, 'files' | 'exclude' | 'packageManager'>,
  context: Pick<TestContext, 'environment' | 'signal' | 'onProgress'>,
): Promise<CollectedFiles> {
  context.onProgress(`Looking for projects in ${path}`)
  const tree = await openWorkTree(path, context)
  return collectFiles(tree, toChoice(input, tree.folder), context.signal)
}

/** Removes the issues that a test of the commit finds too. */
async function onlyNew(
  document: TestDocument,
  commit: RepositorySource,
  input: TestInput,
  context: TestContext & InFolder,
): Promise<TestDocument> {
  if (document.projects.every((project) => listFindings(project).length === 0)) return document
  context.onProgress(`Looking for projects in ${input.against}`)
  const choice = toChoice(input, context.folder)
  const files = await filesIn(commit, choice.files, context.signal)
  // None of the chosen files is there: all their issues are new.
  if (files.length === 0 && input.files.length > 0) return document
  const collected = await collectFiles(commit, { ...choice, files }, context.signal)
  if (collected.isEmpty) return document
  return withoutBaseline(document, await testCollected(collected, { ...input, files, bill: false }, context))
}

/** Selects the chosen files that exist. */
async function filesIn(source: RepositorySource, files: readonly string[], signal: AbortSignal): Promise<string[]> {
  const chosen = new Set(files)
  const { entries } = await source.list((path) => chosen.has(path), signal)
  return entries.map(({ path }) => path)
}

/** Returns the projects of a folder that the user chose. Throws `ClientFailure` for unusable names. */
export function toChoice(
  { exclude, files, packageManager }: Pick<TestInput, 'files' | 'exclude' | 'packageManager'>,
  folder: string,
): ProjectChoice {
  const exclusions = exclude === undefined ? { names: [...DEFAULT_EXCLUSIONS] } : parseExclusions(exclude)
  if ('problem' in exclusions) throw new ClientFailure(`--exclude ${exclusions.problem}.`)
  const supported = ecosystems.map(({ id }) => id)
  if (packageManager !== undefined && !supported.includes(packageManager)) {
    throw new ClientFailure(`No package manager "${packageManager}". Known: ${supported.join(', ')}.`)
  }
  return {
    exclusions: exclusions.names,
    files: files.map((path) => within(folder, cleanFile(path))),
    folder,
    packageManager,
  }
}

function cleanFile(path: string): string {
  const clean = path.replace(/^(?:\.\/)+/, '')
  if (!isAbsolute(clean) && !clean.includes(',') && !clean.split('/').includes('..')) return clean
  throw new ClientFailure(`--file ${path}: name a path relative to PATH, without .. and commas.`)
}

/** Tests the files of one folder. */
export async function testCollected(
  collected: CollectedFiles,
  input: TestInput,
  { folder, ...context }: TestContext & InFolder,
): Promise<TestDocument> {
  const { entries, entriesFrom, around, projects, leftOut } = collected
  const { exclude, packageManager, severityThreshold, includeDev, standardLibrary, bill, relock } = input
  const toSent = (path: string) => (entriesFrom === '' ? path : seenFrom(entriesFrom, path))
  if (entries.length === 0) return { ok: false, projects: [], advisories: {}, leftOut, excluded: collected.excluded }
  const query: TestQuery = {
    exclude,
    file: collected.files.map(toSent),
    folder: entriesFrom === folder ? undefined : folder,
    packageManager: packageManager as TestQuery['packageManager'],
    severityThreshold,
    ...(includeDev && { includeDev }),
    ...(standardLibrary === false && { standardLibrary }),
    ...(bill && { bill }),
    ...(relock && { relock: true, renew: [...relock] }),
    acceptPartial: true,
  }
  const sent = projects.map((project) => ({ ...project, path: toSent(project.path) }))
  const answer = await context.testFiles({ entries, projects: sent, query, signal: context.signal })
  const document = movePaths(toDocument(answer, sent), (path) => within(entriesFrom, path))
  return {
    ...document,
    ok: document.ok && leftOut.length === 0,
    leftOut: [...document.leftOut, ...leftOut],
    ...(around.length > 0 && { readAround: around }),
  }
}

export interface InFolder {
  /** The tested folder, from the root of the source. */
  readonly folder: string
}

/** Paths are shown from the current folder, or from a folder outside it. */
function prefixOf(path: string, cwd: string, count: number): string {
  const inner = relative(cwd, path).split(sep).join('/')
  if (inner !== '..' && !inner.startsWith('../') && !isAbsolute(inner)) return inner
  return count === 1 ? '' : path.replace(/\/+$/, '')
}

/** Tests files on a server, in as many requests as it needs. */
export function testOnServer({ url, org, client }: OpenServer, onProgress: (text: string) => void): TestFiles {
  return async ({ entries, query, projects, signal }) => {
    // A server removes the one folder around all files, and that must not be a folder of the project.
    const tar = writeTar(entries.map((entry) => ({ ...entry, path: `files/${entry.path}` })))
    const file = { bytes: gzipSync(tar, { level: 6 }), type: 'application/gzip' }
    async function testAfter(after: string | undefined): Promise<TreeAnswer> {
      try {
        const answer = await client.send('testFiles', { query: { ...query, org, after }, file, signal })
        return parseTreeAnswer(await answer.text())
      } catch (error) {
        throw error instanceof ApiError ? toFailure(error, url) : error
      }
    }
    onProgress(`Testing ${projects.length} manifests on ${url}: ${projects[0]?.path ?? ''} …`)
    let answer = await testAfter(undefined)
    while (answer.next !== undefined) {
      onProgress(`Testing ${projects.length} manifests on ${url}: ${answer.next} …`)
      const next = await testAfter(answer.next)
      if (next.projects.length === 0) break
      answer = joinAnswers(answer, next)
    }
    return answer
  }
}
