import { type Static, Type } from 'typebox'
import { countParameter, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { parseTimestamp, toTimestamp } from '#foundation/http/timestamp.ts'
import { ids } from './resource.ts'
import type { TargetFilters, TargetRow } from './targets-store.ts'

export const Target = Type.Object({
  id: Uuid,
  type: Type.Literal('target'),
  attributes: Type.Object({
    display_name: Type.String(),
    url: Type.Union([Type.String(), Type.Null()]),
    is_private: Type.Boolean(),
    origin: Type.String({ description: 'The kind of integration, cli or api' }),
    created_at: Timestamp,
  }),
  relationships: Type.Object({
    organization: Type.Object({ data: Type.Object({ id: Uuid, type: Type.Literal('organization') }) }),
    integration: Type.Object({
      data: Type.Object({
        id: Type.Union([Uuid, Type.Null()], {
          description: 'Null for a target without an integration, or whose integration was deleted',
        }),
        type: Type.Literal('integration'),
        attributes: Type.Object({ integration_type: Type.String() }),
      }),
    }),
  }),
})

nameSchemas({ Target })

export function toTarget(row: TargetRow): Static<typeof Target> {
  return {
    id: row.id,
    type: 'target',
    attributes: {
      display_name: row.display_name,
      url: row.url,
      is_private: row.is_private === 1,
      origin: row.origin,
      created_at: toTimestamp(row.created_at),
    },
    relationships: {
      organization: { data: { id: row.org_id, type: 'organization' } },
      integration: {
        data: {
          id: row.integration_id,
          type: 'integration',
          attributes: { integration_type: row.integration_kind ?? row.origin },
        },
      },
    },
  }
}

const origins = (description: string) =>
  Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100, description }))

export const targetFilters = {
  ids: Type.Optional(ids('An extension: only these targets')),
  exclude_empty: Type.Optional(
    Type.Boolean({ default: true, description: 'false: also list targets without projects' }),
  ),
  is_private: Type.Optional(Type.Boolean({ description: 'Only private targets, or only others' })),
  url: Type.Optional(Type.String({ maxLength: 2000, description: 'Only the targets at this URL' })),
  display_name: Type.Optional(
    Type.String({ maxLength: 2000, description: 'Only targets whose name begins with this, case-insensitive' }),
  ),
  source_types: origins('Only targets of these origins'),
  origins: origins('The same filter under the name that projects use'),
  created_gte: Type.Optional(
    Type.String({ format: 'date-time', description: 'Only targets created at or after this time' }),
  ),
  ...countParameter,
}

const Filters = Type.Object(targetFilters)

export function toTargetFilters(query: Static<typeof Filters>): TargetFilters {
  const { exclude_empty = true, source_types, created_gte } = query
  return {
    ids: query.ids?.map((id) => id.toLowerCase()),
    hasProjects: exclude_empty,
    isPrivate: query.is_private,
    url: query.url,
    nameStart: query.display_name,
    origins: source_types ?? query.origins,
    createdFrom: created_gte === undefined ? undefined : parseTimestamp(created_gte, 'created_gte'),
  }
}
