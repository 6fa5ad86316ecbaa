import type { Payload } from 'oidc-provider'
import type { Db } from '#foundation/db/database.ts'
import type { Services } from '#foundation/services.ts'
import { consumeRecord, deleteRecord, findRecord, findRecordByUid, putRecord, type RecordRow } from './records-store.ts'

type Needs = Pick<Services, 'keyring' | 'now'>

/** A used code or refresh token is remembered so long, and its reuse ends its session; later it is merely unknown. */
const USED_KEPT_MS = 30 * 86_400_000

/** What the provider remembers of one kind: found by a digest of its id, unreadable without our secret key. */
export function recordsOf(needs: Needs, model: string) {
  const keyOf = (id: string) => ({ model, id: needs.keyring.digest(id) })
  return {
    keyOf,

    async put(db: Db, id: string, payload: Payload): Promise<void> {
      const key = keyOf(id)
      const { jti: _jti, ...others } = payload
      await putRecord(db, {
        ...key,
        // Codes and tokens are not even in what is sealed. A browser's session is found by its other name, and ended.
        payload: needs.keyring.seal(JSON.stringify(model === 'Session' ? payload : others), contextOf(key)),
        uid: payload.uid ?? null,
        session_id: payload.grantId ?? null,
        consumed_at: null,
        expires_at: payload.exp === undefined ? null : payload.exp * 1000,
      })
    },

    async find(db: Db, id: string): Promise<StoredRecord | undefined> {
      const row = await findRecord(db, keyOf(id))
      return row && toStored(needs, row, id)
    },

    async findByUid(db: Db, uid: string): Promise<Payload | undefined> {
      const row = await findRecordByUid(db, model, uid)
      return row && toStored(needs, row, undefined)?.payload
    },

    /** False when it was consumed before. */
    async consume(db: Db, id: string): Promise<boolean> {
      const at = needs.now()
      return consumeRecord(db, keyOf(id), { at, keptUntil: at + USED_KEPT_MS })
    },

    async remove(db: Db, id: string): Promise<void> {
      await deleteRecord(db, keyOf(id))
    },
  }
}

export interface StoredRecord {
  readonly payload: Payload
  /** Epoch milliseconds. */
  readonly consumedAt: number | null
}

/** Undefined when it cannot be opened: written under another secret key. */
function toStored({ keyring }: Needs, row: RecordRow, id: string | undefined): StoredRecord | undefined {
  const text = keyring.open(row.payload, contextOf(row))
  if (text === undefined) return undefined
  const payload = {
    ...(JSON.parse(text) as Payload),
    ...(id !== undefined && { jti: id }),
    // Reuse is noticed as long as it is remembered, also when the token would have ended meanwhile.
    ...(row.consumed_at !== null && {
      consumed: Math.floor(row.consumed_at / 1000),
      exp: Math.floor((row.expires_at ?? row.consumed_at) / 1000),
    }),
  }
  return { payload, consumedAt: row.consumed_at }
}

function contextOf({ model, id }: { model: string; id: string }): string {
  return `oauth record ${model} ${id}`
}
