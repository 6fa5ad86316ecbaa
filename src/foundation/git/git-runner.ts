import { readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { RepositoryBounds } from '../repositories/repository-source.ts'
import { sizeOfFolder } from '../repositories/workspaces.ts'
import { type GitConfigs, type GitRemote, gitEnvironment, toPipes } from './git-config.ts'
import { DiskFailed, findDiskFailure, toGitProblem, tooMuchDisk } from './git-failure.ts'
import type { GitCredentials } from './git-location.ts'
import type { GitRelay } from './git-relay.ts'
import type { GitRunner, GitTask } from './git-task.ts'
import type { LocalView } from './local-view.ts'
import { type Program, type ProgramEnd, type RunningProgram, runProgram } from './run-program.ts'
import type { RoomShare, Usage } from './shared-room.ts'
import type { GitBounds, GitWatch } from './watch-git.ts'

export interface GitPlace {
  readonly program: string
  readonly folder: string
  readonly configs: GitConfigs
  readonly remote: GitRemote
  readonly credentials: GitCredentials | undefined
  /** The view of a local repository that it fetches from; undefined for a server. */
  readonly view: LocalView | undefined
  readonly share: RoomShare
  readonly bounds: RepositoryBounds & GitBounds
  readonly watch: GitWatch
  /** The relay to the server; undefined for files. */
  readonly relay: GitRelay | undefined
}

const ALMOST = 0.9
/** Address space for mapped packs, indexes and libraries, which takes no memory. */
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
    const watched = isFetching
      ? { folder: gitDir, relay: place.relay, onSize: (bytes: number) => place.share.update(usageOf(bytes)) }
      : { folder: undefined, relay: undefined }
    const unwatch = place.watch.start(running, { bounds, ...watched })
    const end = await running.end
    unwatch()
    if (thrown !== undefined) throw thrown
    if (end.endedBy === 'exit' && end.exitCode === 0) return end.output
    throw await toFailure(end)
  }

  async function toFailure(end: ProgramEnd): Promise<Error> {
    // The relay closes at its limit; git may notice that first.
    const isReceived = place.relay !== undefined && place.relay.receivedBytes > bounds.receivedBytes
    const problem = toGitProblem(isReceived ? { ...end, endedBy: 'received' } : end, bounds)
    if (end.endedBy !== 'exit' && end.endedBy !== 'signal') return problem
    const failure = findDiskFailure(end) ?? ((await isDiskFull(folder)) ? new DiskFailed('ENOSPC', problem) : undefined)
    return failure ?? problem
  }

  const usageOf = (gitDirBytes: number): Usage => ({
    disk: gitDirBytes + (place.view?.bytes ?? 0),
    received: place.relay?.receivedBytes ?? 0,
  })

  /** Fetches once there is room. Returns undefined if the fetch was stopped to leave room for others. */
  async function fetchOnce(task: GitTask, { again }: { again: boolean }): Promise<Buffer | undefined> {
    const stopped = new AbortController()
    await place.share.enter({ stop: () => stopped.abort(), again, signal: task.signal })
    const { received } = usageOf(0)
    try {
      const protocols = place.remote.url.protocol === 'file:' ? 'file' : 'http:https'
      const env = gitEnvironment(home, configs.fetching, protocols)
      const pipes = toPipes(place.credentials, place.remote.route)
      const signal = AbortSignal.any([stopped.signal, ...(task.signal ? [task.signal] : [])])
      return await run({ ...task, signal }, { env, pipes, descriptors: place.view?.descriptors })
    } catch (error) {
      // The system ends git's children at a file limit without a message.
      const isFull = (await sizeOfFolder(gitDir)) > bounds.diskBytes * ALMOST
      await removeUnfinished(join(gitDir, 'objects', 'pack'))
      if (stopped.signal.aborted) {
        place.relay?.rewind(received)
        return undefined
      }
      throw isFull && !task.signal?.aborted && !(error instanceof DiskFailed)
        ? tooMuchDisk(bounds.diskBytes, error)
        : error
    } finally {
      place.share.leave(usageOf(await sizeOfFolder(gitDir)))
    }
  }

  return {
    local: (task) => run(task, { env: gitEnvironment(home, configs.reading, 'none') }),
    async remote(task) {
      const output = await fetchOnce(task, { again: false })
      // It was stopped to leave room for others.
      return output ?? (await fetchOnce(task, { again: true }))!
    },
    used: () => sizeOfFolder(gitDir),
  }
}

const FULL_BELOW_BYTES = 1024 * 1024

/** Returns true if the disk is full: then git's children end without a message. */
async function isDiskFull(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < FULL_BELOW_BYTES
}

/** Removes partial packs of an ended fetch, which would count toward the disk limit. */
async function removeUnfinished(packs: string): Promise<void> {
  const names = await readdir(packs).catch(() => [])
  await Promise.all(
    names.filter((name) => name.startsWith('tmp_')).map((name) => rm(join(packs, name), { force: true })),
  )
}
