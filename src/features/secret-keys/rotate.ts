import { randomBytes } from 'node:crypto'
import { operator } from '#foundation/access/caller.ts'
import type { AuditAction } from '#foundation/audit/actions.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { addJob } from '#foundation/jobs/store.ts'
import { type DataKey, fingerprintOf, firstDataKeys, type Keyring, wrapKey } from '#foundation/secrets/keyring.ts'
import type { SealedPlace } from '#foundation/secrets/sealed-place.ts'
import type { Services } from '#foundation/services.ts'
import { DIGEST_KEY, unwrapAll } from './keys-in-use.ts'
import { reseal } from './reseal.ts'
import {
  deleteKeys,
  deleteOtherKeys,
  findFingerprint,
  insertKeys,
  listFingerprints,
  listGroupIds,
  listKeysOf,
  replaceFingerprint,
} from './store.ts'

export const RESEAL_JOB = 'reseal-secrets'

/** Tolerance in milliseconds for clock differences between processes when a new data key comes into use. */
const SKEW_MS = 5000

/** Thrown if a rotation cannot begin or finish now; the message says what to do. */
export class RotationRefused extends Error {}

interface Rotation {
  readonly secretKey: Uint8Array
  readonly newKey: Uint8Array
  /** Milliseconds until the new data key is used, within which every process must read it. */
  readonly leadMs: number
}

/**
 * Stores a new data key, and wraps all keys with both secret keys, so that processes may use either until the rotation
 * is finished. Returns the time from which the new data key is used.
 */
export async function beginRotation(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { secretKey, newKey, leadMs }: Rotation,
): Promise<number> {
  const [before, after] = [fingerprintOf(secretKey), fingerprintOf(newKey)]
  if (before === after) throw new RotationRefused('The new secret key is the current one. Choose another.')
  const at = now()
  const activeAt = at + leadMs
  await inTransaction(db, async (tx) => {
    if ((await listFingerprints(tx)).length > 1) {
      throw new RotationRefused('A rotation is not finished yet. Run "gatehouse secret-key finish" first.')
    }
    const rows = await listKeysOf(tx, before)
    const { digestKey, keys } = rows.length === 0 ? firstDataKeys(secretKey) : unwrapAll(secretKey, rows)
    const added: DataKey = { id: randomBytes(4).toString('hex'), root: randomBytes(32), activeAt }
    const all: DataKey[] = [{ id: DIGEST_KEY, root: digestKey, activeAt: 0 }, ...keys, added]
    const wrapAll = (key: Uint8Array) =>
      all.map(({ id, root, activeAt: active_at }) => ({ id, wrapped: wrapKey(key, root, id), active_at }))
    await deleteKeys(tx)
    await insertKeys(tx, before, wrapAll(secretKey))
    await insertKeys(tx, after, wrapAll(newKey))
    await replaceFingerprint(tx, after)
    await addJob(tx, { kind: RESEAL_JOB, payload: {}, dueAt: activeAt + SKEW_MS, uniqueKey: RESEAL_JOB }, at)
    await auditKey(tx, { at, action: 'secret_key.rotate', keyId: added.id })
  })
  return activeAt
}

/** Waits until the new data key is used everywhere, re-encrypts the remaining values, and deletes the previous keys. */
export async function finishRotation(
  { db, keyring, now }: Pick<Services, 'db' | 'keyring' | 'now'>,
  places: readonly SealedPlace[],
  { wait }: { wait(milliseconds: number): Promise<unknown> },
): Promise<{ resealed: number }> {
  const { fingerprint } = keyring
  const state = await rotationState(db, keyring)
  if (!state.isPending)
    throw new RotationRefused('No rotation is pending. Begin one with "gatehouse secret-key rotate".')
  if (state.isOldKey) {
    throw new RotationRefused(
      'This command was started with the previous secret key. Give it and all servers the new one, then run it again.',
    )
  }
  await wait(Math.max(0, state.activeAt + SKEW_MS - now()))
  const { resealed, unreadable } = await reseal({ db, keyring }, places)
  if (unreadable > 0) {
    throw new RotationRefused(
      `${unreadable} values cannot be decrypted with any of the keys. The previous keys are kept. Restore the values from a backup.`,
    )
  }
  await inTransaction(db, async (tx) => {
    await deleteOtherKeys(tx, { fingerprint, kept: [DIGEST_KEY, keyring.dataKeyId] })
    await auditKey(tx, { at: now(), action: 'secret_key.finish_rotation', keyId: keyring.dataKeyId })
  })
  return { resealed }
}

export interface RotationState {
  readonly isPending: boolean
  /** True if the process uses the secret key from before the rotation. */
  readonly isOldKey: boolean
  readonly activeAt: number
}

export async function rotationState(db: Db, { fingerprint }: Pick<Keyring, 'fingerprint'>): Promise<RotationState> {
  const isPending = (await listFingerprints(db)).length > 1
  const newest = (await listKeysOf(db, fingerprint)).at(-1)
  return { isPending, isOldKey: (await findFingerprint(db)) !== fingerprint, activeAt: newest?.active_at ?? 0 }
}

/** Records a rotation in the audit log of every group: the key protects secrets of all of them. */
async function auditKey(
  tx: Db,
  { at, action, keyId }: { at: number; action: AuditAction; keyId: string },
): Promise<void> {
  for (const groupId of await listGroupIds(tx)) {
    await recordAudit({ tx, actor: operator, at }, { id: keyId, group_id: groupId }, { action, kind: 'secret_key' })
  }
}
