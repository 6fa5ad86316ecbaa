import { promisify } from 'node:util'
import { deflateRaw, inflateRaw, inflateRawSync } from 'node:zlib'
import type { Db } from '#foundation/db/database.ts'
import { findStorageFault } from '#foundation/db/storage-faults.ts'
import type { RegistryCache } from '#scanning/registries/registry-cache.ts'
import * as store from './store.ts'

export interface RegistryCacheParts {
  readonly db: Db
  readonly maxBytes: number
  now(): number
}

/** Time after which a use is recorded again; most reads of the cache then write nothing. */
const USE_GRANULARITY_MS = 6 * 3_600_000
/** Size of a row without its body, in bytes. */
const ROW_OVERHEAD_BYTES = 512
const EVICTED_AT_A_TIME = 200
const SMALL_BODY_BYTES = 8 * 1024

const compress = promisify(deflateRaw)
const decompress = promisify(inflateRaw)

export function createRegistryCache({ db, maxBytes, now }: RegistryCacheParts): RegistryCache {
  let savedBytes = Number.POSITIVE_INFINITY
  let eviction = Promise.resolve()

  /** Evicts once after the start, then whenever a good part of the limit has been newly written: summing up is slow. */
  async function evictIfDue(): Promise<void> {
    if (savedBytes < maxBytes / 50) return
    savedBytes = 0
    const evicted = eviction.then(() => evict(db, maxBytes))
    // A failed eviction must not fail later ones.
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
      const row = {
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
      }
      try {
        await store.saveCached(db, row)
      } catch (error) {
        // Such as a full disk: the answer is used nevertheless, and asked for again later.
        if (findStorageFault(error) === undefined) throw error
        return
      }
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
  const targetBytes = maxBytes * 0.9
  while (total > targetBytes) {
    const oldest = await store.listLeastUsed(db, EVICTED_AT_A_TIME)
    const leaving: string[] = []
    for (const row of oldest) {
      if (total <= targetBytes) break
      leaving.push(row.key)
      total -= row.size_bytes
    }
    if (leaving.length === 0) return
    await store.deleteCached(db, leaving)
  }
}
