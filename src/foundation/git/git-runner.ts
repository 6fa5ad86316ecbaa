import { readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepositoryBounds } from '../repositories/repository-source.ts'
import { sizeOfFolder } from '../repositories/workspaces.ts'
import { type GitConfigs, type GitRemote, gitEnvironment, toPipes } from './git-config.ts'
import { DiskFailed, findDiskFailure, toGitProblem, tooMuchDisk } from './git-failure.ts'
import type { GitCredentials } from './git-location.ts'
import type { GitRelay } from './git-relay.ts'
import { type Program, type ProgramEnd, type RunningProgram, runProgram } from './run-program.ts'
import type { GitBounds, GitWatch } from './watch-git.ts'

export interface GitTask {
  readonly args: readonly string[]
  readonly input?: string | undefined
  readonly outputBytes?: number
  /** Takes the output as it comes; what it throws ends git, and is thrown. */
  readonly onOutput?: (chunk: Buffer) => void
  readonly signal?: AbortSignal | undefined
}

/** git at one repository of ours, a bare one in a folder of its own. */
export interface GitRunner {
  /** With what is on disk only. Throws `Problem`. */
  local(task: GitTask): Promise<Buffer>
  /** With the network, and an eye on the disk. */
  remote(task: GitTask): Promise<Buffer>
  /** What is on disk, in bytes. */
  used(): Promise<number>
}

export interface GitPlace {
  readonly program: string
  readonly folder: string
  readonly configs: GitConfigs
  readonly remote: GitRemote
  readonly credentials: GitCredentials | undefined
  /** Open files that git inherits when it fetches. */
  readonly descriptors: readonly number[]
  readonly bounds: RepositoryBounds & GitBounds
  readonly watch: GitWatch
  /** The way to the server; undefined for files. */
  readonly relay: GitRelay | undefined
}

const ALMOST = 0.9
/** Packs, indexes and libraries are mapped, which takes address space and no memory. */
const MAPPED_BYTES = 512 * 1024 * 1024
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

export function createGitRunner(place: GitPlace): GitRunner {
  const { folder, configs, bounds } = place
  const home = join(folder, 'home')
  const gitDir = join(folder, 'repository')
  const base = { path: place.program, cwd: home }

  async function run(task: GitTask, extra: Pick<Program, 'env' | 'pipes' | 'descriptors'>): Promise<Buffer> {
    let thrown: unknown
    const running: RunningProgram = runProgram(
      {
        ...base,
        ...extra,
        args: ['--git-dir', gitDir, ...task.args],
        input: task.input,
        onOutput: task.onOutput && ((chunk) => void take(chunk)),
      },
      {
        seconds: bounds.seconds,
        outputBytes: task.outputBytes ?? MAX_OUTPUT_BYTES,
        fileBytes: bounds.diskBytes,
        addressSpaceBytes: bounds.memoryBytes + MAPPED_BYTES,
        signal: task.signal,
      },
    )
    function take(chunk: Buffer): void {
      if (thrown !== undefined) return
      try {
        task.onOutput!(chunk)
      } catch (error) {
        thrown = error
        running.stop('output')
      }
    }
    const isFetching = extra.pipes !== undefined
    const watched = { bounds, folder: isFetching ? gitDir : undefined, relay: isFetching ? place.relay : undefined }
    const unwatch = place.watch.start(running, watched)
    const end = await running.end
    unwatch()
    if (thrown !== undefined) throw thrown
    if (end.endedBy === 'exit' && end.exitCode === 0) return end.output
    throw await toFailure(end)
  }

  async function toFailure(end: ProgramEnd): Promise<Error> {
    // the relay closes at its bound, which git may notice first
    const isReceived = place.relay !== undefined && place.relay.receivedBytes > bounds.receivedBytes
    const problem = toGitProblem(isReceived ? { ...end, endedBy: 'received' } : end, bounds)
    if (end.endedBy !== 'exit' && end.endedBy !== 'signal') return problem
    const failure = findDiskFailure(end) ?? ((await isDiskFull(folder)) ? new DiskFailed('ENOSPC', problem) : undefined)
    return failure ?? problem
  }

  return {
    local: (task) => run(task, { env: gitEnvironment(home, configs.reading, 'none') }),
    async remote(task) {
      const protocols = place.remote.url.protocol === 'file:' ? 'file' : 'http:https'
      const env = gitEnvironment(home, configs.fetching, protocols)
      try {
        const pipes = toPipes(place.credentials, place.remote.route)
        return await run(task, { env, pipes, descriptors: place.descriptors })
      } catch (error) {
        // the system ends git's own children at a file's bound without a word
        const isFull = (await sizeOfFolder(gitDir)) > bounds.diskBytes * ALMOST
        await removeUnfinished(join(gitDir, 'objects', 'pack'))
        throw isFull && !task.signal?.aborted && !(error instanceof DiskFailed)
          ? tooMuchDisk(bounds.diskBytes, error)
          : error
      }
    },
    used: () => sizeOfFolder(gitDir),
  }
}

const FULL_BELOW_BYTES = 1024 * 1024

/** Children of git end at a full disk without a word. */
async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < FULL_BELOW_BYTES
}

/** What a fetch that was ended leaves behind still counts. */
async function removeUnfinished(packs: string): Promise<void> {
  const names = await readdir(packs).catch(() => [])
  await Promise.all(
    names.filter((name) => name.startsWith('tmp_')).map((name) => rm(join(packs, name), { force: true })),
  )
}
