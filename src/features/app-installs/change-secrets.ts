import { programOfInstall } from '#features/apps/change.ts'
import { changeClientSecrets, refuseSecrets } from '#features/credentials/client-secrets.ts'
import type { SecretsAttributes } from '#features/credentials/secrets-request.ts'
import { requireHeld } from '#features/roles/assignable-role.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { permissionsOfScopes } from '#foundation/access/scopes.ts'
import { type Change, recordAudit } from '#foundation/audit/record.ts'
import type { Services } from '#foundation/services.ts'
import type { InstallRow } from './store.ts'

interface SecretsInput {
  readonly install: InstallRow
  readonly attributes: SecretsAttributes
  readonly permissions: ReadonlySet<Permission>
}

/** Creates, replaces or deletes client secrets of an unattended install, which must be locked. */
export async function changeSecrets(
  services: Pick<Services, 'keyring' | 'now'>,
  change: Change,
  { install, attributes, permissions }: SecretsInput,
): Promise<{ readonly client_secret?: string }> {
  const secrets = { ...change, owner: programOfInstall(install, install.app_name), noun: 'install' }
  if (install.client_id === null) {
    throw refuseSecrets(
      secrets,
      'mode',
      'This install has no secrets, because a user authorized the app. Change the secrets of the app instead',
    )
  }
  // The holder of a secret has all permissions of the app's scopes in this place.
  if (attributes.mode !== 'delete')
    requireHeld(permissions, permissionsOfScopes(JSON.parse(install.scopes) as string[]))
  const { secret, ...states } = await changeClientSecrets(services, secrets, attributes)
  await recordAudit(change, install, { action: `app_install.secret.${attributes.mode}`, ...states })
  return secret === undefined ? {} : { client_secret: secret }
}
