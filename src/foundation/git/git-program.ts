import { Problem } from '../problem.ts'
import { runProgram } from './run-program.ts'

/** The oldest that can be told which addresses to dial (http.curloptResolve), and that knows what we ask of it. */
export const OLDEST_GIT = [2, 38] as const

// Where git, and what it starts, is looked for: never where a service's environment happens to say.
export const PROGRAM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/opt/homebrew/bin'

/** Finds out whether the git of this machine can be used. */
export interface GitProgram {
  /** Its path. Throws `Problem` when it is missing or too old, for as long as it is. */
  find(): Promise<string>
}

export function createGitProgram(path: string): GitProgram {
  let found: Promise<string> | undefined

  async function look(): Promise<string> {
    const program = { path, args: ['version'], cwd: '/', env: { PATH: PROGRAM_PATH, LC_ALL: 'C' } }
    const { end } = runProgram(program, { seconds: 10, outputBytes: 1000, fileBytes: 0 })
    const { output, exitCode } = await end
    if (exitCode !== 0)
      throw new Problem('unavailable', `git cannot be run on this server ("${path}"): install it, or set GATEHOUSE_GIT`)
    const version = /\b(\d+)\.(\d+)/.exec(output.toString())
    const [major, minor] = [Number(version?.[1]), Number(version?.[2])]
    if (major > OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor >= OLDEST_GIT[1])) return path
    throw new Problem(
      'unavailable',
      `git ${OLDEST_GIT.join('.')} or newer is needed on this server; it has ${output.toString().trim()}`,
    )
  }

  return {
    find() {
      found ??= look().catch((error: unknown) => {
        found = undefined
        throw error
      })
      return found
    },
  }
}
