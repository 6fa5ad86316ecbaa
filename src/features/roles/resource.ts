import { type Static, Type } from 'typebox'
import { permissionNames } from '#foundation/access/permissions.ts'
import { bodyOf, changeOf, resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText, proseText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { permissionsOf, type RoleRow } from './store.ts'

// An explicit type lets the validator find duplicates in one pass.
const Permissions = Type.Array(Type.Enum([...permissionNames], { type: 'string' }), {
  uniqueItems: true,
  description: 'Names of permissions; `x-permission` of an operation names the ones it needs',
})

// Named before its use, because an optional member copies the schema.
nameSchemas({ Permissions })
const Name = nameText(100, 'Unique in the group')
const Description = proseText(1000, 'Purpose of the role')

export const Role = resource(
  'role',
  Type.Object({
    name: Name,
    description: Description,
    permissions: Permissions,
    is_custom: Type.Boolean({ description: 'false for the built-in roles, which cannot be changed' }),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type Role = Static<typeof Role>

const strict = { additionalProperties: false } as const

export const NewRole = bodyOf(
  'role',
  Type.Object({ name: Name, description: Type.Optional(Description), permissions: Permissions }, strict),
)

export const ChangedRole = changeOf(
  'role',
  Type.Object(
    {
      name: Type.Optional(Name),
      description: Type.Optional(Description),
      permissions: Type.Optional(Permissions),
    },
    { ...strict, minProperties: 1 },
  ),
)

export function toResource(row: RoleRow): Role {
  return {
    id: row.id,
    type: 'role',
    attributes: {
      name: row.name,
      description: row.description,
      permissions: permissionsOf(row),
      is_custom: row.group_id !== null,
      created_at: toTimestamp(row.created_at),
      updated_at: toTimestamp(row.updated_at),
    },
  }
}

/** `GET /v1/group/{groupId}/roles`. `customRole` is undocumented, but an existing client reads it. */
export const V1Roles = Type.Array(
  Type.Object({
    name: Type.String(),
    description: Type.String(),
    publicId: Uuid,
    customRole: Type.Boolean(),
    created: Timestamp,
    modified: Timestamp,
  }),
)

nameSchemas({ Role, NewRole, ChangedRole, V1Roles })

export function toV1Role(row: RoleRow): Static<typeof V1Roles>[number] {
  return {
    name: row.name,
    description: row.description,
    publicId: row.id,
    customRole: row.group_id !== null,
    created: toTimestamp(row.created_at),
    modified: toTimestamp(row.updated_at),
  }
}
