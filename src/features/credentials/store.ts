import type { Insertable, Selectable } from 'kysely'
import { saveSessionUse } from '#features/user-sessions/store.ts'
import type { Db } from '#foundation/db/database.ts'
import { inTransaction } from '#foundation/db/in-transaction.ts'
import { lookup } from '#foundation/db/lookup.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type CredentialRow = Selectable<Tables['credentials']>

export interface Owner {
  readonly kind: 'user' | 'service_account' | 'app' | 'app_install'
  readonly id: string
}

export interface CredentialLimits {
  readonly expiresAt: number | null
  /** CIDRs. */
  readonly allowedNetworks: readonly string[] | null
}

export async function insertCredential(tx: Db, row: Insertable<Tables['credentials']>): Promise<CredentialRow> {
  return tx.insertInto('credentials').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Lists all credentials of an owner, oldest first. */
export async function listCredentials(db: Db, ownerId: string): Promise<CredentialRow[]> {
  return db
    .selectFrom('credentials')
    .selectAll()
    .where('owner_id', '=', ownerId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Deletes one credential of an owner, or all of them, and returns the deleted rows. */
export async function deleteCredentials(tx: Db, ownerId: string, id?: string): Promise<CredentialRow[]> {
  let query = tx.deleteFrom('credentials').where('owner_id', '=', ownerId)
  if (id !== undefined) query = query.where('id', '=', id)
  return query.returningAll().execute()
}

/** Deletes the credentials of the organization's service accounts, apps and installs. */
export async function deleteCredentialsOfOrg(tx: Db, orgId: string): Promise<void> {
  await tx
    .deleteFrom('credentials')
    .where('owner_kind', '=', 'service_account')
    .where('owner_id', 'in', (eb) => eb.selectFrom('service_accounts').select('id').where('org_id', '=', orgId))
    .execute()
}

export async function findCredential(db: Db, id: string): Promise<CredentialRow | undefined> {
  return db.selectFrom('credentials').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Finds the credential with this digest and its owner. */
export const findHolder = lookup('c.digest', (db) =>
  db
    .selectFrom('credentials as c')
    .leftJoin('users as u', 'u.id', 'c.owner_id')
    .leftJoin('service_accounts as s', 's.id', 'c.owner_id')
    .select([
      'c.id',
      'c.kind',
      'c.owner_kind',
      'c.owner_id',
      'c.expires_at',
      'c.retires_at',
      'c.allowed_networks',
      'u.name',
      'u.email',
      'u.username',
      'u.disabled_at',
      's.name as service_account_name',
    ]),
)

export interface Uses {
  readonly credentials: ReadonlyMap<string, number>
  readonly sessions: ReadonlyMap<string, number>
  readonly browsers: ReadonlyMap<string, { readonly at: number; readonly address: string }>
}

/** Stores last uses. The newest use wins, in whatever order processes write. */
export async function saveLastUses(db: Db, { credentials, sessions, browsers }: Uses): Promise<void> {
  await inTransaction(db, async (tx) => {
    for (const [id, at] of credentials) {
      await tx
        .updateTable('credentials')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
        .execute()
    }
    for (const [id, at] of sessions) {
      await tx
        .updateTable('app_sessions')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<', at)]))
        .execute()
    }
    for (const [id, use] of browsers) await saveSessionUse(tx, id, use)
  })
}
