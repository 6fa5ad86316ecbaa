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

/** Returns true if a real path may be read. */
type IsAllowed = (real: string) => boolean

/** An opened file, independent of later changes of its path. */
export interface ConfinedFile extends Disposable {
  readonly fd: number
}

/** An opened folder, independent of later changes of its path. */
export interface ConfinedFolder extends Disposable {
  /** A path that leads to this folder while it is open. */
  readonly through: string
  list(): readonly string[]
  /** Opens a file directly in it. Returns undefined for a missing file. Throws `OutsideConfinement`. */
  openFile(name: string): ConfinedFile | undefined
}

/** The reason why a path is not read: it leads outside, is of another kind, or the server lacks permission. */
type ConfinementReason = 'outside' | 'other-kind' | 'denied'

/** Thrown if the path leads outside, or to another kind of entry than expected. */
export class OutsideConfinement extends Error {
  readonly path: string
  readonly reason: ConfinementReason

  constructor(path: string, reason: ConfinementReason = 'outside') {
    super(`the path is not read: ${reason}`)
    this.path = path
    this.reason = reason
  }
}

// Linux: an open descriptor's entry names the opened file and can extend the path of an opened folder (proc(5)).
const DESCRIPTORS = '/proc/self/fd'
const FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY
const FOLDER = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY

/** Returns a test for real paths within some folders, which are real paths too. */
export function insideOf(roots: readonly string[]): IsAllowed {
  return (real) => roots.some((root) => isInside(root, real))
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Opens a regular file, following links, then checks its real location: links replaced meanwhile have no effect.
 * Returns undefined for a missing file. Throws `OutsideConfinement`.
 */
export function openConfinedFile(path: string, isAllowed: IsAllowed): ConfinedFile | undefined {
  const fd = openChecked(path, { isAllowed, flags: FILE })
  return fd === undefined ? undefined : toFile(fd, path)
}

/** Opens a folder by the same rules. */
export function openConfinedFolder(path: string, isAllowed: IsAllowed): ConfinedFolder | undefined {
  const fd = openChecked(path, { isAllowed, flags: FOLDER })
  if (fd === undefined) return undefined
  const own = `${DESCRIPTORS}/${fd}`
  const hasDescriptors = placeOf(fd) !== undefined
  const through = hasDescriptors ? own : path

  function openDirectly(name: string): number | 'missing' | 'other' {
    try {
      return openSync(`${own}/${name}`, FILE)
    } catch (error) {
      return codeOf(error) === 'ENOENT' ? 'missing' : 'other'
    }
  }

  return {
    through,
    list: () => readdirSync(through),
    openFile(name) {
      const opened = hasDescriptors ? openDirectly(name) : 'other'
      const full = join(path, name)
      if (opened === 'missing') return undefined
      return opened === 'other' ? openConfinedFile(full, isAllowed) : toFile(opened, full)
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
  const stats = lstatSync(real, { throwIfNoEntry: false })
  // Devices and pipes are not even opened.
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) throw new OutsideConfinement(path, 'other-kind')
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

/** Distinguishes a dangling link from a missing file, but not from a link to the outside. */
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

/** Checks the opened file itself; without /proc the path must still lead to it. */
function isWhereAllowed(fd: number, { real, isAllowed }: { real: string; isAllowed: IsAllowed }): boolean {
  const opened = placeOf(fd)
  if (opened !== undefined) return isAllowed(opened)
  const own = fstatSync(fd, { bigint: true })
  const stats = lstatSync(real, { bigint: true, throwIfNoEntry: false })
  return own.ino === stats?.ino && own.dev === stats.dev && realPathOf(real) === real
}

/** Returns the path behind a descriptor; undefined if the system does not report it. */
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

/** Reads as many bytes as were measured, even if the file grows or shrinks. */
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

/** Names the part of an import that leads outside. */
export function leadsOutside(shown: string, cause?: unknown): Problem {
  const detail = `${shown} cannot be read: it leads outside the folders of GATEHOUSE_LOCAL_REPOSITORIES, or the server lacks permission. Replace links with what they point to.`
  return new Problem('repository-unreadable', detail, { cause })
}
