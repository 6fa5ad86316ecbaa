import { randomUUID } from 'node:crypto'
import type { CredentialLimits } from '#features/credentials/store.ts'
import { type Db, isReferenceViolation, isUniqueViolation } from '#foundation/db/database.ts'
import { byAge, type Keyset, type Page, preparedPage, type Window } from '#foundation/db/keyset.ts'
import { rememberedRow } from '#foundation/db/prepared.ts'
import type { OrgOrGroup } from '#foundation/http/org-or-group.ts'
import type { MaybePromise } from '#foundation/maybe-promise.ts'
import { notFound, Problem } from '#foundation/problem.ts'

export type ServiceAccountRow = Awaited<ReturnType<typeof getAccount>>

interface NewAccount {
  readonly id: string
  readonly name: string
  readonly authType: string
  readonly roleId: string
  readonly clientId: string | null
  readonly jwksUrl: string | null
  readonly ttlSeconds: number | null
  /** Limits of an account without a credential. */
  readonly limits?: CredentialLimits | undefined
  readonly createdAt: number
}

export const accountsByAge: Keyset<ServiceAccountRow> = byAge('s')

/**
 * Selects the accounts of exactly this owner: a group's list does not contain those of its organizations, nor the
 * reverse.
 */
function accountsOf(db: Db, owner: OrgOrGroup) {
  const query = db
    .selectFrom('service_accounts as s')
    .innerJoin('memberships as m', 'm.principal_id', 's.id')
    .selectAll('s')
    .select('m.role_id')
    .where('m.principal_kind', '=', 'service_account')
  // The organization determines the group; a condition on both would lead PostgreSQL and SQLite to a worse index.
  if (owner.orgId !== null) return query.where('s.org_id', '=', owner.orgId)
  return query.where('s.group_id', '=', owner.groupId).where('s.org_id', 'is', null)
}

const pageOfOrg = preparedPage(
  (db: Db, owner: { groupId: string; orgId: string }) => accountsOf(db, owner),
  accountsByAge,
)

const pageOfGroup = preparedPage(
  (db: Db, { groupId }: { groupId: string }) => accountsOf(db, { groupId, orgId: null }),
  accountsByAge,
)

export function listAccounts(
  db: Db,
  { groupId, orgId }: OrgOrGroup,
  window: Window,
): MaybePromise<Page<ServiceAccountRow>> {
  return orgId === null ? pageOfGroup(db, { groupId }, window) : pageOfOrg(db, { groupId, orgId }, window)
}

const accountOfOrg = rememberedRow((db: Db, { id, ...owner }: { groupId: string; orgId: string; id: string }) =>
  accountsOf(db, owner).where('s.id', '=', id),
)

const accountOfGroup = rememberedRow((db: Db, { id, groupId }: { groupId: string; id: string }) =>
  accountsOf(db, { groupId, orgId: null }).where('s.id', '=', id),
)

export async function getAccount(db: Db, { groupId, orgId }: OrgOrGroup, id: string) {
  const row = await (orgId === null ? accountOfGroup(db, { groupId, id }) : accountOfOrg(db, { groupId, orgId, id }))
  if (!row) throw notFound(`Service account ${id}`)
  return row
}

/**
 * Locks an account that is about to change until the transaction ends, so that of two concurrent changes the second
 * sees the result of the first. The lock is an update, which both engines support.
 */
export async function lockAccount(tx: Db, owner: OrgOrGroup, { id, at }: { id: string; at: number }) {
  const query = tx.updateTable('service_accounts').set({ updated_at: at }).where('id', '=', id)
  const ofGroup = query.where('group_id', '=', owner.groupId)
  const ofOwner = owner.orgId === null ? ofGroup.where('org_id', 'is', null) : ofGroup.where('org_id', '=', owner.orgId)
  const locked = await ofOwner.returning('id').executeTakeFirst()
  if (!locked) throw notFound(`Service account ${id}`)
  return getAccount(tx, owner, id)
}

/** Inserts an account and its only membership. */
export async function insertAccount(tx: Db, owner: OrgOrGroup, account: NewAccount): Promise<void> {
  const place = { group_id: owner.groupId, org_id: owner.orgId }
  try {
    await tx
      .insertInto('service_accounts')
      .values({
        id: account.id,
        ...place,
        name: account.name,
        auth_type: account.authType,
        client_id: account.clientId,
        jwks_url: account.jwksUrl,
        access_token_ttl_seconds: account.ttlSeconds,
        expires_at: account.limits?.expiresAt ?? null,
        allowed_networks: account.limits?.allowedNetworks ? JSON.stringify(account.limits.allowedNetworks) : null,
        created_at: account.createdAt,
        updated_at: account.createdAt,
      })
      .execute()
    await tx
      .insertInto('memberships')
      .values({
        id: randomUUID(),
        principal_kind: 'service_account',
        principal_id: account.id,
        ...place,
        role_id: account.roleId,
        created_at: account.createdAt,
      })
      .execute()
  } catch (error) {
    throw toConflict(error, account.name)
  }
}

export async function renameAccount(tx: Db, id: string, name: string): Promise<void> {
  try {
    await tx.updateTable('service_accounts').set({ name }).where('id', '=', id).execute()
  } catch (error) {
    throw toConflict(error, name)
  }
}

export async function deleteAccount(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('memberships').where('principal_id', '=', id).execute()
  await tx.deleteFrom('service_accounts').where('id', '=', id).execute()
}

function toConflict(error: unknown, name: string): unknown {
  if (isUniqueViolation(error)) {
    return new Problem('name-taken', `There is already a service account named "${name}" here`, {
      source: { pointer: '/data/attributes/name' },
    })
  }
  // Both existed when the request began.
  if (isReferenceViolation(error)) return new Problem('conflict', 'The owner or the role has just been deleted')
  return error
}
