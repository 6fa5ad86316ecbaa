import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { LocalGitLocation } from '#foundation/git/git-location.ts'
import { createGitProgram } from '#foundation/git/git-program.ts'
import { createGitRepositories, type GitRepositories } from '#foundation/git/git-repositories.ts'
import type { GitBounds } from '#foundation/git/watch-git.ts'
import { createOutgoing } from '#foundation/outgoing/outgoing.ts'
import { createRouteFinder } from '#foundation/outgoing/route.ts'
import type { OutgoingSettings, Resolve } from '#foundation/outgoing/settings.ts'
import type { FileRead, RepositoryBounds, RepositorySource } from '#foundation/repositories/repository-source.ts'
import { createWorkspaces } from '#foundation/repositories/workspaces.ts'

export const BOUNDS: RepositoryBounds & GitBounds = {
  fileBytes: 1024 * 1024,
  readBytes: 64 * 1024 * 1024,
  diskBytes: 64 * 1024 * 1024,
  files: 100_000,
  testedFiles: 10_000,
  seconds: 60,
  memoryBytes: 512 * 1024 * 1024,
  memoryOfAllBytes: 1024 * 1024 * 1024,
  receivedBytes: 1024 * 1024 * 1024,
  diskOfAllBytes: 1024 * 1024 * 1024,
  receivedOfAllBytes: 8 * 1024 * 1024 * 1024,
  idleSeconds: 600,
}

export interface GitReader extends GitRepositories, AsyncDisposable {
  /** Folder of its workspaces. */
  readonly folder: string
}

export interface GitReaderSettings {
  readonly bounds?: Partial<RepositoryBounds & GitBounds>
  readonly outgoing?: Partial<OutgoingSettings>
  readonly resolve?: Resolve
  readonly program?: string
  /** The folder for its workspaces; defaults to a new folder. */
  readonly at?: string
}

/** Creates a repository reader with access to loopback. */
export function gitReader({ bounds, outgoing: sent, resolve, program = 'git', at }: GitReaderSettings = {}): GitReader {
  const folder = mkdtempSync(join(at ?? tmpdir(), 'gatehouse-work-'))
  const settings: OutgoingSettings = { allow: ['127.0.0.1'], limits: { attempts: 1, backOffMs: 1 }, ...sent }
  const outgoing = createOutgoing(settings, resolve)
  const repositories = createGitRepositories({
    program: createGitProgram(program),
    workspaces: createWorkspaces(folder),
    outgoing,
    findRoute: createRouteFinder(settings, resolve),
    bounds: { ...BOUNDS, ...bounds },
  })
  return {
    ...repositories,
    folder,
    async [Symbol.asyncDispose]() {
      await outgoing.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Everything of a source as text by path; a problem stands for what was not read. */
export async function readAll(source: RepositorySource): Promise<Record<string, string>> {
  const { entries } = await source.list(() => true)
  const read: FileRead[] = []
  for await (const file of source.readFiles(entries)) read.push(file)
  return Object.fromEntries(read.map(({ entry, content, problem }) => [entry.path, content?.toString() ?? problem!]))
}

/** Location of a repository on this machine, if the whole folder around it is allowed. */
export function localGit(path: string): LocalGitLocation {
  const folder = realpathSync(path)
  return { folder, within: [dirname(folder)] }
}
