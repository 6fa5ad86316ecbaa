import { type Static, Type } from 'typebox'
import type { Db } from '#foundation/db/database.ts'
import { Timestamp, Uuid } from '#foundation/http/documents.ts'
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

const { client_secret: _, ...settings } = ProviderInput.properties

export const Provider = Type.Object({
  ...settings,
  id: Type.String(),
  has_client_secret: Type.Boolean(),
  users: Type.Integer(),
  redirect_uri: Type.String(),
  logout_uri: Type.String(),
  last_sign_in_at: orNull(Timestamp),
  last_failure_at: orNull(Timestamp),
  last_failure: orNull(Type.String()),
})

const user = { id: Type.String(), name: Type.String(), email: Type.String() }

export const SingleSignOn = Type.Object({
  providers: Type.Array(Provider),
  administrators: Type.Array(
    Type.Object({ ...user, break_glass: Type.Boolean(), has_password: Type.Boolean(), disabled: Type.Boolean() }),
  ),
  disabled_users: Type.Array(
    Type.Object({ ...user, disabled_at: Timestamp, disabled_by: Type.Enum(['administrator', 'provider']) }),
  ),
  redirect_uri: Type.String({ description: 'The address of a new provider, with `{id}` in place of its id' }),
  logout_uri: Type.String(),
})

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
