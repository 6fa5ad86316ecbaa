import type { Actor } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import { listGroupIds } from './store.ts'

interface Rotation {
  readonly keyId: string
  readonly at: number
  /** The time from which the key signs, epoch milliseconds. */
  readonly usedFrom: number
  readonly reason: 'scheduled' | 'planned' | 'compromised'
  /** Keys that are no longer published. */
  readonly withdrawn?: readonly string[]
}

/** Records a rotation in the audit log of every group: the key signs tokens of all groups, and no group owns it. */
export async function auditRotation(tx: Db, actor: Actor, rotation: Rotation): Promise<void> {
  const { keyId, at, usedFrom, reason, withdrawn = [] } = rotation
  for (const groupId of await listGroupIds(tx)) {
    await recordAudit(
      { tx, actor, at },
      { id: keyId, group_id: groupId },
      { action: 'signing_key.rotate', after: { reason, used_from: new Date(usedFrom).toISOString(), withdrawn } },
    )
  }
}
