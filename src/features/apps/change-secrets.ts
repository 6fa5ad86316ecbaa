import { changeClientSecrets, refuseSecrets } from '#features/credentials/client-secrets.ts'
import type { AttributesAt } from '#features/credentials/limits.ts'
import type { SecretsAttributes } from '#features/credentials/secrets-request.ts'
import { requireHeld } from '#features/roles/assignable-role.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { permissionsOfScopes } from '#foundation/access/scopes.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { Services } from '#foundation/services.ts'
import { programOf } from './change.ts'
import type { Shown } from './resource.ts'
import { type AppRow, scopesOf } from './store.ts'

interface SecretsInput {
  readonly app: AppRow
  readonly attributes: SecretsAttributes
  readonly at: AttributesAt
  readonly permissions: ReadonlySet<Permission>
}

/** Creates, replaces or deletes client secrets of an app, which must be locked. */
export async function changeSecrets(
  services: Pick<Services, 'keyring' | 'now'>,
  change: Change,
  { app, attributes, at, permissions }: SecretsInput,
): Promise<Shown> {
  const secrets = { ...change, owner: programOf(app), noun: 'app', attributesAt: at }
  if (app.grant_type === 'client_credentials') {
    throw refuseSecrets(secrets, 'mode', 'An unattended app has no secrets. Change the secrets of its installs instead')
  }
  if (app.is_confidential === 0) throw refuseSecrets(secrets, 'mode', 'A public client has no secrets; it uses PKCE')
  // The holder of a secret can redeem the codes and tokens of every user of the app.
  if (attributes.mode !== 'delete') requireHeld(permissions, permissionsOfScopes(scopesOf(app)))
  const { secret, ...states } = await changeClientSecrets(services, secrets, attributes)
  await recordAudit(change, app, { action: `app.secret.${attributes.mode}`, ...states })
  return secret === undefined ? {} : { client_secret: secret }
}
