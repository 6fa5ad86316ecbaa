import type { Actor } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { listGroupIds } from './store.ts'

interface Rotation {
  readonly keyId: string
  readonly at: number
  /** From when on the key signs. */
  readonly usedFrom: number
  readonly reason: 'scheduled' | 'planned' | 'compromised'
  /** Keys that are no longer published. */
  readonly withdrawn?: readonly string[]
}

/** Writes it into the log of every group: tokens of all of them are signed with the key, and no group owns it. */
export async function auditRotation(tx: Db, actor: Actor, rotation: Rotation): Promise<void> {
  const { keyId, at, usedFrom, reason, withdrawn = [] } = rotation
  for (const groupId of await listGroupIds(tx)) {
    await recordAudit(tx, actor, {
      at,
      action: 'signing_key.rotate',
      groupId,
      target: { kind: 'signing_key', id: keyId },
      after: { reason, used_from: new Date(usedFrom).toISOString(), withdrawn },
    })
  }
}
