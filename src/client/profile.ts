import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeFolder } from '#foundation/make-folder.ts'
import type { Connection, Environment } from './connection.ts'
import { ClientFailure } from './failure.ts'
import { userFolder } from './user-folder.ts'

export interface Session {
  readonly accessToken: string
  /** Works once: each refresh returns the next one. */
  readonly refreshToken: string
  /** Epoch milliseconds at which the access token expires. */
  readonly expiresAt: number
}

/** A server with an API key or with the tokens of a browser login. */
export interface Profile {
  readonly url: string
  readonly key?: string
  readonly session?: Session
  readonly org?: string
}

export interface Profiles {
  /** The profile that is used unless `--profile` names another. */
  readonly current: string
  readonly profiles: Readonly<Record<string, Profile>>
}

export const DEFAULT_PROFILE = 'default'
const NAME = /^[\w.@-]{1,64}$/
/** A process that holds the lock for longer was killed: writing takes milliseconds, a refresh one request. */
const STALE_LOCK_MS = 60_000
const LOCK_POLL_MS = 25

/** Returns the path of the file that `gatehouse login` writes (XDG Base Directory Specification). */
export function profilePath(environment: Environment): string {
  return join(userFolder(environment, 'XDG_CONFIG_HOME'), 'gatehouse', 'profiles.json')
}

/** Reads the stored profiles. Throws `ClientFailure` if others may read the file. */
export function readProfiles(environment: Environment): Profiles {
  const path = profilePath(environment)
  const stats = statOf(path)
  if (stats === undefined) return { current: DEFAULT_PROFILE, profiles: {} }
  if ((stats.mode & 0o077) !== 0) {
    throw new ClientFailure(`Other users may read ${path}. Run "chmod 600 ${path}", and replace the keys if they did.`)
  }
  try {
    const { current, profiles } = JSON.parse(readFileSync(path, 'utf8')) as Profiles
    if (typeof current === 'string' && Object.values(profiles).every(({ url }) => typeof url === 'string')) {
      return { current, profiles }
    }
  } catch {
    // The message must not repeat the file, which holds keys.
  }
  throw new ClientFailure(`${path} cannot be read. Remove it, and run "gatehouse login" again.`)
}

function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ClientFailure(`${path} cannot be read (${code}). Make its folder readable, or set XDG_CONFIG_HOME.`, {
      cause,
    })
  }
}

/** Returns a stored connection, by default the current one; undefined without one. Throws for unknown names. */
export function readProfile(environment: Environment, name?: string): Connection | undefined {
  const { current, profiles } = readProfiles(environment)
  const chosen = requireProfileName(name ?? current)
  const profile = Object.hasOwn(profiles, chosen) ? profiles[chosen] : undefined
  if (profile === undefined) {
    if (name === undefined) return undefined
    const names = Object.keys(profiles)
    const advice = names.length === 0 ? `Run "gatehouse login --profile ${name}".` : `Known: ${names.join(', ')}.`
    throw new ClientFailure(`No profile "${name}". ${advice}`)
  }
  return { url: profile.url, key: profile.key, profile: chosen, org: profile.org }
}

export function requireProfileName(name: string): string {
  if (NAME.test(name) && name !== '__proto__') return name
  throw new ClientFailure('A profile name has 1 to 64 letters, digits, or any of . _ @ -.')
}

/** Stores a profile for this user only and makes it the current one. Returns the path of the file. */
export async function writeProfile(environment: Environment, name: string, profile: Profile): Promise<string> {
  await changeProfiles(environment, ({ profiles }) => ({ current: name, profiles: { ...profiles, [name]: profile } }))
  return profilePath(environment)
}

/** Throws `ClientFailure` if profiles cannot be stored: better before a login than after it. */
export async function requireWritableProfiles(environment: Environment): Promise<void> {
  const missing = listMissing(dirname(profilePath(environment)))
  await changeProfiles(environment, (stored) => stored)
  // An interrupted login leaves nothing behind.
  for (const folder of missing) removeIfEmpty(folder)
}

/** The folder and those above it that do not exist, the deepest first. */
function listMissing(folder: string): string[] {
  return existsSync(folder) ? [] : [folder, ...listMissing(dirname(folder))]
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // Another command stored something there.
  }
}

/** Removes a profile; false without it. */
export async function removeProfile(environment: Environment, name: string): Promise<boolean> {
  if (!Object.hasOwn(readProfiles(environment).profiles, name)) return false
  await changeProfiles(environment, ({ current, profiles }) => {
    const { [name]: _, ...rest } = profiles
    return { current: current === name ? (Object.keys(rest)[0] ?? DEFAULT_PROFILE) : current, profiles: rest }
  })
  return true
}

/** Reads the profiles, changes them and replaces the file, one process at a time. */
export async function changeProfiles(
  environment: Environment,
  change: (stored: Profiles) => Profiles | Promise<Profiles>,
): Promise<Profiles> {
  const path = profilePath(environment)
  const unlock = await lockFile(path).catch((error: unknown) => {
    throw toUnwritable(path, error)
  })
  try {
    const stored = readProfiles(environment)
    const changed = await change(stored)
    if (changed === stored) return stored
    if (Object.keys(changed.profiles).length === 0) rmSync(path, { force: true })
    else writePrivately(path, `${JSON.stringify(changed, undefined, 2)}\n`)
    return changed
  } catch (error) {
    throw toUnwritable(path, error)
  } finally {
    unlock()
  }
}

/** Returns errors of the file system as what the user can do about them, others as they are. */
function toUnwritable(path: string, error: unknown): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException
  if (error instanceof ClientFailure || code === undefined || syscall === undefined) return error
  return new ClientFailure(
    `${path} cannot be written (${code}). Make its folder writable, set XDG_CONFIG_HOME, or use GATEHOUSE_URL and GATEHOUSE_KEY.`,
    { cause: error },
  )
}

function writePrivately(path: string, text: string): void {
  const partial = `${path}.${process.pid}`
  rmSync(partial, { force: true })
  try {
    writeFileSync(partial, text, { mode: 0o600, flag: 'wx' })
    renameSync(partial, path)
  } catch (error) {
    rmSync(partial, { force: true })
    throw error
  }
}

/** Locks the file, whose folder is made. */
async function lockFile(file: string): Promise<() => void> {
  makeFolder(dirname(file))
  const path = `${file}.lock`
  for (;;) {
    try {
      closeSync(openSync(path, 'wx', 0o600))
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const stats = statSync(path, { throwIfNoEntry: false })
    if (stats !== undefined && Date.now() - stats.mtimeMs > STALE_LOCK_MS) rmSync(path, { force: true })
    else await sleep(LOCK_POLL_MS)
  }
}
