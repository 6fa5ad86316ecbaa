import { type Static, Type } from 'typebox'
import type { Db } from '#foundation/db/database.ts'
import { Uuid } from '#foundation/http/documents.ts'
import { nameText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import {
  countIdentities,
  listDomains,
  listMappings,
  logoutUriOf,
  type ProviderRow,
  redirectUriOf,
} from './providers-store.ts'

const strict = { additionalProperties: false } as const
const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(type: T) => Type.Union([type, Type.Null()])

export const ProviderInput = Type.Object(
  {
    name: nameText(100, 'Shown on the sign-in page'),
    issuer: Type.String({ minLength: 1, maxLength: 500 }),
    client_id: Type.String({ minLength: 1, maxLength: 500, pattern: '^[\\x21-\\x7e]+$' }),
    /** Omitted: unchanged. Null: a public client. */
    client_secret: Type.Optional(orNull(Type.String({ minLength: 1, maxLength: 2000 }))),
    domains: Type.Array(Type.String({ minLength: 1, maxLength: 253 }), { minItems: 1, maxItems: 50 }),
    mode: Type.Enum(['optional', 'required']),
    creates_accounts: Type.Boolean(),
    trusts_emails: Type.Boolean(),
    role_claim: orNull(Type.String({ minLength: 1, maxLength: 200 })),
    roles: Type.Array(
      Type.Object(
        { claim_value: orNull(Type.String({ minLength: 1, maxLength: 500 })), org_id: orNull(Uuid), role_id: Uuid },
        strict,
      ),
      { maxItems: 200 },
    ),
  },
  strict,
)

export type ProviderInput = Static<typeof ProviderInput>

/** Describes a provider to administrators, without its secret. */
export async function describeProvider(db: Db, baseUrl: string, row: ProviderRow) {
  const { id, name, issuer, client_id, client_secret, mode, creates_accounts, trusts_emails, role_claim } = row
  const toTime = (at: number | null) => (at === null ? null : toTimestamp(at))
  return {
    id,
    name,
    issuer,
    client_id,
    has_client_secret: client_secret !== null,
    domains: await listDomains(db, id),
    mode: mode as ProviderInput['mode'],
    creates_accounts: creates_accounts === 1,
    trusts_emails: trusts_emails === 1,
    role_claim,
    roles: await listMappings(db, id),
    users: await countIdentities(db, id),
    redirect_uri: redirectUriOf(baseUrl, id),
    logout_uri: logoutUriOf(baseUrl, id),
    last_sign_in_at: toTime(row.last_sign_in_at),
    last_failure_at: toTime(row.last_failure_at),
    last_failure: row.last_failure,
  }
}
