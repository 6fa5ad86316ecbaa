import { closeSync, fstatSync, mkdirSync, readlinkSync, readSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Problem } from '../problem.ts'
import {
  type ConfinedFile,
  insideOf,
  leadsOutside,
  OutsideConfinement,
  openConfinedFile,
  openConfinedFolder,
} from '../repositories/confined-files.ts'
import { tooManyFiles } from '../repositories/refusals.ts'
import type { RepositoryBounds } from '../repositories/repository-source.ts'
import { tooMuchDisk } from './git-failure.ts'
import type { LocalGitLocation } from './git-location.ts'
import type { GitRunner } from './git-runner.ts'

/** A repository of ours with the references and objects of one on this machine. */
export interface LocalView {
  /** Open files that git inherits, first to last, from `FIRST_DESCRIPTOR` on. */
  readonly descriptors: readonly number[]
  close(): void
}

export interface LocalViewOptions {
  /** The folder to make it in. */
  readonly into: string
  /** The loose objects that are copied: all, or only those that references name. */
  readonly objects: 'all' | 'named'
  readonly bounds: RepositoryBounds
  readonly signal?: AbortSignal | undefined
}

/** The number at which git finds the first of a view's descriptors; those below are taken by credentials. */
const FIRST_DESCRIPTOR = 5

/** Files up to this size are copied; larger ones are handed to git as open descriptors. */
const COPIED_BYTES = 256 * 1024
const MAX_DESCRIPTORS = 1000
const MAX_TEXT_BYTES = 64 * 1024 * 1024
const MAX_ALTERNATES = 100
const PACK_ATTEMPTS = 3
/** Small files are read synchronously, with pauses for other requests. */
const SLICE_MS = 5
const WRITES_AT_ONCE = 64

const FAN_OUT = /^[0-9a-f]{2}$/
const LOOSE = /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/
const PACK = /^(?!tmp_)[\w.-]+\.(?:pack|idx)$/
const IDS = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g
const CONFIG_COPY = 'original.config'

/**
 * Makes a view of a repository that strangers own (gitrepository-layout(5)). Nothing that git opens afterwards is theirs
 * to redirect: references and small objects are copied, packs are open already. Their hooks, caches and alternates are
 * left behind, and so are their settings but for formats (`nameFormats`). Throws `Problem`.
 */
export async function makeLocalView(location: LocalGitLocation, options: LocalViewOptions): Promise<LocalView> {
  const view = createWriter(location, options)
  const close = () => {
    for (const fd of view.held.splice(0)) closeSync(fd)
  }
  try {
    view.putText(CONFIG_COPY, view.read(join(view.source, 'config')) ?? '')
    // references first: objects that they name are there as long as they are
    const named = await copyReferences(view)
    for (const objects of findObjectFolders(view)) {
      await copyLoose(view, { objects, named: options.objects === 'all' ? undefined : named })
      await copyPacks(view, objects)
    }
    await view.finish()
    return { descriptors: view.held, close }
  } catch (error) {
    await view.finish().catch(() => {})
    close()
    if (!(error instanceof OutsideConfinement)) throw error
    throw leadsOutside(`"${shownPath(location.folder, error.path)}" of the repository`, error)
  }
}

/** The part of the repository that leads to a path; never the path itself, which may be anywhere. */
function shownPath(folder: string, path: string): string {
  const inner = relative(folder, path)
  return inner.startsWith('..') ? 'objects/info/alternates' : inner || '.'
}

interface Writer {
  readonly source: string
  readonly held: number[]
  readonly isAllowed: (real: string) => boolean
  /** Puts a file at a path of the view, and closes it unless it is held. Returns the text of a small one. */
  put(path: string, file: ConfinedFile): string
  putText(path: string, text: string): void
  /** Reads a text of the repository; undefined where there is none. */
  read(path: string): string | undefined
  /** Lets others run, and checks whether the time is up. */
  pause(): Promise<void>
  /** Waits until all is written. */
  finish(): Promise<void>
}

function createWriter({ folder, within }: LocalGitLocation, { into, bounds, signal }: LocalViewOptions): Writer {
  const deadline = Date.now() + bounds.seconds * 1000
  const held: number[] = []
  const made = new Set<string>()
  const isAllowed = insideOf(within)
  const writing: Promise<void>[] = []
  let files = 0
  let bytes = 0
  let sliceBegan = performance.now()

  function charge(size: number): void {
    files++
    bytes += size
    if (files > bounds.files) throw tooManyFiles(bounds)
    if (bytes > bounds.diskBytes) throw tooMuchDisk(bounds.diskBytes)
  }

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

  /** Failures are thrown by `finish`. */
  function queue(work: Promise<void>): void {
    const done = work.catch(ignoreExisting)
    done.catch(() => {})
    writing.push(done)
  }

  async function finish(): Promise<void> {
    const outcomes = await Promise.allSettled(writing.splice(0))
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason
  }

  return {
    source: folder,
    held,
    isAllowed,
    putText: write,
    put(path, file) {
      const { size } = fstatSync(file.fd)
      if (size > COPIED_BYTES && process.platform === 'linux' && held.length < MAX_DESCRIPTORS) {
        const at = FIRST_DESCRIPTOR + held.push(file.fd) - 1
        charge(0)
        queue(symlink(`/proc/self/fd/${at}`, makeParent(path)))
        return ''
      }
      using own = file
      if (size > bounds.diskBytes) throw tooMuchDisk(bounds.diskBytes)
      const content = readWhole(own.fd, size)
      write(path, content)
      return content.toString('latin1')
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
      if (writing.length >= WRITES_AT_ONCE) await finish()
      else if (performance.now() - sliceBegan >= SLICE_MS) await setImmediate()
      else return
      sliceBegan = performance.now()
    },
    finish,
  }
}

/** The same object may be in several places. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}

function tooSlow({ seconds }: RepositoryBounds): Problem {
  const detail = `The repository was not read within ${seconds} s (GATEHOUSE_IMPORT_SECONDS)`
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

/** Returns the ids that references name; undefined where they are kept in a form that only git reads. */
async function copyReferences(view: Writer): Promise<ReadonlySet<string> | undefined> {
  const texts = [copyReference(view, 'HEAD')]
  for (const name of ['packed-refs', 'shallow']) {
    const text = view.read(join(view.source, name))
    if (text !== undefined) view.putText(name, text)
    texts.push(text ?? '')
  }
  view.putText('refs/.keep', '')
  let isReadable = true
  const folders = ['refs', 'reftable']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    using opened = openConfinedFolder(join(view.source, folder), view.isAllowed)
    if (opened !== undefined && folder === 'reftable') isReadable = false
    for (const name of opened?.list() ?? []) {
      await view.pause()
      const path = `${folder}/${name}`
      if (isFolder(view, path)) folders.push(path)
      else texts.push(copyReference(view, path))
    }
  }
  return isReadable ? new Set(texts.flatMap((text) => text.match(IDS) ?? [])) : undefined
}

function isFolder({ source, isAllowed }: Writer, path: string): boolean {
  try {
    using opened = openConfinedFolder(join(source, path), isAllowed)
    return opened !== undefined
  } catch (error) {
    if (error instanceof OutsideConfinement) return false
    throw error
  }
}

/** A link was once how git wrote a symbolic reference, and it still reads those. */
function copyReference(view: Writer, path: string): string {
  const full = join(view.source, path)
  const target = linkTextOf(full)
  if (target.startsWith('refs/')) {
    view.putText(path, `ref: ${target}\n`)
    return ''
  }
  const file = openConfinedFile(full, view.isAllowed)
  return file === undefined ? '' : view.put(path, file)
}

function linkTextOf(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

function findObjectFolders(view: Writer): string[] {
  const found = [join(view.source, 'objects')]
  for (const objects of found) {
    const text = view.read(join(objects, 'info', 'alternates')) ?? ''
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of lines) {
      const path = resolve(objects, line)
      using opened = openConfinedFolder(path, view.isAllowed)
      if (opened === undefined || found.length > MAX_ALTERNATES) throw new OutsideConfinement(path)
      if (!found.includes(path)) found.push(path)
    }
  }
  return found
}

async function copyLoose(
  view: Writer,
  { objects, named }: { objects: string; named: ReadonlySet<string> | undefined },
): Promise<void> {
  using top = openConfinedFolder(objects, view.isAllowed)
  for (const fan of top?.list().filter((name) => FAN_OUT.test(name)) ?? []) {
    using folder = openConfinedFolder(join(objects, fan), view.isAllowed)
    for (const name of folder?.list() ?? []) {
      if (!LOOSE.test(name) || (named !== undefined && !named.has(fan + name))) continue
      await view.pause()
      const file = folder!.openFile(name)
      if (file !== undefined) view.put(`objects/${fan}/${name}`, file)
    }
  }
}

/** A repack may replace packs while they are opened: what is gone is in one that came. */
async function copyPacks(view: Writer, objects: string): Promise<void> {
  const done = new Set<string>()
  for (let attempt = 0; attempt < PACK_ATTEMPTS; attempt++) {
    using folder = openConfinedFolder(join(objects, 'pack'), view.isAllowed)
    const names = folder?.list().filter((name) => PACK.test(name) && !done.has(name)) ?? []
    let isComplete = true
    for (const name of names) {
      await view.pause()
      const file = folder!.openFile(name)
      if (file === undefined) isComplete = false
      else view.put(`objects/pack/${name}`, file)
      done.add(name)
    }
    if (isComplete) return
  }
}

/** Formats of a repository that git must know to read it (gitrepository-layout(5), git-config(1)). */
const FORMATS: Readonly<Record<string, RegExp>> = {
  'extensions.objectformat': /^sha(?:1|256)$/,
  'extensions.refstorage': /^(?:files|reftable)$/,
}

/** Writes the settings of a view: of the original's only those that name its formats. */
export async function nameFormats(git: GitRunner, view: string): Promise<void> {
  const args = ['config', '--file', join(view, CONFIG_COPY), '--no-includes', '--list', '-z']
  const entries = (await git.local({ args })).toString().split('\0')
  const extensions = entries.flatMap((entry) => {
    const [name = '', value = ''] = entry.split('\n')
    return FORMATS[name]?.test(value) ? [`\t${name.slice(name.indexOf('.') + 1)} = ${value}\n`] : []
  })
  const text = `[core]\n\tbare = true\n\trepositoryformatversion = 1\n[extensions]\n${extensions.join('')}`
  await writeFile(join(view, 'config'), text, { flag: 'wx', mode: 0o600 })
}
