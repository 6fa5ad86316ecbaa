import { type Static, Type } from 'typebox'
import { bodyOf, changeOf, resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { GroupRow, OrgRow, VisibleOrgRow } from './store.ts'

export const OrgName = nameText(60, 'Display name')

const OrgAttributes = Type.Object({
  name: Type.String(),
  slug: Type.String({ description: 'Unique and permanent; used in URLs' }),
  is_personal: Type.Boolean({ description: 'Always false: every organization is in a group' }),
  group_id: Uuid,
  created_at: Timestamp,
  updated_at: Timestamp,
})

// Named before its use, because each resource copies the schema.
nameSchemas({ OrgAttributes })

export const Org = resource('org', OrgAttributes)

export const OrgWithRole = Type.Object({
  ...Org.properties,
  relationships: Type.Object({
    member_role: Type.Optional(
      Type.Object(
        {
          data: Type.Object({
            id: Uuid,
            type: Type.Literal('role'),
            attributes: Type.Optional(Type.Object({ name: Type.String() })),
          }),
        },
        { description: 'Absent for an unattended app, which has no role' },
      ),
    ),
  }),
})

export const OrgWithTenant = Type.Object({
  ...Org.properties,
  relationships: Type.Optional(
    Type.Object({
      tenant: Type.Object({
        data: Type.Object({
          id: Uuid,
          type: Type.Literal('tenant'),
          attributes: Type.Object({ name: Type.String(), slug: Type.String() }),
        }),
      }),
    }),
  ),
})

/** Converts an organization, with its group as the tenant if given. */
export function toOrgWithTenant(row: OrgRow, tenant: GroupRow | undefined): Static<typeof OrgWithTenant> {
  const { relationships: _, ...org } = toOrg(row)
  if (tenant === undefined) return org
  const { id, name, slug } = tenant
  return { ...org, relationships: { tenant: { data: { id, type: 'tenant', attributes: { name, slug } } } } }
}

export function toOrg(row: OrgRow): Static<typeof Org> {
  return {
    id: row.id,
    type: 'org',
    attributes: {
      name: row.name,
      slug: row.slug,
      is_personal: false,
      group_id: row.group_id,
      created_at: toTimestamp(row.created_at),
      updated_at: toTimestamp(row.updated_at),
    },
  }
}

/** Converts an organization; includes the role's name if `expand` requests it. */
export function toOrgWithRole(expand: readonly string[]) {
  const expanded = expand.includes('member_role')
  return (row: VisibleOrgRow): Static<typeof OrgWithRole> => {
    const { role_id: id, role_name: name } = row
    if (id === null || name === null) return { ...toOrg(row), relationships: {} }
    const role = { id, type: 'role' as const, ...(expanded && { attributes: { name } }) }
    return { ...toOrg(row), relationships: { member_role: { data: role } } }
  }
}

const strict = { additionalProperties: false } as const

export const ChangedOrg = changeOf('org', Type.Object({ name: OrgName }, strict))

export const Group = resource(
  'group',
  Type.Object({ name: Type.String(), slug: Type.String(), created_at: Timestamp, updated_at: Timestamp }),
)

export const GroupName = nameText(60, 'Display name')
export const NewGroup = bodyOf('group', Type.Object({ name: GroupName }, strict))

nameSchemas({ Org, OrgWithRole, OrgWithTenant, ChangedOrg, Group, NewGroup })

export function toGroup(row: GroupRow): Static<typeof Group> {
  return {
    id: row.id,
    type: 'group',
    attributes: {
      name: row.name,
      slug: row.slug,
      created_at: toTimestamp(row.created_at),
      updated_at: toTimestamp(row.updated_at),
    },
  }
}
