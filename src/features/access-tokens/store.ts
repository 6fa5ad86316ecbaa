import type { Insertable, Selectable } from 'kysely'
import type { Db } from '#foundation/db/database.ts'
import { lookup } from '#foundation/db/lookup.ts'
import { preparedChange, remembered } from '#foundation/db/prepared.ts'
import type { Tables } from '#foundation/db/tables.generated.ts'

export const insertToken = preparedChange(
  (tx: Db, token: Insertable<Tables['access_tokens']> & Record<string, unknown>) =>
    tx.insertInto('access_tokens').values(token),
)

/** A token with the session, install or service account that it is based on. */
export type TokenRow = NonNullable<Awaited<ReturnType<typeof findToken>>>

export const findToken = lookup('t.digest', (db) =>
  db
    .selectFrom('access_tokens as t')
    .leftJoin('app_sessions as s', 's.id', 't.session_id')
    .leftJoin('app_installs as i', 'i.id', 't.install_id')
    .leftJoin('apps as p', (join) =>
      join.on((eb) => eb('p.id', '=', eb.fn.coalesce('s.app_id', 'i.app_id'))).on('p.ended_at', 'is', null),
    )
    .leftJoin('service_accounts as a', 'a.id', 't.service_account_id')
    .leftJoin('users as u', 'u.id', 's.user_id')
    .leftJoin('credentials as c', 'c.id', 't.credential_id')
    .select(({ fn }) => [
      't.id',
      't.client_id',
      't.session_id',
      't.install_id',
      't.service_account_id',
      't.credential_id',
      't.scopes',
      't.expires_at',
      fn.coalesce('s.bot_id', 'i.bot_id').as('bot_id'),
      'p.id as app_id',
      'p.name as app_name',
      'p.context as app_context',
      // The owner of the client.
      fn.coalesce('p.group_id', 'a.group_id').as('group_id'),
      fn.coalesce('p.org_id', 'a.org_id').as('org_id'),
      'a.name as service_account_name',
      'u.id as user_id',
      'u.name as user_name',
      'u.email as user_email',
      'u.username as user_username',
      'u.disabled_at as user_disabled_at',
      'c.expires_at as credential_expires_at',
      'c.retires_at as credential_retires_at',
      'c.allowed_networks',
      'a.expires_at as account_expires_at',
      'a.allowed_networks as account_networks',
    ]),
)

export async function deleteToken(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('access_tokens').where('id', '=', id).execute()
}

/** Returns the current permissions of a service account's role. */
export async function findAccountPermissions(db: Db, accountId: string): Promise<readonly string[]> {
  const [row] = await permissionsOf(db, { accountId })
  return row ? (JSON.parse(row.permissions) as string[]) : []
}

const permissionsOf = remembered((db: Db, { accountId }: { accountId: string }) =>
  db
    .selectFrom('memberships as m')
    .innerJoin('roles as r', 'r.id', 'm.role_id')
    .select('r.permissions')
    .where('m.principal_id', '=', accountId),
)

export type SigningKeyRow = Selectable<Tables['signing_keys']>

/** Lists the signing keys in the order of their first use. */
export async function listSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return db.selectFrom('signing_keys').selectAll().orderBy('used_from').orderBy('id').execute()
}

export async function insertSigningKey(tx: Db, key: SigningKeyRow): Promise<void> {
  await tx.insertInto('signing_keys').values(key).execute()
}

export async function deleteSigningKeys(tx: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0)
    await tx
      .deleteFrom('signing_keys')
      .where('id', 'in', [...ids])
      .execute()
}

export async function listGroupIds(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('groups').select('id').orderBy('id').execute()
  return rows.map(({ id }) => id)
}
