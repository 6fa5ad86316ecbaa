import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const MAX_OUTPUT_BYTES = 1024 ** 3
const run = promisify(execFile)

/** Settings that a repository must not choose, because they run programs. */
const SETTINGS = ['core.fsmonitor=false', 'core.hooksPath=/dev/null', 'safe.bareRepository=explicit']

export interface GitContext {
  readonly signal: AbortSignal
  /** The environment of git. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The output of git; undefined if there is no git on this machine, or no work tree around the folder. */
export type GitAnswer = { readonly output: Buffer } | { readonly refusal: string } | undefined

/** Asks git about the repository around a folder: nothing is run, fetched or written. Throws when interrupted. */
export async function askGit(
  folder: string,
  args: readonly string[],
  { signal, environment, input }: GitContext & { readonly input?: string | undefined },
): Promise<GitAnswer> {
  // A hook's variables name its own repository.
  const { GIT_DIR: _dir, GIT_WORK_TREE: _tree, GIT_INDEX_FILE: _index, ...rest } = environment
  const running = run('git', ['-C', folder, ...SETTINGS.flatMap((setting) => ['-c', setting]), ...args], {
    encoding: 'buffer',
    maxBuffer: MAX_OUTPUT_BYTES,
    signal,
    env: {
      ...rest,
      LC_ALL: 'C',
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_REPLACE_OBJECTS: '1',
      // Missing objects are not fetched: git before 2.45 knows only the second variable.
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: 'none',
    },
  })
  running.child.stdin?.on('error', () => {}).end(input)
  try {
    return { output: (await running).stdout }
  } catch (error) {
    signal.throwIfAborted()
    const { code, stderr = '' } = error as { code?: unknown; stderr?: Buffer | string }
    const said = String(stderr)
    if (code === 'ENOENT' || /not a git repository|must be run in a work tree|cannot use bare repository/i.test(said)) {
      return undefined
    }
    return { refusal: said.trim().split('\n')[0] || `it ended with ${code}` }
  }
}
