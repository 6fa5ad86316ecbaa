import { promisify } from 'node:util'
import { deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'
import type { Db } from '#foundation/db/database.ts'
import * as store from './store.ts'

/** An answer of a registry as it is kept: reduced to what we need of it. */
export interface CachedAnswer {
  /** Undefined for "no such package". */
  readonly text: string | undefined
  readonly etag: string | undefined
  readonly lastModified: string | undefined
  /** When the registry last gave or confirmed it, in epoch milliseconds. */
  readonly validatedAt: number
}

export interface NewAnswer extends Omit<CachedAnswer, 'validatedAt'> {
  readonly url: string
}

/** Registry answers in the database, bounded in size: those not used for the longest time give way. */
export interface RegistryCache {
  find(key: string): Promise<CachedAnswer | undefined>
  save(key: string, answer: NewAnswer): Promise<void>
  /** The registry said that the kept answer still holds. */
  confirm(key: string): Promise<void>
}

export interface RegistryCacheParts {
  readonly db: Db
  readonly maxBytes: number
  now(): number
}

/** A use is written down again only after this long, so that reading the cache does not write. */
const USE_GRANULARITY_MS = 6 * 3_600_000
/** Bytes of a row besides its body. */
const ROW_OVERHEAD_BYTES = 512
const EVICTED_AT_A_TIME = 200
const SMALL_BODY_BYTES = 8 * 1024

const compress = promisify(deflateRaw)
const decompress = promisify(inflateRaw)

export function createRegistryCache({ db, maxBytes, now }: RegistryCacheParts): RegistryCache {
  let savedBytes = Number.POSITIVE_INFINITY
  let eviction = Promise.resolve()

  /** Sums up only after a good part of the bound was newly written, and once after the start. */
  async function evictIfDue(): Promise<void> {
    if (savedBytes < maxBytes / 50) return
    savedBytes = 0
    const evicted = eviction.then(() => evict(db, maxBytes))
    // One that failed must not fail those after it.
    eviction = evicted.catch(() => {})
    await evicted
  }

  return {
    async find(key) {
      const row = await store.findCached(db, key)
      if (row === undefined) return undefined
      if (now() - row.used_at > USE_GRANULARITY_MS) await store.saveUse(db, key, now())
      return {
        text: row.body === null ? undefined : (await unpack(row.body)).toString(),
        etag: row.etag ?? undefined,
        lastModified: row.last_modified ?? undefined,
        validatedAt: row.validated_at,
      }
    },

    async save(key, { url, text, etag, lastModified }) {
      const body = text === undefined ? null : await compress(text)
      const size_bytes = (body?.length ?? 0) + ROW_OVERHEAD_BYTES
      const at = now()
      await store.saveCached(db, {
        key,
        url,
        status: body === null ? 404 : 200,
        etag: etag ?? null,
        last_modified: lastModified ?? null,
        body,
        size_bytes,
        fetched_at: at,
        validated_at: at,
        used_at: at,
      })
      savedBytes += size_bytes
      await evictIfDue()
    },

    confirm: (key) => store.saveValidation(db, key, now()),
  }
}

/** Unpacks a body; a small one synchronously, since a thread switch would take longer. */
function unpack(body: Uint8Array): Buffer | Promise<Buffer> {
  return body.length <= SMALL_BODY_BYTES ? inflateRawSync(body) : decompress(body)
}

async function evict(db: Db, maxBytes: number): Promise<void> {
  let total = await store.sumCachedBytes(db)
  if (total <= maxBytes) return
  const wanted = maxBytes * 0.9
  while (total > wanted) {
    const oldest = await store.listLeastUsed(db, EVICTED_AT_A_TIME)
    const leaving: string[] = []
    for (const row of oldest) {
      if (total <= wanted) break
      leaving.push(row.key)
      total -= row.size_bytes
    }
    if (leaving.length === 0) return
    await store.deleteCached(db, leaving)
  }
}
