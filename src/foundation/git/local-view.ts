import { closeSync, readlinkSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '../problem.ts'
import {
  leadsOutside,
  OutsideConfinement,
  openConfinedFile,
  openConfinedFolder,
} from '../repositories/confined-files.ts'
import type { LocalGitLocation } from './git-location.ts'
import type { GitRunner } from './git-task.ts'
import { createViewObjects, type ViewObjects } from './view-objects.ts'
import { createViewWriter, type LocalViewOptions, shownPath, type ViewWriter } from './view-writer.ts'

/** A repository of our own with the references and objects of one on this machine. */
export interface LocalView {
  /** Open files that git inherits, first to last, after those that carry credentials. */
  readonly descriptors: readonly number[]
  /** Bytes that it takes on disk. */
  readonly bytes: number
  /** Adds objects, with the trees below them. */
  add(ids: readonly string[], signal?: AbortSignal): Promise<void>
  /** Adds all objects. Returns false if they are there already. */
  complete(signal?: AbortSignal): Promise<boolean>
  close(): void
}

const IDS = /\b(?:[0-9a-f]{64}|[0-9a-f]{40})\b/g
const CONFIG_COPY = 'original.config'

/**
 * Creates a view of a repository that other users own (gitrepository-layout(5)). The owners cannot redirect anything
 * that git opens afterward: references and small objects are copied, and packs are already open. Hooks, caches,
 * alternates and settings other than formats (`nameFormats`) are omitted. The view begins with all packs and the
 * referenced objects; other loose objects are added on demand. Throws `Problem`.
 */
export async function makeLocalView(location: LocalGitLocation, options: LocalViewOptions): Promise<LocalView> {
  const view = createViewWriter(location, options)
  let objects: ViewObjects | undefined
  let isComplete = false

  async function step<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    view.begin(signal)
    try {
      const result = await work()
      await view.finish()
      return result
    } catch (error) {
      await view.finish().catch(() => {})
      if (!(error instanceof OutsideConfinement)) throw error
      throw leadsOutside(`"${shownPath(location.folder, error.path)}" of the repository`, error)
    }
  }

  async function addAll(): Promise<void> {
    await objects!.addAll()
    isComplete = true
  }

  const close = () => {
    for (const fd of view.descriptors.splice(0)) closeSync(fd)
  }
  try {
    await step(options.signal, async () => {
      view.putText(CONFIG_COPY, view.read(join(view.source, 'config')) ?? '')
      // References first: their objects exist as long as they do.
      const references = await copyReferences(view)
      objects = createViewObjects(view)
      if (references === undefined) return addAll()
      await objects.add(references)
      await objects.addPacks()
    })
  } catch (error) {
    close()
    throw error
  }
  return {
    descriptors: view.descriptors,
    get bytes() {
      return view.charged.bytes
    },
    async add(ids, signal) {
      if (!isComplete) await step(signal, () => objects!.addWithTrees(ids))
    },
    async complete(signal) {
      if (isComplete) return false
      await step(signal, addAll)
      return true
    },
    close,
  }
}

/**
 * Returns a runner that fetches from the view. Trees in packs may name loose ones, and a repack may move objects: if git
 * misses one, it fetches again from a complete view.
 */
export function fetchFromView(git: GitRunner, view: LocalView): GitRunner {
  return {
    ...git,
    async remote(task) {
      if (task.wants !== undefined) await view.add(task.wants, task.signal)
      try {
        return await git.remote(task)
      } catch (error) {
        const mayMiss = error instanceof Problem && MISSING.has(error.code) && task.wants !== undefined
        if (!mayMiss || !(await view.complete(task.signal))) throw error
        return git.remote(task)
      }
    },
  }
}

/** The codes of failures for which a missing object may be the cause. */
const MISSING: ReadonlySet<string> = new Set(['repository-unreadable', 'repository-unreachable'])

/** Returns the referenced ids; undefined if references are stored in a form that only git reads. */
async function copyReferences(view: ViewWriter): Promise<ReadonlySet<string> | undefined> {
  const texts = [copyReference(view, 'HEAD')]
  for (const name of ['packed-refs', 'shallow']) {
    const text = view.read(join(view.source, name))
    if (text !== undefined) view.putText(name, text)
    texts.push(text ?? '')
  }
  // Without these two folders git does not recognize a repository; the originals may be empty.
  for (const folder of ['refs', 'objects']) view.putText(`${folder}/.keep`, '')
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

function isFolder({ source, isAllowed }: ViewWriter, path: string): boolean {
  try {
    using opened = openConfinedFolder(join(source, path), isAllowed)
    return opened !== undefined
  } catch (error) {
    if (error instanceof OutsideConfinement) return false
    throw error
  }
}

/** Copies a reference. git once wrote symbolic references as links and still reads them. */
function copyReference(view: ViewWriter, path: string): string {
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

/** Formats of a repository that git must know to read it (gitrepository-layout(5), git-config(1)). */
const FORMATS: Readonly<Record<string, RegExp>> = {
  'extensions.objectformat': /^sha(?:1|256)$/,
  'extensions.refstorage': /^(?:files|reftable)$/,
}

/** Writes the view's settings: only the formats of the original. */
export async function nameFormats(git: GitRunner, view: string): Promise<void> {
  const copy = join(view, CONFIG_COPY)
  // Without an `extensions` section there are no formats, as in most repositories; git is not run.
  const isNaming = /extensions/i.test(await readFile(copy, 'utf8'))
  const entries = isNaming ? await settingsOf(git, copy) : []
  const extensions = entries.flatMap((entry) => {
    const [name = '', value = ''] = entry.split('\n')
    return FORMATS[name]?.test(value) ? [`\t${name.slice(name.indexOf('.') + 1)} = ${value}\n`] : []
  })
  const text = `[core]\n\tbare = true\n\trepositoryformatversion = 1\n[extensions]\n${extensions.join('')}`
  await writeFile(join(view, 'config'), text, { flag: 'wx', mode: 0o600 })
}

/** Returns each setting as its name, a line feed and its value. */
async function settingsOf(git: GitRunner, file: string): Promise<string[]> {
  const args = ['config', '--file', file, '--no-includes', '--list', '-z']
  return (await git.local({ args })).toString().split('\0')
}
