import { randomUUID } from 'node:crypto'
import { issueCredential } from '#features/credentials/issue-credential.ts'
import type { Permission } from '#foundation/access/permissions.ts'
import type { Services } from '#foundation/services.ts'

/** The test's direct access to storage: a server's services, and the first group and organization. */
export interface Seed {
  readonly parts: { readonly services: Services }
  readonly groupId: string
  readonly orgId: string
}

/** The API key of a new user with exactly these permissions, in the organization (default: the first one) or in the group. */
export async function addKey(
  { parts: { services }, ...first }: Seed,
  permissions: readonly Permission[],
  at: { orgId?: string; groupId?: string } = {},
): Promise<string> {
  const { db, now } = services
  const [userId, roleId] = [randomUUID(), randomUUID()]
  const orgId = at.orgId ?? (at.groupId === undefined ? first.orgId : undefined)
  const groupId =
    at.groupId ??
    (await db.selectFrom('orgs').select('group_id').where('id', '=', orgId!).executeTakeFirstOrThrow()).group_id
  const times = { created_at: now(), updated_at: now() }
  const user = { id: userId, group_id: groupId, email: `${userId}@example.test`, username: userId, name: 'Somebody' }
  await db
    .insertInto('users')
    .values({ ...user, password_hash: null, ...times })
    .execute()
  const role = { id: roleId, group_id: groupId, name: roleId, description: '' }
  await db
    .insertInto('roles')
    .values({ ...role, permissions: JSON.stringify(permissions), ...times })
    .execute()
  const member = { id: randomUUID(), principal_kind: 'user', principal_id: userId, role_id: roleId }
  await db
    .insertInto('memberships')
    .values({ ...member, group_id: groupId, org_id: orgId ?? null, created_at: now() })
    .execute()
  const owner = { kind: 'user', id: userId } as const
  return (await issueCredential(services, db, { kind: 'api_key', owner, name: 'test' })).secret
}
