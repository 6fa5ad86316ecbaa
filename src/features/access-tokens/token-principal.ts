import type { Principal } from '#foundation/access/caller.ts'
import { parsePermissions } from '#foundation/access/permissions.ts'
import type { TokenRow } from './store.ts'

/**
 * Returns the expiry and the networks of a token: those of the client secret with which it was obtained, or, without
 * one, those of the service account that signed the assertion.
 */
export function limitsOfToken(row: TokenRow) {
  const expires_at = Math.min(row.expires_at, row.credential_expires_at ?? Infinity, row.account_expires_at ?? Infinity)
  const allowed_networks = row.allowed_networks ?? row.account_networks
  return { expires_at, retires_at: row.credential_retires_at, allowed_networks }
}

/** Returns the principal of a token. Undefined if its basis is gone or its user is disabled. */
export function principalOfToken(row: TokenRow): Principal | undefined {
  if (row.user_disabled_at !== null) return undefined
  if (row.service_account_id !== null) return toServiceAccount(row)
  const { app_id: appId, app_name: appName, bot_id: botId } = row
  if (appId === null || appName === null || botId === null || row.scopes === null) return undefined
  const scopes = parsePermissions(row.scopes)
  if (row.install_id !== null) {
    const credentialId = row.credential_id ?? row.install_id
    return { kind: 'app', id: botId, name: appName, credentialId, scopes, delegation: { appId, appName, botId } }
  }
  const { session_id, user_id: userId, user_name, user_email, user_username } = row
  if (session_id === null || userId === null || user_name === null) return undefined
  const same = { credentialId: session_id, scopes, delegation: { appId, appName, botId, userId } }
  if (row.app_context === 'tenant') return { ...same, kind: 'app', id: botId, name: appName }
  if (user_email === null || user_username === null) return undefined
  return { ...same, kind: 'user', id: userId, name: user_name, email: user_email, username: user_username }
}

function toServiceAccount({
  service_account_id: id,
  service_account_name: name,
  credential_id,
  scopes,
}: TokenRow): Principal | undefined {
  if (id === null || name === null) return undefined
  const account = { kind: 'service_account', id, name, credentialId: credential_id ?? id } as const
  return scopes === null ? account : { ...account, scopes: parsePermissions(scopes) }
}
