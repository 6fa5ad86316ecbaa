import { type Static, Type } from 'typebox'
import type { UserRow } from '#features/user-sessions/users-store.ts'
import { bodyOf, changeOf, resource, Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { MembershipRow } from './store.ts'

const Name = nameText(100, 'Display name')
const Username = nameText(254, 'Default: the email address')
const Email = Type.String({ format: 'email', maxLength: 254, description: 'Unique on this server, case-insensitive' })
const Password = Type.String({
  minLength: 12,
  maxLength: 1024,
  description: 'Stored as an argon2id hash; never shown again',
})

export const User = resource(
  'user',
  Type.Object({
    name: Type.String(),
    username: Type.String(),
    email: Type.String(),
    has_password: Type.Boolean({ description: 'Whether the user has a password' }),
    disabled: Type.Boolean({
      description: 'Whether the user is disabled; all credentials of a disabled user are refused',
    }),
    group_role: Type.Optional(Type.String({ description: 'The role in the group' })),
    org_memberships: Type.Integer({ description: 'Number of organizations of the group in which the user has a role' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)

const strict = { additionalProperties: false } as const

export const NewUser = bodyOf(
  'user',
  Type.Object(
    { name: Name, email: Email, username: Type.Optional(Username), password: Type.Optional(Password) },
    strict,
  ),
)

export const ChangedUser = changeOf(
  'user',
  Type.Object(
    { name: Type.Optional(Name), username: Type.Optional(Username), password: Type.Optional(Password) },
    { ...strict, minProperties: 1 },
  ),
)

export interface MembershipSummary {
  readonly groupRole: string | undefined
  readonly orgs: number
}

export function toUser(row: UserRow, { groupRole, orgs }: MembershipSummary): Static<typeof User> {
  return {
    id: row.id,
    type: 'user',
    attributes: {
      name: row.name,
      username: row.username,
      email: row.email,
      has_password: row.password_hash !== null,
      disabled: row.disabled_at !== null,
      ...(groupRole !== undefined && { group_role: groupRole }),
      org_memberships: orgs,
      created_at: toTimestamp(row.created_at),
      updated_at: toTimestamp(row.updated_at),
    },
  }
}

/** A user as shown to an organization; `indirect` members are those of its group. */
export const OrgUser = resource(
  'user',
  Type.Object({
    name: Type.String(),
    username: Type.String(),
    email: Type.String(),
    active: Type.Boolean(),
    membership: Type.Object({ created_at: Timestamp, strategy: Type.Enum(['direct', 'indirect']) }),
  }),
)

nameSchemas({ User, NewUser, ChangedUser, OrgUser })

export function toOrgUser(membership: MembershipRow): Static<typeof OrgUser> {
  const { user_id, user_name, username, email, created_at, org_id, disabled_at } = membership
  return {
    id: user_id,
    type: 'user',
    attributes: {
      name: user_name,
      username,
      email,
      active: disabled_at === null,
      membership: {
        created_at: toTimestamp(created_at),
        strategy: org_id === null ? 'indirect' : 'direct',
      },
    },
  }
}
