import { Problem } from '../problem.ts'
import type { ProgramEnd } from './run-program.ts'
import type { GitBounds } from './watch-git.ts'

const MAX_SHOWN_CHARACTERS = 200

const FILE_BOUND = /File size limit exceeded|File too large|died of signal 25/i
/**
 * System errors (errno(3)) and messages of git (csum-file.c, fetch-pack.c, config.c) that mean a full or failing disk.
 */
const OUTAGES: readonly (readonly [code: string, pattern: RegExp])[] = [
  ['ENOSPC', /No space left on device/i],
  ['EDQUOT', /Disk quota exceeded/i],
  ['EROFS', /Read-only file system/i],
  ['EIO', /Input\/output error/i],
  // Messages without a system error.
  ['ENOSPC', /Out of diskspace|could not write '[^']*' promisor file$|failed to write new configuration file/im],
]
const MEMORY = /out of memory|Cannot allocate memory|mmap failed|malloc failed/i
const REFUSED =
  /Authentication failed|could not read (?:Username|Password)|access denied|HTTP (?:code = |)(?:401|403)|returned error: (?:401|403)/i
const GONE =
  /not our ref|unadvertised object|no such remote ref|couldn't find remote ref|Server does not allow request/i
const ABSENT =
  /repository .*not found|does not appear to be a git repository|not a git repository|returned error: (?:404|410)/i
const REDIRECTED = /returned error: 30\d|unable to update url base from redirection/i
const PASSING =
  /Could not resolve|Failed to connect|Connection (?:refused|reset|timed out)|Recv failure|Send failure|timed out|too slow|transfer closed|early EOF|RPC failed|hung up|Empty reply|SSL|TLS|certificate|returned error: (?:429|5\d\d)|proxy/i

const NOT_SERVED = 'The commit is no longer in the repository'

const RECEIVED_TOO_MUCH = 'The server of the repository sent more than'

/** Returns true if the limit on received bytes is reached, so that fetching less does not help. */
export function isAllReceived(error: unknown): boolean {
  return error instanceof Problem && error.message.startsWith(RECEIVED_TOO_MUCH)
}

/** Returns true if the server does not serve objects by id. */
export function isNotServed(error: unknown): boolean {
  return error instanceof Problem && error.message === NOT_SERVED
}

/** Thrown if the disk of this server failed, independent of the repository. The code is the system's (errno(3)). */
export class DiskFailed extends Error {
  readonly code: string

  constructor(code: string, cause?: unknown) {
    super('The disk of the import workspaces cannot be written', { cause })
    this.code = code
  }
}

/** Returns the failure of this server's disk that git reports; undefined for any other failure. */
export function findDiskFailure({ endedBy, exitCode, errors }: ProgramEnd): DiskFailed | undefined {
  if (endedBy !== 'exit' && endedBy !== 'signal') return undefined
  const own = ownWords(errors)
  const [code] = OUTAGES.find(([, pattern]) => pattern.test(own)) ?? []
  if (code === undefined || FILE_BOUND.test(own)) return undefined
  return new DiskFailed(code, new Error(`git ended by ${endedBy} (${exitCode}): ${firstLines(errors)}`))
}

/** Returns git's own messages, without those that it forwards from the remote server. */
function ownWords(errors: string): string {
  return errors
    .split(/[\r\n]+/)
    .filter((line) => !/^(?:remote: |fatal: remote error: )/.test(line))
    .join('\n')
}

type FailureBounds = Pick<GitBounds, 'diskBytes' | 'memoryBytes' | 'receivedBytes' | 'idleSeconds'> & {
  readonly seconds: number
}

function toMegabytes(bytes: number): number {
  return Math.floor(bytes / 1024 / 1024)
}

/** Translates git's failure for the caller. git's own message becomes the cause, for the log. */
export function toGitProblem(end: ProgramEnd, bounds: FailureBounds): Problem {
  const { endedBy, errors } = end
  const cause = new Error(`git ended by ${endedBy} (${end.exitCode}): ${firstLines(errors)}`)
  const problem = (code: ConstructorParameters<typeof Problem>[0], detail: string) =>
    new Problem(code, detail, { cause })
  if (endedBy === 'missing')
    return problem('unavailable', 'git cannot be run on this server. Ask the operator to install it')
  if (endedBy === 'aborted') return problem('unavailable', 'Reading the repository was stopped')
  if (endedBy === 'time')
    return problem('repository-unreachable', `The repository was not read within ${bounds.seconds} s`)
  if (endedBy === 'received')
    return problem('repository-too-large', `${RECEIVED_TOO_MUCH} ${toMegabytes(bounds.receivedBytes)} MB.`)
  if (endedBy === 'idle')
    return problem(
      'repository-unreachable',
      `The server of the repository sent nothing but progress for ${bounds.idleSeconds} s.`,
    )
  if (endedBy === 'memory-of-all')
    return problem('unavailable', 'All imports together take too much memory. Try again later.')
  if (endedBy === 'stopped' || FILE_BOUND.test(errors)) return tooMuchDisk(bounds.diskBytes, cause)
  if (endedBy === 'output')
    return problem('repository-too-large', 'The server of the repository sent more data than expected')
  if (endedBy === 'memory' || MEMORY.test(errors))
    return problem(
      'repository-too-large',
      `Reading the repository takes more than ${toMegabytes(bounds.memoryBytes)} MB of memory.`,
    )
  if (GONE.test(errors)) return problem('repository-unreadable', NOT_SERVED)
  if (REFUSED.test(errors))
    return problem(
      'repository-unreadable',
      'The server refused the integration’s credentials for the repository. Replace the credentials',
    )
  if (ABSENT.test(errors))
    return problem('repository-unreadable', 'The repository does not exist or the credentials may not read it')
  if (REDIRECTED.test(errors)) return problem('repository-unreachable', 'The server redirected during a fetch')
  if (PASSING.test(errors)) return problem('repository-unreachable', 'The connection to the repository failed')
  return problem('repository-unreadable', `git could not read the repository: ${shownReason(end)}`)
}

export function tooMuchDisk(diskBytes: number, cause?: unknown): Problem {
  const megabytes = Math.floor(diskBytes / 1024 / 1024)
  return new Problem(
    'repository-too-large',
    `The repository takes more than ${megabytes} MB on disk (GATEHOUSE_IMPORT_DISK_MB)`,
    { cause },
  )
}

/** Returns git's last message without terminal control characters. */
function shownReason({ errors, endedBy, exitCode }: ProgramEnd): string {
  const fatal = /^(?:fatal|error): (.+)$/m.exec(errors)?.[1] ?? `it ended with ${exitCode ?? endedBy}`
  return fatal
    .replace(/[^\x20-\x7e]/g, '?')
    .replaceAll(/\/\S*/g, '…')
    .slice(0, MAX_SHOWN_CHARACTERS)
}

function firstLines(errors: string): string {
  return errors.replace(/[^\x20-\x7e]+/g, ' ').slice(0, 1000)
}
