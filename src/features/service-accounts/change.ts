import type { Actor } from '#foundation/access/caller.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Program } from '../credentials/program.ts'
import type { Owner, ServiceAccountRow } from './store.ts'

/** The context of a change of an account: the transaction, the path's owner, and the caller. */
export interface Change {
  readonly tx: Db
  readonly owner: Owner
  readonly actor: Actor
  /** The caller's permissions at the owner. */
  readonly held: ReadonlySet<Permission>
  readonly at: number
}

interface Happened {
  readonly action: string
  readonly before?: object
  readonly after?: object
}

export async function auditAccount(
  { tx, owner, actor, at }: Change,
  id: string,
  { action, before, after }: Happened,
): Promise<void> {
  await recordAudit(tx, actor, {
    at,
    action: `service_account.${action}`,
    groupId: owner.groupId,
    orgId: owner.orgId ?? undefined,
    target: { kind: 'service_account', id },
    before,
    after,
  })
}

export function programOf({ id, name, org_id }: ServiceAccountRow): Program {
  return { kind: 'service_account', id, name, orgId: org_id }
}

/** Returns the audited state of an account: everything except secrets. */
export function toAudited(row: ServiceAccountRow): object {
  return {
    name: row.name,
    auth_type: row.auth_type,
    level: row.org_id === null ? 'Group' : 'Org',
    role_id: row.role_id,
    ...(row.client_id !== null && { client_id: row.client_id }),
    ...(row.jwks_url !== null && { jwks_url: row.jwks_url }),
    ...(row.access_token_ttl_seconds !== null && { access_token_ttl_seconds: row.access_token_ttl_seconds }),
    ...(row.expires_at !== null && { expires_at: new Date(row.expires_at).toISOString() }),
    ...(row.allowed_networks !== null && { allowed_networks: JSON.parse(row.allowed_networks) }),
  }
}
