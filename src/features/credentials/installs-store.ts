import type { Db } from '#foundation/db/database.ts'
import type { CredentialRow } from './store.ts'

export async function deleteCredentialsOfInstalls(tx: Db, installIds: readonly string[]): Promise<CredentialRow[]> {
  return tx
    .deleteFrom('credentials')
    .where('owner_kind', '=', 'app_install')
    .where('owner_id', 'in', [...installIds])
    .returningAll()
    .execute()
}

/** Deletes the secrets of all installs in an organization, of any app. */
export async function deleteCredentialsOfInstallsIn(tx: Db, orgId: string): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('owner_kind', '=', 'app_install')
    .where('owner_id', 'in', (eb) => eb.selectFrom('app_installs').select('id').where('org_id', '=', orgId))
    .execute()
}
