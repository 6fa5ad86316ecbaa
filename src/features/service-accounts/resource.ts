import { type Static, Type } from 'typebox'
import { limitsOfFirst, Networks } from '#features/credentials/limits.ts'
import { SecretsAttributes } from '#features/credentials/secrets-request.ts'
import { bodyOf, resource, Timestamp, Uuid } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText } from '#foundation/http/text.ts'
import { toTimestamp } from '#foundation/http/timestamp.ts'
import type { ServiceAccountRow } from './store.ts'

const authTypes = ['api_key', 'oauth_client_secret', 'oauth_private_key_jwt'] as const
export type AuthType = (typeof authTypes)[number]

/** Default lifetime of access tokens, in seconds. */
export const DEFAULT_TTL_SECONDS = 3600

const AuthType = Type.Enum([...authTypes], { description: 'How clients authenticate as the account' })
const TtlSeconds = Type.Integer({
  minimum: 3600,
  maximum: 86_400,
  description: 'Lifetime of the access tokens of an OAuth account, in seconds',
})
const Name = nameText(255, 'Unique among the accounts of one owner; surrounding space is removed')

export const ServiceAccount = resource(
  'service_account',
  Type.Object({
    name: Name,
    auth_type: AuthType,
    level: Type.Enum(['Org', 'Group'], { description: 'Whether an organization or a group owns the account' }),
    role_id: Uuid,
    created_at: Timestamp,
    api_key: Type.Optional(
      Type.String({ format: 'uuid', description: 'Only in the response to the creation of an api_key account' }),
    ),
    client_id: Type.Optional(Type.String({ format: 'uuid', description: 'OAuth accounts only' })),
    client_secret: Type.Optional(
      Type.String({ description: 'Only in the response to the request that created the secret' }),
    ),
    jwks_url: Type.Optional(Type.String({ description: 'oauth_private_key_jwt only' })),
    access_token_ttl_seconds: Type.Optional(TtlSeconds),
    expires_at: Type.Optional(
      Type.String({ format: 'date-time', description: 'oauth_private_key_jwt only: expiry of the account' }),
    ),
    allowed_networks: Type.Optional(Networks),
  }),
)
export type ServiceAccount = Static<typeof ServiceAccount>

const strict = { additionalProperties: false } as const
const AccountType = Type.Literal('service_account')

const NewAttributes = Type.Object(
  {
    name: Name,
    auth_type: AuthType,
    role_id: Type.String({ format: 'uuid', description: 'A built-in role, or a custom role of the group' }),
    access_token_ttl_seconds: Type.Optional(TtlSeconds),
    jwks_url: Type.Optional(
      Type.String({
        maxLength: 2048,
        description: 'https URL of the JSON Web Key Set of an oauth_private_key_jwt account',
      }),
    ),
    ...limitsOfFirst,
  },
  strict,
)
export type NewAttributes = Static<typeof NewAttributes>

/** `data.type` is optional for organizations and required for groups. */
export const NewOrgAccount = Type.Object(
  { data: Type.Object({ type: Type.Optional(AccountType), attributes: NewAttributes }, strict) },
  strict,
)
export const NewGroupAccount = bodyOf('service_account', NewAttributes)

export const RenamedAccount = Type.Object(
  { data: Type.Object({ id: Uuid, type: AccountType, attributes: Type.Object({ name: Name }, strict) }, strict) },
  strict,
)

export const SecretsRequest = bodyOf('service_account', SecretsAttributes)

nameSchemas({
  ServiceAccount,
  NewServiceAccountAttributes: NewAttributes,
  NewOrgServiceAccount: NewOrgAccount,
  NewGroupServiceAccount: NewGroupAccount,
  RenamedServiceAccount: RenamedAccount,
  ServiceAccountSecrets: SecretsRequest,
})

/** Values shown only in the response to a creation. */
export type Shown = { readonly api_key: string } | { readonly client_secret: string } | Record<string, never>

export function toResource(row: ServiceAccountRow, shown: Shown = {}): ServiceAccount {
  return {
    id: row.id,
    type: 'service_account',
    attributes: {
      name: row.name,
      auth_type: row.auth_type as AuthType,
      level: row.org_id === null ? 'Group' : 'Org',
      role_id: row.role_id,
      created_at: toTimestamp(row.created_at),
      ...(row.client_id !== null && { client_id: row.client_id }),
      ...(row.jwks_url !== null && { jwks_url: row.jwks_url }),
      ...(row.access_token_ttl_seconds !== null && { access_token_ttl_seconds: row.access_token_ttl_seconds }),
      ...(row.expires_at !== null && { expires_at: toTimestamp(row.expires_at) }),
      ...(row.allowed_networks !== null && { allowed_networks: JSON.parse(row.allowed_networks) as string[] }),
      ...shown,
    },
  }
}
