import type { AccountClient, AppClient, AuthenticatedClient } from '#foundation/access/oauth-client.ts'
import type { AccountRow, AppRow, SecretRow } from './store.ts'

type Shown = Pick<AuthenticatedClient, 'method'>

/** Returns the client of a secret. Undefined if its owner was deleted or does not authenticate with secrets. */
export function toClient(row: SecretRow): AuthenticatedClient | undefined {
  if (row.owner_kind === 'service_account') return ofAccount(row)
  const { app_id, app_name, app_group_id, app_org_id, app_scopes, app_ttl_seconds } = row
  if (app_id === null || app_name === null || app_group_id === null) return undefined
  if (app_scopes === null || app_ttl_seconds === null) return undefined
  const same = {
    name: app_name,
    owner: { groupId: app_group_id, orgId: app_org_id },
    method: 'client_secret',
    scopes: parseNames(app_scopes),
    ttlSeconds: app_ttl_seconds,
  } as const
  if (row.owner_kind === 'app') {
    return row.app_client_id === null ? undefined : { ...same, kind: 'app', id: app_id, clientId: row.app_client_id }
  }
  if (row.owner_kind !== 'app_install' || row.install_client_id === null) return undefined
  return { ...same, kind: 'app_install', id: row.owner_id, appId: app_id, clientId: row.install_client_id }
}

function ofAccount(row: SecretRow): AccountClient | undefined {
  const { account_client_id, account_name, account_group_id, account_ttl_seconds, account_permissions } = row
  if (account_client_id === null || account_name === null || account_group_id === null) return undefined
  if (account_ttl_seconds === null || account_permissions === null) return undefined
  if (row.account_auth_type !== 'oauth_client_secret') return undefined
  return {
    kind: 'service_account',
    clientId: account_client_id,
    id: row.owner_id,
    name: account_name,
    owner: { groupId: account_group_id, orgId: row.account_org_id },
    method: 'client_secret',
    ttlSeconds: account_ttl_seconds,
    permissions: parseNames(account_permissions),
  }
}

export function toAppClient(app: AppRow, shown: Shown): AppClient {
  if (app.client_id === null) throw new Error(`app ${app.id} has no client of its own`)
  return {
    ...shown,
    kind: 'app',
    clientId: app.client_id,
    id: app.id,
    name: app.name,
    owner: { groupId: app.group_id, orgId: app.org_id },
    scopes: parseNames(app.scopes),
    ttlSeconds: app.access_token_ttl_seconds,
  }
}

export function toAccountClient(account: AccountRow, shown: Shown): AccountClient {
  if (account.client_id === null || account.access_token_ttl_seconds === null) {
    throw new Error(`service account ${account.id} is no client`)
  }
  return {
    ...shown,
    kind: 'service_account',
    clientId: account.client_id,
    id: account.id,
    name: account.name,
    owner: { groupId: account.group_id, orgId: account.org_id },
    ttlSeconds: account.access_token_ttl_seconds,
    endsAt: account.expires_at,
    permissions: parseNames(account.permissions),
  }
}

const MAX_KEPT = 1000
const parsed = new Map<string, readonly string[]>()

/** Cached by the stored text, so entries never become stale. */
export function parseNames(stored: string): readonly string[] {
  const cached = parsed.get(stored)
  if (cached) return cached
  const names = JSON.parse(stored) as string[]
  if (parsed.size >= MAX_KEPT) parsed.clear()
  parsed.set(stored, names)
  return names
}
