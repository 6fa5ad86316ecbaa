import type { Db } from '#foundation/db/database.ts'
import {
  createKeyring,
  type DataKey,
  type DataKeys,
  fingerprintOf,
  type Keyring,
  unwrapKey,
} from '#foundation/secrets/keyring.ts'
import type { Services } from '#foundation/services.ts'
import { listKeysOf, type WrappedKey } from './store.ts'

/** The id of the key of digests among the stored keys. */
export const DIGEST_KEY = 'digest'

/** Interval at which every process reads the keys, much shorter than the time before a new data key is used. */
const REFRESH_MS = 2000

/** Decrypts the stored keys, or derives all of them from a secret key that was never rotated. */
export async function openKeyring(db: Db, secretKey: Uint8Array): Promise<Keyring> {
  const rows = await listKeysOf(db, fingerprintOf(secretKey))
  return createKeyring(secretKey, rows.length === 0 ? undefined : unwrapAll(secretKey, rows))
}

export function unwrapAll(secretKey: Uint8Array, rows: readonly WrappedKey[]): DataKeys {
  const keys = rows.map(
    ({ id, wrapped, active_at }): DataKey => ({ id, root: unwrapKey(secretKey, wrapped, id), activeAt: active_at }),
  )
  const digestKey = keys.find(({ id }) => id === DIGEST_KEY)
  if (digestKey === undefined) throw new Error('the key of digests is missing in storage')
  return { digestKey: digestKey.root, keys: keys.filter(({ id }) => id !== DIGEST_KEY) }
}

/** Updates the keyring of a running process after rotations. `readKey` returns the configured secret key. */
export function followRotations(
  { db, keyring, log }: Pick<Services, 'db' | 'keyring' | 'log'>,
  readKey: () => Uint8Array,
): { close(): void } {
  let secretKey = readKey()
  let isRunning = false
  const follow = async () => {
    if (isRunning) return
    isRunning = true
    try {
      secretKey = await refresh({ db, keyring }, secretKey, readKey)
    } catch (err) {
      log.warn({ err }, 'the stored keys could not be read')
    } finally {
      isRunning = false
    }
  }
  const timer = setInterval(follow, REFRESH_MS)
  timer.unref()
  return { close: () => clearInterval(timer) }
}

async function refresh(
  { db, keyring }: Pick<Services, 'db' | 'keyring'>,
  currentKey: Uint8Array,
  readKey: () => Uint8Array,
): Promise<Uint8Array> {
  let secretKey = currentKey
  let rows = await listKeysOf(db, fingerprintOf(secretKey))
  // After a finished rotation, the previous secret key decrypts nothing any more.
  if (rows.length === 0) {
    if (keyring.dataKeyIds.length === 1) return currentKey
    secretKey = readKey()
    rows = await listKeysOf(db, fingerprintOf(secretKey))
    if (rows.length === 0) return currentKey
  }
  const ids = rows.map(({ id }) => id).filter((id) => id !== DIGEST_KEY)
  if (ids.join() !== keyring.dataKeyIds.join()) keyring.replaceDataKeys(unwrapAll(secretKey, rows))
  return secretKey
}
