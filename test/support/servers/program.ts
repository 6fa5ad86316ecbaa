/**
 * The environment of a process that a test starts: nothing of this one but the search path and the compile cache,
 * without which importing the server takes several times as long.
 */
export const programEnvironment: Readonly<Record<string, string | undefined>> = {
  PATH: process.env['PATH'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}
