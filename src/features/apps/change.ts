import type { Program } from '../credentials/program.ts'
import { type AppRow, type InstallOfApp, redirectUrisOf, scopesOf } from './store.ts'

export function programOf({ id, name, org_id }: Pick<AppRow, 'id' | 'name' | 'org_id'>): Program {
  return { kind: 'app', id, name, orgId: org_id }
}

/** Returns the audited state of an app: everything except secrets. */
export function toAudited(row: AppRow): object {
  return {
    name: row.name,
    ...(row.client_id !== null && { client_id: row.client_id }),
    context: row.context,
    grant_type: row.grant_type,
    is_confidential: row.is_confidential === 1,
    is_public: row.is_public === 1,
    redirect_uris: redirectUrisOf(row),
    scopes: scopesOf(row),
    access_token_ttl_seconds: row.access_token_ttl_seconds,
  }
}

export function programOfInstall({ id, org_id }: Pick<InstallOfApp, 'id' | 'org_id'>, appName: string): Program {
  return { kind: 'app_install', id, name: appName, orgId: org_id }
}

export function toAuditedInstall({ app_id, user_id, client_id }: InstallOfApp, appName: string): object {
  return {
    app_id,
    app_name: appName,
    ...(user_id !== null && { user_id }),
    ...(client_id !== null && { client_id }),
  }
}
