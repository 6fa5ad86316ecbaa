import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import type { Connection, Environment } from './connection.ts'
import { ClientFailure } from './failure.ts'

/** Returns the path of the file that `gatehouse login` writes (XDG Base Directory Specification). */
export function profilePath({ XDG_CONFIG_HOME: config = '', HOME: home }: Environment): string {
  return join(isAbsolute(config) ? config : join(home || homedir(), '.config'), 'gatehouse', 'profile.json')
}

/** Reads the stored connection; undefined without one. Throws `ClientFailure` if others may read the file. */
export function readProfile(environment: Environment): Connection | undefined {
  const path = profilePath(environment)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) return undefined
  if ((found.mode & 0o077) !== 0) {
    throw new ClientFailure(`Other users may read ${path}. Run "chmod 600 ${path}", and replace the key if they did.`)
  }
  try {
    const { url, key, org } = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>
    if (typeof url === 'string' && typeof key === 'string') {
      return { url, key, ...(typeof org === 'string' && { org }) }
    }
  } catch {
    // The message must not repeat the file, which holds a key.
  }
  throw new ClientFailure(`${path} cannot be read. Run "gatehouse login" again.`)
}

/** Stores a connection for this user only, in one step. */
export function writeProfile(environment: Environment, connection: Connection): string {
  const path = profilePath(environment)
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const partial = `${path}.${process.pid}`
  writeFileSync(partial, `${JSON.stringify(connection, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' })
  renameSync(partial, path)
  return path
}

/** Removes the stored connection; false without one. */
export function removeProfile(environment: Environment): boolean {
  const path = profilePath(environment)
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return false
  rmSync(path)
  return true
}
