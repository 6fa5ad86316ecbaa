import { type Static, Type } from 'typebox'
import { Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { OrgName } from './resource.ts'
import type { GroupRow, OrgRow, VisibleOrgRow } from './store.ts'

const GroupReference = Type.Object({ id: Uuid, name: Type.String() })
const shown = { id: Uuid, name: Type.String(), slug: Type.String(), url: Type.String({ format: 'uri' }) }

/** `GET /v1/orgs` */
export const V1Orgs = Type.Object({ orgs: Type.Array(Type.Object({ ...shown, group: GroupReference })) })

/** `POST /v1/org`: the response. */
export const V1CreatedOrg = Type.Object({ ...shown, created: Timestamp, group: GroupReference })

/** `GET /v1/group/{groupId}/orgs` */
export const V1GroupOrgs = Type.Object({
  id: Uuid,
  name: Type.String(),
  url: Type.String({ format: 'uri' }),
  created: Timestamp,
  orgs: Type.Array(Type.Object({ ...shown, created: Timestamp })),
})

/** `POST /v1/org`: the request. */
export const V1NewOrg = Type.Object(
  {
    name: OrgName,
    groupId: Type.Optional(
      Type.String({
        format: 'uuid',
        description: 'Optional if the caller can create organizations in only one group',
      }),
    ),
    sourceOrgId: Type.Optional(
      Type.String({ format: 'uuid', description: 'An organization of the same group to copy settings from' }),
    ),
    copyMembers: Type.Optional(
      Type.Boolean({
        description: 'An extension: also add the members of the source organization to the new one',
      }),
    ),
  },
  { additionalProperties: false },
)

nameSchemas({ GroupReference, V1Orgs, V1CreatedOrg, V1GroupOrgs, V1NewOrg })

export function toV1Orgs(rows: readonly VisibleOrgRow[], baseUrl: string): Static<typeof V1Orgs> {
  return {
    orgs: rows.map((row) => ({ ...toShown(row, baseUrl), group: { id: row.group_id, name: row.group_name } })),
  }
}

export function toV1CreatedOrg(
  row: OrgRow,
  { baseUrl, group }: { baseUrl: string; group: { id: string; name: string } },
): Static<typeof V1CreatedOrg> {
  return {
    ...toShown(row, baseUrl),
    created: toTimestamp(row.created_at),
    group: { id: group.id, name: group.name },
  }
}

export function toV1GroupOrgs(group: GroupRow, rows: readonly OrgRow[], baseUrl: string): Static<typeof V1GroupOrgs> {
  return {
    id: group.id,
    name: group.name,
    url: `${baseUrl}/group/${group.slug}`,
    created: toTimestamp(group.created_at),
    orgs: rows.map((row) => ({ ...toShown(row, baseUrl), created: toTimestamp(row.created_at) })),
  }
}

function toShown({ id, name, slug }: OrgRow, baseUrl: string) {
  return { id, name, slug, url: `${baseUrl}/org/${slug}` }
}
