import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { ClientFailure } from './failure.ts'

const folders = { XDG_CONFIG_HOME: '.config', XDG_CACHE_HOME: '.cache' } as const

/** Returns the user's folder for configuration or caches (XDG Base Directory Specification). Throws `ClientFailure`. */
export function userFolder(
  environment: Readonly<Record<string, string | undefined>>,
  variable: keyof typeof folders,
): string {
  const chosen = environment[variable] ?? ''
  return isAbsolute(chosen) ? chosen : join(environment['HOME'] || homeOf(variable), folders[variable])
}

/** A user without an entry in the system's list of users, as in some containers, has no home. */
function homeOf(variable: string): string {
  try {
    return homedir()
  } catch (cause) {
    throw new ClientFailure(`This user has no home folder. Set HOME or ${variable} to a folder.`, { cause })
  }
}
