import { argon2Sync, randomUUID } from 'node:crypto'
import type { Permission } from '#foundation/access/permissions.ts'
import type { TestApp } from '../servers/app.ts'
import type { Shown, Visitor } from './visitor.ts'

/** A user who can sign in. */
export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string
}

export const PASSWORD = 'a password for people'
const passwordHash = cheapHashOf(PASSWORD)

/** A user with a password, and with these permissions in each place. */
export async function addPerson(
  { parts, groupId }: TestApp,
  ...roles: { permissions: readonly Permission[]; groupId?: string; orgId?: string }[]
): Promise<Person> {
  const { db, now } = parts.services
  const times = { created_at: now(), updated_at: now() }
  const person = { id: randomUUID(), name: `Ada ${randomUUID().slice(0, 8)}` }
  const email = `${person.id}@example.test`
  await db
    .insertInto('users')
    .values({ ...person, email, group_id: groupId, username: person.id, password_hash: passwordHash, ...times })
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

/** A hash as the server stores them, of the least cost: tests sign in a thousand times, a server's cost is a tenth of a second. */
export function cheapHashOf(password: string): string {
  const nonce = Buffer.alloc(16)
  const tag = argon2Sync('argon2id', { message: password, nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 })
  const unpadded = [nonce, tag].map((bytes) => bytes.toString('base64').replace(/=+$/, ''))
  return `$argon2id$v=19$m=8,t=1,p=1$${unpadded.join('$')}`
}

/** Fills in the sign-in page. */
export async function signIn(visitor: Visitor, page: Shown, { email }: Pick<Person, 'email'>): Promise<Shown> {
  return visitor.press(page, 'Sign in', { email, password: PASSWORD })
}
