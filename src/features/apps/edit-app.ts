import type { AttributesAt } from '#features/credentials/limits.ts'
import { requireHeld } from '#features/roles/assignable-role.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { permissionsOfScopes } from '#foundation/access/scopes.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import { toStoredName } from '#foundation/http/text.ts'
import { Problem } from '#foundation/problem.ts'
import { toAudited } from './change.ts'
import { faultsOfRedirectUris } from './parse-attributes.ts'
import type { ChangedAttributes } from './resource.ts'
import { type AppRow, redirectUrisOf, scopesOf, updateApp } from './store.ts'

interface EditInput {
  readonly attributes: ChangedAttributes
  readonly at: AttributesAt
  /** The caller's permissions in the organization that owns the app. */
  readonly permissions: ReadonlySet<Permission>
}

/** Changes the attributes that the request names. Tokens already issued keep their expiry. The app must be locked. */
export async function editApp(
  change: Change,
  app: AppRow,
  { attributes, at, permissions }: EditInput,
): Promise<AppRow> {
  const { name = app.name, redirect_uris, access_token_ttl_seconds = app.access_token_ttl_seconds } = attributes
  if (redirect_uris !== undefined) requireRedirectUris(app, redirect_uris, { at, permissions })
  const values = {
    name: toStoredName(name),
    redirect_uris: JSON.stringify(redirect_uris ?? redirectUrisOf(app)),
    access_token_ttl_seconds,
  }
  const isSame = Object.entries(values).every(([column, value]) => app[column as keyof typeof values] === value)
  if (isSame) return app
  const edited = await updateApp(change.tx, app.id, { ...values, updated_at: change.at })
  await recordAudit(change, app, { action: 'app.update', before: toAudited(app), after: toAudited(edited) })
  return edited
}

function requireRedirectUris(
  app: AppRow,
  uris: readonly string[],
  { at, permissions }: Pick<EditInput, 'at' | 'permissions'>,
): void {
  const pointer = `${at}/redirect_uris`
  if (app.grant_type === 'client_credentials') {
    const detail = `${pointer} has no effect on an unattended app; omit it`
    throw new Problem('invalid-request', detail, { source: { pointer } })
  }
  const faults = faultsOfRedirectUris(uris, { isConfidential: app.is_confidential === 1, at })
  if (faults.length > 0) throw new Problem('invalid-request', faults)
  // Codes of all users of the app are sent to a new URI.
  const registered = redirectUrisOf(app)
  if (uris.some((uri) => !registered.includes(uri))) requireHeld(permissions, permissionsOfScopes(scopesOf(app)))
}
