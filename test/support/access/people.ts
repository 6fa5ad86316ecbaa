import { randomUUID } from 'node:crypto'
import type { Permission } from '#foundation/access/permissions.ts'
import { hashPassword } from '#foundation/secrets/password.ts'
import type { TestApp } from '../servers/app.ts'
import type { Shown, Visitor } from './visitor.ts'

/** A user who can sign in. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string
}

export const PASSWORD = 'a password for people'
let hash: Promise<string> | undefined

/** A user with a password, and with these permissions in each place. */
export async function addPerson(
  { parts, groupId }: TestApp,
  ...roles: { permissions: readonly Permission[]; groupId?: string; orgId?: string }[]
): Promise<Person> {
  hash ??= hashPassword(PASSWORD)
  const { db, now } = parts.services
  const times = { created_at: now(), updated_at: now() }
  const person = { id: randomUUID(), name: `Ada ${randomUUID().slice(0, 8)}` }
  const email = `${person.id}@example.test`
  await db
    .insertInto('users')
    .values({ ...person, email, group_id: groupId, username: person.id, password_hash: await hash, ...times })
    .execute()
  for (const { permissions, groupId: inGroup = groupId, orgId } of roles) {
    const role = { id: randomUUID(), group_id: inGroup, description: '', permissions: JSON.stringify(permissions) }
    await db
      .insertInto('roles')
      .values({ ...role, name: role.id, ...times })
      .execute()
    const member = { id: randomUUID(), principal_kind: 'user', principal_id: person.id, role_id: role.id }
    await db
      .insertInto('memberships')
      .values({ ...member, group_id: inGroup, org_id: orgId ?? null, created_at: now() })
      .execute()
  }
  return { ...person, email }
}

/** Fills in the sign-in page. */
export async function signIn(visitor: Visitor, page: Shown, { email }: Pick<Person, 'email'>): Promise<Shown> {
  return visitor.press(page, 'Sign in', { email, password: PASSWORD })
}
