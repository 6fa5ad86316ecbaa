import { type Static, Type } from 'typebox'
import { endOf } from '#foundation/access/is-usable.ts'
import { resource, Timestamp } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import { Networks } from './limits.ts'
import type { CredentialRow } from './store.ts'

/** The metadata of a credential: enough to identify it and to see its use. */
export const Credential = resource(
  'credential',
  Type.Object({
    kind: Type.Enum(['api_key', 'client_secret']),
    hint: Type.String({ description: 'The last four characters; of a client secret, those before `_v1`' }),
    state: Type.Enum(['active', 'retiring', 'ended'], {
      description: 'retiring: replaced, works until `retires_at`; ended: expired',
    }),
    created_at: Timestamp,
    last_used_at: Type.Optional(
      Type.String({
        format: 'date-time',
        description: 'Absent if the credential was never used; updated within 15 seconds',
      }),
    ),
    replaced_at: Type.Optional(Timestamp),
    retires_at: Type.Optional(Type.String({ format: 'date-time', description: 'End of the grace period' })),
    used_since_replaced: Type.Optional(
      Type.Boolean({ description: 'Replaced credentials only: true if a client used it after its replacement' }),
    ),
    expires_at: Type.Optional(Timestamp),
    allowed_networks: Type.Optional(Networks),
  }),
)

nameSchemas({ Credential })

export function toCredential(row: CredentialRow, now: number): Static<typeof Credential> {
  const { last_used_at, replaced_at, retires_at, expires_at } = row
  return {
    id: row.id,
    type: 'credential',
    attributes: {
      kind: row.kind as 'api_key' | 'client_secret',
      hint: row.hint,
      state: endOf(row) <= now ? 'ended' : retires_at === null ? 'active' : 'retiring',
      created_at: toTimestamp(row.created_at),
      ...(last_used_at !== null && { last_used_at: toTimestamp(last_used_at) }),
      ...(retires_at !== null && { retires_at: toTimestamp(retires_at) }),
      ...(replaced_at !== null && {
        replaced_at: toTimestamp(replaced_at),
        used_since_replaced: last_used_at !== null && last_used_at > replaced_at,
      }),
      ...(expires_at !== null && { expires_at: toTimestamp(expires_at) }),
      ...(row.allowed_networks !== null && { allowed_networks: JSON.parse(row.allowed_networks) as string[] }),
    },
  }
}
