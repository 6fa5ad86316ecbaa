import type { Actor } from '../access/caller.ts'
import type { Db } from '../db/database.ts'
import { createTimeOrderedIds } from '../time-ordered-id.ts'
import type { AuditAction } from './actions.ts'

/** A change in its transaction, which also stores the audit event. */
export interface Change {
  readonly tx: Db
  readonly actor: Actor
  readonly at: number
}

/** A change of something in an organization. */
export interface OrgChange extends Change {
  readonly org: { readonly id: string; readonly groupId: string }
}

type Id = string | null | undefined

/** The resource that changed: a row, or an id with the organization or group whose log shows the event. */
type Target = { readonly id: string } & (
  | { readonly org: { readonly id: string; readonly groupId: string } }
  | { readonly group_id: Id; readonly org_id?: Id }
)

/** `before` and `after` must not contain secrets. */
export interface AuditEvent {
  /** `noun.verb`, e.g. `service_account.create`. */
  readonly action: AuditAction
  /** Default: the action's noun. */
  readonly kind?: string
  readonly before?: object | undefined
  readonly after?: object | undefined
}

const newId = createTimeOrderedIds()

/** Writes the event in the transaction of the change. */
export async function recordAudit({ tx, actor, at }: Change, target: Target, event: AuditEvent): Promise<void> {
  const owner = 'org' in target ? { group_id: target.org.groupId, org_id: target.org.id } : target
  await tx
    .insertInto('audit_events')
    .values({
      id: newId(at),
      at,
      action: event.action,
      group_id: owner.group_id ?? null,
      org_id: owner.org_id ?? null,
      actor_kind: actor.kind,
      actor_id: actor.id ?? null,
      actor_name: actor.name,
      credential_id: actor.credentialId ?? null,
      target_kind: event.kind ?? event.action.split('.', 1)[0]!,
      target_id: target.id,
      before: event.before ? JSON.stringify(event.before) : null,
      after: event.after ? JSON.stringify(event.after) : null,
      request_id: actor.requestId ?? null,
      address: actor.address ?? null,
    })
    .execute()
}
