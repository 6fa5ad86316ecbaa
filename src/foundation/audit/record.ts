import type { Actor } from '../access/caller.ts'
import type { Db } from '../db/database.ts'
import { createTimeOrderedIds } from '../time-ordered-id.ts'

/** One audited change. `before` and `after` must not contain secrets. */
export interface AuditEvent {
  /** `noun.verb`, e.g. `service_account.create`. */
  readonly action: string
  /** The group whose log shows the event; also set for events of its organizations. */
  readonly groupId?: string | undefined
  readonly orgId?: string | undefined
  readonly target: { readonly kind: string; readonly id: string }
  readonly before?: object | undefined
  readonly after?: object | undefined
}

const newId = createTimeOrderedIds()

/** Writes the event in the transaction of the change: `tx` must be that transaction. */
export async function recordAudit(tx: Db, actor: Actor, event: AuditEvent & { readonly at: number }): Promise<void> {
  await tx
    .insertInto('audit_events')
    .values({
      id: newId(event.at),
      at: event.at,
      action: event.action,
      group_id: event.groupId ?? null,
      org_id: event.orgId ?? null,
      actor_kind: actor.kind,
      actor_id: actor.id ?? null,
      actor_name: actor.name,
      credential_id: actor.credentialId ?? null,
      target_kind: event.target.kind,
      target_id: event.target.id,
      before: event.before ? JSON.stringify(event.before) : null,
      after: event.after ? JSON.stringify(event.after) : null,
      request_id: actor.requestId ?? null,
      address: actor.address ?? null,
    })
    .execute()
}
