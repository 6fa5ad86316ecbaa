import { Problem } from '../problem.ts'
import { runProgram } from './run-program.ts'

/** The oldest version with all settings and options that we use. */
const OLDEST_GIT = [2, 38] as const

/**
 * The first release of each older minor version whose `upload-pack` runs nothing named in a repository's settings
 * (CVE-2024-32004); all from 2.46 on.
 */
const FIRST_SAFE_WITH_FOLDERS: Readonly<Record<number, number>> = { 39: 4, 40: 2, 41: 1, 42: 2, 43: 4, 44: 1, 45: 1 }
const ALL_SAFE_FROM = 46

// Fixed search path for git and its helpers, independent of the service's environment.
export const PROGRAM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin'

/** Finds and checks the machine's git. */
export interface GitProgram {
  /** Returns its path. Throws `Problem` if it is missing or too old. */
  find(): Promise<string>
  /** The same for repositories on this machine, whose settings must not run anything. */
  findForFolders(): Promise<string>
}

interface Found {
  readonly path: string
  /** In git's spelling. */
  readonly version: string
}

export function createGitProgram(path: string): GitProgram {
  let cached: Promise<Found> | undefined

  async function look(): Promise<Found> {
    const program = { path, args: ['version'], cwd: '/', env: { PATH: PROGRAM_PATH, LC_ALL: 'C' } }
    const { end } = runProgram(program, { seconds: 10, outputBytes: 1000, fileBytes: 0, addressSpaceBytes: 1024 ** 3 })
    const { output, exitCode } = await end
    if (exitCode !== 0) throw new Problem('unavailable', `git cannot be run on this server ("${path}"): install it`)
    const version = output.toString().trim()
    const [major, minor] = partsOf(version)
    if (major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1])) return { path, version }
    throw new Problem('unavailable', `git ${OLDEST_GIT.join('.')} or newer is needed on this server; it has ${version}`)
  }

  function lookOnce(): Promise<Found> {
    cached ??= look().catch((error: unknown) => {
      cached = undefined
      throw error
    })
    return cached
  }

  return {
    find: async () => (await lookOnce()).path,
    async findForFolders() {
      const { version } = await lookOnce()
      if (isSafeWithFolders(version)) return path
      cached = undefined
      const detail = `Install a newer git on this server to read local repositories: ${version} may run programs that their settings name`
      throw new Problem('unavailable', detail)
    },
  }
}

function partsOf(version: string): [major: number, minor: number, patch: number] {
  const [, major, minor, patch = 0] = /\b(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? []
  return [Number(major), Number(minor), Number(patch)]
}

function isSafeWithFolders(version: string): boolean {
  const [major, minor, patch] = partsOf(version)
  if (major > 2 || minor >= ALL_SAFE_FROM) return true
  return patch >= (FIRST_SAFE_WITH_FOLDERS[minor] ?? Number.POSITIVE_INFINITY)
}
