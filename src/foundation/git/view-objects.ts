import { join, resolve } from 'node:path'
import { OutsideConfinement, openConfinedFolder } from '../repositories/confined-files.ts'
import { findTrees, type GitObject } from './loose-objects.ts'
import type { ViewWriter } from './view-writer.ts'

/** The objects of a repository, for its view. */
export interface ViewObjects {
  /** Adds those of the objects that are loose. */
  add(ids: Iterable<string>): Promise<void>
  /** Adds those of the objects and the trees below them that are loose. */
  addWithTrees(ids: Iterable<string>): Promise<void>
  /** Adds the packs created since the last call. */
  addPacks(): Promise<void>
  /** Adds all loose objects, and packs created meanwhile. */
  addAll(): Promise<void>
}

const MAX_ALTERNATES = 100
const PACK_ATTEMPTS = 3
/** Number of trees beyond which all loose objects are added instead. */
const MAX_TREES = 100_000

const FAN_OUT = /^[0-9a-f]{2}$/
const LOOSE = /^(?:[0-9a-f]{38}|[0-9a-f]{62})$/
const PACK = /^(?!tmp_)[\w.-]+\.(?:pack|idx)$/

export function createViewObjects(view: ViewWriter): ViewObjects {
  const folders = findObjectFolders(view)
  const packs = new Set<string>()

  async function addAll(): Promise<void> {
    for (const objects of folders) await addAllLoose(view, objects)
    await addPacks()
  }

  /** A repack may replace packs meanwhile: objects of a removed pack are in a new one. */
  async function addPacks(): Promise<void> {
    for (const objects of folders) {
      for (let attempt = 0; attempt < PACK_ATTEMPTS; attempt++) {
        if (await addPacksOf(view, join(objects, 'pack'), packs)) break
      }
    }
  }

  async function add(ids: Iterable<string>, onObject?: (object: GitObject) => void): Promise<void> {
    const byFan = Map.groupBy(new Set(ids), (id) => id.slice(0, 2))
    for (const objects of folders) await addLoose(view, { objects, byFan, onObject })
  }

  return {
    add: (ids) => add(ids),
    async addWithTrees(ids) {
      const trees = new Set<string>()
      for (let level = [...ids]; level.length > 0; ) {
        const next = new Set<string>()
        await add(level, (object) => {
          for (const tree of findTrees(object)) if (!trees.has(tree)) next.add(tree)
        })
        for (const tree of next) trees.add(tree)
        if (trees.size > MAX_TREES) return addAll()
        level = [...next]
      }
    },
    addPacks,
    addAll,
  }
}

function findObjectFolders(view: ViewWriter): string[] {
  const folders = [join(view.source, 'objects')]
  for (const objects of folders) {
    const text = view.read(join(objects, 'info', 'alternates')) ?? ''
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of lines) {
      const path = resolve(objects, line)
      using opened = openConfinedFolder(path, view.isAllowed)
      if (opened === undefined || folders.length > MAX_ALTERNATES) throw new OutsideConfinement(path)
      if (!folders.includes(path)) folders.push(path)
    }
  }
  return folders
}

interface LooseWanted {
  readonly objects: string
  /** Ids by their first two digits, which name a folder. */
  readonly byFan: ReadonlyMap<string, readonly string[]>
  readonly onObject: ((object: GitObject) => void) | undefined
}

async function addLoose(view: ViewWriter, { objects, byFan, onObject }: LooseWanted): Promise<void> {
  using top = openConfinedFolder(objects, view.isAllowed)
  for (const fan of top?.list() ?? []) {
    const ids = byFan.get(fan)
    if (ids === undefined) continue
    using folder = openConfinedFolder(join(objects, fan), view.isAllowed)
    for (const id of folder === undefined ? [] : ids) {
      await view.pause()
      const file = folder!.openFile(id.slice(2))
      const object = file && view.putLoose(id, file)
      if (object !== undefined) onObject?.(object)
    }
  }
}

async function addAllLoose(view: ViewWriter, objects: string): Promise<void> {
  using top = openConfinedFolder(objects, view.isAllowed)
  for (const fan of top?.list().filter((name) => FAN_OUT.test(name)) ?? []) {
    using folder = openConfinedFolder(join(objects, fan), view.isAllowed)
    for (const name of folder?.list().filter((name) => LOOSE.test(name)) ?? []) {
      await view.pause()
      const file = folder!.openFile(name)
      if (file !== undefined) view.putLoose(fan + name, file)
    }
  }
}

/** Returns false if a pack vanished meanwhile. */
async function addPacksOf(view: ViewWriter, path: string, done: Set<string>): Promise<boolean> {
  using folder = openConfinedFolder(path, view.isAllowed)
  let isComplete = true
  for (const name of folder?.list().filter((name) => PACK.test(name) && !done.has(join(path, name))) ?? []) {
    await view.pause()
    const file = folder!.openFile(name)
    if (file === undefined) isComplete = false
    else view.put(`objects/pack/${name}`, file)
    done.add(join(path, name))
  }
  return isComplete
}
