import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Outgoing } from '../outgoing/outgoing.ts'
import type { FindRoute, Route } from '../outgoing/route.ts'
import { Problem } from '../problem.ts'
import type { RepositoryBounds, RepositorySource } from '../repositories/repository-source.ts'
import type { Workspaces } from '../repositories/workspaces.ts'
import { discoverRepository, toProblem } from './discover.ts'
import { relayTargetOf, writeGitConfigs } from './git-config.ts'
import type { GitCredentials, GitLocation, LocalGitLocation } from './git-location.ts'
import type { GitProgram } from './git-program.ts'
import { type GitRelay, openGitRelay } from './git-relay.ts'
import { createGitRunner } from './git-runner.ts'
import type { GitRunner } from './git-task.ts'
import { listTree } from './list-tree.ts'
import { fetchFromView, type LocalView, makeLocalView, nameFormats } from './local-view.ts'
import { readBlobs } from './read-blobs.ts'
import { findReference, type GitReference, isCommitId } from './references.ts'
import { createSharedRoom, type RoomShare } from './shared-room.ts'
import { createGitWatch, type GitBounds } from './watch-git.ts'

export interface GitWanted {
  /** Undefined for the default branch. */
  readonly branch?: string | undefined
  /** A commit to read, even if the branch has moved on. */
  readonly revision?: string | undefined
  readonly signal?: AbortSignal | undefined
}

export interface GitFound {
  readonly branch: string
  readonly commit: string
  /** True if access is restricted: the repository is on this machine, or its server requires credentials. */
  readonly isPrivate: boolean
}

/** Third-party repositories, read with the machine's git: shallow, contents on demand. */
export interface GitRepositories {
  find(location: GitLocation, request?: GitWanted): Promise<GitFound>
  open(location: GitLocation, request?: GitWanted): Promise<{ resolved: GitFound; source: RepositorySource }>
}

export interface GitServices {
  readonly program: GitProgram
  readonly workspaces: Workspaces
  readonly outgoing: Outgoing
  readonly findRoute: FindRoute
  readonly bounds: RepositoryBounds & GitBounds
}

export function createGitRepositories(services: GitServices): GitRepositories {
  const { program, workspaces, bounds } = services
  const watch = createGitWatch()
  const room = createSharedRoom({
    usage: { disk: bounds.diskBytes, received: bounds.receivedBytes },
    all: { disk: bounds.diskOfAllBytes, received: bounds.receivedOfAllBytes },
  })

  /** Runs work in a folder of its own, which remains until the source is closed or the work fails. */
  async function within<T>(work: (place: GitWorkspace) => Promise<T>): Promise<T> {
    const folder = await workspaces.make()
    const place: GitWorkspace = {
      folder,
      view: undefined,
      relay: undefined,
      share: room.open(),
      async close() {
        place.view?.close()
        place.relay?.close()
        await workspaces.remove(folder).finally(place.share.close)
      },
    }
    try {
      return await work(place)
    } catch (error) {
      await place.close()
      throw error
    }
  }

  async function connect(place: GitWorkspace, location: GitLocation, request: GitWanted): Promise<Connected> {
    const { folder } = place
    const { signal } = request
    const isLocal = 'folder' in location
    const path = await (isLocal ? program.findForFolders() : program.find())
    const into = join(folder, 'source.git')
    if (isLocal) place.view = await makeLocalView(location, { into, bounds, signal })
    const { url, route, credentials } = isLocal
      ? { url: pathToFileURL(into), route: undefined, credentials: undefined }
      : await reach(services, location, signal)
    if (route) place.relay = await openGitRelay(relayTargetOf(url, route), bounds)
    const { relay, view, share } = place
    const remote = { url, route, relay }
    await mkdir(join(folder, 'home'), { mode: 0o700 })
    const configs = await writeGitConfigs(folder, remote)
    const around = { program: path, folder, view, relay, share, watch, bounds }
    const runner = createGitRunner({ ...around, configs, remote, credentials })
    const git = view === undefined ? runner : fetchFromView(runner, view)
    if (isLocal) await nameFormats(git, into)
    await initialize(folder, 'sha1')
    const { branch, commit } = knownReference(request) ?? (await findReference(git, request))
    return { git, resolved: { branch, commit, isPrivate: isLocal || credentials !== undefined } }
  }

  return {
    find: (location, request = {}) =>
      within(async (place) => {
        const { resolved } = await connect(place, location, request)
        await place.close()
        return resolved
      }),

    open: (location, request = {}) =>
      within(async (place) => {
        const { git, resolved } = await connect(place, location, request)
        const { signal } = request
        const commit = request.revision ?? resolved.commit
        // Repositories with another id length need a new initialization.
        if (commit.length === SHA256_CHARACTERS) await initialize(place.folder, 'sha256')
        await git.remote({ args: [...FETCH_COMMIT, commit], wants: [commit], signal })
        const source: RepositorySource = {
          revision: commit,
          reference: resolved.branch,
          list: (isWanted, listSignal) => listTree(git, bounds, { commit, isWanted, signal: listSignal }),
          readFiles: (entries, readSignal) => readBlobs(git, bounds, { commit, entries, signal: readSignal }),
          close: place.close,
        }
        return { resolved: { ...resolved, commit }, source }
      }),
  }
}

/** A workspace and its open resources. */
interface GitWorkspace {
  readonly folder: string
  view: LocalView | undefined
  relay: GitRelay | undefined
  readonly share: RoomShare
  close(): Promise<void>
}

interface Connected {
  readonly git: GitRunner
  readonly resolved: GitFound
}

const SHA256_CHARACTERS = 64
const FETCH_COMMIT = [
  'fetch',
  '--quiet',
  '--depth=1',
  '--no-tags',
  '--no-write-fetch-head',
  '--filter=blob:none',
  'origin',
]

/** Returns the reference that needs no query: a branch at a commit found before. */
function knownReference({ branch, revision }: GitWanted): GitReference | undefined {
  if (revision !== undefined && !isCommitId(revision))
    throw new Problem('repository-unreadable', 'The revision is not a commit id')
  return branch === undefined || revision === undefined ? undefined : { branch, commit: revision }
}

async function reach(
  { outgoing, findRoute }: GitServices,
  location: Exclude<GitLocation, LocalGitLocation>,
  signal: AbortSignal | undefined,
): Promise<{ url: URL; route: Route; credentials: GitCredentials | undefined }> {
  const { url, credentials } = await discoverRepository(outgoing, location.url, {
    credentials: location.credentials,
    signal,
  })
  try {
    return { url, route: await findRoute(url), credentials }
  } catch (error) {
    throw toProblem(error)
  }
}

const INITIAL_SETTINGS = {
  sha1: '[core]\n\tbare = true\n\trepositoryformatversion = 0\n',
  sha256: '[core]\n\tbare = true\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n',
} as const

/** Creates an empty bare repository, or replaces one, as `git init` does (gitrepository-layout(5)). */
async function initialize(folder: string, objectFormat: keyof typeof INITIAL_SETTINGS): Promise<void> {
  const repository = join(folder, 'repository')
  await rm(repository, { recursive: true, force: true })
  for (const subfolder of ['objects', 'refs'])
    await mkdir(join(repository, subfolder), { recursive: true, mode: 0o700 })
  await writeFile(join(repository, 'HEAD'), 'ref: refs/heads/none\n')
  await writeFile(join(repository, 'config'), INITIAL_SETTINGS[objectFormat])
}
