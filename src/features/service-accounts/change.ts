import type { Permission } from '#foundation/access/permissions.ts'
import type { Change } from '#foundation/audit/record.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import type { Program } from '../credentials/program.ts'
import type { ServiceAccountRow } from './store.ts'

export interface AccountChange extends Change {
  readonly owner: OrgOrGroup
  /** The caller's permissions at the owner. */
  readonly permissions: ReadonlySet<Permission>
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
