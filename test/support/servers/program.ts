import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { BUILT_PROGRAM, MODULES_OF_PROGRAM } from './shared-names.ts'

const built = process.env[BUILT_PROGRAM]

/** The modules that processes and threads of tests run: those of the run's build, or the sources in a run of a few files. */
export const program =
  built === undefined
    ? { main: 'src/main.ts', executable: 'bin/gatehouse.js', thread: undefined }
    : {
        main: join(built, 'lib/main.js'),
        executable: join(built, 'bin/gatehouse.js'),
        thread: pathToFileURL(join(built, 'lib/thread.js')),
      }

/**
 * The environment of a process that a test starts: nothing of this one but the search path and the compile cache,
 * without which importing the server takes several times as long.
 */
export const programEnvironment: Readonly<Record<string, string | undefined>> = {
  PATH: process.env['PATH'],
  // Its default is public addresses.
  GATEHOUSE_EXPLOIT_SOURCES: '',
  NODE_COMPILE_CACHE: built === undefined ? process.env['NODE_COMPILE_CACHE'] : join(built, 'compile-cache'),
}

/** The environment of a program in the test support, which loads sources in every run, and so needs the cache of those. */
export const sourceEnvironment: Readonly<Record<string, string | undefined>> = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}

/** Returns the run's build, from which a test may make the package; undefined in a run of a few files. */
export function programOfRun(): { folder: string; modules: string[] } | undefined {
  if (built === undefined) return undefined
  return { folder: built, modules: JSON.parse(readFileSync(join(built, MODULES_OF_PROGRAM), 'utf8')) as string[] }
}
