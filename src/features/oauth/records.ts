import type { Db } from '#foundation/db/database.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import type { Services } from '#foundation/services.ts'
import {
  consumeRecord,
  deleteRecord,
  findRecord,
  insertRecord,
  type RecordKey,
  type RecordRow,
  takeRecord,
  updateRecord,
} from './records-store.ts'

type Deps = Pick<Services, 'keyring' | 'now'>

/** Kinds of records. The names are stored. */
export type RecordModel = 'Interaction' | 'AuthorizationCode' | 'RefreshToken'

export const sealedRecords: SealedPlace = {
  table: 'oauth_records',
  key: ['model', 'id'],
  column: 'payload',
  context: ({ model, id }) => contextOf({ model: model!, id: id! }),
}

/**
 * Time for which a used code or refresh token is kept. Until then reuse revokes its session; later the value is
 * unknown.
 */
const USED_KEPT_MS = 30 * 86_400_000

export interface StoredRecord<P> {
  readonly key: RecordKey
  readonly payload: P
  /** Epoch milliseconds; of a refresh token by the clock of the database. */
  readonly consumedAt: number | null
  /** True after the expiry; a used record expires when it is deleted. */
  readonly isExpired: boolean
}

interface RecordOptions {
  readonly lifetimeSeconds: number
  /** The app session of the record, whose deletion deletes it. */
  readonly sessionId?: string
}

/**
 * Returns the store of one kind of records. A record is found by a keyed digest of its id, which only the browser or
 * the app has; the payload is encrypted.
 */
export function recordsOf<P extends object>(deps: Deps, model: RecordModel) {
  const { keyring, now } = deps
  const keyOf = (id: string): RecordKey => ({ model, id: keyring.digest(id) })
  const seal = (key: RecordKey, payload: P) => keyring.seal(JSON.stringify(payload), contextOf(key))
  return {
    keyOf,

    async insert(db: Db, id: string, payload: P, { lifetimeSeconds, sessionId }: RecordOptions): Promise<void> {
      const key = keyOf(id)
      await insertRecord(db, {
        ...key,
        payload: seal(key, payload),
        uid: null,
        session_id: sessionId ?? null,
        consumed_at: null,
        expires_at: expiryIn(now(), lifetimeSeconds),
      })
    },

    async find(db: Db, id: string): Promise<StoredRecord<P> | undefined> {
      const row = await findRecord(db, keyOf(id))
      return row && toStored<P>(deps, row)
    },

    /** Deletes and returns a record; of concurrent calls one gets it. */
    async take(db: Db, id: string): Promise<StoredRecord<P> | undefined> {
      const row = await takeRecord(db, keyOf(id))
      return row && toStored<P>(deps, row)
    },

    /** Changes a record if it still exists. */
    async update(db: Db, key: RecordKey, change: { payload?: P; lifetimeSeconds?: number }): Promise<void> {
      const { payload, lifetimeSeconds } = change
      await updateRecord(db, key, {
        ...(payload && { payload: seal(key, payload) }),
        ...(lifetimeSeconds !== undefined && { expires_at: expiryIn(now(), lifetimeSeconds) }),
      })
    },

    /** Returns false if it was used before; of concurrent calls one returns true. */
    consume: (db: Db, key: RecordKey, at: number = now()): Promise<boolean> =>
      consumeRecord(db, key, { at, keptUntil: now() + USED_KEPT_MS }),

    remove: (db: Db, key: RecordKey): Promise<void> => deleteRecord(db, key),
  }
}

/** Returns a lifetime in whole seconds, as introspection reports it. */
function expiryIn(now: number, seconds: number): number {
  return (Math.floor(now / 1000) + seconds) * 1000
}

/** Returns undefined if the payload was encrypted with another secret key. */
function toStored<P>({ keyring, now }: Deps, row: RecordRow): StoredRecord<P> | undefined {
  const { model, id, payload, consumed_at, expires_at } = row
  const key = { model, id }
  const text = keyring.open(payload, contextOf(key))
  if (text === undefined) return undefined
  const isExpired = (expires_at ?? Infinity) <= now()
  return { key, payload: JSON.parse(text) as P, consumedAt: consumed_at, isExpired }
}

function contextOf({ model, id }: RecordKey): string {
  return `oauth record ${model} ${id}`
}
