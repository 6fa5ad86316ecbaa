import { type Static, type TSchema, Type } from 'typebox'
import { type resource, Single, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { PlaceKind } from './place-kind.ts'
import type { GroupMemberRow, MembershipRow, SortKey } from './store.ts'

const strict = { additionalProperties: false } as const

function related<A extends Parameters<typeof resource>[1]>(type: string, attributes: A) {
  return Type.Object({ data: Type.Object({ id: Uuid, type: Type.Literal(type), attributes }) })
}

const Named = Type.Object({ name: Type.String() })

/** The name of a schema for one kind of place. */
function titleOf({ word }: PlaceKind, rest: string): { title: string } {
  return { title: `${word === 'org' ? 'Org' : 'Group'}${rest}` }
}

/**
 * The schema of a membership: the role, the place and the user with their names, as published clients of the interface
 * read them.
 */
export function Membership(kind: PlaceKind): TSchema {
  const { word } = kind
  return Type.Object(
    {
      id: Uuid,
      type: Type.Literal(`${word}_membership`),
      attributes: Type.Object({ created_at: Timestamp }),
      relationships: Type.Object({
        [word]: related(word, Named),
        role: related(`${word}_role`, Named),
        user: related('user', Type.Object({ name: Type.String(), username: Type.String(), email: Type.String() })),
      }),
    },
    titleOf(kind, 'Membership'),
  )
}

/**
 * The schema of a created membership. An existing client reads the id of an organization's membership at the top of the
 * document.
 */
export function CreatedMembership(kind: PlaceKind): TSchema {
  const document = Single(Membership(kind))
  if (kind.word === 'group') return document
  const identifier = { id: Uuid, type: Type.Literal('org_membership') }
  return Type.Object({ ...document.properties, ...identifier }, titleOf(kind, 'CreatedMembership'))
}

/** Returns a converter for memberships of one place. */
export function toResource(kind: PlaceKind, placeName: string) {
  const { word } = kind
  return (row: MembershipRow) => ({
    id: row.id,
    type: `${word}_membership`,
    attributes: { created_at: toTimestamp(row.created_at) },
    relationships: {
      [word]: { data: { id: row.org_id ?? row.group_id, type: word, attributes: { name: placeName } } },
      role: { data: { id: row.role_id, type: `${word}_role`, attributes: { name: row.role_name } } },
      user: {
        data: {
          id: row.user_id,
          type: 'user',
          attributes: { name: row.user_name, username: row.username, email: row.email },
        },
      },
    },
  })
}

function reference(...types: string[]) {
  return Type.Object({ data: Type.Object({ id: Uuid, type: Type.Optional(Type.Enum(types)) }, strict) }, strict)
}

export interface NewMembership {
  readonly data: {
    readonly relationships: Readonly<Record<'user' | 'role', Reference>> & Partial<Record<'org' | 'group', Reference>>
  }
}

interface Reference {
  readonly data: { readonly id: string }
}

export function NewMembershipBody(kind: PlaceKind): TSchema {
  const { word } = kind
  return Type.Object(
    {
      data: Type.Object(
        {
          type: Type.Literal(`${word}_membership`),
          relationships: Type.Object(
            {
              user: reference('user'),
              role: reference(`${word}_role`, 'role'),
              [word]: Type.Optional(reference(word)),
            },
            strict,
          ),
        },
        strict,
      ),
    },
    { ...strict, ...titleOf(kind, 'NewMembership') },
  )
}

export interface ChangedMembership {
  readonly data: { readonly id?: string; readonly relationships: { readonly role: Reference } }
}

export function ChangedMembershipBody(kind: PlaceKind): TSchema {
  const { word } = kind
  return Type.Object(
    {
      data: Type.Object(
        {
          id: Type.Optional(Uuid),
          type: Type.Literal(`${word}_membership`),
          attributes: Type.Optional(Type.Object({}, strict)),
          relationships: Type.Object({ role: reference(`${word}_role`, 'role') }, strict),
        },
        strict,
      ),
    },
    { ...strict, ...titleOf(kind, 'ChangedMembership') },
  )
}

export function membershipFilters({ sortByRole }: PlaceKind) {
  return {
    user_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only memberships of this user' })),
    email: Type.Optional(Type.String({ maxLength: 254, description: 'Only the user with this email address' })),
    username: Type.Optional(Type.String({ maxLength: 254, description: 'Only the user with this username' })),
    role_name: Type.Optional(Type.String({ maxLength: 100, description: 'Only members whose role has this name' })),
    sort_by: Type.Optional(
      Type.Enum(['username', 'user_display_name', 'email', sortByRole], {
        description: 'Default: the oldest membership first',
      }),
    ),
    sort_order: Type.Optional(
      Type.Enum(['ASC', 'DESC'], { default: 'ASC', description: 'Direction of `sort_by` or of the default order' }),
    ),
  }
}

export interface MembershipQuery {
  readonly user_id?: string
  readonly email?: string
  readonly username?: string
  readonly role_name?: string
  readonly sort_by?: 'username' | 'user_display_name' | 'email' | 'role' | 'role_name'
  readonly sort_order?: 'ASC' | 'DESC'
}

export function toSort({ sort_by, sort_order }: MembershipQuery): [SortKey, 'asc' | 'desc'] {
  const key = sort_by === 'role_name' ? 'role' : (sort_by ?? 'created_at')
  return [key, sort_order === 'DESC' ? 'desc' : 'asc']
}

/** `GET /v1/org/{orgId}/members` */
export const V1Members = Type.Array(
  Type.Object({
    id: Uuid,
    name: Type.String(),
    username: Type.String(),
    email: Type.String(),
    role: nameText(100, 'Name of the role'),
  }),
)

/** `GET /v1/group/{groupId}/members` */
export const V1GroupMembers = Type.Array(
  Type.Object({
    id: Uuid,
    name: Type.String(),
    username: Type.String(),
    email: Type.String(),
    orgs: Type.Array(Type.Object({ name: Type.String(), role: nameText(100, 'Name of the role') })),
    groupRole: Type.Optional(nameText(100, 'Name of the role in the group')),
  }),
)

export const V1Invitation = Type.Object({
  email: Type.String({ format: 'email', maxLength: 254, description: 'Email address of the user' }),
  isAdmin: Type.Optional(Type.Boolean({ default: false, description: 'true: Org Admin; false: Org Collaborator' })),
})

nameSchemas({ V1Members, V1GroupMembers, V1Invitation })

export function toV1Member(row: MembershipRow): Static<typeof V1Members>[number] {
  return { id: row.user_id, name: row.user_name, username: row.username, email: row.email, role: row.role_name }
}

/** Converts the rows of one member to one entry, in the order of the rows. */
export function toV1GroupMembers(rows: readonly GroupMemberRow[]): Static<typeof V1GroupMembers> {
  return [...Map.groupBy(rows, ({ user_id }) => user_id).values()].map((own) => {
    const [{ user_id: id, user_name: name, username, email }] = own as [GroupMemberRow]
    const groupRole = own.find(({ org_name }) => org_name === null)?.role_name
    const orgs = own.flatMap(({ org_name, role_name }) =>
      org_name === null ? [] : { name: org_name, role: role_name },
    )
    return { id, name, username, email, orgs, ...(groupRole !== undefined && { groupRole }) }
  })
}
