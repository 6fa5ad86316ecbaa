import { folderOf, isBelow, resolve, seenFrom, upwardFrom } from '#analysis/discovery/projects-in-tree/tree-paths.ts'
import type { GivenFile } from '#foundation/repositories/given-files.ts'
import type { RepositoryEntry, RepositorySource } from '#foundation/repositories/repository-source.ts'
import { chooseProjects, type LeftOut, type ProjectChoice } from '#scanning/reading/choose-projects.ts'
import { openSourceTree } from '#scanning/reading/source-tree.ts'
import { ClientFailure } from './failure.ts'

/** The files that the test of a folder reads. */
export interface CollectedFiles {
  readonly entries: readonly GivenFile[]
  /** The folder of the paths of `entries`; other paths are from the root of the source. */
  readonly entriesFrom: string
  /** The chosen manifests; none for all. */
  readonly files: readonly string[]
  /** Files outside of the chosen folder that its projects read. */
  readonly around: readonly string[]
  /** Manifests to test, by path. */
  readonly projects: readonly { readonly path: string; readonly packageManager: string }[]
  /** Paths that an archive cannot hold: submodules, and files whose name is not plain. */
  readonly leftOut: readonly LeftOut[]
  /** True if nothing that a report names was found, or no chosen file is a manifest. */
  readonly isEmpty: boolean
  /** Reasons why none of the chosen files is tested. */
  readonly refused: readonly LeftOut[]
  readonly excluded: number
}

/**
 * Finds the projects of a folder and reads their files, as the server will do: files that discovery lists but nothing
 * reads are empty. Sending less would change the result, sending more would send what the test does not need.
 */
export async function collectFiles(
  source: RepositorySource,
  choice: ProjectChoice,
  signal: AbortSignal,
): Promise<CollectedFiles> {
  const recorded = record(source)
  const { folder = '' } = choice
  const tree = await openSourceTree(recorded.source, { more: new Set(choice.files), folder, signal })
  const missing = choice.files.find((path) => !tree.paths.has(path))
  if (missing !== undefined) {
    throw new ClientFailure(
      `No file "${folder === '' ? missing : seenFrom(folder, missing)}" in the folder. --file takes a path relative to PATH; git must not ignore it.`,
    )
  }
  // The server judges policy files: it may be told to forbid them.
  const chosen = await chooseProjects(tree, { ...choice, policyFiles: 'forbid' })
  const refused = choice.files.length > 0 && chosen.projects.length === 0 ? chosen.leftOut : []
  const read = new Set<string>()
  for (const project of chosen.projects) {
    const files = await tree.readProject(project)
    if (files.problem !== undefined || files.subject.kind !== 'files') continue
    for (const path of files.subject.places?.additional ?? []) read.add(resolve(folderOf(project.path), path)!)
  }
  const around = [...read].filter((path) => !isBelow(path, folder)).sort()
  // The workspace of a member is found by the files in the folders above, which are no members themselves.
  const above = new Set(around.length === 0 ? [] : upwardFrom(folder).slice(1))
  const isSent = (path: string) =>
    isBelow(path, folder) || read.has(path) || (above.has(folderOf(path)) && recorded.contents.has(path))
  const entriesFrom = around.length === 0 ? folder : ''
  return {
    entriesFrom,
    files: choice.files,
    around,
    entries: [...recorded.entries.values()]
      .filter(({ path }) => isSent(path))
      .map(({ path, kind }) => ({
        path: entriesFrom === '' ? path : seenFrom(entriesFrom, path),
        content: kind === 'link' ? 'link' : (recorded.contents.get(path) ?? new Uint8Array()),
      })),
    projects: chosen.projects.map(({ path, ecosystem }) => ({ path, packageManager: ecosystem })),
    leftOut: recorded.leftOut(chosen.leftOut),
    isEmpty: chosen.projects.length + chosen.outOfScope.length === 0 && chosen.leftOut.length === refused.length,
    refused,
    excluded: chosen.excluded,
  }
}

interface Recorded {
  readonly source: RepositorySource
  readonly entries: ReadonlyMap<string, RepositoryEntry>
  readonly contents: ReadonlyMap<string, Uint8Array>
  /** Selects what an archive cannot hold. */
  leftOut(all: readonly LeftOut[]): LeftOut[]
}

/** Records what is listed and read. */
function record(source: RepositorySource): Recorded {
  const entries = new Map<string, RepositoryEntry>()
  const contents = new Map<string, Uint8Array>()
  const notSent = new Set<string>()
  return {
    entries,
    contents,
    leftOut: (all) => all.filter(({ path }) => notSent.has(path)),
    source: {
      ...source,
      async list(isWanted, signal) {
        const listed = await source.list(isWanted, signal)
        for (const entry of listed.entries) {
          if (entry.kind === 'file' || entry.kind === 'link') entries.set(entry.path, entry)
          else notSent.add(entry.path)
        }
        return listed
      },
      async *readFiles(requested, signal) {
        for await (const read of source.readFiles(requested, signal)) {
          if (read.content === undefined) {
            throw new ClientFailure(`${read.entry.path}: ${read.problem}. Make it readable, or --exclude its folder.`)
          }
          contents.set(read.entry.path, read.content)
          yield read
        }
      },
    },
  }
}
