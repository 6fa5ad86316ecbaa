import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  read,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'
import { promisify } from 'node:util'
import { Problem } from '../problem.ts'

/** Tells whether a real path may be read. */
type IsAllowed = (real: string) => boolean

/** A file that was opened: the same one, whatever its path leads to later. */
export interface ConfinedFile extends Disposable {
  readonly fd: number
}

/** A folder that was opened: the same one, whatever its path leads to later. */
export interface ConfinedFolder extends Disposable {
  /** A path that leads to this very folder while it is open. */
  readonly through: string
  /** Lists the names of what it holds. */
  list(): readonly string[]
  /** Opens a file directly in it. Returns undefined for a file that is gone. Throws `OutsideConfinement`. */
  openFile(name: string): ConfinedFile | undefined
}

/** Why a path is not read: it leads elsewhere, names something else, or the server lacks permission. */
type ConfinementReason = 'outside' | 'other-kind' | 'denied'

/** The path leads to what may not be read, or to something other than expected. */
export class OutsideConfinement extends Error {
  readonly path: string
  readonly reason: ConfinementReason

  constructor(path: string, reason: ConfinementReason = 'outside') {
    super(`the path is not read: ${reason}`)
    this.path = path
    this.reason = reason
  }
}

// Linux: an open descriptor's own entry names the file that was opened, and leads on from an opened folder (proc(5)).
const DESCRIPTORS = '/proc/self/fd'
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY
const FOLDER = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY

/** Returns a test for the real paths in some folders, which are real paths themselves. */
export function insideOf(roots: readonly string[]): IsAllowed {
  return (real) => roots.some((root) => isInside(root, real))
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Opens a regular file wherever links lead, then checks where it really is: a link that is replaced in between
 * changes nothing. Returns undefined for a file that is not there. Throws `OutsideConfinement`.
 */
export function openConfinedFile(path: string, isAllowed: IsAllowed): ConfinedFile | undefined {
  const fd = openChecked(path, { isAllowed, flags: FILE })
  return fd === undefined ? undefined : toFile(fd, path)
}

/** Opens a folder under the same rules. */
export function openConfinedFolder(path: string, isAllowed: IsAllowed): ConfinedFolder | undefined {
  const fd = openChecked(path, { isAllowed, flags: FOLDER })
  if (fd === undefined) return undefined
  const own = `${DESCRIPTORS}/${fd}`
  const hasDescriptors = placeOf(fd) !== undefined
  const through = hasDescriptors ? own : path

  function openDirectly(name: string): number | undefined {
    try {
      return openSync(`${own}/${name}`, FILE)
    } catch {
      // a link, or gone: told apart by its path
      return undefined
    }
  }

  return {
    through,
    list: () => readdirSync(through),
    openFile(name) {
      const opened = hasDescriptors ? openDirectly(name) : undefined
      const full = join(path, name)
      return opened === undefined ? openConfinedFile(full, isAllowed) : toFile(opened, full)
    },
    [Symbol.dispose]: () => closeSync(fd),
  }
}

function toFile(fd: number, path: string): ConfinedFile {
  if (fstatSync(fd).isFile()) return { fd, [Symbol.dispose]: () => closeSync(fd) }
  closeSync(fd)
  throw new OutsideConfinement(path, 'other-kind')
}

interface Opening {
  readonly isAllowed: IsAllowed
  readonly flags: number
}

function openChecked(path: string, { isAllowed, flags }: Opening): number | undefined {
  const real = realPathOf(path)
  if (real === undefined) return undefined
  if (!isAllowed(real)) throw new OutsideConfinement(path)
  const found = lstatSync(real, { throwIfNoEntry: false })
  // devices and pipes are not even opened
  if (found !== undefined && !found.isFile() && !found.isDirectory()) throw new OutsideConfinement(path, 'other-kind')
  let fd: number
  try {
    fd = openSync(real, flags)
  } catch (error) {
    if (isAbsent(error)) return undefined
    if (isOutOfDescriptors(error)) throw error
    throw new OutsideConfinement(path, isDenied(error) ? 'denied' : 'outside')
  }
  if (isWhereAllowed(fd, { real, isAllowed })) return fd
  closeSync(fd)
  throw new OutsideConfinement(path)
}

/** A dangling link is told apart from nothing, and not from a link to what may not be seen. */
function realPathOf(path: string): string | undefined {
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (isAbsent(error) && isNothing(path)) return undefined
    throw new OutsideConfinement(path)
  }
}

function isNothing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch (error) {
    return isAbsent(error)
  }
}

/** Checks the opened thing itself; without /proc the path must still lead to it. */
function isWhereAllowed(fd: number, { real, isAllowed }: { real: string; isAllowed: IsAllowed }): boolean {
  const opened = placeOf(fd)
  if (opened !== undefined) return isAllowed(opened)
  const own = fstatSync(fd, { bigint: true })
  const found = lstatSync(real, { bigint: true, throwIfNoEntry: false })
  return own.ino === found?.ino && own.dev === found.dev && realPathOf(real) === real
}

/** The path of what a descriptor holds; undefined where the system does not tell. */
function placeOf(fd: number): string | undefined {
  try {
    return readlinkSync(`${DESCRIPTORS}/${fd}`)
  } catch {
    return undefined
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code
}

function isAbsent(error: unknown): boolean {
  return codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR'
}

function isDenied(error: unknown): boolean {
  return codeOf(error) === 'EACCES' || codeOf(error) === 'EPERM'
}

function isOutOfDescriptors(error: unknown): boolean {
  return codeOf(error) === 'EMFILE' || codeOf(error) === 'ENFILE'
}

const readAsync = promisify(read)

/** Reads as much as was there when it was measured, though the file may grow or shrink. */
export async function readUpTo(fd: number, size: number): Promise<Buffer> {
  const buffer = Buffer.alloc(size)
  let at = 0
  while (at < size) {
    const { bytesRead } = await readAsync(fd, buffer, at, size - at, at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return buffer.subarray(0, at)
}

/** Says to people which part of what they import leads outside. */
export function leadsOutside(shown: string, cause?: unknown): Problem {
  const detail = `${shown} cannot be read: it leads outside the folders of GATEHOUSE_LOCAL_REPOSITORIES, or the server lacks permission. Replace links with what they point to.`
  return new Problem('repository-unreadable', detail, { cause })
}
