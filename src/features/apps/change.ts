import type { Actor } from '#foundation/access/caller.ts'
import { recordAudit } from '#foundation/audit/record.ts'
import type { Db } from '#foundation/db/database.ts'
import type { Program } from '../credentials/program.ts'
import { type AppRow, type InstallOfApp, redirectUrisOf, scopesOf } from './store.ts'

/** The context of a change of an app: the transaction and the caller. */
export interface Change {
  readonly tx: Db
  readonly actor: Actor
  readonly at: number
}

interface Happened {
  readonly action: string
  readonly before?: object
  readonly after?: object
}

export async function auditApp(
  { tx, actor, at }: Change,
  app: Pick<AppRow, 'id' | 'group_id' | 'org_id'>,
  { action, before, after }: Happened,
): Promise<void> {
  await recordAudit(tx, actor, {
    at,
    action: `app.${action}`,
    groupId: app.group_id,
    orgId: app.org_id,
    target: { kind: 'app', id: app.id },
    before,
    after,
  })
}

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

/** Records a change of an install; here because deleting an app deletes its installs. */
export async function auditInstall(
  { tx, actor, at }: Change,
  install: InstallOfApp,
  { action, before, after }: Happened,
): Promise<void> {
  await recordAudit(tx, actor, {
    at,
    action: `app_install.${action}`,
    groupId: install.group_id,
    orgId: install.org_id ?? undefined,
    target: { kind: 'app_install', id: install.id },
    before,
    after,
  })
}

export function programOfInstall({ id, org_id }: Pick<InstallOfApp, 'id' | 'org_id'>, appName: string): Program {
  return { kind: 'app_install', id, name: appName, orgId: org_id }
}

/** Returns the audited state of an install. */
export function toAuditedInstall({ app_id, user_id, client_id }: InstallOfApp, appName: string): object {
  return {
    app_id,
    app_name: appName,
    ...(user_id !== null && { user_id }),
    ...(client_id !== null && { client_id }),
  }
}
