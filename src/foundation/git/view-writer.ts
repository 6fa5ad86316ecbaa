import { fstatSync, mkdirSync, readSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Problem } from '../problem.ts'
import { type ConfinedFile, insideOf, openConfinedFile } from '../repositories/confined-files.ts'
import { tooManyFiles } from '../repositories/refusals.ts'
import type { RepositoryBounds } from '../repositories/repository-source.ts'
import { tooMuchDisk } from './git-failure.ts'
import type { LocalGitLocation } from './git-location.ts'
import { type GitObject, readLooseObject } from './loose-objects.ts'
import { makePack, type PackEntry, toPackEntry } from './pack-file.ts'

export interface LocalViewOptions {
  /** The folder to create it in. */
  readonly into: string
  readonly bounds: RepositoryBounds
  readonly signal?: AbortSignal | undefined
}

/** The first descriptor of a view's files; lower ones carry credentials. */
const FIRST_DESCRIPTOR = 5

/** Files up to this size are copied; larger ones are passed to git as open descriptors. */
const COPIED_BYTES = 256 * 1024
const MAX_DESCRIPTORS = 1000
const MAX_TEXT_BYTES = 64 * 1024 * 1024
/** Small files are read synchronously, with pauses for other requests. */
const SLICE_MS = 5
const WRITES_AT_ONCE = 64
/** Packs of loose objects are made in memory. */
const PACK_BYTES = 4 * 1024 * 1024

/** Returns the path within the repository, never the absolute one. */
export function shownPath(folder: string, path: string): string {
  const inner = relative(folder, path)
  return inner.startsWith('..') ? 'objects/info/alternates' : inner || '.'
}

export interface ViewWriter {
  readonly source: string
  readonly descriptors: number[]
  /** Size of the view so far. */
  readonly charged: { readonly bytes: number }
  readonly isAllowed: (real: string) => boolean
  /** Adds a file to the view and closes it unless it is passed on open. Returns the text of a small one. */
  put(path: string, file: ConfinedFile): string
  putText(path: string, text: string): void
  /** Adds a loose object and returns it, unless it is large or damaged. */
  putLoose(id: string, file: ConfinedFile): GitObject | undefined
  /** Begins a step with its own time limit. */
  begin(signal: AbortSignal | undefined): void
  /** Reads a text of the repository; undefined if missing. */
  read(path: string): string | undefined
  /** Yields to other work and checks the time limit. */
  pause(): Promise<void>
  /** Waits until all writes are done. */
  finish(): Promise<void>
}

export function createViewWriter({ folder, within }: LocalGitLocation, { into, bounds }: LocalViewOptions): ViewWriter {
  const descriptors: number[] = []
  const made = new Set<string>()
  const isAllowed = insideOf(within)
  const writing: Promise<void>[] = []
  const charged = { files: 0, bytes: 0 }
  const charge = (size: number) => chargeFile(charged, size, bounds)
  let sliceBegan = performance.now()
  let deadline = Number.POSITIVE_INFINITY
  let signal: AbortSignal | undefined
  const packer = createPacker(write)

  function makeParent(path: string): string {
    const parent = dirname(path)
    if (!made.has(parent)) mkdirSync(join(into, parent), { recursive: true, mode: 0o700 })
    made.add(parent)
    return join(into, path)
  }

  function write(path: string, content: Buffer | string): void {
    charge(content.length)
    queue(writeFile(makeParent(path), content, { flag: 'wx', mode: 0o600 }))
  }

  /** Passes a large file on open and returns undefined, or returns the content of a small one and closes it. */
  function take(path: string, file: ConfinedFile): Buffer | undefined {
    const { size } = fstatSync(file.fd)
    if (size > COPIED_BYTES && process.platform === 'linux' && descriptors.length < MAX_DESCRIPTORS) {
      const at = FIRST_DESCRIPTOR + descriptors.push(file.fd) - 1
      charge(0)
      queue(symlink(`/proc/self/fd/${at}`, makeParent(path)))
      return undefined
    }
    using own = file
    if (size > bounds.diskBytes) throw tooMuchDisk(bounds.diskBytes)
    return readWhole(own.fd, size)
  }

  /** Queues work; `finish` throws its failures. */
  function queue(work: Promise<void>): void {
    writing.push(work.catch(ignoreExisting))
    writing.at(-1)!.catch(() => {})
  }

  async function settle(): Promise<void> {
    const outcomes = await Promise.allSettled(writing.splice(0))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }

  return {
    source: folder,
    descriptors,
    charged,
    isAllowed,
    putText: write,
    put(path, file) {
      const content = take(path, file)
      if (content !== undefined) write(path, content)
      return content?.toString('latin1') ?? ''
    },
    putLoose(id, file) {
      const path = `objects/${id.slice(0, 2)}/${id.slice(2)}`
      const content = take(path, file)
      const object = content && readLooseObject(id, content)
      if (object !== undefined) {
        charge(0)
        packer.add(object)
      } else if (content !== undefined) write(path, content)
      return object
    },
    begin(stepSignal) {
      deadline = Date.now() + bounds.seconds * 1000
      signal = stepSignal
    },
    read(path) {
      using file = openConfinedFile(path, isAllowed)
      if (file === undefined) return undefined
      const { size } = fstatSync(file.fd)
      if (size > MAX_TEXT_BYTES) throw tooLargeToRead(shownPath(folder, path))
      return readWhole(file.fd, size).toString()
    },
    async pause() {
      if (signal?.aborted) throw new Problem('unavailable', 'Reading the repository was stopped')
      if (Date.now() > deadline) throw tooSlow(bounds)
      if (writing.length >= WRITES_AT_ONCE) await settle()
      else if (performance.now() - sliceBegan >= SLICE_MS) await setImmediate()
      else return
      sliceBegan = performance.now()
    },
    finish() {
      packer.flush()
      return settle()
    },
  }
}

function chargeFile(charged: { files: number; bytes: number }, size: number, bounds: RepositoryBounds): void {
  charged.files++
  charged.bytes += size
  if (charged.files > bounds.files) throw tooManyFiles(bounds)
  if (charged.bytes > bounds.diskBytes) throw tooMuchDisk(bounds.diskBytes)
}

/** Collects loose objects in packs: creating a file for each would take most of the time. */
function createPacker(write: (path: string, content: Buffer) => void) {
  let entries = new Map<string, PackEntry>()
  let bytes = 0

  function flush(): void {
    if (entries.size === 0) return
    const { checksum, pack, index } = makePack([...entries.values()])
    entries = new Map()
    bytes = 0
    write(`objects/pack/pack-${checksum}.pack`, pack)
    write(`objects/pack/pack-${checksum}.idx`, index)
  }

  return {
    flush,
    add(object: GitObject): void {
      const [first] = entries.keys()
      if (bytes > PACK_BYTES || (first !== undefined && first.length !== object.id.length)) flush()
      if (entries.has(object.id)) return
      const entry = toPackEntry(object)
      entries.set(object.id, entry)
      bytes += entry.bytes.length
    },
  }
}

/** The same object may exist in several places. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function tooSlow({ seconds }: RepositoryBounds): Problem {
  const detail = `The repository was not read within ${seconds} s`
  return new Problem('repository-unreachable', detail)
}

function tooLargeToRead(shown: string): Problem {
  return new Problem(
    'repository-too-large',
    `"${shown}" of the repository exceeds ${MAX_TEXT_BYTES} bytes. Run git gc.`,
  )
}

function readWhole(fd: number, size: number): Buffer {
  const buffer = Buffer.allocUnsafe(size)
  let at = 0
  while (at < size) {
    const bytesRead = readSync(fd, buffer, at, size - at, at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return buffer.subarray(0, at)
}
