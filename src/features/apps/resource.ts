import { type Static, type TSchema, Type } from 'typebox'
import { limitsOfFirst } from '#features/credentials/limits.ts'
import { SecretsAttributes } from '#features/credentials/secrets-request.ts'
import { scopeNames } from '#foundation/access/scopes.ts'
import { changeOf, resource } from '#foundation/http/documents.ts'
import { nameSchemas } from '#foundation/http/schema-names.ts'
import { nameText } from '#foundation/http/text.ts'
import { type AppRow, redirectUrisOf, scopesOf } from './store.ts'

export const DEFAULT_TTL_SECONDS = 3600

export const contexts = ['tenant', 'user'] as const
export type Context = (typeof contexts)[number]

const grantTypes = ['authorization_code', 'client_credentials'] as const
export type GrantType = (typeof grantTypes)[number]

const strict = { additionalProperties: false } as const

const Name = nameText(255, 'Shown to users who authorize the app; not unique')
const TtlSeconds = Type.Integer({
  minimum: 3600,
  maximum: 86_400,
  description: 'Lifetime of access tokens issued from now on, in seconds',
})
const Context = Type.Enum([...contexts], {
  description:
    'tenant: the app acts as itself, in every place where it is installed; user: it acts for the user who authorized it',
})
const GrantType = Type.Enum([...grantTypes], {
  description:
    'authorization_code: users authorize the app; client_credentials: it runs unattended where it is installed',
})
const RedirectUri = Type.String({ minLength: 1, maxLength: 2048 })
const redirectUris = {
  maxItems: 100,
  uniqueItems: true,
  description: 'Where browsers are sent back to: https, or http on a loopback host; compared literally',
} as const

const ownAttributes = {
  name: Name,
  context: Context,
  grant_type: GrantType,
  is_confidential: Type.Boolean({ description: 'Whether the app can keep a secret (RFC 6749 §2.1)' }),
  is_public: Type.Boolean({ description: 'Whether the app may be used outside the group that owns it' }),
  scopes: Type.Array(Type.String()),
  access_token_ttl_seconds: TtlSeconds,
  org_public_id: Type.String({ format: 'uuid', description: 'The organization that owns the app' }),
  client_secret: Type.Optional(
    Type.String({ description: 'Only in the response to the request that created the secret' }),
  ),
}

export const App = resource(
  'app',
  Type.Object({
    ...ownAttributes,
    client_id: Type.Optional(
      Type.String({ format: 'uuid', description: 'Absent for an unattended app: each of its installs has one' }),
    ),
    redirect_uris: Type.Optional(Type.Array(Type.String(), { description: 'Absent for an unattended app' })),
  }),
)
export type App = Static<typeof App>

/** An app in the deprecated operations, which omit no attribute. */
export const DeprecatedApp = resource(
  'app',
  Type.Object({
    ...ownAttributes,
    client_id: Type.String({ format: 'uuid', description: 'All zeros for an unattended app' }),
    redirect_uris: Type.Array(Type.String(), { description: 'Empty for an unattended app' }),
  }),
)

export const AppSummary = resource(
  'app',
  Type.Object({
    client_id: Type.String({ format: 'uuid', description: 'All zeros for an unattended app' }),
    context: Context,
    name: Name,
    scopes: Type.Array(Type.String()),
  }),
)
export type AppSummary = Static<typeof AppSummary>

export const NewAttributes = Type.Object(
  {
    name: Name,
    redirect_uris: Type.Optional(
      Type.Array(RedirectUri, {
        ...redirectUris,
        description: `${redirectUris.description}. At least one; none with \`grant_type\` client_credentials`,
      }),
    ),
    // An explicit type lets the validator find duplicates in one pass.
    scopes: Type.Array(Type.Enum([...scopeNames], { type: 'string' }), {
      minItems: 1,
      uniqueItems: true,
      description: 'What the app may ask for; `org.read` is always one of them',
    }),
    access_token_ttl_seconds: Type.Optional(TtlSeconds),
    context: Type.Optional(Context),
    grant_type: Type.Optional(
      Type.Enum([...grantTypes], {
        description:
          'Extension of this server. client_credentials creates an unattended app, which can be installed; default: authorization_code',
      }),
    ),
    is_confidential: Type.Optional(
      Type.Boolean({
        description:
          'Extension of this server. false creates a public client, which has no secret and must use PKCE; default: true',
      }),
    ),
    ...limitsOfFirst,
  },
  strict,
)
export type NewAttributes = Static<typeof NewAttributes>

/** The attributes of the deprecated operations, without extensions. */
export const DeprecatedNewAttributes = Type.Object(
  {
    name: Name,
    redirect_uris: Type.Array(RedirectUri, { ...redirectUris, minItems: 1 }),
    scopes: NewAttributes.properties.scopes,
    access_token_ttl_seconds: Type.Optional(TtlSeconds),
    context: Type.Optional(Context),
  },
  strict,
)

export const ChangedAttributes = Type.Object(
  {
    name: Type.Optional(Name),
    redirect_uris: Type.Optional(Type.Array(RedirectUri, { ...redirectUris, minItems: 1 })),
    access_token_ttl_seconds: Type.Optional(TtlSeconds),
  },
  strict,
)
export type ChangedAttributes = Static<typeof ChangedAttributes>

/** Wraps attributes in `data`, as in the bodies of the current operations. */
export function wrapped<A extends TSchema>(attributes: A) {
  return Type.Object({ data: Type.Object({ type: Type.Literal('app'), attributes }, strict) }, strict)
}

export const NewApp = wrapped(NewAttributes)
export const ChangedApp = changeOf('app', ChangedAttributes)
export const AppSecrets = wrapped(SecretsAttributes)

nameSchemas({
  App,
  DeprecatedApp,
  AppSummary,
  NewAppAttributes: NewAttributes,
  DeprecatedNewAppAttributes: DeprecatedNewAttributes,
  ChangedAppAttributes: ChangedAttributes,
  NewApp,
  ChangedApp,
  AppSecrets,
})

/** Values shown only in the response to a creation. */
export interface Shown {
  readonly client_secret?: string
}

const NO_CLIENT = '00000000-0000-0000-0000-000000000000'

export function toResource(row: AppRow, shown: Shown = {}): App {
  const { client_id } = row
  return toApp(row, {
    ...(client_id !== null && { client_id, redirect_uris: redirectUrisOf(row) }),
    ...shown,
  })
}

export function toDeprecatedResource(row: AppRow, shown: Shown = {}): Static<typeof DeprecatedApp> {
  return toApp(row, { client_id: row.client_id ?? NO_CLIENT, redirect_uris: redirectUrisOf(row), ...shown })
}

function toApp<M extends object>(row: AppRow, more: M) {
  return {
    id: row.id,
    type: 'app' as const,
    attributes: {
      name: row.name,
      context: row.context as Context,
      grant_type: row.grant_type as GrantType,
      is_confidential: row.is_confidential === 1,
      is_public: row.is_public === 1,
      scopes: scopesOf(row),
      access_token_ttl_seconds: row.access_token_ttl_seconds,
      org_public_id: row.org_id,
      ...more,
    },
  }
}

/** An app as shown in installs and bots, and to users who authorized it. */
export function toAppSummary(app: Pick<AppRow, 'id' | 'client_id' | 'context' | 'name' | 'scopes'>): AppSummary {
  return {
    id: app.id,
    type: 'app',
    attributes: {
      client_id: app.client_id ?? NO_CLIENT,
      context: app.context as Context,
      name: app.name,
      scopes: scopesOf(app),
    },
  }
}
