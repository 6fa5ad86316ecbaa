import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Registry } from '#analysis/registries/registry.ts'
import type { Outgoing } from '#foundation/outgoing/outgoing.ts'
import { displayUrl, OutgoingFailed } from '#foundation/outgoing/outgoing-errors.ts'
import { NoArchive, SyncFailed } from './sync-failed.ts'

/** A copy of the public OSV export: `<Ecosystem>/modified_id.csv`, `<Ecosystem>/all.zip`, `<Ecosystem>/<ID>.json`. */
export interface AdvisorySource {
  /** The displayed and stored name of the source, without credentials. */
  readonly label: string
  /** Returns the list of modified records; undefined if the source has none. */
  findList(registry: Registry): Promise<string | undefined>
  /** Returns undefined if the source does not offer single records. */
  findRecord(registry: Registry, id: string): Promise<string | undefined>
  /** Returns the path of the archive, downloading it if necessary. Throws `NoArchive` if there is none. */
  fetchArchive(registry: Registry, onBytes: (done: number, total?: number) => void): Promise<string>
}

const LIST_BYTES = 256 * 1024 * 1024
const RECORD_BYTES = 16 * 1024 * 1024
const ARCHIVE_BYTES = 8 * 1024 * 1024 * 1024

export interface SourceTools {
  readonly outgoing: Outgoing
  /** Folder for downloads; the caller empties it. */
  readonly dir: string
  readonly signal?: AbortSignal | undefined
}

/** Opens a source: an http(s) URL, a `file:` URL or a folder. */
export function openSource(from: string, tools: SourceTools): AdvisorySource {
  if (/^https?:\/\//i.test(from)) return webSource(from, tools)
  return folderSource(/^file:/i.test(from) ? fileURLToPath(from) : from)
}

/** Returns the source's label for snapshots and logs. */
export function toSourceLabel(from: string): string {
  return /^https?:\/\//i.test(from) ? displayUrl(new URL(from)).replace(/\/+$/, '') : from
}

function folderSource(dir: string): AdvisorySource {
  return {
    label: toSourceLabel(dir),
    findList: (registry) => findText(join(dir, registry, 'modified_id.csv'), LIST_BYTES),
    findRecord: (registry, id) =>
      isFileName(id) ? findText(join(dir, registry, `${id}.json`), RECORD_BYTES) : Promise.resolve(undefined),
    async fetchArchive(registry, onBytes) {
      const path = join(dir, registry, 'all.zip')
      const stats = await stat(path).catch(() => undefined)
      if (!stats?.isFile()) throw new NoArchive(`${path} does not exist`)
      onBytes(stats.size, stats.size)
      return path
    },
  }
}

async function findText(path: string, maxBytes: number): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined)
  if (!stats?.isFile()) return undefined
  if (stats.size > maxBytes) throw new SyncFailed(`${path} is larger than ${maxBytes} bytes`)
  return readFile(path, 'utf8')
}

function webSource(from: string, { outgoing, dir, signal }: SourceTools): AdvisorySource {
  const base = from.replace(/\/+$/, '')
  const urlOf = (registry: Registry, file: string) => `${base}/${registry}/${encodeURIComponent(file)}`

  async function find(url: string, maxBytes: number): Promise<string | undefined> {
    const { status, bytes } = await outgoing.get(url, { maxBytes, signal })
    if (isAbsent(status)) return undefined
    if (status !== 200) throw new SyncFailed(`${displayUrl(new URL(url))} answered ${status}`)
    return bytes.toString()
  }

  return {
    label: toSourceLabel(from),
    findList: (registry) => find(urlOf(registry, 'modified_id.csv'), LIST_BYTES),
    findRecord: (registry, id) => find(urlOf(registry, `${id}.json`), RECORD_BYTES),
    async fetchArchive(registry, onBytes) {
      const path = join(dir, `${registry}.zip`)
      const url = urlOf(registry, 'all.zip')
      try {
        const answer = await outgoing.download(url, path, { maxBytes: ARCHIVE_BYTES, signal, onProgress: onBytes })
        if (answer.status !== 200) throw new SyncFailed(`${displayUrl(new URL(url))} answered ${answer.status}`)
      } catch (error) {
        if (!(error instanceof OutgoingFailed) || !isAbsent(error.status)) throw error
        throw new NoArchive(error.message, { cause: error })
      }
      return path
    },
  }
}

/** Object stores answer 403 for files that do not exist if their names may not be listed. */
function isAbsent(status: number | undefined): boolean {
  return status === 404 || status === 403 || status === 410
}

/** Returns true if an id, which is untrusted, is a file name that cannot leave the folder. */
function isFileName(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._:-]*$/.test(id)
}
