import { type Static, Type } from 'typebox'
import { limitAttributes, Networks } from '#features/credentials/limits.ts'
import type { CredentialRow } from '#features/credentials/store.ts'
import { bodyOf, resource, Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'

const Name = nameText(100, 'Purpose of the key')
export const ApiKey = resource(
  'api_key',
  Type.Object({
    name: Name,
    hint: Type.String({ description: 'The last four characters' }),
    created_at: Timestamp,
    last_used_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'Absent if the key was never used; updated within 15 seconds' }),
    ),
    expires_at: Type.Optional(Timestamp),
    allowed_networks: Type.Optional(Networks),
    api_key: Type.Optional(
      Type.String({ format: 'uuid', description: 'The key itself; only in the response to its creation' }),
    ),
  }),
)

export const NewApiKey = bodyOf(
  'api_key',
  Type.Object(
    {
      name: Type.Optional(Name),
      ...limitAttributes,
    },
    { additionalProperties: false },
  ),
)

nameSchemas({ ApiKey, NewApiKey })

export function toResource(row: CredentialRow, secret?: string): Static<typeof ApiKey> {
  return {
    id: row.id,
    type: 'api_key',
    attributes: {
      name: row.name,
      hint: row.hint,
      created_at: toTimestamp(row.created_at),
      ...(row.last_used_at !== null && { last_used_at: toTimestamp(row.last_used_at) }),
      ...(row.expires_at !== null && { expires_at: toTimestamp(row.expires_at) }),
      ...(row.allowed_networks !== null && { allowed_networks: JSON.parse(row.allowed_networks) as string[] }),
      ...(secret !== undefined && { api_key: secret }),
    },
  }
}
