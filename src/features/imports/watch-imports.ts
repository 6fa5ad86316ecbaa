import type { Services } from '#foundation/services.ts'
import { countManifests, type ManifestCounts } from './manifests-store.ts'
import { findImport } from './store.ts'

export interface Progress {
  readonly state: string
  /** True once the manifests are known. */
  readonly is_listed: boolean
  readonly manifests: ManifestCounts
}

/** Receives the current state, then every change; undefined if the import was deleted. */
export type ProgressListener = (progress: Progress | undefined) => void

export interface ImportWatch {
  /** Returns a function that stops watching. */
  watch(importId: string, listener: ProgressListener): () => void
}

const EVERY_MS = 500

interface Watched {
  readonly listeners: Set<ProgressListener>
  timer: NodeJS.Timeout | undefined
  last: string
}

/**
 * Polls storage, since any process may run an import. However many listeners it has, an import is read once per poll.
 */
export function watchImports({ db, log }: Pick<Services, 'db' | 'log'>): ImportWatch {
  const watched = new Map<string, Watched>()

  async function look(importId: string, entry: Watched): Promise<void> {
    try {
      const progress = await readProgress(db, importId)
      const text = JSON.stringify(progress) ?? 'gone'
      if (text !== entry.last) for (const listener of entry.listeners) listener(progress)
      entry.last = text
    } catch (err) {
      log.warn({ err, import: importId }, 'the progress of an import could not be read')
    }
    if (entry.listeners.size > 0) entry.timer = setTimeout(() => void look(importId, entry), EVERY_MS)
    else if (watched.get(importId) === entry) watched.delete(importId)
  }

  return {
    watch(importId, listener) {
      const existing = watched.get(importId)
      const entry: Watched = existing ?? { listeners: new Set(), timer: undefined, last: '' }
      watched.set(importId, entry)
      entry.listeners.add(listener)
      // A new listener gets the current state: report it again.
      entry.last = ''
      if (!existing) void look(importId, entry)
      return () => {
        entry.listeners.delete(listener)
        if (entry.listeners.size > 0) return
        clearTimeout(entry.timer)
        if (watched.get(importId) === entry) watched.delete(importId)
      }
    },
  }
}

async function readProgress(db: Services['db'], importId: string): Promise<Progress | undefined> {
  const row = await findImport(db, importId)
  if (row === undefined) return undefined
  return { state: row.state, is_listed: row.listed_at !== null, manifests: await countManifests(db, importId) }
}
