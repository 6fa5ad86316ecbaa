import type { Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { lookup } from '#foundation/db/lookup.ts'
import { prepared } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export type AppRow = Selectable<Tables['apps']>

export type SecretRow = NonNullable<Awaited<ReturnType<typeof findClientBySecret>>>

export const findClientBySecret = lookup('c.digest', (db) =>
  db
    .selectFrom('credentials as c')
    .leftJoin('service_accounts as s', 's.id', 'c.owner_id')
    .leftJoin('memberships as m', 'm.principal_id', 's.id')
    .leftJoin('roles as r', 'r.id', 'm.role_id')
    .leftJoin('app_installs as i', 'i.id', 'c.owner_id')
    .leftJoin('apps as p', (join) =>
      join.on((eb) => eb('p.id', '=', eb.fn.coalesce('i.app_id', 'c.owner_id'))).on('p.ended_at', 'is', null),
    )
    .select([
      'c.id',
      'c.owner_kind',
      'c.owner_id',
      'c.expires_at',
      'c.retires_at',
      'c.allowed_networks',
      's.client_id as account_client_id',
      's.name as account_name',
      's.auth_type as account_auth_type',
      's.group_id as account_group_id',
      's.org_id as account_org_id',
      's.access_token_ttl_seconds as account_ttl_seconds',
      'r.permissions as account_permissions',
      'i.client_id as install_client_id',
      'p.id as app_id',
      'p.client_id as app_client_id',
      'p.name as app_name',
      'p.group_id as app_group_id',
      'p.org_id as app_org_id',
      'p.scopes as app_scopes',
      'p.access_token_ttl_seconds as app_ttl_seconds',
    ])
    .where('c.kind', '=', 'client_secret'),
)

/** Finds the app that users authorize under this client id. */
export async function findAppByClientId(db: Db, clientId: string): Promise<AppRow | undefined> {
  return (await appOfClient(db, { clientId }))[0]
}

const appOfClient = prepared((db: Db, { clientId }: { clientId: string }) =>
  db.selectFrom('apps').selectAll().where('client_id', '=', clientId).where('ended_at', 'is', null),
)

/** A service account with the permissions of its role. */
export type AccountRow = NonNullable<Awaited<ReturnType<typeof findAccountByClientId>>>

export async function findAccountByClientId(db: Db, clientId: string) {
  return (await accountOfClient(db, { clientId }))[0]
}

const accountOfClient = prepared((db: Db, { clientId }: { clientId: string }) =>
  db
    .selectFrom('service_accounts as s')
    .innerJoin('memberships as m', 'm.principal_id', 's.id')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .selectAll('s')
    .select('r.permissions')
    .where('s.client_id', '=', clientId),
)

/** A session with its app; only if the user is enabled. */
export type SessionRow = NonNullable<Awaited<ReturnType<typeof findSession>>>

export async function findSession(db: Db, id: string) {
  return db
    .selectFrom('app_sessions as s')
    .innerJoin('apps as p', 'p.id', 's.app_id')
    .innerJoin('users as u', 'u.id', 's.user_id')
    .selectAll('s')
    .select(['p.client_id', 'p.context', 'p.name as app_name', 'p.group_id', 'p.org_id', 'u.group_id as user_group_id'])
    .where('s.id', '=', id)
    .where('p.ended_at', 'is', null)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst()
}

/** Locks a session until the transaction ends, so that it is not revoked meanwhile. */
export async function lockSession(tx: Db, id: string): Promise<void> {
  await tx
    .updateTable('app_sessions')
    .set((eb) => ({ last_used_at: eb.ref('last_used_at') }))
    .where('id', '=', id)
    .execute()
}

export async function noteSessionUse(tx: Db, id: string, at: number): Promise<void> {
  await tx.updateTable('app_sessions').set({ last_used_at: at }).where('id', '=', id).execute()
}
