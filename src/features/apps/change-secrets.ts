import {
  changeClientSecrets,
  deleteClientSecret,
  refuseSecrets,
  type SecretsChange,
} from '#features/credentials/client-secrets.ts'
import type { AttributesAt } from '#features/credentials/limits.ts'
import type { SecretsAttributes } from '#features/credentials/secrets-request.ts'
import { requireHeld } from '#features/roles/assignable-role.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import { permissionsOfScopes } from '#foundation/access/scopes.ts'
import type { Services } from '#foundation/services.ts'
import { auditApp, type Change, programOf } from './change.ts'
import type { Shown } from './resource.ts'
import { type AppRow, scopesOf } from './store.ts'

interface SecretsInput {
  readonly app: AppRow
  readonly attributes: SecretsAttributes
  readonly at: AttributesAt
  /** The caller's permissions in the organization that owns the app. */
  readonly held: ReadonlySet<Permission>
}

/** Makes, replaces or ends client secrets of an app. The app must be held. */
export async function changeSecrets(
  services: Pick<Services, 'keyring' | 'now'>,
  change: Change,
  { app, attributes, at, held }: SecretsInput,
): Promise<Shown> {
  const secrets = { ...secretsOf(change, app), attributesAt: at }
  if (app.grant_type === 'client_credentials') {
    throw refuseSecrets(secrets, 'mode', 'An app that acts unattended has no secrets; each of its installs has its own')
  }
  if (app.is_confidential === 0) throw refuseSecrets(secrets, 'mode', 'A public client has no secrets')
  // The holder of a secret redeems the codes and tokens of everyone who let the app in.
  if (attributes.mode !== 'delete') requireHeld(held, permissionsOfScopes(scopesOf(app)))
  const { secret, ...states } = await changeClientSecrets(services, secrets, attributes)
  await auditApp(change, app, { action: `secret.${attributes.mode}`, ...states })
  return secret === undefined ? {} : { client_secret: secret }
}

/** Ends one secret that is named by its id. The app must be held. */
export async function endSecret(change: Change, app: AppRow, secretId: string): Promise<void> {
  const states = await deleteClientSecret(secretsOf(change, app), secretId)
  await auditApp(change, app, { action: 'secret.delete', ...states })
}

function secretsOf({ tx, at }: Change, app: AppRow): SecretsChange {
  return { tx, at, owner: programOf(app), noun: 'app' }
}
